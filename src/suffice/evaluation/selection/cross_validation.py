"""Cross-validation: how good a model is on rows that it has not seen, without refitting where summaries add."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.folds import DrawnFolds, FoldOf, RowFolds
from suffice.core.learner import Always, learn, settle
from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.boundary.opening import are_rows, open_for, refuse_rows
from suffice.estimators.boundary.table_rows import count_rows
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.folds.fold_models import (
    FoldModels,
    Splits,
    adds,
    parts_of_rows,
    read_folds,
    read_splits,
    some_rows,
)
from suffice.estimators.folds.split_sources import parts_of
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.named_scores import LARGER_IS_BETTER, read_scoring, value_of
from suffice.evaluation.scores.regression_scores import RegressionScores
from suffice.evaluation.selection.fold_scores import ScoreSource, fold_scores

__all__ = ["LARGER_IS_BETTER", "CrossValidation", "cross_val_predict", "cross_validate", "value_of"]
ADDED, REFITTED = "folds added", "refitted"


@dataclass(frozen=True)
class CrossValidation:
    """The scores of each split, how they were come by, and how often the rows were read."""

    scores: tuple[Any, ...]  # `Scores`, or `RegressionScores`
    path: str  # "folds added" or "refitted"
    reads: int  # of all rows, for learning and for testing together
    named: Mapping[str, Array] = field(default_factory=dict)  # scores of scikit-learn, by name (K,); larger is better

    def values(self, name: str) -> Array:
        """One score of each split (K,), such as "accuracy" or "log_loss", or one that `scoring` asked for."""
        if name in self.named:
            return self.named[name]
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
        """The scores of all tested rows, those that were asked for, and the path."""
        asked = "".join(f"\n{name} {self.mean(name):.6g} +- {self.standard_error(name):.2g}" for name in self.named)
        return f"{self.total}{asked}\n\n{len(self.scores)} splits, {self.path}, rows read {self.reads} times"


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = 5,
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    target: Any = None,
) -> CrossValidation:
    """Score a classifier or a regressor on rows that it has not learned from.

    Where its summaries add and each row is tested once, the folds are summarized once and added; the models are those
    that refitting would give. Otherwise it is fitted once a split. A number of folds is drawn by a hash of ranks within
    classes: stratified exactly, whatever the order of the rows. What has no probabilities is scored by its answers.

    Parameters
    ----------
    estimator : a classifier or a regressor of one target, ours or scikit-learn's; it is not changed
    X, y : the rows; or files and rows on an engine, for estimators of one pass and those in passes
    cv : number of folds, a splitter of scikit-learn, or pairs of row numbers
    groups : for splitters that keep groups together
    sample_weight : one weight a row, for learning and for scoring
    scoring : names of scikit-learn's scorers, one or several, to be found beside our own scores
    target : the column to predict, where the rows come from files

    >>> from suffice import GaussianNB
    >>> X, y = np.arange(20.0).reshape(-1, 1), np.repeat(["low", "high"], 10)
    >>> found = cross_validate(GaussianNB(), X, y, cv=5, scoring="roc_auc")
    >>> round(found.mean("accuracy"), 2), found.mean("roc_auc"), found.path, found.reads
    (1.0, 1.0, 'folds added', 2)
    """
    if are_rows(X, target):
        return _over_source(estimator, X, y, cv, sample_weight, scoring, target)
    splits = read_rows(estimator, X, y, cv, groups)
    asked = read_scoring("cross_validate", scoring)
    if adds(estimator) and splits.folds is not None:
        draw = partial(RowFolds, splits.folds)
        models = FoldModels.of(estimator, X, y, sample_weight, draw=draw)
        scores = _scored([models], draw)[0]
        named = asked.of(models.estimators, splits, X, y, sample_weight)
        return CrossValidation(scores, ADDED, 2, named)
    sample_weight = read_weights("cross_validate", sample_weight, count_rows(X))
    fitted = parts_of_rows(estimator, X, y, sample_weight, splits)
    tests = [test for _, test in splits.pairs]
    scores = tuple(split_scores(one, X, y, sample_weight, test) for one, test in zip(fitted, tests, strict=True))
    return CrossValidation(scores, REFITTED, len(scores), asked.of(fitted, splits, X, y, sample_weight))


def _over_source(
    estimator: Any, X: Any, y: Any, cv: Any, sample_weight: Any, scoring: Any, target: Any
) -> CrossValidation:
    """Two passes over files or partitions where folds add: one that learns all, one that tests; else a fit a fold."""
    if scoring is not None:
        remedy = "Our own scores are all there."
        raise bad("cross_validate", "scoring", "None where rows come from files", scoring, remedy)
    K = read_folds("cross_validate", cv)
    if adds(estimator):
        draw = partial(DrawnFolds, K)
        models = FoldModels.of(estimator, X, y, sample_weight, draw=draw, target=target)
        return CrossValidation(_scored([models], draw)[0], ADDED, 2)
    like: Any = clone(estimator)
    if not isinstance(estimator, (OnePass, InPasses)):  # one pass too, where `fit` chooses or a step is found first
        rule = "one whose folds add, or one in passes, where rows come from files"
        raise bad("cross_validate", "the estimator", rule, Said(type(estimator).__name__), "Read the rows into memory.")
    like._begin()
    source = settle(open_for(like, X, y, sample_weight, target).source)
    scores = []
    for split in parts_of("cross_validate", source, K):
        fitted = clone(estimator).fit(split.learned)
        scores.append(learn(Always(ScoreSource(fitted.fitted_.model)), split.held).summary)
    return CrossValidation(tuple(scores), REFITTED, 2 * K)


def _scored(candidates: Sequence[FoldModels], draw: Callable[[], FoldOf]) -> list[tuple[Any, ...]]:
    """The scores of all folds for each candidate."""
    models = [[one.fitted_.model for one in candidate.estimators] for candidate in candidates]
    return fold_scores(models, candidates[0].source, draw())


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
    method : what to call: "predict", "predict_proba", "predict_log_proba" or "decision_function"; columns are those of
        all classes, also where a fold lacks one
    """
    refuse_rows("cross_val_predict", X)
    splits = read_rows(estimator, X, y, cv, groups)
    if splits.folds is None:
        rule = "such that every row is tested once"
        raise bad("cross_val_predict", "cv", rule, cv, "Use folds that part the rows.")
    models = fold_estimators(estimator, X, y, sample_weight, splits)  # refuses labels that are missing
    labels = np.unique(np.asarray(y)) if method in ABSENT and is_classifier(estimator) else None
    out: Array | None = None
    for k, fitted in enumerate(models):
        rows = splits.pairs[k][1]
        answer = np.asarray(getattr(fitted, method)(some_rows(X, rows)))
        if labels is not None and len(fitted.classes_) < len(labels):
            answer = _over(answer, fitted.classes_, labels, ABSENT[method])
        out = np.empty((len(splits.folds), *answer.shape[1:]), dtype=answer.dtype) if out is None else out
        out[rows] = answer
    assert out is not None
    return out


