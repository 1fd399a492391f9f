"""Statistics by kind: the whole table of kinds and statistics, merging, weights, nasty cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import describe, statistics
from suffice.core.errors import BadInput
from suffice.core.kinds import Kind
from suffice.features.describing.permitted import NEEDS, Answer, permission

RNG = np.random.default_rng(1)
CELLS: dict[Kind, Any] = {
    Kind.BOOLEAN: [True, False, True],
    Kind.CATEGORICAL: ["a", "b", "a"],
    Kind.TEXT: ["a cat", "a dog", "a cat"],
    Kind.IDENTIFIER: ["p1", "p2", "p3"],
    Kind.ORDINAL: ["low", "high", "low", "high"],
    Kind.DATE: pd.to_datetime(["2024-01-01", "2024-01-03", "2024-01-04"]),
    Kind.QUANTITATIVE: [1.5, 2.5, 4.0],
    Kind.COUNT: [1, 2, 4],
    Kind.RATIO: [1.5, 2.5, 4.0],
}
GIVEN = {"quantile": (0.5,), "percentile": (50,), "central_moment": (3,), "modal_bin": ()}
EVERY = "mode"
ORDERED = ("median", "lower_median", "upper_median", "quantile", "percentile", "minimum", "maximum")
RATIO = ("geometric_mean", "harmonic_mean", "log_range", "log_midrange")
NOT_REFUSED = {  # written out, so that the table in the library can be wrong
    Kind.BOOLEAN: {EVERY, "mean"},
    Kind.CATEGORICAL: {EVERY},
    Kind.TEXT: {EVERY},
    Kind.IDENTIFIER: {EVERY},
    Kind.ORDINAL: {EVERY, *ORDERED},
    Kind.DATE: set(NEEDS) - set(RATIO),
    Kind.QUANTITATIVE: set(NEEDS) - set(RATIO),
    Kind.COUNT: set(NEEDS),
    Kind.RATIO: set(NEEDS),
}
CONVERTED = {
    (Kind.BOOLEAN, "mean"),
    (Kind.ORDINAL, "median"),
    *((Kind.DATE, name) for name in ("variance", "sd", "range", "interquartile_range", "central_moment")),
}


@pytest.mark.parametrize("statistic", NEEDS)
@pytest.mark.parametrize("kind", CELLS, ids=lambda kind: kind.value)
def test_the_matrix_of_kinds_and_statistics(kind: Kind, statistic: str) -> None:
    """P.M109: every cell is allowed, converted or refused, and the column does what the cell says."""
    declared: Any = ["low", "high"] if kind is Kind.ORDINAL else kind.value
    told = statistics(CELLS[kind], declared)
    assert told.kind is kind
    answer = permission(kind, statistic).answer
    assert (answer is Answer.REFUSED) == (statistic not in NOT_REFUSED[kind])
    assert (answer is Answer.CONVERTED) == ((kind, statistic) in CONVERTED)

    def ask() -> Any:
        found = getattr(told, statistic)
        return found(*GIVEN[statistic]) if statistic in GIVEN else found

    if answer is Answer.REFUSED:
        with pytest.raises(BadInput, match=f"of kind {kind.value}"):
            ask()
    else:
        assert ask() is not None


def test_a_column_without_cells() -> None:
    told = describe({"x": [None, None]})["x"]
    assert (told.rows, told.cells, told.missing, told.kind) == (2, 0, 2, Kind.UNKNOWN)
    assert {permission(Kind.UNKNOWN, name).answer for name in NEEDS} == {Answer.REFUSED}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    n = 300
    x = RNG.normal(size=n) + 1e8
    x[RNG.random(n) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "x": x,
            "count": RNG.poisson(3, n),
            "site": RNG.choice(["north", "east", "west"], n),
            "ill": RNG.random(n) < 0.3,
            "when": pd.date_range("2024-01-01", periods=n, freq="h"),
            "constant": np.full(n, 7.25),
        }
    )


def test_it_says_what_pandas_says(table: pd.DataFrame) -> None:
    told, other = describe(table), table.describe(include="all")
    for name in ("x", "count", "constant"):
        mine = told[name]
        np.testing.assert_allclose(
            [mine.cells, mine.mean, mine.minimum, *(mine.quantile(q) for q in (0.25, 0.5, 0.75)), mine.maximum],
            other[name][["count", "mean", "min", "25%", "50%", "75%", "max"]].astype(float),
            rtol=1e-14,
        )
        assert mine.sd == pytest.approx(table[name].std(ddof=0), rel=1e-7)
    assert told["site"].mode == (other["site"]["top"],)
    assert told["ill"].mean == pytest.approx(table["ill"].mean())
    assert told["when"].median == table["when"].median()
    assert np.isnan(told["constant"].skewness)
    assert told["constant"].variance == 0.0


def test_shards_add(table: pd.DataFrame) -> None:
    whole, parts = describe(table), describe(table[:1]) + describe(table[1:90]) + describe(table[90:])
    for name in table:
        assert parts[name].rows == whole[name].rows
        assert parts[name].missing == whole[name].missing
        assert parts[name].mode == whole[name].mode
    for name in ("x", "count"):
        for statistic in ("mean", "variance", "skewness", "kurtosis", "median", "interquartile_range"):
            assert getattr(parts[name], statistic) == pytest.approx(getattr(whole[name], statistic), rel=1e-10)


def test_files_give_the_same(table: pd.DataFrame, tmp_path: Path) -> None:
    table.to_csv(tmp_path / "t.csv", index=False)
    assert str(describe(str(tmp_path / "t.csv"))) == str(describe(table))


def test_weights_are_copies() -> None:
    x, w = np.array([1.0, 2.0, np.nan, 5.0]), np.array([2.0, 0.0, 1.0, 3.0])
    weighed, copied = statistics(x, sample_weight=w), statistics(np.repeat(x, w.astype(int)))
    for name in ("mean", "variance", "median", "skewness", "kurtosis", "minimum", "interquartile_range"):
        assert getattr(weighed, name) == pytest.approx(getattr(copied, name), rel=1e-13)


def test_it_prints_and_escapes(table: pd.DataFrame) -> None:
    told = describe(table.rename(columns={"site": "<b>site"}))
    lines = str(told).splitlines()
    assert len(lines) == 1 + len(table.columns)
    assert "<b>" not in told._repr_html_()
    assert told._repr_html_().count("<svg") == len(table.columns)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: statistics([[1.0]]), "cells in a row"),
        (lambda: statistics([1.0, np.inf]), "finite"),
        (lambda: statistics([1.0], "colour"), "one of boolean"),
        (lambda: statistics([1.0], sample_weight=[-1.0]), "at least 0"),
        (lambda: statistics([1.0], sample_weight=[1.0, 2.0]), "one column of 1 numbers"),
        (lambda: statistics([1.0, 2.0]).percentile(101), "from 0 to 100"),
        (lambda: statistics([1.0, 2.0]).quantile(1.5), "from 0 to 1"),
        (lambda: statistics([1.0, 2.0]).quantile(0.5, "odd"), "one of inverted_cdf"),
        (lambda: statistics([1.0, 2.0]).central_moment(5), "1, 2, 3 or 4"),
        (lambda: statistics([1.0, 2.0]).modal_bin(0.0), "above 0"),
        (lambda: statistics([1.0, 2.0]).bounds.chebyshev(0.0), "above 0"),
        (lambda: statistics([0.0, 2.0], "ratio").geometric_mean, "above 0"),
        (lambda: statistics([-1.0, 2.0], "ratio").harmonic_mean, "above 0"),
        (lambda: statistics([1.0, 2.0]).geometric_mean, "true zero"),
        (lambda: statistics(["a"]) + statistics([1.0]), "of one kind"),
        (lambda: describe({"x": [1.0]}) + describe({"y": [1.0]}), "of the same columns"),
        (lambda: describe({"x": [1.0]})["y"], "one of"),
        (lambda: describe({"x": [1.0]}, {"y": "count"}), "about columns of the table"),
        (lambda: describe(7), "an array"),
    ],
)
def test_what_is_refused(call: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        call()


@pytest.mark.parametrize(
    "values", [[1e30, 1e30 + 2e14], [1e17, 1e17 + 16.0], [1e30] * 3, [0.0, 5e-324], [3.0], [1.0, 2.0]]
)
def test_histograms_hold_every_value_however_close_they_lie(values):
    weights, limits = describe({"a": np.array(values)})["a"].histogram(20)
    assert weights.sum() == len(values)
    assert (np.diff(limits) > 0).all()
    assert limits[0] <= min(values) <= max(values) <= limits[-1]
