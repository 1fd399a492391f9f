"""Kinds form a lattice (with None above all that conflict), and decide how cells are kept."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from suffice.core.errors import BadInput
from suffice.core.kinds import Kind, Storage, join

WITH_CONFLICT = (*Kind, None)


def test_join_is_associative():
    for a, b, c in product(WITH_CONFLICT, repeat=3):
        assert join(join(a, b), c) is join(a, join(b, c)) is join(a, b, c), (a, b, c)


def test_join_is_commutative():
    for a, b in product(WITH_CONFLICT, repeat=2):
        assert join(a, b) is join(b, a), (a, b)


def test_join_is_idempotent_and_unknown_is_neutral():
    for kind in WITH_CONFLICT:
        assert join(kind) is join(kind, kind) is join(kind, Kind.UNKNOWN) is join(Kind.UNKNOWN, kind) is kind
    assert join() is Kind.UNKNOWN


def test_the_join_does_not_depend_on_the_order_of_blocks():
    blocks = (Kind.UNKNOWN, Kind.COUNT, Kind.RATIO, Kind.QUANTITATIVE)
    assert {join(*order) for order in permutations(blocks)} == {Kind.QUANTITATIVE}


def test_a_join_is_kept_as_both_its_sides_are():
    """Otherwise what a shard has counted could not be read under the joined kind."""
    for a, b in product(Kind, repeat=2):
        joined = join(a, b)
        if joined is not None and Kind.UNKNOWN not in (a, b):
            assert a.storage is b.storage is joined.storage


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("boolean", "categorical"),
        ("ordinal", "categorical"),
        ("count", "ratio"),
        ("count", "quantitative"),
        ("ratio", "quantitative"),
        *(("unknown", kind.value) for kind in Kind),
    ],
)
def test_what_may_be_taken_for_what(low, high):
    assert join(Kind(low), Kind(high)) is Kind(high)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("boolean", "count"),
        ("categorical", "quantitative"),
        ("date", "quantitative"),
        ("date", "count"),
        ("text", "categorical"),
        ("identifier", "count"),
        ("identifier", "text"),
    ],
)
def test_what_can_not_be_reconciled(one, other):
    assert join(Kind(one), Kind(other)) is None


def test_two_symbols_that_are_neither_boolean_nor_ordinal_together_are_categories():
    assert join(Kind.BOOLEAN, Kind.ORDINAL) is Kind.CATEGORICAL


def test_every_kind_is_kept_somehow():
    kept = {storage: [kind.value for kind in Kind if kind.storage is storage] for storage in Storage}
    assert kept == {
        Storage.NUMBERS: ["count", "ratio", "quantitative", "date"],
        Storage.SYMBOLS: ["boolean", "ordinal", "categorical"],
        Storage.WORDS: ["text"],
        Storage.NOTHING: ["unknown", "identifier"],
    }


def test_a_kind_is_read_by_its_name_or_given_itself():
    for kind in Kind:
        if kind is not Kind.UNKNOWN:
            assert Kind.read("Owner", "age", kind.value) is Kind.read("Owner", "age", kind) is kind


@pytest.mark.parametrize("name", ["number", "", None, 3, "Count", ["count"], {"count"}, "unknown", Kind.UNKNOWN])
def test_a_kind_that_does_not_exist(name):
    with pytest.raises(BadInput, match=r"^Owner: the kind of column 'age' must be one of boolean, .*, got "):
        Kind.read("Owner", "age", name)
