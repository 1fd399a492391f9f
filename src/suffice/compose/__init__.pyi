"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.compose.calibration.calibrated_classifier import CalibratedClassifier as CalibratedClassifier
from suffice.compose.chain import Chain as Chain
from suffice.compose.decide import Decide as Decide
from suffice.compose.one_vs_one import OneVsOneClassifier as OneVsOneClassifier
from suffice.compose.one_vs_rest import OneVsRestClassifier as OneVsRestClassifier

__all__ = [
    "CalibratedClassifier",
    "Chain",
    "Decide",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
]
