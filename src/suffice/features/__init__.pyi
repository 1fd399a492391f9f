"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.features.one_hot_encoder import OneHotEncoder as OneHotEncoder
from suffice.features.standard_scaler import StandardScaler as StandardScaler

__all__ = [
    "OneHotEncoder",
    "StandardScaler",
]
