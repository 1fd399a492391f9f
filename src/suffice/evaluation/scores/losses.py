"""Losses: what a prediction costs, row by row, for classifiers and for regressors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.evaluation.resampling.resampling_options import read_option
from suffice.evaluation.scores.estimate import Estimate, between, mean
from suffice.evaluation.scores.predictions import losses, read_answers, read_proba
from suffice.evaluation.scores.regression_scores import RegressionScores
from suffice.sources.tables.labels import code_labels


@dataclass(frozen=True)
class ClassLoss:
    """A loss of classes: how much each row would lose by each class, if it was the true one."""

    name: str
    method: str  # of the estimator
    table: Callable[[Any, tuple[Any, ...]], Array]  # answers, C labels -> (n, C)
    most: float

    def answers(self, estimator: Any, X: Any) -> Any:
        """Answered labels, or probabilities with their classes."""
        if not hasattr(estimator, self.method):
            rule = f"one that works without {self.method}, which {type(estimator).__name__} lacks"
            raise bad("loss", "loss", rule, self.name, 'Use "zero_one".')
        said = getattr(estimator, self.method)(X)
        return said if self.method == "predict" else (said, estimator.classes_)

    def of(self, y: Any, answers: Any) -> Array:
        """The loss by the true class (n,)."""
        coded = code_labels(y)
        return self.table(answers, tuple(coded.labels[0]))[np.arange(len(coded.codes)), coded.codes[:, 0]]

    def unrelated(self, y: Any, answers: Any, w: Array) -> float:
        """The mean loss over all pairs of a truth and an answer: what answers cost that know nothing of the row."""
        coded = code_labels(y)
        labels = tuple(coded.labels[0])
        shares = np.bincount(coded.codes[:, 0], w, len(labels)) / w.sum()
        return float(np.average(self.table(answers, labels), axis=0, weights=w) @ shares)

    def estimate(self, lost: Array, w: Array | None) -> Estimate:
        """Wilson's interval where rows are right or wrong, or something between; else that of a mean."""
        weight = np.ones(len(lost)) if w is None else w
        return _interval(lost, weight) if self.method == "predict" else _mean(lost, weight, self.most)


@dataclass(frozen=True)
class NumberLoss:
    """A loss of numbers: of the distance of an answer from the truth."""

    name: str
    distance: Callable[[Array], Array]
    pairs: Callable[[Array, Array, Array], float]  # truths, answers, weights -> the mean over all pairs

    def answers(self, estimator: Any, X: Any) -> Any:
        """Predicted numbers."""
        return estimator.predict(X)

    def of(self, y: Any, answers: Any) -> Array:
        """The loss of each row (n,)."""
        RegressionScores.of(y, answers)  # refuses what is no column of finite numbers
        return self.distance(np.asarray(y, dtype=np.float64) - np.asarray(answers, dtype=np.float64))

    def unrelated(self, y: Any, answers: Any, w: Array) -> float:
        """The mean loss over all pairs of a truth and an answer: what answers cost that know nothing of the row."""
        return self.pairs(np.asarray(y, dtype=np.float64), np.asarray(answers, dtype=np.float64), w / w.sum())

    def estimate(self, lost: Array, w: Array | None) -> Estimate:
        """The interval of a mean."""
        return _mean(lost, np.ones(len(lost)) if w is None else w, inf)


def _interval(lost: Array, w: Array) -> Estimate:
    total = float(w.sum())
    value = float(w @ lost) / total if total > 0.0 else nan
    return between(value, float(w @ (lost - value) ** 2) / total**2 if total > 0.0 else nan, total)


def _mean(lost: Array, w: Array, most: float) -> Estimate:
    lost, w = lost[w > 0.0], w[w > 0.0]
    total = float(w.sum())
    if not np.isfinite(lost).all():
        return Estimate(inf, nan, nan, total)
    value = float(w @ lost) / total if total > 0.0 else nan
    return mean(value, float(w @ (lost - value) ** 2), total, 0.0, most)


def _wrong(answers: Any, labels: tuple[Any, ...]) -> Array:
    """1 where another class was answered, or none."""
    codes, said = read_answers("loss", answers, None, len(answers))
    place = {label: code for code, label in enumerate(said)}
    return np.asarray(codes[:, None] != np.array([place.get(label, -2) for label in labels]), dtype=np.float64)


def _of_proba(column: int) -> Callable[[Any, tuple[Any, ...]], Array]:
    """Log loss or Brier score of each row and class."""

    def table(answers: Any, labels: tuple[Any, ...]) -> Array:
        p, classes = read_proba("loss", answers[0], answers[1], len(answers[0]))
        place = {label: k for k, label in enumerate(classes)}
        by_class = [losses(p, np.full(len(p), place.get(label, -1)))[:, column] for label in labels]
        found = np.column_stack(by_class) if by_class else np.empty((len(p), 0))
        return np.where(np.isnan(found), inf, found)  # a true class of probability 0

    return table


def _square_of_pairs(y: Array, answers: Array, p: Array) -> float:
    a, b = float(p @ y), float(p @ answers)
    return float(p @ (y - a) ** 2 + p @ (answers - b) ** 2 + (a - b) ** 2)


def _distance_of_pairs(y: Array, answers: Array, p: Array) -> float:
    """By the share of truths and of answers below each value: the integral of F (1 - G) + G (1 - F)."""
    values = np.concatenate([y, answers])
    order = np.argsort(values)
    rises = np.zeros((2, len(values)))
    rises[0, : len(y)], rises[1, len(y) :] = p, p
    F, G = np.cumsum(rises[:, order], axis=1)[:, :-1]
    return float(np.diff(values[order]) @ (F * (1.0 - G) + G * (1.0 - F)))


Loss = ClassLoss | NumberLoss
CLASS_LOSSES: dict[str, Loss] = {
    "zero_one": ClassLoss("zero_one", "predict", _wrong, 1.0),
    "log_loss": ClassLoss("log_loss", "predict_proba", _of_proba(0), inf),
    "brier": ClassLoss("brier", "predict_proba", _of_proba(1), 1.0),
}
NUMBER_LOSSES: dict[str, Loss] = {
    "squared_error": NumberLoss("squared_error", np.square, _square_of_pairs),
    "absolute_error": NumberLoss("absolute_error", np.abs, _distance_of_pairs),
}


def read_loss(owner: object, loss: Any, estimator: Any) -> Loss:
    """A loss by its name; None is the share of wrong answers of classifiers and the squared error of regressors."""
    losses_of = CLASS_LOSSES if is_classifier(estimator) else NUMBER_LOSSES
    return next(iter(losses_of.values())) if loss is None else read_option(owner, "loss", loss, losses_of)
