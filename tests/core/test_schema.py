"""Schemas: declared, joined, shown, written as JSON, and found again in another table."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadFile, BadInput
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema

ORDERS = (None, ("a", "b"), ("b", "a"), ("a", "b", "c"))
COLUMNS = tuple(Column("x", kind, order) for kind in Kind for order in (ORDERS if kind is Kind.ORDINAL else (None,)))


def schema(**kinds: str) -> Schema:
    return Schema(tuple(Column(name, Kind(kind)) for name, kind in kinds.items()))


MIXED = schema(id="identifier", age="count", site="categorical", note="text", seen="date", ill="boolean", more="text")


def test_the_parts_of_a_block_are_numbers_then_symbols_then_texts():
    assert MIXED.parts == (
        (Storage.NUMBERS, (1, 4)),
        (Storage.SYMBOLS, (2, 5)),
        (Storage.WORDS, (3,)),
        (Storage.WORDS, (6,)),
    )
    assert [column.name for column in MIXED.features] == ["age", "site", "note", "seen", "ill", "more"]
    assert schema(a="unknown", b="identifier").parts == ()


def joined(a, b):
    try:
        return a.join(b) if a is not None and b is not None else None
    except BadInput:
        return None


def test_columns_join_as_a_lattice():
    for a, b, c in product((*COLUMNS, None), repeat=3):
        assert joined(joined(a, b), c) == joined(a, joined(b, c)), (a, b, c)
    for a, b in product(COLUMNS, repeat=2):
        assert joined(a, b) == joined(b, a), (a, b)
        assert joined(a, a) == a


def test_an_order_survives_a_join_only_if_both_sides_know_it():
    low_high = Column("x", Kind.ORDINAL, ("low", "high"))
    assert low_high.join(low_high) == low_high
    assert low_high.join(Column("x", Kind.UNKNOWN)) == Column("x", Kind.UNKNOWN).join(low_high) == low_high
    for other in (("high", "low"), ("low", "high", "top"), None):
        assert low_high.join(Column("x", Kind.ORDINAL, other)) == Column("x", Kind.CATEGORICAL)
    assert low_high.join(Column("x", Kind.BOOLEAN)) == Column("x", Kind.CATEGORICAL)


def test_schemas_join_column_by_column():
    a, b = schema(age="count", site="unknown"), schema(age="quantitative", site="categorical")
    assert a.join(b) == b.join(a) == schema(age="quantitative", site="categorical")
    assert a.join(a) is a


def test_conflicting_kinds_are_named():
    with pytest.raises(BadInput) as error:
        schema(age="count").join(schema(age="text"))
    assert str(error.value) == (
        "Schema: the kind of column 'age' must be one in all tables, got count in one and text in another. "
        "Declare its kind for all of them."
    )


@pytest.mark.parametrize(
    ("one", "other", "came"),
    [
        (schema(age="count"), schema(age="count", site="categorical"), "'site' in one of them only"),
        (schema(age="count", sex="boolean"), schema(age="count", site="categorical"), "'sex' in one of them only"),
        (schema(age="count", sex="boolean"), schema(sex="boolean", age="count"), "another order"),
    ],
)
def test_tables_of_different_columns(one, other, came):
    with pytest.raises(BadInput) as error:
        one.join(other)
    assert str(error.value) == (
        f"Schema: the columns must be the same in all tables, got {came}. Give every table the same columns."
    )


def test_declared_kinds_override_what_was_seen():
    seen = schema(ill="count", code="count", note="categorical", pain="categorical", key="categorical", age="count")
    said = seen.declare(
        "Model",
        {"ill": "boolean", "code": Kind.CATEGORICAL, "note": "text", "pain": ["none", "mild"], "key": "identifier"},
    )
    assert said == Schema(
        (
            Column("ill", Kind.BOOLEAN),
            Column("code", Kind.CATEGORICAL),
            Column("note", Kind.TEXT),
            Column("pain", Kind.ORDINAL, ("none", "mild")),
            Column("key", Kind.IDENTIFIER),
            Column("age", Kind.COUNT),
        )
    )


def test_an_order_read_from_the_table_stays_with_an_ordinal_alone():
    seen = Schema((Column("pain", Kind.ORDINAL, ("none", "mild")),))
    assert seen.declare("Model", {"pain": "ordinal"}) == seen
    assert seen.declare("Model", {"pain": "categorical"}).columns[0].order is None


def test_kinds_of_columns_that_are_not_there():
    with pytest.raises(BadInput) as error:
        schema(**{f"x{i}": "count" for i in range(8)}).declare("Model", {"y": "count"})
    known = "'x0', 'x1', 'x2', 'x3', 'x4', 'x5', ..."
    assert str(error.value) == f"Model: kinds must be about columns of the table ({known}), got 'y'. Correct it."


@pytest.mark.parametrize("order", [[], ["a", "a"], [1, 1.0], [["a"], ["b"]]])
def test_orders_that_are_none(order):
    with pytest.raises(BadInput, match=r"the order of column 'x' must be given by different values, lowest"):
        schema(x="categorical").declare("Model", {"x": order})


def test_the_only_values_that_cells_may_have():
    assert Column("x", Kind.BOOLEAN).values == (False, True)
    assert Column("x", Kind.ORDINAL, ("a", "b")).values == ("a", "b")
    assert Column("x", Kind.ORDINAL).values is None
    assert Column("x", Kind.CATEGORICAL).values is None


def test_shown_as_a_table():
    long = Column("grade", Kind.ORDINAL, tuple("abcdefgh"))
    assert str(Schema((Column("age", Kind.COUNT), long, Column(3, Kind.DATE)))) == (
        "column  kind\n"
        "age     count\n"
        "grade   ordinal: a < b < c < d < e < f < ...\n"
        "3       date"
    )  # fmt: skip
    assert str(Schema(())) == "column  kind"


names = st.one_of(st.text(), st.integers(), st.booleans(), st.tuples(st.text(), st.integers()))
values = st.one_of(st.text(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans())
columns = st.one_of(
    st.builds(Column, names, st.sampled_from(Kind)),
    st.builds(Column, names, st.just(Kind.ORDINAL), st.lists(values, min_size=1, unique=True).map(tuple)),
)


@given(st.lists(columns, unique_by=lambda column: column.name).map(lambda found: Schema(tuple(found))))
def test_json_brings_back_the_same_schema(some):
    again = Schema.from_json(some.to_json())
    assert again == some
    assert [[type(v) for v in c.order or ()] for c in again.columns] == [
        [type(v) for v in c.order or ()] for c in some.columns
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "5",
        "null",
        '"age"',
        "[1]",
        '["age"]',
        "[{}]",
        '{"name": "age"}',
        '[{"name": "age", "kind": "count"}]',
        '[{"name": "age", "kind": "number", "order": null}]',
        '[{"name": "age", "kind": ["count"], "order": null}]',
        '[{"name": {"a": 1}, "kind": "count", "order": null}]',
        '[{"name": "age", "kind": "count", "order": ["a"]}]',
        '[{"name": "age", "kind": "ordinal", "order": "abc"}]',
        '[{"name": "age", "kind": "ordinal", "order": [{}]}]',
        '[{"name": "a", "kind": "count", "order": null}, {"name": "a", "kind": "text", "order": null}]',
        "[" * 100_000,
    ],
)
def test_text_that_is_no_schema(text):
    with pytest.raises(BadFile, match=r"^Schema: the text must be what to_json wrote, got "):
        Schema.from_json(text)


@pytest.mark.parametrize(
    "column", [Column(b"raw", Kind.COUNT), Column("x", Kind.ORDINAL, (np.int64(1),)), Column(float("nan"), Kind.COUNT)]
)
def test_names_that_json_can_not_hold(column):
    with pytest.raises(BadInput, match="Schema: names and ordered values must be texts, numbers or Booleans"):
        Schema((column,)).to_json()


def test_json_is_plain():
    assert json.loads(MIXED.to_json())[1] == {"name": "age", "kind": "count", "order": None}


def test_columns_are_found_by_name_in_any_order_among_others():
    assert MIXED.find(["ill", "more", "age", "note", "seen", "site", "zone"]) == MIXED.names  # no feature: id may lack


def test_a_lacking_feature_is_named():
    with pytest.raises(BadInput) as error:
        schema(age="count", site="categorical").find(["age", "place"])
    assert str(error.value) == (
        "X: the columns must be those of the training table, 'site' among them, got ['age', 'place']. "
        "Add the column, empty if need be."
    )


def test_columns_of_an_array_are_found_by_their_place():
    array = Schema.numbered([Kind.COUNT, Kind.DATE])
    assert array.names == ("x0", "x1")
    assert array.find(["age", "seen"]) == ("age", "seen")
    assert array.find(["x1", "x0"]) == ("x0", "x1")
    with pytest.raises(BadInput, match="'x0' among them"):
        array.find(["age", "seen", "site"])
