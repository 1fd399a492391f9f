"""Estimators inside others, as values that can be saved: live while they work, written as their own files are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel, model_of


@saved
@dataclass(frozen=True)
class Held:
    """A fitted model: an estimator at work, or what a file held of one."""

    value: Any

    @cached_property
    def live(self) -> Any:
        """What answers."""
        return model_of(self.value) if isinstance(self.value, SavedModel) else self.value

    @property
    def bare(self) -> Any:
        """The estimator, out of the ice where it is frozen."""
        return self.value.estimator if is_frozen(self.value) else self.value

    def to_save(self, owner: str) -> Held:
        """The same, such that a file can hold it; an estimator of another library is refused."""
        if isinstance(self.value, SavedModel):
            return self
        if not hasattr(self.bare, "_saved"):
            remedy = "A file holds numbers and a description, never another library's code."
            raise bad(owner, "the estimator", "one of ours to be saved", Said(type(self.bare).__name__), remedy)
        return replace(self, value=self.bare._saved())

    def restored(self) -> Held:
        """The same, at work as the estimator it was. Imports scikit-learn."""
        return replace(self, value=self.live.estimator()) if isinstance(self.value, SavedModel) else self


def is_frozen(model: Any) -> bool:
    """Whether a model is in a `FrozenEstimator`."""
    return type(model).__name__ == "FrozenEstimator"


def to_save(owner: str, fitted: FittedModel) -> FittedModel:
    """A fitted value around others, such that a file can hold it."""
    return replace(fitted, state=Found(fitted.model.holding(lambda held: held.to_save(owner))))
