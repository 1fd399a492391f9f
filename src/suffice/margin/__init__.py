"""Models whose boundary depends on rows near or beyond it: perceptrons, support vector machines."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "KernelPerceptron": "suffice.margin.perceptron.kernel_perceptron",
    "MarginReport": "suffice.margin.svc.margin_reading",
    "Perceptron": "suffice.margin.perceptron.perceptron",
    "PerceptronRegressor": "suffice.margin.perceptron.perceptron_regressor",
    "SVC": "suffice.margin.svc.svc",
    "geometric_margin": "suffice.margin.svc.plane_margin",
    "margin_report": "suffice.margin.svc.margin_reading",
    "mistake_bound": "suffice.margin.perceptron.novikoff",
    "separable": "suffice.margin.svc.separation",
}

_TOP = _HOMES.keys() - {
    "MarginReport",
    "geometric_margin",
    "margin_report",
    "mistake_bound",
    "separable",
}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