ABSENT = {  # what is said of a class that a fold lacks
    "predict_proba": 0.0,
    "predict_log_proba": -np.inf,
    "decision_function": None,  # the least number of their type
}


def _over(answer: Array, classes: Array, labels: Array, none: float | None) -> Array:
    """Columns for all labels, where a fold's model lacks some; of two classes one score is two, one of each sign."""
    answer = np.stack([-answer, answer], axis=1) if answer.ndim == 1 else answer
    kind = np.result_type(answer.dtype, np.float32)
    wide = np.full((len(answer), len(labels)), np.finfo(kind).min if none is None else none, dtype=kind)
    wide[:, np.searchsorted(labels, classes)] = answer
    return wide


def fold_estimators(estimator: Any, X: Any, y: Any, sample_weight: Any, splits: Splits) -> Sequence[Any]:
    """An estimator for each split that has learned from its training rows; from added folds where summaries add."""
    if adds(estimator) and splits.folds is not None:
        return FoldModels.of(estimator, X, y, sample_weight, draw=partial(RowFolds, splits.folds)).estimators
    weights = read_weights("cross_validate", sample_weight, count_rows(X))
    return parts_of_rows(estimator, X, y, weights, splits)


def read_rows(estimator: Any, X: Any, y: Any, cv: Any, groups: Any) -> Splits:
    """The splits of rows in memory."""
    n = count_rows(X)
    if y is None or len(y) != n:
        told = "none" if y is None else len(y)
        rule = f"one label or number for each of the {n} rows"
        raise bad("cross_validate", "y", rule, told, "Give every row its own.")
    if is_regressor(estimator) and np.ndim(y) > 1:
        raise bad(
            "cross_validate", "y", "one number a row", Said(f"shape {np.shape(y)}"), "Score each target by itself."
        )
    return read_splits("cross_validate", cv, y, n, groups, classes=is_classifier(estimator))


def split_scores(fitted: Any, X: Any, y: Any, sample_weight: Any, test: Array) -> Any:
    """The scores of one split."""
    rows, truth, w = (some_rows(table, test) for table in (X, y, sample_weight))
    if is_regressor(fitted):
        return RegressionScores.of(truth, fitted.predict(rows), sample_weight=w)
    if hasattr(fitted, "predict_proba"):
        return Scores.of(truth, fitted.predict_proba(rows), fitted.classes_, sample_weight=w)
    return Scores.of(truth, None, predicted=fitted.predict(rows), sample_weight=w)
