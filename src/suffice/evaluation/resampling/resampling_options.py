"""What a user asks of a resampling or a test, read once: numbers of things, levels, seeds, columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.decide.read_wishes import as_numbers, as_real

Option = TypeVar("Option")


def whole(owner: object, name: str, value: Any, least: int, remedy: str = "") -> int:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise bad(owner, name, f"a whole number of at least {least}", value, remedy)
    return int(value)


def read_level(owner: object, level: Any) -> float:
    """How sure to be: a number between 0 and 1."""
    rule = "a number between 0 and 1, such as 0.95"
    number = as_real(owner, "level", rule, level)
    if not 0.0 < number < 1.0:
        raise bad(owner, "level", rule, level)
    return number


def read_generator(owner: object, random_state: Any) -> np.random.Generator:
    """A stream of random numbers."""
    try:
        if isinstance(random_state, (bool, float)):
            raise TypeError(random_state)
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        rule = "None, a seed or a numpy.random.Generator"
        raise bad(owner, "random_state", rule, random_state, "Give a whole number of at least 0.") from None


def read_option(owner: object, name: str, value: Any, options: Mapping[str, Option]) -> Option:
    """What an option stands for."""
    if not isinstance(value, str) or value not in options:
        raise bad(owner, name, f"among {tuple(options)}", value, "Correct it.")
    return options[value]


def read_column(owner: object, name: str, values: Any, least: int = 1) -> Array:
    """Finite numbers (n,), at least so many."""
    numbers = as_numbers(owner, name, "one column of numbers", values)
    if numbers.ndim != 1:
        raise bad(owner, name, "one column of numbers", Said(f"shape {numbers.shape}"))
    if len(numbers) < least:
        raise bad(owner, name, f"at least {least} numbers", Said(f"{len(numbers)}"))
    if not np.isfinite(numbers).all():
        row = int((~np.isfinite(numbers)).argmax())
        raise bad(owner, name, "finite", Said(f"{float(numbers[row])} at place {row}"), "Leave it out on both sides.")
    return numbers


def read_pair(owner: object, first: Any, second: Any, least: int = 1) -> tuple[Array, Array]:
    """Two columns of numbers that belong together, place by place."""
    a, b = read_column(owner, "first", first, least), read_column(owner, "second", second, least)
    if len(a) != len(b):
        rule = f"as many numbers as first, {len(a)}"
        raise bad(owner, "second", rule, Said(f"{len(b)}"), "Pair the values, place by place.")
    return a, b
