"""Fitted values as files held them before all estimators shared one: they are read as what they are called now."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any

from suffice.core.registry import saved
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.origin import Origin


@dataclass(frozen=True)
class OldForm:
    """A fitted value of an older file."""

    plan: Any
    schema: Any

    @abstractmethod
    def now(self, origin: Origin) -> tuple[FittedModel, Origin]:
        """The same as it is written now."""


class OldModel(ABC):
    """A whole older file: a value that knows what would be written now."""

    @abstractmethod
    def now(self) -> Any:
        """The same as a `SavedModel`."""


@saved
@dataclass(frozen=True)
class Fitted(OldForm):
    """A one-pass classifier."""

    summary: Any
    declared: Declared = field(default_factory=Declared)

    def now(self, origin: Origin) -> tuple[FittedModel, Origin]:
        """The summary is the state, unless the plan says that it was none that adds."""
        fitted = FittedModel(self.plan, self.schema, self.summary, self.declared)
        now = getattr(self.plan, "now", None)
        return fitted if now is None else now(fitted), origin


@saved
@dataclass(frozen=True)
class FittedTargets(OldForm):
    """A one-pass regressor."""

    summary: Any
    flat: bool = True

    def now(self, origin: Origin) -> tuple[FittedModel, Origin]:
        """The form of the targets belongs to where the rows came from."""
        return FittedModel(self.plan, self.schema, self.summary), replace(origin, flat=bool(self.flat))


@saved
@dataclass(frozen=True)
class FittedPasses(OldForm):
    """A model found in passes."""

    summary: None = None
    found: Any = None
    passes: int = 0
    settled: bool = True

    def now(self, origin: Origin) -> tuple[FittedModel, Origin]:
        """The model is the state."""
        return FittedModel(self.plan, self.schema, Found(self.found, self.passes, self.settled)), origin
