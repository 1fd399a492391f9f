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
from suffice.estimators.boundary.opening import open_for
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.origin import label_array
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
    opened = open_for(estimator, X, y, sample_weight, None, fitted)
    source = opened.source.read_as(fitted.schema)
    model = fitted.model
    if hasattr(model, "likeliest") or hasattr(model, "sides"):
        counts: Tally = learn(Always(RightAnswers(fitted)), source).summary
        weight = counts.weight.value
        return float(weight[1] / weight.sum())
    if estimator._target.numbers:
        return _r_squared(learn(Always(SquaredErrors(fitted)), source).summary)
    raise bad(estimator._owner, "score", "asked of rows in memory", Said("rows on an engine"), "Use score_samples.")


def _r_squared(moments: Moments) -> float:
    """From sums of squares of targets about their mean, and of errors."""
    n, mean, scatter = (pair.value[0] for pair in (moments.weight, moments.mean, moments.scatter))
    t = len(mean) // 2
    off, spread = scatter[t:] + n[t:] * mean[t:] ** 2, scatter[:t]
    shares = np.divide(off, spread, out=np.where(off > 0, 1.0, 0.0), where=spread > 0)
    return float(np.mean(1.0 - shares))
