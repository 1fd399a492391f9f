"""Where data, algebra and statistics meet: learners, sources, and the three ways to learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally

Model = TypeVar("Model")


class Learner(Protocol[Model]):
    """A kind of model with its hyper-parameters, frozen."""

    def summarize(self, block: Block, model: Model | None = None) -> Summary:
        """What is kept of a block of rows. One-pass learners ignore `model`."""

    def estimate(self, summary: Any, model: Model | None = None) -> Model:
        """The model that the sum of the summaries says. Priors and smoothing enter here, never in the state."""


class PassLearner(Learner[Model], Protocol[Model]):
    """A learner in passes: its summaries are relative to the model of their pass and add only within it."""

    def settled(self, old: Model, new: Model, tol: float) -> bool:
        """Whether another pass would change nothing that matters, by the learner's own measure of change."""


class Source(Protocol):
    """Where rows come from. An engine is one class with these two methods."""

    def reduce(self, summarize: Callable[[Block], Summary]) -> Summary:
        """Summarize every block and add. Every block says in `start` the number of its first row."""

    def map(self, predict: Callable[[Block], Array]) -> Array:
        """Apply to every block and put the answers in the order of the rows."""


def learn(learner: Learner[Model], source: Source, model: Model | None = None) -> tuple[Summary, Model]:
    """One pass over the rows: their summary and the model it says."""
    summary = source.reduce(lambda block: learner.summarize(block, model))
    return summary, learner.estimate(summary, model)


def learn_folds(learner: Learner[Any], source: Source, folds: Any) -> tuple[Summary, ...]:
    """The summary of each fold, in one pass over the rows.

    Their sum is the summary of all rows, so that the sum without one fold is what that fold's model is estimated from.

    Parameters
    ----------
    learner : a one-pass learner
    source : the rows
    folds : (n,) number of the fold of each row, from 0, in the order of the rows
    """
    codes = _fold_numbers(folds)
    K = int(codes.max(initial=-1)) + 1

    def by_fold(block: Block) -> Together:
        mine = codes[block.start : block.start + block.n]
        if len(mine) != block.n:
            raise _other_length(codes)
        rows = np.split(np.argsort(mine, kind="stable"), np.cumsum(np.bincount(mine, minlength=K))[:-1])
        tally = Tally.of(Shares.hard(mine, K))
        return Together((tally, *(learner.summarize(block.take(some)) for some in rows)))

    tally, *parts = cast(Together, source.reduce(by_fold)).parts
    if not np.array_equal(cast(Tally, tally).rows, np.bincount(codes, minlength=K)):
        raise _other_length(codes)
    return tuple(parts)


def _fold_numbers(folds: Any) -> Array:
    codes = np.asarray(folds)
    if codes.ndim != 1 or codes.dtype.kind not in "iu" or codes.size == 0 or codes.min() < 0:
        raise bad("learn_folds", "folds", "one whole number of at least 0 for each row", folds, "Number folds from 0.")
    return codes.astype(np.int64)


def _other_length(codes: Array) -> Exception:
    return bad("learn_folds", "folds", "as many as there are rows", len(codes), "Give every row its fold.")


class Passes(NamedTuple, Generic[Model]):
    """What learning in passes came to."""

    model: Model
    passes: int
    settled: bool  # False: `max_iter` ended it


def iterate(learner: PassLearner[Model], source: Source, model: Model, *, max_iter: int, tol: float) -> Passes[Model]:
    """Pass after pass over the rows, each from the model of the last, until the learner says it has settled.

    Parameters
    ----------
    learner : a learner in passes
    source : the rows
    model : where to begin
    max_iter : largest number of passes
    tol : handed to the learner's `settled`
    """
    if not max_iter >= 1:
        raise bad("iterate", "max_iter", "at least 1", max_iter, "It is the largest number of passes.")
    if not tol >= 0:
        raise bad("iterate", "tol", "at least 0", tol, "Use 0 to go on until nothing changes.")
    for passes in range(1, max_iter + 1):
        old, model = model, learn(learner, source, model)[1]
        if learner.settled(old, model, tol):
            return Passes(model, passes, True)
    return Passes(model, max_iter, False)
