"""A column of dates in front of a model of numbers: one sentence that names it, and what to do."""

from __future__ import annotations

import numpy as np
import pandas as pd
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
