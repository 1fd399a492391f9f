"""Features: transformers, whose models map rows to rows."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "CartesianProduct": "suffice.features.construct.cartesian_product",
    "curve_coefficients": "suffice.features.structured.curve_coefficients",
    "Amount": "suffice.features.structured.part_features",
    "Count": "suffice.features.structured.part_features",
    "Exists": "suffice.features.structured.part_features",
    "Propositionalise": "suffice.features.structured.propositionalise",
    "build": "suffice.features.structured.part_features",
    "has_phrase": "suffice.features.structured.text_parts",
    "is_palindrome": "suffice.features.structured.text_parts",
    "longest_run": "suffice.features.structured.text_parts",
    "pairs": "suffice.features.structured.part_features",
    "part": "suffice.features.structured.conditions",
    "runs": "suffice.features.structured.text_parts",
    "shared_passage": "suffice.features.structured.text_parts",
    "words": "suffice.features.structured.text_parts",
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

_TOP = _HOMES.keys() - {
    "Amount",
    "ColumnStatistics",
    "Count",
    "Description",
    "Exists",
    "Pooled",
    "Propositionalise",
    "build",
    "curve_coefficients",
    "has_phrase",
    "is_palindrome",
    "longest_run",
    "pairs",
    "part",
    "pool",
    "runs",
    "shared_passage",
    "words",
}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
