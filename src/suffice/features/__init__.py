"""Features: transformers, whose models map rows to rows."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "OneHotEncoder": "suffice.features.one_hot_encoder",
    "SelectKBest": "suffice.features.selection.select_best",
    "SelectPercentile": "suffice.features.selection.select_best",
    "StandardScaler": "suffice.features.standard_scaler",
}

_SELECTION = {  # names of the sub-room of selection
    "ColumnScores": "suffice.features.selection.column_scores",
    "CrossValidated": "suffice.features.selection.subset_scores",
    "LeastSquaresFolds": "suffice.features.selection.subset_scores",
    "SubsetFound": "suffice.features.selection.subset_search",
    "adjusted": "suffice.features.selection.column_scores",
    "all_subsets": "suffice.features.selection.subset_search",
    "annealing": "suffice.features.selection.random_search",
    "backward": "suffice.features.selection.subset_search",
    "chi_square": "suffice.features.selection.contingency_scores",
    "correlation_based": "suffice.features.selection.redundancy",
    "drop_redundant": "suffice.features.selection.redundancy",
    "floating": "suffice.features.selection.subset_search",
    "forward": "suffice.features.selection.subset_search",
    "gain_ratio": "suffice.features.selection.contingency_scores",
    "genetic": "suffice.features.selection.random_search",
    "information_gain": "suffice.features.selection.contingency_scores",
    "regression_relief_f": "suffice.features.selection.relief",
    "relief": "suffice.features.selection.relief",
    "relief_f": "suffice.features.selection.relief",
    "stability": "suffice.features.selection.stability",
    "value_departures": "suffice.features.selection.contingency_scores",
}

_TOP = set(_HOMES)  # names of `suffice` too
_HOMES = {**_HOMES, **_SELECTION}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
