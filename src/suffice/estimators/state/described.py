"""Estimators as parameters of others, written to files: a name and parameters. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.core.errors import BadFile, Said, refusal
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class Described:
    """An estimator that is a parameter of another; what it has learned is held elsewhere."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    trained: bool = False  # whether it was given as it is, trained
    frozen: bool = False  # and never to be trained again

    def made(self) -> Any:
        """The estimator, untrained. Imports scikit-learn."""
        return make(self.name, self.parameters)


def make(name: str, parameters: Mapping[str, Any]) -> Any:
    """An estimator of ours by its name, with parameters as they were in a file. Imports scikit-learn."""
    import suffice

    kind = getattr(suffice, name) if name in suffice.__all__ else None
    if not (isinstance(kind, type) and hasattr(kind, "_restore")):
        raise refusal(BadFile, "estimator", "the file", "of an estimator of suffice", name)
    given = {key: value.made() if isinstance(value, Described) else value for key, value in parameters.items()}
    try:
        return getattr(kind, "_made_of", lambda parameters: kind(**parameters))(given)
    except TypeError as error:
        raise refusal(
            BadFile, "estimator", "the file", f"parameters of {name}", Said(f"others ({error})"), "", "must hold"
        ) from error


def plain(value: Any) -> Any:
    """A parameter without the classes of other libraries; estimators of ours described."""
    if hasattr(value, "_described"):
        return value._described()
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    return np.asarray(value) if hasattr(value, "__array__") else value
