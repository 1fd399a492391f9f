"""Where data, algebra and statistics meet: learners, sources, and the three ways to learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from suffice.core.block import Array, Block
from suffice.core.summary import Summary

Model = TypeVar("Model")


class Learner(Protocol[Model]):
    """A kind of model with its hyper-parameters, frozen."""

    def summarize(self, block: Block, model: Model | None = None) -> Summary:
        """What is kept of a block of rows. One-pass learners ignore `model`."""

    def estimate(self, summary: Any, model: Model | None = None) -> Model:
        """The model that the sum of the summaries says. Priors and smoothing enter here, never in the state."""


class Source(Protocol):
    """Where rows come from. An engine is one class with these two methods."""

    def reduce(self, summarize: Callable[[Block], Summary]) -> Summary:
        """Summarize every block and add."""

    def map(self, predict: Callable[[Block], Array]) -> Array:
        """Apply to every block and put the answers in the order of the rows."""


def learn(learner: Learner[Model], source: Source, model: Model | None = None) -> tuple[Summary, Model]:
    """One pass over the rows: their summary and the model it says."""
    summary = source.reduce(lambda block: learner.summarize(block, model))
    return summary, learner.estimate(summary, model)
