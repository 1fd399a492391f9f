"""Numbers and dates as people write them: whole columns or none, found from all cells or declared, kept by models."""

from __future__ import annotations

import io
import math
import re
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice import NaiveBayes, load
from suffice.core.errors import BadInput
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.core.written_forms import FIGURES, join_forms
from suffice.sources import Format, Roles, open_rows
from suffice.sources.written.date_forms import date_reader
from suffice.sources.written.number_forms import figure_of, figure_reader
from tests.app.conftest import Cli
from tests.app.conftest import cli as cli

DAY, MONTH, POINTS = "DD/MM/YYYY", "MM/DD/YYYY", "DD.MM.YYYY"


def read(cells: list[str], block: int = 1 << 21, **format: Any) -> tuple[Column, list[float], Any]:
    """What a column of cells is taken for, its numbers, and the report; `kinds` may be among the options."""
    kinds = format.pop("kinds", {})
    text = "x;z\n" + "".join(f"{cell};a\n" for cell in cells)
    rows = open_rows(io.StringIO(text), Roles(), kinds, Format(separator=";", block=block, **format))
    chunks = list(rows.chunks())
    if rows.mistaken:
        chunks = list(rows.chunks())
    column = rows.schema.columns[0]
    numbers = []
    if column.kind in (Kind.COUNT, Kind.QUANTITATIVE, Kind.DATE):
        schema = Schema((column,))
        numbers = [x for chunk in chunks for x in chunk.table.parts(schema, slice(None))[0][:, 0].tolist()]
    return column, numbers, rows.report


def days(*when: date) -> list[float]:
    return [float((one - date(1970, 1, 1)).days) for one in when]


@pytest.mark.parametrize(
    ("cells", "form", "numbers"),
    [
        (["1,234.5", "12", "-3.25"], "1,234.5", [1234.5, 12.0, -3.25]),
        (["1.234,5", "12", "-3,25"], "1.234,5", [1234.5, 12.0, -3.25]),
        (["1.234", "1.234.567"], "1.234,5", [1234.0, 1234567.0]),
        (["1,5", "1,234"], "1.234,5", [1.5, 1.234]),
        (["1.5", "1,234"], "1,234.5", [1.5, 1234.0]),
        (["12 %", "-7.5%", "0,1 %"], None, []),
        (["12 %", "7.5%"], "1,234.5 %", [0.12, 0.075]),
        (["12 %", "7,5%"], "1.234,5 %", [0.12, 0.075]),
        (["$3.50", "-$1,200", "$ 7"], "1,234.5 $", [3.5, -1200.0, 7.0]),
        (["3,50 EUR", "EUR 1.200,00", "7 EUR"], "1.234,5 EUR", [3.5, 1200.0, 7.0]),
        (["3,50 €", "-3,50 €"], "1.234,5 €", [3.5, -3.5]),
        (["$3", "$12"], "1,234.5 $", [3.0, 12.0]),
        (["31.12.2024", "1.2.2024"], POINTS, days(date(2024, 12, 31), date(2024, 2, 1))),
        (["31/12/2024", "01/02/2024"], DAY, days(date(2024, 12, 31), date(2024, 2, 1))),
        (["12/31/2024", "01/02/2024"], MONTH, days(date(2024, 12, 31), date(2024, 1, 2))),
        (["12/31/2024 6:00", "01/02/2024 18:00:00"], MONTH, [20088.25, 19724.75]),
    ],
)
def test_a_column_is_read_in_the_one_form_that_fits(cells: list[str], form: str | None, numbers: list[float]) -> None:
    column, found, report = read(cells)
    assert column.form == form
    assert found == numbers
    told = [note for note in report.notes if "is read as" in note]
    assert told == ([f"column 'x' is read as {_what(form)} written {form}"] if form else [])


def _what(form: str) -> str:
    return "dates" if "YYYY" in form else "numbers"


@pytest.mark.parametrize(
    ("cells", "forms"),
    [
        (["01/02/2024", "03/04/2024"], f"{DAY} or {MONTH}"),
        (["1,234", "5,678"], "1,234.5 or 1.234,5"),
        (["$1,234", "$3"], "1,234.5 $ or 1.234,5 $"),
    ],
)
def test_what_may_be_two_forms_stays_text_and_says_how_to_declare(cells: list[str], forms: str) -> None:
    column, _, report = read(cells)
    assert column.kind is Kind.CATEGORICAL
    (note,) = report.notes
    assert note.startswith(
        f"Column 'x' is taken as text, as its cells may be {forms}; say which, such as Format(written="
    )


