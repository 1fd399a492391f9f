"""Kinds that files disagree on: where odd cells stand, and in which order files come, makes no difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from suffice import NaiveBayes
from suffice.core.errors import BadInput, NotASummary
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.features import describe
from suffice.sources import Roles, open_rows
from suffice.testing.sameness import Limits, assert_same
from tests.app.conftest import Cli
from tests.app.conftest import cli as cli

WORDS = ["yes", "no", "maybe"]


def written(path: Path, rows: list[Any], head: str = "x,s,y") -> Path:
    path.write_text(head + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    return path


def learned(*paths: Path, **more: Any) -> NaiveBayes:
    return NaiveBayes(**more).fit(open_rows(list(paths), Roles(target="y")))


def counts(model: Any) -> dict[Any, list[int]]:
    """Rows of each value of the column of symbols, by class."""
    kept = model.summary_.summary.parts[-1]
    return {label: kept.rows[:, i].tolist() for i, label in enumerate(kept.labels[0])}


@pytest.fixture
def shards(tmp_path: Path) -> tuple[Path, Path]:
    two = [(i / 2, WORDS[i % 3 % 2], f"0{i % 2 + 1}") for i in range(30)]
    three = [(i / 2, WORDS[i % 3], f"0{i % 2 + 1}" if i % 5 else "0x") for i in range(30, 60)]
    return written(tmp_path / "a.csv", two), written(tmp_path / "b.csv", three)


def test_truth_values_and_labels_join_as_they_were_written(shards: tuple[Path, Path]) -> None:
    a, b = (learned(path) for path in shards)
    assert a.fitted_.schema.columns[1].kind is Kind.BOOLEAN
    assert a.classes_.tolist() == [1, 2]
    models = [a + b, b + a, learned(*shards), learned(*shards[::-1]), learned(shards[0]).merge(b)]
    for model in models:
        assert set(counts(model)) == set(WORDS)
        assert model.classes_.tolist() == ["01", "02", "0x"]
        assert model.fitted_.schema == models[0].fitted_.schema
        assert counts(model) == counts(models[0])
        assert_same(
            model.summary_.summary.parts[0], models[0].summary_.summary.parts[0], Limits(60.0, np.array([100.0]))
        )


def test_rows_are_forgotten_from_a_joined_model(shards: tuple[Path, Path], tmp_path: Path) -> None:
    both = learned(shards[0], ledger="k").merge(learned(shards[1], ledger="k"))
    both.forget(shards[0], target="y")  # read alone, its words are truth values and its labels numbers
    assert counts(both) == counts(learned(shards[1]))
    assert both.receipt_.verified == "ledger"


def test_several_spellings_are_refused_where_they_would_be_mixed_up(tmp_path: Path) -> None:
    a = learned(written(tmp_path / "a.csv", [(1, "yes", 1), (2, "TRUE", "01"), (3, "no", 2)]))
    assert counts(a) == {True: [2, 0], False: [0, 1]}
    b = learned(written(tmp_path / "b.csv", [(i, WORDS[i % 3], i % 2 + 1) for i in range(9)]))
    with pytest.raises(BadInput, match="'TRUE' and 'yes'"):
        a.merge(b)
    c = learned(written(tmp_path / "c.csv", [(1, "yes", "x"), (2, "no", "1")]))
    with pytest.raises(NotASummary, match="'01' and '1'"):
        a.merge(c)


@pytest.mark.parametrize("odd", [9, 60])
def test_where_odd_cells_stand_makes_no_difference(odd: int, tmp_path: Path) -> None:
    """0.45 % of bad cells are missing numbers, 3 % make a column of symbols: first, last or in between."""
    n = 2000
    places = {"first": range(odd), "last": range(n - odd, n), "between": range(0, n, n // odd)}
    kinds = []
    for name, rows in places.items():
        bad = set(list(rows)[:odd])
        path = tmp_path / f"{name}.csv"
        written(path, [(f"w{i % 7}" if i in bad else i % 50, i % 2) for i in range(n)], "x,y")
        small = open_rows(path, Roles(target="y"))
        model = NaiveBayes().fit(small)
        kinds.append(model.fitted_.schema.columns[0].kind)
        assert small.report.column("x").bad == (odd if odd == 9 else 0)
    assert kinds == [Kind.COUNT if odd == 9 else Kind.CATEGORICAL] * 3


def test_many_pages_are_read_again_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = written(tmp_path / "a.csv", [("word", i % 2) for i in range(9)], "x,y")
    rest = [written(tmp_path / f"{k}.csv", [(i + k, i % 2) for i in range(500)], "x,y") for k in range(4)]
    forward, backward = learned(first, *rest), learned(*rest, first)
    assert forward.fitted_.schema == backward.fitted_.schema == Schema((Column("x", Kind.COUNT),))
    np.testing.assert_allclose(
        forward.predict_proba({"x": [3.0, 200.0]}), backward.predict_proba({"x": [3.0, 200.0]}), atol=1e-12
    )


def test_describing_goes_by_all_cells(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "a.csv", [("word", i % 2) for i in range(9)], "x,y")
    written(tmp_path / "b.csv", [(i, i % 2) for i in range(1000)], "x,y")
    for order in ("ab", "ba"):
        files = [tmp_path / f"{name}.csv" for name in order]
        assert "x       count  1,000        0    9" in cli("describe", *files).out
    assert describe(str(tmp_path / "*.csv"))["x"].kind is Kind.COUNT


def test_a_stream_says_that_it_cannot_be_read_again() -> None:
    import io

    class Pipe(io.StringIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *where: Any) -> int:
            raise OSError("a pipe")

    text = "x,y\n" + "".join(f"{i}.{'0' * 150},{i % 2}\n" for i in range(40_000)) + "w,1\n" * 2_000  # several pages
    with pytest.raises(BadInput, match="numbers"):
        NaiveBayes().fit(open_rows(Pipe(text), Roles(target="y")))


def test_the_command_gives_one_model_in_any_order(cli: Cli, shards: tuple[Path, Path]) -> None:
    for out, order in (("ab", shards), ("ba", shards[::-1])):
        assert cli("train", *order, "--target", "y", "--out", out, "--test-size", "0", "--stratify").code == 0
    told = [cli("info", out, "--tables", "--format", "json").out.replace(f'"{out}"', "") for out in ("ab", "ba")]
    assert told[0] == told[1]
    for out, path in zip("ab", shards, strict=True):
        assert cli("train", path, "--target", "y", "--out", out).code == 0
    assert cli("merge", "a", "b", "--out", "merged").code == 0
    assert cli("info", "merged", "--tables", "--format", "json").out.replace('"merged"', "") == told[0]


def test_a_schema_keeps_what_was_written_as_text() -> None:
    schema = Schema((Column("s", Kind.BOOLEAN, written=(("no",), ("Yes", "yes"))),))
    assert Schema.from_json(schema.to_json()).columns[0].written == schema.columns[0].written
