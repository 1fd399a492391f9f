"""One-pass models: their summaries are absolute and add for ever: they learn on, merge and forget. No scikit-learn."""

from __future__ import annotations

import copy
from functools import reduce
from typing import Any, ClassVar, Self

from suffice.core.by_class import ByClass
from suffice.core.errors import NotASummary, Said, bad, refusal
from suffice.core.learner import Learned, Source, learn
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.column_order import in_order
from suffice.estimators.boundary.opening import Opened, open_for
from suffice.estimators.holder import Holder
from suffice.estimators.ledger.noting import note_for
from suffice.estimators.ledger.receipt import Receipt, receipt_of
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.fitted import FittedModel, Plan
from suffice.estimators.state.origin import Origin
from suffice.numerics.blas_threads import one_thread_if_small_table


class OnePass:
    """`merge`, `forget` and `+`, from a `FittedModel` that is exchanged whole: all of it changes or nothing does.

    What a verb can do depends on the state: a model that was found in passes is refused by the state itself.
    """

    receipt_: Receipt  # of the last `forget`
    _chooses: ClassVar[bool] = False  # whether `fit` chooses a parameter from the rows, so that folds are fitted anew

    @property
    def summary_(self: Holder) -> Any:
        """What is kept of the rows."""
        return self._state()[0].summary

    @property
    def algebra_(self: Holder) -> str:
        """What was kept: "one pass" (a summary) and "rows" add and are forgotten; "passes" and "in memory" do not."""
        return self._state()[0].algebra

    def merge(self, *others: Any) -> Self:
        """Add the rows that other models have learned from, in place: the model all rows together would have given.

        Parameters
        ----------
        others : models of the same kind, estimators or loaded from files
        """
        with all_or_nothing(self):
            _merged(self, others)
            return self

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Take rows away that were learned before, in place: the model they were never shown to.

        Parameters
        ----------
        X, y, sample_weight, target : the rows, as they were given when learned

        Raises
        ------
        NeverAdded : if these rows were not all learned; nothing is changed then. A model with a ledger knows each of
            its rows, with its weight. Without one, what was kept must show it: more of a class, label or missing
            pattern than there are, or rows without which the others would vary by less than nothing; rows that lie
            among those learned cannot be told from them. `receipt_` says which of the two it was.
        """
        with all_or_nothing(self):
            _forgotten(self, X, y, sample_weight, target)
            return self

    def __add__(self, other: Any) -> Self:
        """A new model that has learned from the rows of both."""
        return copy.copy(self).merge(other)

    def _fit(self: Any, X: Any, y: Any, sample_weight: Any, target: Any) -> Any:
        """Learn from these rows alone."""
        with all_or_nothing(self), one_thread_if_small_table(X):
            self._begin()
            return self._adopt(*self._summarize(X, y, sample_weight, target))

    def _learn_on(self: Any, X: Any, y: Any, sample_weight: Any, target: Any = None) -> Any:
        """Add rows to what was learned."""
        with all_or_nothing(self):
            more, origin = self._summarize(X, y, sample_weight, target)
            return self._adopt(self._state()[0].merge([more]), self._origin.also(origin))

    def _fit_or_learn_on(self: Any, X: Any, y: Any, sample_weight: Any, target: Any = None) -> Any:
        """The first rows are fitted, others are added: of two threads that begin, one fits and the other learns on."""
        with all_or_nothing(self):
            if self._before is None:
                return self.fit(X, y, sample_weight, **({} if target is None else {"target": target}))
            self._validate_params()
            return self._learn_on(X, y, sample_weight, target)

    def _summarize(
        self: Any, X: Any, y: Any, sample_weight: Any, target: Any = None, declared: Declared | None = None
    ) -> tuple[FittedModel, Origin]:
        """Rows as a fitted value of their own, over columns like those of this model, and where they came from."""
        opened, known = self._open(X, y, sample_weight, target, declared)
        note = note_for(self._owner, self.ledger, self._before)
        opened = opened.noted(note)
        plan, (schema, summary) = self._learn(opened.plan, opened.source)
        self._check_kept(summary)
        known.admit(self._owner, summary.labels if isinstance(summary, ByClass) else ())  # of files, known only now
        ledger = None if note is None else note.ledger()
        written = getattr(getattr(opened.source, "rows", None), "label_texts", {})
        fitted = FittedModel(plan, schema, summary, known.besides(summary), ledger, written)
        if fitted.empty and opened.target is not None:
            rule = "present in a row that weighs more than 0"
            name = f"the target {opened.target!r}"
            raise bad(self._owner, name, rule, "no such row", "Check the column and the weights.")
        return fitted, opened.origin(schema)

    def _open(
        self: Any, X: Any, y: Any, sample_weight: Any, target: Any = None, declared: Declared | None = None
    ) -> tuple[Opened, Declared]:
        """Rows as a source, and the classes that are there whether or not they have rows."""
        before: FittedModel | None = self._before
        if before is not None:
            before.refuse_found("adding or forgetting rows")
        opened = open_for(self, X, y, sample_weight, target, before)
        known = before.declared if before is not None else declared or self._declare(opened.labels)
        known.admit(self._owner, opened.labels)
        return opened, known

    def _check_kept(self, summary: Any) -> None:
        """Refuse rows that the model can't take, where only what was kept of them shows it."""

    def _folds_add(self) -> bool:
        """Whether what was kept of some folds says the model of their rows."""
        return not self._chooses

    def _learn(self, plan: Plan, source: Source) -> tuple[Plan, Learned]:
        """One pass; a search for a penalty gives the plan back with the one it has chosen."""
        return plan, learn(plan, source)


def _merged(mine: Any, others: tuple[Any, ...]) -> Any:
    for other in others:
        _check_kind(mine, other)
    fitted = mine._state()[0].merge([other._state()[0] for other in others])
    return mine._adopt(fitted, reduce(Origin.also, (other._origin for other in others), mine._origin))


def _check_kind(mine: Any, other: Any) -> None:
    if not isinstance(other, OnePass) or getattr(other, "_owner", None) != mine._owner:
        name = getattr(other, "_owner", type(other).__name__)
        raise refusal(
            NotASummary,
            mine._owner,
            "models to merge",
            "of its own kind",
            Said(name),
            "Train the same kind of model on each shard.",
        )
    theirs: Any = other
    mine._state(), theirs._state()  # both must have learned something
    mine._origin.check(mine._owner, theirs._origin)


def _forgotten(mine: Any, X: Any, y: Any, sample_weight: Any, target: Any) -> Any:
    state: FittedModel = mine._state()[0]
    state.refuse_found("forget")
    names = mine._columns()[1] or state.schema.names  # a matrix of words is one column of the schema
    taken = mine._summarize(in_order(X, names), y, sample_weight, target)[0]
    left = state.forget(taken)
    if left.empty:
        raise bad(mine._owner, "the rows left after forget", "at least one", Said("none"), "Begin with a new model.")
    mine._adopt(left, mine._origin)
    mine.receipt_ = receipt_of(state, left, taken.rows, taken.ledger)
    return mine
