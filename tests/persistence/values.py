"""Values to save: classes registered for the tests, strategies for every kind, and equality to the last bit."""

from __future__ import annotations

import dataclasses
import struct
from dataclasses import dataclass, field
from datetime import timedelta, timezone
from enum import Enum, IntEnum
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from suffice.core.by_class import ByClass
from suffice.core.double_double import Pair
from suffice.core.registry import saved
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.persistence.header import NAMES
from suffice.persistence.packed import LEAST


@saved
@dataclass(frozen=True)
class Sample:
    """Fields that are saved and fields that are not."""

    first: Any
    second: Any = None
    cache: Any = field(default=None, compare=False, metadata={"saved": False})
    size: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        if isinstance(self.first, str) and self.first == "refused":
            raise ValueError("first is refused")
        object.__setattr__(self, "size", 7)


@saved
class Point(NamedTuple):
    """A record."""

    x: Any
    y: Any


@saved
class Colour(Enum):
    """Members with values that could not be saved themselves."""

    RED = object()
    GREEN = b"green"


@saved
class Level(IntEnum):
    """Members that are integers too."""

    LOW = 1
    HIGH = 2


def summary(K: int = 3) -> ByClass:
    """A small summary as the library makes them."""
    rng = np.random.default_rng(K)

    def tally() -> Tally:
        return Tally(rng.integers(1, 9, K), Pair(rng.uniform(1, 9, K), rng.normal(size=K) * 2.0**-60))

    return ByClass(tuple(f"class {k}" for k in range(K)), tally(), Together((tally(), tally())))


def identical(a: Any, b: Any) -> bool:
    """Same types, same dtypes, same bits, same order."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray | np.generic):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, float):
        return struct.pack("<d", a) == struct.pack("<d", b)
    if isinstance(a, dict):
        return identical(list(a.items()), list(b.items()))
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(identical, a, b))
    if dataclasses.is_dataclass(a):
        return all(identical(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a) if f.compare)
    return bool(a == b and repr(a) == repr(b))


NUMBERS = st.sampled_from([np.dtype(name) for name in NAMES])
ARRAYS = NUMBERS.flatmap(
    lambda dtype: npst.arrays(dtype, npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
)
TEXTS = st.text(st.characters(), max_size=8)  # with lone surrogates
INTS = (
    st.integers() | st.integers(-(2**70), 2**70) | st.sampled_from([2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**30])
)
ZONES = st.none() | st.builds(timezone, st.timedeltas(timedelta(hours=-23), timedelta(hours=23)))
RANGES = st.builds(range, INTS, INTS, INTS.filter(bool))
KEYS = st.none() | st.booleans() | INTS | st.floats() | TEXTS | st.dates() | st.sampled_from([*Colour, *Level]) | RANGES
LEAVES = (
    KEYS
    | st.datetimes(timezones=ZONES)
    | ARRAYS
    | NUMBERS.flatmap(lambda dtype: npst.arrays(dtype, (1,))).map(lambda array: array[0])
    | st.sampled_from([TEXTS, st.integers(-(2**64), 2**64), st.integers(-5, 5), st.floats()]).flatmap(
        lambda items: st.lists(items, min_size=LEAST - 1, max_size=LEAST + 4).map(tuple)
    )
)


def _grown(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    items = st.lists(values, max_size=4)
    tables = st.dictionaries(TEXTS, values, max_size=4) | st.dictionaries(KEYS, values, max_size=4)
    return items | items.map(tuple) | tables | st.builds(Sample, values, values) | st.builds(Point, values, values)


VALUES = st.recursive(LEAVES, _grown, max_leaves=12)
