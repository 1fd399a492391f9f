"""A column of dates in front of a model of numbers: one sentence that names it, and what to do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import suffice
from suffice.core.errors import BadInput, BadType
from suffice.estimators.boundary.odd_cells import ITS_LIKE

ROWS = pd.DataFrame({"x": np.arange(6.0), "when": pd.date_range("2024-01-01", periods=6)})


@pytest.mark.parametrize(
    ("make", "remedy"),
    [
        (suffice.GaussianNB, "leave it out, or use NaiveBayes, which takes any table."),
        (suffice.KNeighborsClassifier, "leave it out, or use NaiveBayes"),
        (suffice.GaussianMixture, "leave it out, or use MixedMixture, which takes any table."),
        (suffice.StandardScaler, "or leave it out."),
    ],
)
def test_it_is_named(make, remedy):
    with pytest.raises(BadType) as refused:
        make().fit(ROWS, list("ababab"))
    said = f"{make.__name__}: column 'when' must be of numbers, got dates. Turn it into numbers, "
    assert str(refused.value).startswith(f"{said}such as days since a date, {remedy}")
    assert "\n" not in str(refused.value)


def test_those_that_are_named_take_it():
    suffice.NaiveBayes().fit(ROWS, list("ababab"))
    suffice.LogisticRegression().fit(ROWS, list("ababab"))
    suffice.MixedMixture().fit(ROWS)


@pytest.mark.parametrize(("name", "like"), ITS_LIKE.items())
def test_the_closest_takes_dates_and_symbols(name, like):
    rows = ROWS.assign(city=list("xyxyxy"))
    y = np.arange(6.0) if name.endswith("Regressor") else list("ababab")
    with pytest.raises(BadType, match=f"or use {like}, which takes any table"):
        getattr(suffice, name)().fit(ROWS, y)
    assert len(getattr(suffice, like)().fit(rows, y).predict(rows)) == 6


@pytest.mark.parametrize(
    ("make", "end"), [(suffice.PCA, ", or leave it out."), (suffice.KMeans, ", or use MixedMixture")]
)
def test_symbols_are_named_in_a_whole_sentence(make, end):
    with pytest.raises(BadInput, match="'city' must be of numbers, got categorical") as refused:
        make().fit(pd.DataFrame({"city": list("xyxyxy")}))
    assert end in str(refused.value)


@pytest.mark.parametrize(
    ("make", "end"), [(suffice.NMF, ", or leave the row"), (suffice.KMeans, ", or use MixedMixture")]
)
def test_a_missing_cell_is_named_in_a_whole_sentence(make, end):
    with pytest.raises(BadInput, match=r"got a missing cell in row 1\. Fill it in, ") as refused:
        make().fit(pd.DataFrame({"x": [1.0, None, 2.0]}))
    assert end in str(refused.value)


def test_what_is_closest_to_a_tree_is_a_tree():
    assert {name: ITS_LIKE[name] for name in ("DecisionTreeRegressor", "RandomForestRegressor")} == {
        "DecisionTreeRegressor": "RegressionTree",
        "RandomForestRegressor": "RegressionForest",
    }


MAKERS = {"polars": pl.from_pandas, "Arrow": lambda rows: pa.Table.from_pandas(rows, preserve_index=False)}
NUMBERS = (suffice.StandardScaler, suffice.KMeans, suffice.GaussianMixture, suffice.LinearDiscriminantAnalysis)


@pytest.mark.parametrize("library", MAKERS)
@pytest.mark.parametrize("make", NUMBERS)
@pytest.mark.parametrize("cells", [ROWS["when"], ROWS["when"].dt.date, ROWS["when"].dt.time])
def test_it_is_named_whatever_the_library(make, cells, library):
    rows = MAKERS[library](ROWS.assign(when=cells))
    if make is suffice.LinearDiscriminantAnalysis and cells[0] == ROWS["when"].dt.time[0]:
        assert len(make().fit(rows, list("ababab")).predict(rows)) == 6  # symbols to it
        return
    with pytest.raises(BadInput, match=r"column 'when' must be of numbers, got "):
        make().fit(rows, list("ababab"))


@pytest.mark.parametrize("library", MAKERS)
@pytest.mark.parametrize("make", [suffice.SVC, suffice.Perceptron, suffice.RidgeClassifier])
def test_dates_are_days_to_models_that_take_them_whatever_the_library(make, library):
    y = list("ababab")
    of_pandas = make().fit(ROWS, y).decision_function(ROWS)
    rows = MAKERS[library](ROWS)
    np.testing.assert_allclose(make().fit(rows, y).decision_function(rows), of_pandas, rtol=1e-9)


@pytest.mark.parametrize("make", [suffice.StandardScaler, suffice.PCA, suffice.GaussianMixture])
def test_time_spans_are_days_whatever_the_library(make):
    spans = pd.to_timedelta([36.0, 5.0, None, 7.5, 80.0, 1.0], unit="h")
    rows = pd.DataFrame({"x": np.arange(6.0), "lasts": spans}, index=[3, 1, 4, 5, 9, 2])
    days = rows.assign(lasts=spans.total_seconds() / 86_400)
    wanted = make().fit(days)
    wanted = getattr(wanted, "means_", getattr(wanted, "mean_", None))
    for table in (rows, *(convert(rows) for convert in MAKERS.values()), rows.to_dict("list")):
        model = make().fit(table)
        np.testing.assert_allclose(getattr(model, "means_", getattr(model, "mean_", None)), wanted, rtol=1e-12)


@pytest.mark.parametrize("library", MAKERS)
def test_dates_that_are_all_missing_are_missing(library):
    rows = MAKERS[library](ROWS.assign(when=pd.Series([pd.NaT] * 6, dtype="datetime64[us]")))
    with pytest.raises(BadInput, match=r"column 'when' must be present in every row .* got a missing cell in row 0"):
        suffice.KMeans().fit(rows)


@pytest.mark.parametrize(
    "cells",
    [
        pd.array([None, "a", "b"] * 2, dtype="string"),
        pd.period_range("2024-01", periods=6, freq="M"),
        pd.cut(np.arange(6.0), 3),
        pd.Series([{"a": 1}] * 6),
        ROWS["when"].dt.time,
    ],
    ids=["gaps", "periods", "intervals", "structures", "times"],
)
@pytest.mark.parametrize("make", [suffice.StandardScaler, suffice.GaussianNB, suffice.CategoricalNB])
def test_cells_that_float_refuses_are_told_by_column(make, cells):
    with pytest.raises(
        BadInput, match=rf"^{make.__name__}: column 'odd' must be of numbers, got (categorical|ordinal)"
    ):
        make().fit(pd.DataFrame({"x": np.arange(6.0), "odd": cells}), list("ababab"))


@pytest.mark.parametrize("make", [suffice.KMeans, suffice.KNeighborsClassifier, suffice.CategoricalNB])
def test_gaps_of_nullable_types_are_told_by_column_and_row(make):
    cells = pd.array([1, 2, None, 0, 1, 3], dtype="Int64")
    with pytest.raises(BadInput, match=r"column 'few' must be present in every row .* got a missing cell in row 2\. "):
        make().fit(pd.DataFrame({"x": np.arange(6), "few": cells}), list("ababab"))


def test_complex_cells_are_told_by_column():
    with pytest.raises(BadInput, match=r"^StandardScaler: the cells of column 'z' must be real numbers"):
        suffice.StandardScaler().fit(pd.DataFrame({"x": np.arange(2.0), "z": [1j, 2.0]}))


def test_structures_of_arrow_with_an_order_are_told_by_column():
    rows = pa.Table.from_pandas(pd.DataFrame({"range": pd.cut(np.arange(6.0), 3)}))
    with pytest.raises(BadInput, match=r"a cell of column 'range' must be a single value, got \{.* in row 0"):
        suffice.LinearRegression().fit(rows, np.arange(6.0))


def test_arrays_of_time_spans_are_days_in_any_unit():
    hours = np.arange(48).reshape(24, 2) ** 2
    wanted = suffice.StandardScaler().fit(hours / 24).mean_
    for unit in ("h", "s", "ns"):
        spans = hours.astype("m8[h]").astype(f"m8[{unit}]")
        np.testing.assert_allclose(suffice.StandardScaler().fit(spans).mean_, wanted, rtol=1e-12)


@pytest.mark.parametrize("unit", ["D", "ns"])
def test_arrays_of_dates_are_days_or_refused(unit):
    days, y = np.arange(48).reshape(24, 2) ** 2, np.arange(24) % 2
    dates = days.astype("M8[D]").astype(f"M8[{unit}]")
    with pytest.raises(
        BadType, match=r"StandardScaler: X must be a table of numbers, got dates\. Turn it into numbers"
    ):
        suffice.StandardScaler().fit(dates)
    for make in (suffice.SVC, suffice.Perceptron, suffice.RidgeClassifier):
        wanted = make().fit(days.astype(float), y).decision_function(days.astype(float))
        np.testing.assert_allclose(make().fit(dates, y).decision_function(dates), wanted, rtol=1e-9)
