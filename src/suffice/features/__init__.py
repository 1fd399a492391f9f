"""Features: transformers, whose models map rows to rows."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "OneHotEncoder": "suffice.features.one_hot_encoder",
    "StandardScaler": "suffice.features.standard_scaler",
}

_TOP = _HOMES.keys()  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
