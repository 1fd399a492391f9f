"""Scores of rows on an engine: workers keep what adds, no answer travels. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Block, Coded
from suffice.core.errors import Said, bad
from suffice.core.learner import Always, learn
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.estimators.boundary.opening import rows_of_engine
from suffice.estimators.faces.probabilistic import proba_of
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.origin import column_names, label_array
from suffice.sources.engines.partitioned_source import PartitionedRows, PartitionedSource
from suffice.summaries.moments import Moments


@dataclass(frozen=True)
class RightAnswers:
    """Counts the rows whose label is predicted."""

    fitted: FittedModel

    def summarize(self, block: Block, model: None = None) -> Tally:
        """Wrong and right answers (2,)."""
        assert isinstance(block.y, Coded)
        found = self.fitted.model
        places = found.likeliest(block) if hasattr(found, "likeliest") else found.sides(block)
        labels = label_array((*found.classes, None))
        truth = label_array((*block.y.labels[0], None))[block.y.codes[:, 0]]
        right = np.array([a == b for a, b in zip(labels[places].tolist(), truth.tolist(), strict=True)], dtype=np.int32)
        return Tally.of(Shares.hard(right, 2, block.w))


@dataclass(frozen=True)
class LogLikelihoods:
    """Keeps moments of the log probability of the class of each row, no less than that of the smallest step at 1."""

    fitted: FittedModel

    def summarize(self, block: Block, model: None = None) -> Moments:
        """Of one column."""
        assert isinstance(block.y, Coded)
        proba = proba_of(self.fitted.model)(block)
        place = {label: k for k, label in enumerate(self.fitted.model.classes)}
        known = np.array([*(place.get(label, -1) for label in block.y.labels[0]), -1])[block.y.codes[:, 0]]
        true = np.where(known < 0, 0.0, proba[np.arange(block.n), known])
        logs = np.log(np.clip(true, np.finfo(proba.dtype).eps, 1.0))
        return Moments.of(logs[:, None], Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))


SCORED = ("probabilistic", "classifier", "regressor")  # faces whose answers are right or wrong, or off by something
BY_NAME = {"neg_log_loss": LogLikelihoods}  # scores that add, as scikit-learn calls them


@dataclass(frozen=True)
class SquaredErrors:
    """Keeps moments of targets and errors."""

    fitted: FittedModel

    def summarize(self, block: Block, model: None = None) -> Moments:
        """Of the columns: targets, then errors."""
        y = np.asarray(block.y, dtype=np.float64)
        off = y - np.asarray(self.fitted.model.predict(block)).reshape(y.shape)
        return Moments.of(np.hstack([y, off]), Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))


@dataclass(frozen=True)
class LogDensities:
    """Keeps moments of what the model says of each row."""

    fitted: FittedModel
    method: str

    def summarize(self, block: Block, model: None = None) -> Moments:
        """Of one column."""
        said = np.asarray(getattr(self.fitted.model, self.method)(block))[:, None]
        return Moments.of(said, Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))


def score_partitions(estimator: Any, X: Any, y: Any = None, sample_weight: Any = None) -> float:
    """What `score` says of rows in memory, of rows on an engine: accuracy, or R^2."""
    fitted, _ = estimator._state()
    if fitted.plan.face not in SCORED:
        raise bad(estimator._owner, "score", "asked of rows in memory", Said("rows on an engine"), "Use score_samples.")
    numbers = fitted.plan.face == "regressor"
    source = _source(estimator, fitted, rows_of_engine(estimator._owner, X, y, sample_weight, None), numbers)
    chosen = _chosen(estimator)
    if chosen not in (None, "accuracy"):
        return _mean(chosen, estimator, source)
    if numbers:
        return _r_squared(learn(Always(SquaredErrors(fitted)), source).summary)
    counts: Tally = learn(Always(RightAnswers(fitted)), source).summary
    weight = counts.weight.value
    return float(weight[1] / weight.sum())


def _source(estimator: Any, fitted: FittedModel, rows: PartitionedRows, numbers: bool) -> PartitionedSource:
    """Rows as the fitted model reads them, whose plan may know more than that of its estimator: levels, say."""
    if rows.roles.target is None:
        raise bad(estimator._owner, "the rows", "with a target", rows.roles, "Give it: score(rows, y).")
    order = column_names(estimator) or fitted.schema.names
    number = rows.roles.target if numbers else None
    rows = rows.without_target() if numbers else rows
    return PartitionedSource(rows, fitted.plan, number, fitted.schema, order)


def _chosen(estimator: Any) -> Any:
    """What an estimator scores by that was told it; None where it tells accuracy or R^2, as most do."""
    return estimator.scoring or None if getattr(estimator, "_scores_by_choice", False) else None


def _mean(name: str, estimator: Any, source: PartitionedSource) -> float:
    """The mean over the rows of a score that adds."""
    learner = BY_NAME.get(name) if isinstance(name, str) else None
    if learner is None:
        rule = f"accuracy or one of {', '.join(BY_NAME)} where rows on an engine are scored"
        raise bad(estimator._owner, "scoring", rule, name, "Score rows in memory, or use suffice.evaluation.")
    found: Moments = learn(Always(learner(estimator._state()[0])), source).summary
    return float(found.mean.value[0, 0])


def _r_squared(moments: Moments) -> float:
    """From sums of squares of targets about their mean, and of errors."""
    n, mean, scatter = (pair.value[0] for pair in (moments.weight, moments.mean, moments.scatter))
    t = len(mean) // 2
    off, spread = scatter[t:] + n[t:] * mean[t:] ** 2, scatter[:t]
    shares = np.divide(off, spread, out=np.where(off > 0, 1.0, 0.0), where=spread > 0)
    return float(np.mean(1.0 - shares))
