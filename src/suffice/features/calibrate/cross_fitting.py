"""Cross-fitting: rows are mapped by a model of the other folds, from one pass that keeps the summary of each fold."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.folds import DrawnFolds, RowFolds, without_each
from suffice.core.learner import learn_folds
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.state.fitted import FittedModel


def cross_fitted(estimator: Any, X: Any, y: Any, sample_weight: Any, folds: Any, least: int = 2) -> Array:
    """Fit an estimator to all rows, and give rows mapped by models that never saw them (n, d').

    Parameters
    ----------
    estimator : a one-pass transformer
    X, y, sample_weight : rows in memory
    folds : number of folds, drawn by a hash of ranks within classes; or one number of a fold a row
    least : fewest folds; with fewer rows than folds there is nothing to leave out
    """
    with all_or_nothing(estimator):
        estimator._begin()
        opened, _known = estimator._open(X, y, sample_weight)
        source = opened.source
        block = source.block(slice(0, source.table.n))
        mine = _folds(block, folds) if np.ndim(folds) == 0 else np.asarray(folds)
        places, mine = np.unique(mine, return_inverse=True)
        if len(places) < least:
            mine = np.arange(block.n) % 2
        schema, parts = learn_folds(opened.plan, source, RowFolds(mine))
        whole = FittedModel(opened.plan, schema, type(parts[0]).sum(list(parts)))
        estimator._adopt(whole, opened.origin(schema))
        out: Array | None = None
        others = without_each(parts, lambda a, b: a + b) if len(parts) > 1 else list(parts)
        for k, kept in enumerate(others):
            rows = np.flatnonzero(mine == k)
            model = FittedModel(opened.plan, schema, _over(kept, whole.state)).model
            found = model.map(block.take(rows)).parts[0]
            out = np.empty((block.n, found.shape[1])) if out is None else out
            out[rows] = found
        assert out is not None
        return out


def _folds(block: Any, K: int) -> Array:
    y = block.y if isinstance(block.y, Coded) else Coded(np.zeros((block.n, 1), dtype=np.int32), ((None,),))
    return DrawnFolds(int(K)).of_labels(y)


def _over(kept: Any, whole: Any) -> Any:
    """The same classes in every fold, whether or not the others have rows of them."""
    return kept.align(whole.labels) if hasattr(kept, "align") else kept
