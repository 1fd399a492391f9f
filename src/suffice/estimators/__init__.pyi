"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.estimators.state.loaded import load as load

__all__ = [
    "load",
]
