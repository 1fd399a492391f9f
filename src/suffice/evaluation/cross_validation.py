"""Cross-validation: how good a model is on rows that it has not seen, without refitting where summaries add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.splits import Splits, read_splits, some_rows
from suffice.estimators.table_rows import count_rows
from suffice.evaluation.fold_models import FoldModels, adds
from suffice.evaluation.fold_scores import fold_scores
from suffice.evaluation.regression_scores import RegressionScores
from suffice.evaluation.scores import Scores

ADDED, REFITTED = "folds added", "refitted"


@dataclass(frozen=True)
class CrossValidation:
    """The scores of each split, how they were come by, and how often the rows were read."""

    scores: tuple[Any, ...]  # `Scores`, or `RegressionScores`
    path: str  # "folds added" or "refitted"
    reads: int  # of all rows, for learning and for testing together

    def values(self, name: str) -> Array:
        """One score of each split (K,), such as "accuracy" or "log_loss"."""
        return np.array([value_of(scores, name) for scores in self.scores])

    def mean(self, name: str) -> float:
        """The mean over the splits."""
        return float(self.values(name).mean())

    def standard_error(self, name: str) -> float:
        """The standard error of the mean over the splits; NaN for one split."""
        values = self.values(name)
        return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")

    @property
    def total(self) -> Any:
        """The scores of all tested rows together."""
        return type(self.scores[0]).sum(self.scores)

    def __str__(self) -> str:
        """The scores of all tested rows, and the path."""
        return f"{self.total}\n\n{len(self.scores)} splits, {self.path}, rows read {self.reads} times"


def cross_validate(
    estimator: Any, X: Any, y: Any, *, cv: Any = 5, groups: Any = None, sample_weight: Any = None
) -> CrossValidation:
    """Score a classifier or a regressor on rows that it has not learned from.

    Where its summaries add and each row is tested once, the folds are summarized once and added; the models are those
    that refitting would give. Otherwise it is fitted once a split.

    Parameters
    ----------
    estimator : a classifier or a regressor of one target, ours or scikit-learn's; it is not changed
    X, y : the rows
    cv : number of folds, a splitter of scikit-learn, or pairs of row numbers
    groups : for splitters that keep groups together
    sample_weight : one weight a row, for learning and for scoring

    >>> from suffice import GaussianNB
    >>> X, y = np.arange(20.0).reshape(-1, 1), np.repeat(["low", "high"], 10)
    >>> found = cross_validate(GaussianNB(), X, y, cv=5)
    >>> round(found.mean("accuracy"), 2), found.path, found.reads
    (0.9, 'folds added', 2)
    """
    splits = _read(estimator, X, y, cv, groups)
    if adds(estimator) and splits.folds is not None:
        models = FoldModels.of(estimator, X, y, sample_weight, splits.folds)
        return CrossValidation(fold_scores([models], X, y, sample_weight, splits.folds)[0], ADDED, 2)
    scores = [_refitted(estimator, X, y, sample_weight, *pair) for pair in splits.pairs]
    return CrossValidation(tuple(scores), REFITTED, len(scores))


def cross_val_predict(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    groups: Any = None,
    sample_weight: Any = None,
    method: str = "predict",
) -> Array:
    """What a model of the other folds predicts for each row (n,) or (n, K).

    Parameters
    ----------
    estimator, X, y, cv, groups, sample_weight : as for `cross_validate`; every row must be tested once
    method : what to call: "predict", "predict_proba", "predict_log_proba" or "decision_function"
    """
    splits = _read(estimator, X, y, cv, groups)
    if splits.folds is None:
        rule = "such that every row is tested once"
        raise bad("cross_val_predict", "cv", rule, cv, "Use folds that part the rows.")
    labels = np.unique(np.asarray(y)) if method.startswith("predict_") else None
    out: Array | None = None
    for k, fitted in enumerate(_fitted(estimator, X, y, sample_weight, splits)):
        rows = splits.pairs[k][1]
        answer = np.asarray(getattr(fitted, method)(some_rows(X, rows)))
        if labels is not None and answer.shape[1] < len(labels):
            answer = _over(answer, fitted.classes_, labels, -np.inf if "log" in method else 0.0)
        out = np.empty((len(splits.folds), *answer.shape[1:]), dtype=answer.dtype) if out is None else out
        out[rows] = answer
    assert out is not None
    return out


def _over(answer: Array, classes: Array, labels: Array, none: float) -> Array:
    """Columns for all labels, where a fold's model lacks some."""
    wide = np.full((len(answer), len(labels)), none)
    wide[:, np.searchsorted(labels, classes)] = answer
    return wide


def _fitted(estimator: Any, X: Any, y: Any, sample_weight: Any, splits: Splits) -> Sequence[Any]:
    if adds(estimator) and splits.folds is not None:
        return FoldModels.of(estimator, X, y, sample_weight, splits.folds).estimators
    return [_fit(estimator, X, y, sample_weight, train) for train, _ in splits.pairs]


def _read(estimator: Any, X: Any, y: Any, cv: Any, groups: Any) -> Splits:
    n = count_rows(X)
    if y is None or len(y) != n:
        told = "none" if y is None else len(y)
        rule = f"one label or number for each of the {n} rows"
        raise bad("cross_validate", "y", rule, told, "Give every row its own.")
    if is_regressor(estimator) and np.ndim(y) > 1:
        raise bad(
            "cross_validate", "y", "one number a row", Said(f"shape {np.shape(y)}"), "Score each target by itself."
        )
    return read_splits("cross_validate", cv, y, n, groups, is_classifier(estimator))


def _fit(estimator: Any, X: Any, y: Any, sample_weight: Any, train: Array) -> Any:
    w = {} if sample_weight is None else {"sample_weight": some_rows(sample_weight, train)}
    return clone(estimator).fit(some_rows(X, train), some_rows(y, train), **w)


def _refitted(estimator: Any, X: Any, y: Any, sample_weight: Any, train: Array, test: Array) -> Any:
    """The scores of one split."""
    fitted = _fit(estimator, X, y, sample_weight, train)
    rows, truth, w = (some_rows(table, test) for table in (X, y, sample_weight))
    if is_regressor(estimator):
        return RegressionScores.of(truth, fitted.predict(rows), sample_weight=w)
    if hasattr(fitted, "predict_proba"):
        return Scores.of(truth, fitted.predict_proba(rows), fitted.classes_, sample_weight=w)
    return Scores.of(truth, None, predicted=fitted.predict(rows), sample_weight=w)


def value_of(scores: Any, name: str) -> float:
    """A score by its name."""
    read = {full.removeprefix("mean_"): full for full in SCORES[type(scores)]} | {n: n for n in SCORES[type(scores)]}
    if name not in read:
        raise bad("cross_validate", "a score", f"among {sorted(SCORES[type(scores)])}", name, "Correct its name.")
    return float(getattr(scores, read[name]).value)


SCORES: dict[type[Any], tuple[str, ...]] = {
    Scores: ("accuracy", "balanced_accuracy", "brier", "kappa", "log_loss", "matthews"),
    RegressionScores: ("mean_absolute_error", "mean_squared_error", "r2", "root_mean_squared_error"),
}
LARGER_IS_BETTER = frozenset({"accuracy", "balanced_accuracy", "kappa", "matthews", "r2"})
