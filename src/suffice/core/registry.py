"""Which classes may be written to files: a closed list, so that a file can never name code to run.

A file holds names such as `Tally`. A name leads to a class by the list `saved_classes` alone, which says where each
class lives, so that a file can be read before its class was ever imported; nothing in a file is ever imported. The list
is made from the sources by `make registry`.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from enum import Enum
from importlib import import_module
from types import MappingProxyType
from typing import Any, TypeVar

from suffice.core.saved_classes import HOMES

_classes: dict[str, type[Any]] = {}

C = TypeVar("C", bound=type[Any])


def saved(cls: C) -> C:
    """Let values of a class be saved, under its name; goes above `@dataclass`.

    The class is a frozen dataclass, a NamedTuple or an Enum, and its saved fields suffice to call it.
    A field is left out of the file by `field(init=False)` or `field(default=..., metadata={"saved": False})`.
    """
    name = cls.__name__
    if not name[:1].isupper():
        raise TypeError(f"saved: a class must begin with a capital letter, got {name!r}.")  # as kinds of values do not
    if not issubclass(cls, Enum):
        _check_fields(cls)
    known = _classes.get(name)
    owner = (known.__module__, known.__qualname__) if known else (HOMES.get(name, cls.__module__), cls.__qualname__)
    if owner != (cls.__module__, cls.__qualname__):  # the same class again, from a reloaded module, is welcome
        raise TypeError(f"saved: a name must belong to one class, got {name!r} in {owner[0]} and in {cls.__module__}.")
    _classes[name] = cls
    return cls


def registered() -> Mapping[str, type[Any]]:
    """The classes known so far, by name."""
    return MappingProxyType(_classes)


def find(name: str) -> type[Any] | None:
    """The class of that name, its module imported if need be; None if the list has no such name."""
    if name not in _classes and name in HOMES:
        import_module(HOMES[name])
    return _classes.get(name)


def saved_fields(cls: type[Any]) -> tuple[str, ...]:
    """Names of the fields of a registered dataclass or NamedTuple that go into a file."""
    if not dataclasses.is_dataclass(cls):
        return tuple(cls._fields)
    return tuple(f.name for f in dataclasses.fields(cls) if f.init and f.metadata.get("saved", True))


def needed_fields(cls: type[Any]) -> tuple[str, ...]:
    """Those that a file must have: a field that came to a class later has a default, so that older files stay good."""
    if not dataclasses.is_dataclass(cls):
        return tuple(name for name in cls._fields if name not in cls._field_defaults)
    given = {f.name for f in dataclasses.fields(cls) if (f.default, f.default_factory) != (dataclasses.MISSING,) * 2}
    return tuple(name for name in saved_fields(cls) if name not in given)


def _check_fields(cls: type[Any]) -> None:
    """A class that could be written but not built again is refused here, not when its file is read."""
    record = issubclass(cls, tuple) and "_fields" in vars(cls)
    frozen = "__dataclass_params__" in vars(cls) and cls.__dataclass_params__.frozen
    if not (record or frozen):
        raise TypeError(f"saved: {cls.__name__} must be a frozen dataclass, a NamedTuple or an Enum.")
    parameters = inspect.signature(cls).parameters
    needed = {name for name, parameter in parameters.items() if parameter.default is parameter.empty}
    if not needed <= set(saved_fields(cls)) <= set(parameters):
        raise TypeError(f"saved: {cls.__name__} must be callable with its saved fields; give the others a default.")
