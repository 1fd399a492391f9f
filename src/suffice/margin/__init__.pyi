"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.margin.perceptron.kernel_perceptron import KernelPerceptron as KernelPerceptron
from suffice.margin.svc.margin_reading import MarginReport as MarginReport
from suffice.margin.perceptron.perceptron import Perceptron as Perceptron
from suffice.margin.perceptron.perceptron_regressor import PerceptronRegressor as PerceptronRegressor
from suffice.margin.svc.svc import SVC as SVC
from suffice.margin.svc.plane_margin import geometric_margin as geometric_margin
from suffice.margin.svc.margin_reading import margin_report as margin_report
from suffice.margin.perceptron.novikoff import mistake_bound as mistake_bound
from suffice.margin.svc.separation import separable as separable

__all__ = [
    "KernelPerceptron",
    "MarginReport",
    "Perceptron",
    "PerceptronRegressor",
    "SVC",
    "geometric_margin",
    "margin_report",
    "mistake_bound",
    "separable",
]