@pytest.mark.parametrize(
    "cells",
    [
        ["12 %", "12"],  # half
        ["$3", "3"],
        ["$3", "3 EUR"],
        ["31/12/2024", "12/31/2024"],
        ["$3.50", "$3,50"],
        ["1,23.4", "1,234.5"],
        ["12,34", "1.5", "x"],
        ["30.02.2024", "31.04.2024"],
        ["555 123 456", "555 123 457"],
        ["EURO 3", "EURO 4"],
        ["$$3", "$$4"],
        ["-$-3", "-$-4"],
        ["$3 $", "$4 $"],
    ],
)
def test_never_half_a_column(cells: list[str]) -> None:
    assert read(cells)[0].kind is Kind.CATEGORICAL


def test_plain_numbers_and_dates_stay_what_they_were() -> None:
    for cells, form, kind in [
        (["1.234", "5.678"], "1234.5", Kind.QUANTITATIVE),
        (["1", "2"], "1234", Kind.COUNT),
        (["1e3", "-2.5"], "1234.5", Kind.QUANTITATIVE),
        (["2024-01-02", "2024-12-31"], "YYYY-MM-DD", Kind.DATE),
    ]:
        column, _, report = read(cells)
        assert (column.form, column.kind, report.notes) == (form, kind, ())


def test_a_declared_form_settles_what_is_unclear() -> None:
    assert read(["01/02/2024"], written={"x": MONTH})[1] == days(date(2024, 1, 2))
    assert read(["01/02/2024"], written={"x": DAY}, kinds={"x": "date"})[1] == days(date(2024, 2, 1))
    assert read(["1,234"], written={"x": "1,234.5"})[1] == [1234.0]
    assert read(["1,234"], written={"x": "1.234,5"})[1] == [1.234]
    assert read(["31/12/2024"], kinds={"x": "date"})[1] == days(date(2024, 12, 31))
    assert read(["12 %", "7 %"], kinds={"x": "quantitative"})[1] == [0.12, 0.07]
    with pytest.raises(BadInput, match=r"the dates of column 'x' must be told apart, got cells that may be DD/MM"):
        read(["01/02/2024"], kinds={"x": "date"})


def test_forms_that_cannot_be() -> None:
    with pytest.raises(BadInput, match=r"written must be one of YYYY-MM-DD, DD\.MM"):
        Format(written={"x": "YY/MM"})
    with pytest.raises(BadInput, match="written must be a mapping"):
        Format(written="DD/MM/YYYY")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"the column of a form must be one of the columns .* Did you mean 'x'"):
        read(["1"], written={"x_": DAY})
    with pytest.raises(BadInput, match="the form of column 'x' must be that of its kind, date"):
        read(["1"], written={"x": "1,234.5"}, kinds={"x": "date"})
    with pytest.raises(TypeError, match="form"):
        Column("x", Kind.DATE, form="1,234.5")


@pytest.mark.parametrize("place", ["first", "last"])
def test_the_cell_that_tells_may_stand_anywhere(place: str) -> None:
    """On a page of its own: the rows are read again."""
    for usual, tells, form in [
        ("01/02/2024", "31/12/2024", DAY),
        ("1,234", "0.5", "1,234.5"),
        ("1.234", "1.234.567", "1.234,5"),
    ]:
        cells = [usual] * 80
        cells.insert(0 if place == "first" else len(cells), tells)
        column, numbers, report = read(cells, block=64)
        assert column.form == form
        assert len(numbers) == 81
        assert not any(math.isnan(x) for x in numbers)
        assert report.column("x").bad == 0


def test_a_few_cells_may_be_bad_and_are_counted() -> None:
    column, numbers, report = read([*["$3.50"] * 199, "soon"])
    assert column.form == "1,234.5 $"
    assert report.column("x").bad == 1
    assert math.isnan(numbers[-1])
    assert read([*["$3.50"] * 50, "soon"])[0].kind is Kind.CATEGORICAL


@given(st.integers(-(10**9), 10**9), st.integers(0, 3), st.sampled_from(sorted(FIGURES)))
def test_every_number_is_found_again(value: int, places: int, form: str) -> None:
    sign, unit = FIGURES[form]
    exact = value / 10**places
    text = (
        f"{abs(exact):,.{places}f}".translate(str.maketrans(",.", ".,")) if sign == "," else f"{abs(exact):,.{places}f}"
    )
    text = f"{'-' if value < 0 else ''}{text} {unit}".rstrip()
    assert figure_reader(form)(text) == (float(f"{value}e-{places + 2}") if unit == "%" else exact)
    figure = figure_of(text)
    assert figure is not None
    assert sign in figure.signs
    assert figure.unit == unit


@given(st.dates(date(1, 1, 1), date(9999, 12, 31)))
def test_every_date_is_found_again(when: date) -> None:
    for form in (DAY, MONTH, POINTS):
        text = form.replace("DD", f"{when.day:02}").replace("MM", f"{when.month:02}").replace("YYYY", f"{when.year:04}")
        assert date_reader(form)(text) == days(when)[0]


