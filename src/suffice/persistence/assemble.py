"""A value from its tree and its arrays, with nothing believed that the tree says.

Classes come from the closed list alone and are built by calling them with their fields; each array is used once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from suffice.core.block import Array
from suffice.core.errors import BadFile, shown
from suffice.core.registry import find, needed_fields, saved_fields
from suffice.persistence import strict_json
from suffice.persistence.bounds import LARGE, bounded_range, refuse_alike, refuse_endless
from suffice.persistence.dismantle import DEPTH
from suffice.persistence.leaves import LEAVES
from suffice.persistence.packed import UNPACKINGS


def assemble(tree: str, arrays: dict[str, Array]) -> Any:
    """The value of a tree and its arrays."""
    reader = Reader(dict(arrays))
    value = reader.read(strict_json.parse(tree, "description"), 0)
    if reader.arrays:
        raise BadFile(f"its array {shown(next(iter(reader.arrays)))} belongs nowhere")
    return value


@dataclass
class Reader:
    """Turns nodes into a value; gives out each array once."""

    arrays: dict[str, Array]
    large: int = 0  # integers beyond 64 bits so far
    inside: int = 0  # objects of ours around what is read: a range by itself is small, whatever its ends

    def __post_init__(self) -> None:
        """How many bytes of arrays there are."""
        self._bytes = sum(array.nbytes for array in self.arrays.values())

    def read(self, node: Any, depth: int) -> Any:
        """The value of a node."""
        if depth > DEPTH:
            raise BadFile(f"its description is nested more than {DEPTH} deep")
        if isinstance(node, list):
            return self._tuple(node, depth + 1)
        if not isinstance(node, dict):
            return node
        if len(node) != 1:
            raise BadFile(f"its description has a table of {len(node)} entries where one was due")
        ((tag, body),) = node.items()
        if tag in READ:
            return READ[tag](self, body, depth + 1)
        if tag in LEAVES:
            self._refuse_large(tag)
            return LEAVES[tag].restore(body)
        return self._tuple(node, depth + 1) if tag in UNPACKINGS else self._object(tag, body, depth + 1)

    def _tuple(self, node: Any, depth: int) -> tuple[Any, ...]:
        if isinstance(node, list):
            items = tuple(self.read(item, depth) for item in node)
            refuse_alike(items)
            return items
        if not isinstance(node, dict) or len(node) != 1 or next(iter(node)) not in UNPACKINGS:
            raise BadFile(f"its description has a malformed sequence {shown(node)}")
        ((tag, name),) = node.items()
        return UNPACKINGS[tag].restore(tuple(self._take(name, end) for end in UNPACKINGS[tag].arrays))

    def _object(self, name: str, body: Any, depth: int) -> Any:
        cls = find(name)
        if cls is None:
            raise BadFile(f"it holds a value of the unknown class {shown(name)}")
        if issubclass(cls, Enum):
            return _member(cls, body)
        fields = saved_fields(cls)
        if not isinstance(body, dict) or not set(needed_fields(cls)) <= body.keys() <= set(fields):
            got = shown(list(body) if isinstance(body, dict) else body)
            raise BadFile(f"its {name} must have the fields {', '.join(fields)}, got {got}")
        ours = cls.__module__.startswith("suffice.")
        self.inside += ours
        values = {field: self.read(item, depth) for field, item in body.items()}
        self.inside -= ours
        if "pattern" in values:
            refuse_endless(values["pattern"])
        try:
            return cls(**values)
        except Exception as error:
            raise BadFile(f"its {name} cannot be built ({shown(str(error), 120)})") from error

    def _refuse_large(self, tag: str) -> None:
        self.large += tag == "int"
        if self.large > LARGE:
            raise BadFile(f"its description has more than {LARGE:,} integers beyond 64 bits")

    def _take(self, name: Any, end: str = "") -> Array:
        if not isinstance(name, str) or name + end not in self.arrays:
            raise BadFile(f"its description names the array {shown(name)}, which is not there or already in use")
        return self.arrays.pop(name + end)

    def _scalar(self, body: Any, depth: int) -> Any:
        array = self._take(body)
        if array.shape != ():
            raise BadFile(
                f"its description names the array {shown(body)} as one number, but its shape is {array.shape}"
            )
        return array[()]

    def _list(self, body: Any, depth: int) -> Any:
        return list(self._tuple(body, depth))

    def _dict(self, body: Any, depth: int) -> Any:
        if not isinstance(body, dict):
            raise BadFile(f"its description has a malformed dict {shown(body)}")
        return {key: self.read(item, depth) for key, item in body.items()}

    def _pairs(self, body: Any, depth: int) -> Any:
        if not isinstance(body, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in body):
            raise BadFile(f"its description has a malformed dict {shown(body)}")
        pairs = [(self.read(key, depth), self.read(item, depth)) for key, item in body]
        refuse_alike([key for key, _ in pairs])
        try:
            value = dict(pairs)
        except TypeError:
            raise BadFile("its description has a dict with a key that cannot be one") from None
        if len(value) != len(body):
            raise BadFile("its description has a dict with a key that occurs twice")
        return value

    def _range(self, body: Any, depth: int) -> Any:
        ends = self._tuple(body, depth)
        if [type(end) for end in ends] != [int, int, int] or not ends[2]:
            raise BadFile(f"its description has a malformed range {shown(body)}")
        return bounded_range(ends, self._bytes) if self.inside else range(*ends)


READ: dict[str, Callable[[Reader, Any, int], Any]] = {
    "array": lambda reader, body, depth: reader._take(body),
    "scalar": Reader._scalar,
    "list": Reader._list,
    "dict": Reader._dict,
    "pairs": Reader._pairs,
    "range": Reader._range,
}


def _member(cls: type[Enum], name: Any) -> Enum:
    if not isinstance(name, str) or name not in cls.__members__:
        raise BadFile(f"it holds {shown(name)}, which is not one of {cls.__name__}")
    return cls.__members__[name]
