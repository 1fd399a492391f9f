"""What a law is: a function that raises AssertionError where it is broken, marked, so that no list has to name it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import isfunction, signature
from types import ModuleType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., None])
CASES = {"LawRows", "ModelTable", "Case"}  # what a law is held on: its last parameter


def law(function: F) -> F:
    """Mark a function as a law: whoever holds the laws of its module then holds it too."""
    function.__dict__["law"] = True
    return function


def is_law(thing: Any) -> bool:
    """Whether a function is marked as a law."""
    return isfunction(thing) and bool(getattr(thing, "law", False))


def laws_of(module: str) -> tuple[Callable[..., None], ...]:
    """The laws that a module has defined so far, in their order."""
    return tuple(thing for thing in vars(sys.modules[module]).values() if is_law(thing) and thing.__module__ == module)


def unmarked(module: ModuleType) -> list[str]:
    """Public functions of a module that look like laws, asserting something about rows, and are not marked."""
    return [
        name
        for name, thing in vars(module).items()
        if isfunction(thing) and thing.__module__ == module.__name__ and not is_law(thing) and _asserts(name, thing)
    ]


def _asserts(name: str, function: Any) -> bool:
    shape = signature(function)
    last = list(shape.parameters.values())[-1:]
    about_rows = any(str(parameter.annotation).split(".")[-1] in CASES for parameter in last)
    return about_rows and shape.return_annotation in ("None", None) and not name.startswith(("_", "assert_", "test_"))
