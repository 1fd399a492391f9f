"""Attributes of a fitted model, read from the model it holds: the same for estimators and loaded models."""

from __future__ import annotations

from operator import attrgetter
from typing import Any


def reading(path: str, told: str) -> Any:
    """A property that reads an attribute of the model.

    Parameters
    ----------
    path : where it is in the model, such as "coef" or "found.steps"
    told : its docstring
    """
    find = attrgetter(path)
    return property(lambda holder: find(holder._state()[0].model), doc=told)
