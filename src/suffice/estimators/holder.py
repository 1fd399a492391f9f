"""What algebras and faces ask of who holds a fitted value: an estimator, or a model from a file. No scikit-learn."""

from __future__ import annotations

from typing import Any, Protocol, Self

from suffice.estimators.boundary.targets import Target
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.fitted import FittedModel, Plan
from suffice.estimators.state.origin import Origin


class Holder(Protocol):
    """A fitted value that is exchanged whole, where its rows came from, and how new rows are read.

    A protocol, not a base: an algebra and a face are classes of their own, which meet in the estimator alone.
    """

    threads: int | None
    refusal: Any
    ledger: Any
    _origin: Origin
    _target: Target

    @property
    def _owner(self) -> str:
        """The name of the estimator, for messages and for finding its like."""

    @property
    def _before(self) -> FittedModel | None:
        """What was learned so far."""

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        """The fitted value, and X checked against what it was trained on; raises where nothing was learned yet."""

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        """Take on another fitted value; raises before anything is changed if no model can be estimated from it."""

    def _plan(self) -> Plan:
        """What the parameters ask for."""

    def _begin(self) -> None:
        """Check the parameters, and forget what was learned before."""

    def _check_X(self, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as the estimator takes it; `first` sets what later tables must be like."""

    def _columns(self) -> tuple[int, tuple[Any, ...] | None]:
        """Number of columns, and their names where they had some."""

    def _meet(self, names: tuple[Any, ...]) -> None:
        """The columns are those of a file."""

    def _declare(self, labels: tuple[Any, ...]) -> Declared:
        """The classes that are there even if all their rows weigh nothing."""

    def _saved(self) -> Any:
        """What `save` writes."""