def test_forms_join_where_one_reads_what_both_do() -> None:
    assert join_forms("1234", "1234.5") == "1234.5"
    assert join_forms("1.234,5", "1234") == "1.234,5"
    assert join_forms(MONTH, None) == MONTH
    for a, b in [("1234.5", "1.234,5"), ("1234", "1,234.5 %"), (DAY, MONTH), ("1,234.5 $", "1,234.5 EUR")]:
        with pytest.raises(ValueError, match="in one and"):
            join_forms(a, b)


def written(path: Path, cells: list[str]) -> Path:
    path.write_text("x;y\n" + "".join(f"{cell};{'ab'[i % 2]}\n" for i, cell in enumerate(cells)))
    return path


def learned(*paths: Path) -> NaiveBayes:
    return NaiveBayes().fit(open_rows(list(paths), Roles(target="y")))


def test_models_keep_the_form_and_read_more_rows_in_it(tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.csv", ["12/31/2024", "01/02/2024", "02/03/2024", "03/04/2024"])
    unclear = written(tmp_path / "unclear.csv", ["01/02/2024", "03/04/2024"])
    model = learned(whole)
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again._fitted.schema.columns[0].form == MONTH
    more = learned(whole).partial_fit(unclear, target="y")
    again.partial_fit(unclear, target="y")
    np.testing.assert_array_equal(again._fitted.summary.tally.rows, more.summary_.tally.rows)
    assert more.fitted_.schema.columns[0].kind is Kind.DATE
    more.forget(unclear, target="y")
    rows = {"x": np.array(["2024-01-02", "2024-02-01"], dtype="datetime64[D]")}
    np.testing.assert_allclose(more.predict_proba(rows), model.predict_proba(rows), rtol=1e-12)


def test_shards_of_one_form_merge_and_others_are_refused(tmp_path: Path) -> None:
    a = written(tmp_path / "a.csv", ["12.5", "999", "1"])
    b = written(tmp_path / "b.csv", ['"1,234.5"', "2.5", "7"])
    both, apart = learned(a, b), learned(a) + learned(b)
    assert both.fitted_.schema.columns[0].form == apart.fitted_.schema.columns[0].form == "1,234.5"
    np.testing.assert_allclose(
        both.predict_proba({"x": [3.0, 900.0]}), apart.predict_proba({"x": [3.0, 900.0]}), rtol=1e-12
    )
    percent = written(tmp_path / "c.csv", ["12 %", "7 %", "1 %"])
    with pytest.raises(BadInput, match=r"written in one form in all tables, got 1234\.5 in one and 1,234\.5 %"):
        learned(a).merge(learned(percent))


def test_the_command_line_reads_as_it_trained(cli: Cli, tmp_path: Path) -> None:
    dates = ["12/31/2024", "01/02/2024", "02/03/2024", "03/04/2024"] * 3
    train = written(tmp_path / "train.csv", dates)
    new = written(tmp_path / "new.csv", ["01/02/2024", "03/04/2024"])
    told = cli("train", train, "--target", "y", "--out", "m", "--test-size", "0")
    assert told.code == 0
    assert "column 'x' is read as dates written MM/DD/YYYY." in told.out
    answers = cli("predict", "m", new)
    iso = written(tmp_path / "iso.csv", ["2024-01-02", "2024-03-04"])
    declared = cli("predict", "m", iso, "--written", "x=YYYY-MM-DD")
    assert answers.code == 0
    assert answers.out == declared.out
    assert cli("forget", "m", new, "--out", "less").code == 0
    unclear = cli("describe", new)
    assert "say which, such as --written x=DD/MM/YYYY." in unclear.out
    assert cli("describe", new, "--written", "x=MM/DD/YYYY").out.count("2024-01-02") == 1
    assert "must be one of YYYY-MM-DD" in cli("describe", new, "--written", "x=YY").err


def test_the_form_that_a_sentence_names_can_be_typed_as_it_stands(cli: Cli, tmp_path: Path) -> None:
    unclear = written(tmp_path / "unclear.csv", ['"1,200"', '"3,400"', '"2,750"'])
    named = re.search(r"--written (\S+)\.\n", cli("describe", unclear).out)
    assert named
    assert named[1] == "x=1,234.5"
    refused = cli("train", unclear, "--target", "x", "--model", "Ridge", "--test-size", "0")
    assert "if these are numbers, say how they are written: --written x=1,234.5." in refused.err
    thousands, decimals = (cli("describe", unclear, "--written", form).out for form in (named[1], "x=1.234,5"))
    assert "2450" in thousands  # their mean
    assert "2.45" in decimals
    assert "cells of column 'y' must be numbers" in cli("describe", unclear, "--written", "x=1.234,5,y=1,234.5").err
