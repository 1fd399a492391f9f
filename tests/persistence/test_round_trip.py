"""Whatever can be saved comes back with the same types and the same bits."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.persistence import from_bytes, load, save, to_bytes
from suffice.persistence.dismantle import DEPTH
from suffice.persistence.header import NAMES
from suffice.persistence.packed import LEAST
from tests.persistence.forged import forged
from tests.persistence.values import ARRAYS, VALUES, Colour, Level, Point, Sample, identical, summary

MANY = settings(max_examples=5 * settings.default.max_examples)  # there are many kinds of values


@MANY
@given(VALUES)
def test_any_value_comes_back(value: Any) -> None:
    assert identical(from_bytes(to_bytes(value)), value)


@MANY
@given(VALUES)
def test_the_same_value_gives_the_same_bytes_again(value: Any) -> None:
    data = to_bytes(value)
    assert to_bytes(from_bytes(data)) == data


@given(st.lists(ARRAYS, max_size=6))
def test_arrays_come_back_writeable_aligned_and_in_c_order(arrays: list[Any]) -> None:
    for array in from_bytes(to_bytes(arrays)):
        assert array.flags.writeable
        assert array.flags.aligned
        assert array.flags.c_contiguous


def test_a_summary_comes_back_from_a_file_and_still_adds(tmp_path: Any) -> None:
    value = summary()
    save(value, tmp_path / "model.suffice")
    back = load(tmp_path / "model.suffice")
    assert identical(back, value)
    assert identical(back + value, value + value)
    assert identical((back + value) - back, (value + value) - value)


@pytest.mark.parametrize("name", NAMES)
def test_every_type_of_number_survives_at_its_limits(name: str) -> None:
    dtype = np.dtype(name)
    info: Any = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype) if dtype.kind == "f" else None
    limits = [info.min, info.max] if info else [False, True]
    value = (np.array(limits, dtype), np.array(limits[1], dtype), dtype.type(limits[0]))
    assert identical(from_bytes(to_bytes(value)), value)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(24.0).reshape(2, 3, 4).T,
        np.arange(24)[::-3],
        np.broadcast_to(np.float32(2.5), (3, 4)),
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.arange(20, dtype=np.uint8)[1:17].view(np.int64),
        np.zeros((3, 0, 2), dtype=np.int8),
        np.array(5),
    ],
    ids=["transposed", "backwards", "stride 0", "fortran", "misaligned", "empty", "0-d"],
)
def test_how_an_array_lies_in_memory_does_not_matter(array: Any) -> None:
    back = from_bytes(to_bytes(array))
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert (back == array).all()


def test_byte_order_is_no_part_of_a_value() -> None:
    back = from_bytes(to_bytes(np.array([1.5, -2.5], dtype=">f8")))
    assert identical(back, np.array([1.5, -2.5]))


@pytest.mark.parametrize("bits", [0x7FF8000000000000, 0xFFF8000000000001, 0x7FF0000000000000, 0x8000000000000000, 1])
@pytest.mark.parametrize("copies", [1, LEAST])
def test_floats_keep_every_bit(bits: int, copies: int) -> None:
    number = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    back = from_bytes(to_bytes((number,) * copies))
    assert [struct.pack(">d", item) for item in back] == [bits.to_bytes(8, "big")] * copies


@pytest.mark.parametrize(
    "number",
    [10**5000, -(10**5000), 2**63, -(2**63) - 1, 2**64],
    ids=["5000 digits", "minus", "past int64", "below int64", "past uint64"],
)
def test_integers_have_any_size(number: int) -> None:
    assert from_bytes(to_bytes(number)) == number
    assert from_bytes(to_bytes(range(-number, number, number)))[1:] == range(0, number, number)
    assert from_bytes(to_bytes((0,) * LEAST + (number,))) == (0,) * LEAST + (number,)


def test_what_looks_alike_is_told_apart() -> None:
    value = (
        1,
        1.0,
        True,
        "1",
        np.int64(1),
        np.float64(1),
        np.bool_(True),
        np.array(1),
        (1,),
        [1],
        {"1": 1},
        {1: 1},
        -0.0,
    )
    back = from_bytes(to_bytes(value))
    assert [type(item) for item in back] == [type(item) for item in value]
    assert identical(back, value)


def test_records_enums_and_times() -> None:
    value = (
        Sample(Point(1, (2.0,)), Colour.GREEN),
        Level.HIGH,
        datetime(2026, 1, 31, 23, 59, 59, 999999, tzinfo=UTC, fold=1),
    )
    back = from_bytes(to_bytes(value))
    assert identical(back, value)
    assert back[2].fold == 1


def test_fields_that_are_not_saved_are_made_anew() -> None:
    back = from_bytes(to_bytes(Sample("kept", cache=object())))
    assert (back.first, back.cache, back.size) == ("kept", None, 7)


@pytest.mark.parametrize(
    ("wrap", "inner"),
    [
        (lambda v: (v,), (None, (), range(3))),
        (lambda v: [v], ([], 5)),
        (lambda v: {"a": v}, ({}, "")),
        (lambda v: {5: v}, ({}, np.int8(1))),
        (lambda v: Sample(v), (Level.LOW, ())),
        (lambda v: Point(0, v), (np.zeros(2), ("a",) * LEAST)),
    ],
    ids=["tuple", "list", "dict", "pairs", "dataclass", "record"],
)
def test_what_is_nested_just_not_too_deeply_to_write_can_be_read(wrap: Any, inner: tuple[Any, ...]) -> None:
    for core in inner:
        value = core
        for _ in range(DEPTH - 1):
            value = wrap(value)
        assert identical(from_bytes(to_bytes(value)), value)


def test_a_vocabulary_of_a_million_words_fits() -> None:
    words = tuple(f"word {i} ü€😀\ud800" for i in range(1_000_000))
    assert from_bytes(to_bytes({"labels": (words, list(words[:40]))})) == {"labels": (words, list(words[:40]))}


def test_bytes_of_any_sort_are_read() -> None:
    data = to_bytes(("a", np.arange(3)))
    assert identical(from_bytes(bytearray(data)), from_bytes(memoryview(data)))


def test_a_file_from_before_a_class_had_its_last_field() -> None:
    """A field that came later has a default, so that older files are still read."""
    assert from_bytes(forged({"Sample": {"first": 3}})) == Sample(3)
