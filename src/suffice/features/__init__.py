"""Features: transformers, whose models map rows to rows."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Discretizer": "suffice.features.discretise.discretizer",
    "KBinsDiscretizer": "suffice.features.discretise.kbins_discretizer",
    "NormalImputer": "suffice.features.missing.normal_imputer",
    "OneHotEncoder": "suffice.features.one_hot_encoder",
    "ColumnStatistics": "suffice.features.describing.column_statistics",
    "Description": "suffice.features.describing.table_description",
    "Pooled": "suffice.features.missing.pooling",
    "pool": "suffice.features.missing.pooling",
    "Threshold": "suffice.features.discretise.threshold",
    "describe": "suffice.features.describing.table_description",
    "statistics": "suffice.features.describing.table_description",
    "StandardScaler": "suffice.features.standard_scaler",
}

_TOP = _HOMES.keys() - {"ColumnStatistics", "Description", "Pooled", "pool"}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
