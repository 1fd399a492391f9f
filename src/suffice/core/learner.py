"""Where data, algebra and statistics meet: learners, plans, sources, and the three ways to learn."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from suffice.core.bad_cells import in_the_table
from suffice.core.block import Array, Block
from suffice.core.errors import BadCell, Said, bad
from suffice.core.folds import FoldOf, placed
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally


def add_joined(parts: Sequence[tuple[Schema, Any]], lift: Callable[[Any, Schema, Schema], Any]) -> tuple[Schema, Any]:
    """The joined schema and the sum of at least one summary, each over its own schema."""
    schema = reduce(Schema.join, (schema for schema, _ in parts[1:]), parts[0][0])
    lifted = [lift(summary, old, schema) for old, summary in parts]
    return schema, lifted[0] if len(lifted) == 1 else type(lifted[0]).sum(lifted)


Model = TypeVar("Model")
Summarize = Callable[[Block], Summary]
Lift = Callable[[Any, Schema, Schema], Any]


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


class MapModel(Protocol):
    """What a transformer learns: rows become other rows, and columns other columns."""

    def map(self, block: Block) -> Block:
        """The same rows, mapped; targets, weights and numbers stay."""

    def map_schema(self, schema: Schema) -> Schema:
        """The columns that mapped rows have."""


class MapLearner(Learner[MapModel], Protocol):
    """A learner whose model maps blocks to blocks and schemas to schemas."""


class LearnerPlan(Protocol):
    """What was asked for; with a schema it becomes a learner."""

    def learner(self, schema: Schema) -> Any:
        """The learner for tables of this schema."""

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """A summary over the parts of a joined schema."""


@dataclass(frozen=True)
class Always:
    """The plan of one learner, whatever the schema."""

    given: Any  # a Learner

    def learner(self, schema: Schema) -> Any:
        """The learner."""
        return self.given

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Nothing to do."""
        return summary


class Source(Protocol):
    """Where rows come from: the only door for rows. Memory, files and streams are one class each.

    Only `learn`, `learn_folds` and `iterate` call `reduce`.
    """

    @property
    def schema(self) -> Schema:
        """The features, as far as they are known."""

    @property
    def rereadable(self) -> bool:
        """Whether the rows can be read again; a stream that is read once serves one-pass learners only."""

    def read_as(self, schema: Schema) -> Source:
        """The same rows, read with a schema that is known: for later passes, and to predict."""

    def reduce(self, open: Callable[[Schema], Summarize], lift: Lift) -> tuple[Schema, Summary]:
        """Summarize every block and add. Every block says the numbers of its rows.

        Parameters
        ----------
        open : schema -> what summarizes blocks that are read with it
        lift : a summary over the parts of a joined schema, where columns show their kinds late
        """

    def map(self, predict: Callable[[Block], Array]) -> Any:
        """Apply to every block and put the answers in the order of the rows."""


def refuse_streams(owner: str, source: Source, why: str) -> None:
    """Refuse rows that can be read once only, where what is asked takes more passes; `why` says what does."""
    if not source.rereadable:
        rule = f"one that can be read again ({why})"
        raise bad(owner, "the source", rule, Said("a stream"), "Write its rows to a file and pass that.")


class Learned(NamedTuple):
    """What one pass over the rows gave."""

    schema: Schema
    summary: Any  # a Summary


def learn(plan: LearnerPlan, source: Source, model: Any = None) -> Learned:
    """One pass over the rows: what their columns are, and their summary."""

    def opened(schema: Schema) -> Summarize:
        learner = plan.learner(schema)

        def summarize(block: Block) -> Any:
            try:
                return learner.summarize(block, model)
            except BadCell as error:
                raise in_the_table(error, block, schema) from None

        summarize.by_columns = getattr(learner, "by_columns", False)  # type: ignore[attr-defined]
        return summarize

    return Learned(*source.reduce(opened, plan.lift))


class _Rows:
    """Counts rows: what a pass keeps that only looks at the columns."""

    def summarize(self, block: Block, model: None = None) -> Tally:
        return Tally.of(Shares.hard(np.zeros(block.n, dtype=np.int32), 1))

    def estimate(self, summary: Tally, model: None = None) -> int:
        return int(summary.rows[0])


def settle(source: Source) -> Source:
    """The same rows, read with the one schema that all of them show: a pass of its own where that is not known."""
    if getattr(source, "settled", False):
        return source
    return source.read_as(learn(Always(_Rows()), source).schema)


def for_passes(source: Source) -> Any:
    """The same rows, of which it is known that they will be read more than once: kept where their source can."""
    again = getattr(source, "for_passes", None)
    return source if again is None else again()


class LearnedFolds(NamedTuple):
    """What one pass over the rows gave, fold by fold."""

    schema: Schema
    parts: tuple[Any, ...]  # K summaries


def learn_folds(plan: LearnerPlan, source: Source, fold_of: FoldOf) -> LearnedFolds:
    """The summary of each fold, in one pass over the rows.

    Their sum is the summary of all rows, so that the sum without one fold is what that fold's model is estimated from.

    Parameters
    ----------
    plan : of a one-pass learner
    source : the rows
    fold_of : says of a block the number of the fold of each row, from 0 to K - 1
    """
    fold_of, K = placed(source, fold_of), fold_of.K
    state = copy.deepcopy(getattr(fold_of, "__dict__", {}))

    def begin() -> None:
        """Another pass over the same rows: no row was met yet."""
        vars(fold_of).clear()
        vars(fold_of).update(copy.deepcopy(state))

    def opened(schema: Schema) -> Summarize:
        learner = plan.learner(schema)

        def by_fold(block: Block) -> Together:
            mine = fold_of(block)
            rows = np.split(np.argsort(mine, kind="stable"), np.cumsum(np.bincount(mine, minlength=K))[:-1])
            tally = Tally.of(Shares.hard(mine, K))
            try:
                return Together((tally, *(learner.summarize(block.take(some)) for some in rows)))
            except BadCell as error:
                raise in_the_table(error, block, schema) from None

        return by_fold

    opened.begin = begin  # type: ignore[attr-defined]

    def lift(both: Together, old: Schema, new: Schema) -> Together:
        return Together((both.parts[0], *(plan.lift(part, old, new) for part in both.parts[1:])))

    schema, summary = source.reduce(opened, lift)
    assert isinstance(summary, Together)
    tally, *parts = summary.parts
    assert isinstance(tally, Tally)
    fold_of.check(tally.rows)
    return LearnedFolds(schema, tuple(parts))


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
    source : the rows, read with the schema that a first pass found
    model : where to begin
    max_iter : largest number of passes
    tol : handed to the learner's `settled`
    """
    if not max_iter >= 1:
        raise bad("iterate", "max_iter", "at least 1", max_iter, "It is the largest number of passes.")
    if not tol >= 0:
        raise bad("iterate", "tol", "at least 0", tol, "Use 0 to go on until nothing changes.")
    plan = Always(learner)
    for passes in range(1, max_iter + 1):
        old, model = model, learner.estimate(learn(plan, source, model).summary, model)
        if learner.settled(old, model, tol):
            return Passes(model, passes, True)
    return Passes(model, max_iter, False)
