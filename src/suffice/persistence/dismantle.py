"""A value as a tree of JSON and some arrays.

Text, truth values, None, finite floats and integers of 64 bits stand for themselves; a JSON list is a tuple. All else
is a table with one entry, whose name says what it is: a kind in small letters, or a registered class.

    {"Tally": {"rows": {"array": "value.rows"}, ...}}   {"Kind": "COUNT"}   {"list": [1, 2]}   {"dict": {"a": 1}}
    {"pairs": [[1, "a"], [2, "b"]]}   {"range": [0, 9, 1]}   {"scalar": "value[0]"}   {"texts": "value.labels"}

The name of an array is its place in the value. What occurs twice in a value is written twice.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad, refusal, shown
from suffice.core.registry import registered, saved_fields
from suffice.persistence.header import NAMES
from suffice.persistence.leaves import LEAVES
from suffice.persistence.packed import LEAST, PACKINGS

DEPTH = 64  # levels of a value
SAVABLE = "an array, number, text, date, None, tuple, list, dict, range or value of a registered class"


def dismantle(value: Any) -> tuple[str, dict[str, Array]]:
    """The tree of a value, as JSON, and its arrays by name."""
    writer = Writer()
    tree = writer.write(value, "value", 0)
    return json.dumps(tree, separators=(",", ":"), allow_nan=False), writer.arrays


@dataclass
class Writer:
    """Turns a value into nodes; keeps the arrays it meets."""

    arrays: dict[str, Array] = field(default_factory=dict)

    def write(self, value: Any, path: str, depth: int) -> Any:
        """The node of a value that stands at `path`."""
        if depth > DEPTH:
            raise bad("save", f"{path[:40]}...", f"nested at most {DEPTH} deep", type(value), "Is it part of itself?")
        kind = type(value)
        if kind in WRITE:
            return WRITE[kind](self, value, path, depth + 1)
        if registered().get(kind.__name__) is kind:
            return {kind.__name__: self._fields(value, path, depth + 1)}
        if isinstance(value, np.generic):
            return {"scalar": self._keep(np.asarray(value), path, value)}
        raise unsavable(path, value)

    def _fields(self, value: Any, path: str, depth: int) -> Any:
        if isinstance(value, Enum):
            if value.name not in type(value).__members__:  # flags joined by |
                raise unsavable(path, value)
            return value.name
        fields = saved_fields(type(value))
        shorter = value.saved_form() if hasattr(value, "saved_form") else {}  # what the class makes whole again
        held = {f: shorter[f] if f in shorter else getattr(value, f) for f in fields}
        return {f: self.write(held[f], f"{path}.{f}", depth) for f in fields}

    def _keep(self, array: Array, path: str, value: Any) -> str:
        if array.dtype.name not in NAMES:
            raise unsavable(path, value, f" of dtype {array.dtype}")
        self.arrays[path] = array
        return path

    def _array(self, value: Array, path: str, depth: int) -> Any:
        return {"array": self._keep(value, path, value)}

    def _tuple(self, value: tuple[Any, ...], path: str, depth: int) -> Any:
        packed = self._pack(value, path) if len(value) >= LEAST else None
        return packed or [self.write(item, f"{path}[{i}]", depth) for i, item in enumerate(value)]

    def _pack(self, value: tuple[Any, ...], path: str) -> Any:
        kind, *others = set(map(type, value))
        if others or kind not in PACKINGS:
            return None
        tag, packing = PACKINGS[kind]
        try:
            arrays = packing.pack(value)
        except OverflowError:  # integers beyond 64 bits
            return None
        self.arrays.update(zip((path + end for end in packing.arrays), arrays, strict=True))
        return {tag: path}

    def _list(self, value: list[Any], path: str, depth: int) -> Any:
        return {"list": self._tuple(tuple(value), path, depth)}

    def _dict(self, value: dict[Any, Any], path: str, depth: int) -> Any:
        if all(type(key) is str for key in value):
            return {"dict": {key: self.write(item, f"{path}[{key!a}]", depth) for key, item in value.items()}}
        pairs = [(f"{path}.keys[{i}]", f"{path}.values[{i}]", *item) for i, item in enumerate(value.items())]
        return {"pairs": [[self.write(key, at, depth), self.write(item, to, depth)] for at, to, key, item in pairs]}

    def _range(self, value: range, path: str, depth: int) -> Any:
        return {"range": [self.write(end, path, depth) for end in (value.start, value.stop, value.step)]}

    def _plain(self, value: Any, path: str, depth: int) -> Any:
        return value

    def _int(self, value: int, path: str, depth: int) -> Any:
        return value if -(2**63) <= value < 2**63 else {"int": LEAVES["int"].write(value)}

    def _float(self, value: float, path: str, depth: int) -> Any:
        return value if math.isfinite(value) else {"float": LEAVES["float"].write(value)}

    def _time(self, value: date, path: str, depth: int) -> Any:
        tag = type(value).__name__
        try:
            return {tag: LEAVES[tag].write(value)}
        except ValueError:
            raise unsavable(path, value, " with a named time zone") from None


WRITE: dict[type, Callable[[Writer, Any, str, int], Any]] = {
    str: Writer._plain,
    bool: Writer._plain,
    type(None): Writer._plain,
    int: Writer._int,
    float: Writer._float,
    date: Writer._time,
    datetime: Writer._time,
    np.ndarray: Writer._array,
    tuple: Writer._tuple,
    list: Writer._list,
    dict: Writer._dict,
    range: Writer._range,
}


class Unsavable(BadInput):
    """A value that no file holds."""

    value: Any = None


def unsavable(path: str, value: Any, more: str = "") -> Unsavable:
    """What cannot be saved: where it is and of which class."""
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    error = refusal(
        Unsavable,
        "save",
        path,
        SAVABLE,
        Said(f"{shown(value)}, which is of class {name}{more}"),
        "Convert it, or mark its class with suffice.core.registry.saved.",
    )
    error.value = value
    return error
