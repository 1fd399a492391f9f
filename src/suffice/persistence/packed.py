"""Long tuples of one kind of value, kept as arrays: a vocabulary of a million words has no place in a header."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile

LEAST = 32  # entries from which a tuple is packed; shorter ones stay readable


class Packing(NamedTuple):
    """How tuples of one type become arrays: their names and types, and the way there and back."""

    arrays: dict[str, Any]
    pack: Callable[[tuple[Any, ...]], tuple[Array, ...]]
    unpack: Callable[..., tuple[Any, ...]]

    def restore(self, arrays: tuple[Array, ...]) -> tuple[Any, ...]:
        """The tuple that these arrays stand for."""
        for array, dtype in zip(arrays, self.arrays.values(), strict=True):
            if array.ndim != 1 or array.dtype != dtype:
                raise BadFile(f"a packed tuple is an array of {array.dtype} with shape {array.shape}")
        return self.unpack(*arrays)


def _pack_texts(texts: tuple[str, ...]) -> tuple[Array, Array]:
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    return np.frombuffer("".join(texts).encode("utf-8", "surrogatepass"), dtype=np.uint8), lengths


def _unpack_texts(letters: Array, lengths: Array) -> tuple[str, ...]:
    try:
        text = letters.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise BadFile("a packed tuple of texts is not UTF-8") from None
    sizes: list[int] = lengths.tolist()
    if min(sizes, default=0) < 0 or sum(sizes) != len(text):
        raise BadFile("the lengths of a packed tuple of texts do not fit its letters")
    return tuple(text[start:end] for start, end in pairwise(accumulate(sizes, initial=0)))


PACKINGS: dict[type, tuple[str, Packing]] = {
    str: ("texts", Packing({".letters": np.uint8, ".lengths": np.int64}, _pack_texts, _unpack_texts)),
    int: ("ints", Packing({"": np.int64}, lambda v: (np.array(v, dtype=np.int64),), lambda a: tuple(a.tolist()))),
    float: ("floats", Packing({"": np.float64}, lambda v: (np.array(v),), lambda a: tuple(a.tolist()))),
}
UNPACKINGS: dict[str, Packing] = dict(PACKINGS.values())
