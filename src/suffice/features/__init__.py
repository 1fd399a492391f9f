"""Features: transformers, whose models map rows to rows."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Calibrate": "suffice.features.calibrate.calibrate",
    "Discretizer": "suffice.features.discretise.discretizer",
    "KBinsDiscretizer": "suffice.features.discretise.kbins_discretizer",
    "MaxAbsScaler": "suffice.features.ranks.min_max_scaler",
    "MinMaxScaler": "suffice.features.ranks.min_max_scaler",
    "Binarizer": "suffice.features.encode.polynomial_features",
    "GroupCategories": "suffice.features.encode.category_groups",
    "OrderCategories": "suffice.features.encode.category_groups",
    "OrdinalEncoder": "suffice.features.encode.ordinal_encoder",
    "PolynomialFeatures": "suffice.features.encode.polynomial_features",
    "ProductTerms": "suffice.features.encode.polynomial_features",
    "OneHotEncoder": "suffice.features.one_hot_encoder",
    "RobustScaler": "suffice.features.ranks.robust_scaler",
    "SixSigmaScaler": "suffice.features.scale_by_moments",
    "VarianceScaler": "suffice.features.scale_by_moments",
    "ColumnStatistics": "suffice.features.describing.column_statistics",
    "TableDescription": "suffice.features.describing.table_description",
    "TableEncoder": "suffice.features.encode.table_encoder",
    "Transformation": "suffice.features.transformations",
    "TargetEncoder": "suffice.features.calibrate.target_encoder",
    "Threshold": "suffice.features.discretise.threshold",
    "calibrated_density": "suffice.features.calibrate.column_maps",
    "chi_square": "suffice.features.discretise.class_shares",
    "describe": "suffice.features.describing.table_description",
    "information_gain": "suffice.features.discretise.class_shares",
    "plan": "suffice.features.transformations",
    "statistics": "suffice.features.describing.table_description",
    "StandardScaler": "suffice.features.standard_scaler",
}

_INSIDE = {  # names of this room alone
    "ColumnStatistics",
    "TableDescription",
    "Transformation",
    "calibrated_density",
    "chi_square",
    "information_gain",
    "plan",
}
_TOP = _HOMES.keys() - _INSIDE  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
