"""The scikit-learn glue: one-pass classifiers, and what they share with models loaded from files."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {"load": "suffice.estimators.state.loaded"}
_TOP = _HOMES.keys()  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
