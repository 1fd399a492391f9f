"""No file that was cut or changed is taken for a good one, and no file, however made, causes anything but BadFile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadFile
from suffice.persistence import from_bytes, to_bytes
from suffice.persistence.assemble import READ
from suffice.persistence.leaves import LEAVES
from suffice.persistence.packed import UNPACKINGS
from tests.persistence.forged import array, forged, sealed
from tests.persistence.values import Level, Point, Sample, identical, summary

FLIPS = (*(1 << bit for bit in range(8)), 0xFF)


@pytest.fixture(scope="module")
def data() -> bytes:
    data = to_bytes(summary())
    assert 1500 < len(data) < 2500
    return data


def refused(data: bytes) -> bool:
    try:
        from_bytes(data)
    except BadFile:
        return True
    return False


def test_every_truncation_is_refused(data: bytes) -> None:
    assert all(refused(data[:size]) for size in range(len(data)))


def test_anything_appended_is_refused(data: bytes) -> None:
    assert all(refused(data + bytes(size)) for size in range(1, 20))


def test_every_flipped_byte_is_refused(data: bytes) -> None:
    assert not refused(data)
    damaged = bytearray(data)
    for place in range(len(data)):
        for flip in FLIPS:
            damaged[place] ^= flip
            assert refused(damaged), (place, flip)
            damaged[place] ^= flip


def test_every_flip_under_a_right_checksum_is_refused_or_read(data: bytes) -> None:
    # Here the checks of structure stand alone: nothing else than BadFile may come out.
    damaged = bytearray(data)
    count = 0
    for place in range(len(data)):
        for flip in FLIPS:
            damaged[place] ^= flip
            count += refused(sealed(bytes(damaged)))
            damaged[place] ^= flip
    assert count > 5 * len(data)


def test_a_flip_in_the_numbers_under_a_right_checksum_is_read_as_it_stands() -> None:
    value = np.array([1, 2, 3], dtype=np.uint8)
    data = bytearray(to_bytes(value))
    data[-1] ^= 0xFF
    assert identical(from_bytes(sealed(bytes(data))), np.array([1, 2, 252], dtype=np.uint8))


TAGS = st.sampled_from(
    [*READ, *LEAVES, *UNPACKINGS, "Sample", "Point", "Level", "ByClass", "Tally", "Colour", "Nobody"]
)
WORDS = st.sampled_from(["a", "b", "c", "HIGH", "first", "second", "x", "0x10", "2026-01-31", "7ff0000000000000", ""])
NODES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda nodes: (
        st.lists(nodes, max_size=3)
        | st.dictionaries(TAGS | WORDS, nodes, max_size=2)
        | st.tuples(TAGS, nodes).map(lambda pair: dict([pair]))
        | st.fixed_dictionaries({"first": nodes, "second": nodes}).map(lambda fields: {"Sample": fields})
        | st.fixed_dictionaries({"x": nodes, "y": nodes}).map(lambda fields: {"Point": fields})
    ),
    max_leaves=15,
)


@given(NODES)
def test_any_tree_is_refused_or_read(tree: Any) -> None:
    arrays = {"a": array("F64", [1], [0, 8]), "b": array("U8", [3], [8, 11]), "c.letters": array("U8", [0], [11, 11])}
    assert refused(forged(tree, bytes(11), arrays)) in (True, False)
    data = forged(tree)
    if not refused(data):
        assert identical(from_bytes(to_bytes(from_bytes(data))), from_bytes(data))


@given(st.recursive(st.none() | st.booleans() | st.integers() | WORDS, lambda n: st.lists(n, max_size=3), max_leaves=6))
def test_any_entry_of_an_array_is_refused_or_read(entry: Any) -> None:
    for place in ("dtype", "shape", "data_offsets"):
        assert (
            refused(forged({"array": "a"}, bytes(8), {"a": {**array("F64", [1], [0, 8]), place: entry}}))
            or place == "shape"
        )


@given(st.binary(max_size=300), st.integers(0, 300))
def test_noise_is_refused(noise: bytes, length: int) -> None:
    assert refused(noise)
    assert refused(length.to_bytes(8, "little") + noise)
    assert refused(length.to_bytes(8, "little") + b"{" + noise)


def test_a_forged_file_that_is_right_is_read() -> None:
    tree = {"Sample": {"first": {"Point": {"x": 1, "y": {"Level": "HIGH"}}}, "second": None}}
    assert from_bytes(forged(tree)) == Sample(Point(1, Level.HIGH), None)
