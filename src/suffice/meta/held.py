"""Estimators inside others, as values that can be saved: live while they work, written as their own files are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.estimators.loaded import SavedModel, model_of


@saved
@dataclass(frozen=True)
class Held:
    """A fitted model: an estimator at work, or what a file held of one."""

    value: Any

    @cached_property
    def live(self) -> Any:
        """What answers."""
        return model_of(self.value) if isinstance(self.value, SavedModel) else self.value

    def to_save(self, owner: str) -> Held:
        """The same, such that a file can hold it; an estimator of another library is refused."""
        if isinstance(self.value, SavedModel):
            return self
        inner = getattr(self.value, "estimator", self.value) if _is_frozen(self.value) else self.value
        if not hasattr(inner, "_saved"):
            remedy = "A file holds numbers and a description, never another library's code."
            raise bad(owner, "the estimator", "one of ours to be saved", Said(type(inner).__name__), remedy)
        return replace(self, value=inner._saved())


def _is_frozen(model: Any) -> bool:
    return type(model).__name__ == "FrozenEstimator"
