"""The door of neighbours: numbers, dense or sparse, or who keeps some; missing cells where the distance takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.errors import BadType, Said, refusal
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.neighbours.near.neighbour_options import is_given, refuse_negative
from suffice.neighbours.near.rows_of_fitted import rows_of_fitted
from suffice.sources.tables.numbers import Numbers
from suffice.sources.tables.table import Table

RULES: dict[str, Any] = {"accept_sparse": "csr", "order": "C", "dtype": np.float64}


@dataclass(frozen=True)
class NeighbourRows:
    """Rows of numbers, by scikit-learn's check; what may be missing depends on the metric."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        if isinstance(X, Table) and not isinstance(X, Numbers) and not first:
            return X
        X = rows_of_fitted(estimator, X) if first else X
        given = is_given(estimator.metric)
        if given and getattr(X, "format", None) in ("dok", "bsr"):
            rule = "in another format (not supported due to its handling of explicit zeros)"
            raise refusal(BadType, estimator._owner, "X", rule, Said(X.format), "Use X.tocsr().")
        missing = isinstance(estimator.metric, str) and estimator.metric == "nan_euclidean"
        rules = {**RULES, "ensure_all_finite": "allow-nan" if missing else True}
        table = DistanceRows(rules).check(estimator, X, first=first, learning=learning)
        if given:
            refuse_negative(estimator, table.X)
        return table

    def tag(self, tags: Any) -> None:
        """Sparse rows are taken."""
        tags.input_tags.sparse = True
