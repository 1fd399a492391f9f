"""Models whose boundary depends on rows near or beyond it: perceptrons, support vector machines."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "KernelPerceptron": "suffice.margin.kernel_perceptron",
    "MarginReport": "suffice.margin.margin_reading",
    "Perceptron": "suffice.margin.perceptron",
    "PerceptronRegressor": "suffice.margin.perceptron_regressor",
    "SVC": "suffice.margin.svc",
    "geometric_margin": "suffice.margin.plane_margin",
    "margin_report": "suffice.margin.margin_reading",
    "mistake_bound": "suffice.margin.novikoff",
    "separable": "suffice.margin.separation",
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
