"""Features: transformers, whose models map rows to rows."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
<<<<<<< HEAD
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
=======
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
>>>>>>> h/features
    "OneHotEncoder": "suffice.features.one_hot_encoder",
    "RobustScaler": "suffice.features.ranks.robust_scaler",
    "SixSigmaScaler": "suffice.features.scale_by_moments",
    "VarianceScaler": "suffice.features.scale_by_moments",
    "ColumnStatistics": "suffice.features.describing.column_statistics",
<<<<<<< HEAD
    "Description": "suffice.features.describing.table_description",
    "Pooled": "suffice.features.missing.pooling",
    "pool": "suffice.features.missing.pooling",
=======
    "TableDescription": "suffice.features.describing.table_description",
    "TableEncoder": "suffice.features.encode.table_encoder",
    "Transformation": "suffice.features.transformations",
    "TargetEncoder": "suffice.features.calibrate.target_encoder",
>>>>>>> h/features
    "Threshold": "suffice.features.discretise.threshold",
    "calibrated_density": "suffice.features.calibrate.column_maps",
    "describe": "suffice.features.describing.table_description",
    "plan": "suffice.features.transformations",
    "statistics": "suffice.features.describing.table_description",
    "StandardScaler": "suffice.features.standard_scaler",
}

_TOP = _HOMES.keys() - {
<<<<<<< HEAD
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
=======
    "ColumnStatistics",
    "TableDescription",
    "Transformation",
    "calibrated_density",
    "plan",
>>>>>>> h/features
}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
