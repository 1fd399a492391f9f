"""Files that are written in many ways are one model: in any order, in blocks of any size, learned apart and merged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from suffice import NaiveBayes
from suffice.core.errors import BadInput, NotASummary
from suffice.core.kinds import Storage
from suffice.sources import Format, Roles, open_rows

Cells = tuple[str, str, str]  # a feature of words, one of numbers or words, and the target

WORDS = [("yes", "no"), ("yes", "no", "maybe"), ("true", "false"), ("Yes", "no"), ("true", "false", "x"), ("a", "b")]
NUMBERS = [
    ("1", "2", "30"),
    ("1.5", "2"),
    ("1", "word"),
    ("1,234.5", "12"),
    ("3,5", "1,25"),
    ("$3.50", "$12"),
    ("12 %", "1 %"),
    ("13/01/2024", "02/03/2024"),
    ("01/13/2024", "02/03/2024"),
    ("02/03/2024",),
    ("1,234",),
    ("1.234",),
    ("", "1"),
]
TARGETS = [
    ("01", "02"),
    ("01", "02", "0x"),
    ("1", "2"),
    ("yes", "no"),
    ("true", "false"),
    ("true", "false", "maybe"),
    ("a", "b"),
]


@st.composite
def shards(draw: st.DrawFn) -> tuple[list[Cells], list[Cells]]:
    """Two files, each of which may write its columns in its own way."""
    both = []
    for _ in range(2):
        pools = [draw(st.sampled_from(pool)) for pool in (WORDS, NUMBERS, TARGETS)]
        row = st.tuples(*(st.sampled_from(pool) for pool in pools))
        both.append(draw(st.lists(row, min_size=2, max_size=8)))
    return both[0], both[1]


def learned(folder: Path, tables: Sequence[list[Cells]], block: int) -> NaiveBayes | str:
    """The model of some files, or what it was refused for, without the rows and files that are named."""
    paths = []
    for i, rows in enumerate(tables):
        paths.append(folder / f"{i}.csv")
        paths[-1].write_text("s;x;y\n" + "".join(f"{';'.join(row)}\n" for row in rows))
    try:
        return NaiveBayes().fit(open_rows(paths, Roles(target="y"), format=Format(block=block)))
    except BadInput as error:
        return error.fields.name


def told(model: NaiveBayes) -> dict[str, Any]:
    """Everything that a model says, in an order of its own."""
    schema = model.fitted_.schema
    counts: dict[str, Any] = {}
    for (storage, places), kept in zip(schema.parts, model.summary_.summary.parts, strict=True):
        if storage is not Storage.SYMBOLS:
            continue
        for j, (labels, cells) in enumerate(zip(kept.labels, kept.slices, strict=True)):
            rows = kept.rows[:, cells]
            order = {label: rows[:, i].tolist() for i, label in enumerate(labels)}
            counts[schema.names[places[j]]] = dict(sorted(order.items(), key=repr))
    return {
        "columns": [(column.name, column.kind, column.form) for column in schema.columns],
        "classes": model.classes_.tolist(),
        "rows": model.summary_.tally.rows.tolist(),
        "counts": counts,
    }


def numbers(model: NaiveBayes) -> Any:
    """Means and variances of the columns of numbers, by class."""
    for (storage, _), kept in zip(model.fitted_.schema.parts, model.summary_.summary.parts, strict=True):
        if storage is Storage.NUMBERS:
            moments = kept.parts[0] if hasattr(kept, "parts") else kept
            return np.array([moments.mean.value, moments.scatter.value])
    return np.zeros(0)


def assert_one_model(a: NaiveBayes | str, b: NaiveBayes | str) -> None:
    if isinstance(a, str) or isinstance(b, str):
        assert a == b
        return
    assert told(a) == told(b)
    np.testing.assert_allclose(numbers(a), numbers(b), rtol=1e-12, atol=1e-12)


@given(shards(), st.sampled_from([1, 24, 1 << 20]))
@example(([("yes", "1", "01"), ("no", "2", "02")], [("maybe", "1", "0x"), ("yes", "3", "01")]), 1)
@example(([("true", "02/03/2024", "1"), ("false", "02/03/2024", "2")], [("true", "13/01/2024", "1")] * 2), 1)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_order_and_any_blocks(tmp_path: Path, both: tuple[list[Cells], list[Cells]], block: int) -> None:
    a, b = both
    whole = learned(tmp_path, [a + b], 1 << 20)
    for tables in ([a, b], [b, a], [a + b], [(b + a)[::-1]]):
        assert_one_model(learned(tmp_path, tables, block), whole)


@given(shards())
@example(([("yes", "1", "01")] * 2, [("yes", "1", "true")] * 2))  # 1 is True in Python
@example(([("yes", "1", "01"), ("no", "2", "02")], [("maybe", "1", "0x"), ("yes", "3", "01")]))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_models_of_shards_merge_into_the_model_of_all_rows_or_say_why_not(
    tmp_path: Path, both: tuple[list[Cells], list[Cells]]
) -> None:
    """A shard of numbers beside one of words has lost what was written, and is refused; all else is one model."""
    models = [learned(tmp_path, [rows], 1 << 20) for rows in both]
    whole = learned(tmp_path, [both[0] + both[1]], 1 << 20)
    if any(isinstance(model, str) for model in (*models, whole)):
        return
    for first, second in (models, models[::-1]):
        merged = first_with(first, second)
        if isinstance(merged, str):
            assert any(why in merged for why in REFUSED), merged
        else:
            assert_one_model(merged, whole)


REFUSED = ("one in all tables", "written alike", "in one form", "in several ways")


def first_with(first: Any, second: Any) -> NaiveBayes | str:
    """The sum of two models, or why there is none."""
    try:
        return first + second  # type: ignore[no-any-return]
    except (BadInput, NotASummary) as error:
        return str(error)


@pytest.mark.parametrize("odd", [0, 119])
def test_a_late_cell_in_every_column(odd: int, tmp_path: Path) -> None:
    """One odd cell in 120 rows is bad among numbers and a label among words, first or last, in features and targets."""
    rows = [("yes" if i % 2 else "no", f"{i},5", f"0{i % 2 + 1}") for i in range(120)]
    rows[odd] = ("perhaps", "soon", "0x")
    models = [learned(tmp_path, [some], 64) for some in (rows, rows[::-1])]
    model = models[0]
    assert isinstance(model, NaiveBayes)
    assert_one_model(models[0], models[1])
    assert model.fitted_.schema.columns[1].form == "1.234,5"
