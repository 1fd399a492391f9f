"""SimpleImputer beside scikit-learn's, and what only sums can do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import impute as peer

from suffice import SimpleImputer, load
from suffice.core.errors import BadInput

RNG = np.random.default_rng(5)
X = np.round(RNG.normal(size=(60, 5)), 1)
X[:, 1] += 1e8
X[:, 2] = 7.0
X[RNG.random(X.shape) < 0.3] = np.nan
X[:, 4] = np.nan
MIXED = pd.DataFrame({"site": ["north", None, "south", "south"], "age": [31.0, 40.0, np.nan, 40.0]})


@pytest.mark.filterwarnings("ignore:.*Skipping features")
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("indicate", [False, True])
@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "constant"])
def test_the_same_cells_as_scikit_learn(strategy: str, indicate: bool, keep: bool) -> None:
    options: dict[str, Any] = {"strategy": strategy, "add_indicator": indicate, "keep_empty_features": keep}
    ours, theirs = SimpleImputer(**options).fit(X), peer.SimpleImputer(**options).fit(X)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-14)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    if strategy != "constant":
        some = ~np.isnan(theirs.statistics_) & (np.arange(5) < 4)
        np.testing.assert_allclose(ours.statistics_[some], theirs.statistics_[some], rtol=1e-14)
    if indicate:
        np.testing.assert_allclose(ours.inverse_transform(ours.transform(X)), X, rtol=0)
    else:
        assert not hasattr(ours, "inverse_transform")


def test_symbols_by_the_most_frequent_of_their_column() -> None:
    ours = SimpleImputer(strategy="most_frequent").fit(MIXED)
    theirs = peer.SimpleImputer(strategy="most_frequent").fit(MIXED[["site"]])
    assert ours.statistics_.tolist() == ["south", 40.0]
    assert ours.transform(MIXED)[:, 0].tolist() == theirs.transform(MIXED[["site"]]).ravel().tolist()
    assert ours.transform(MIXED)[2].tolist() == ["south", 40.0]
    given = SimpleImputer(strategy="constant").fit(MIXED)
    assert given.transform(MIXED)[1].tolist() == ["missing_value", 40.0]


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent"])
def test_shards_merge_and_rows_are_forgotten(strategy: str) -> None:
    some = X[:, :4]
    whole = SimpleImputer(strategy=strategy).fit(some)
    a, b = (SimpleImputer(strategy=strategy).fit(part) for part in (some[:25], some[25:]))
    np.testing.assert_allclose(a.merge(b).statistics_, whole.statistics_, rtol=1e-15)
    back = SimpleImputer(strategy=strategy).fit(some).forget(some[25:])
    np.testing.assert_allclose(
        back.statistics_, SimpleImputer(strategy=strategy).fit(some[:25]).statistics_, rtol=1e-12
    )


def test_weights_are_copies() -> None:
    some, w = X[:, :4], RNG.integers(0, 4, len(X))
    for strategy in ("mean", "median", "most_frequent"):
        weighed = SimpleImputer(strategy=strategy).fit(some, sample_weight=w)
        copied = SimpleImputer(strategy=strategy).fit(np.repeat(some, w, axis=0))
        np.testing.assert_allclose(weighed.statistics_, copied.statistics_, rtol=1e-14)


def test_a_value_may_mean_missing() -> None:
    coded = np.where(np.isnan(X[:, :4]), -1.0, X[:, :4])
    ours = SimpleImputer(missing_values=-1).fit(coded)
    theirs = peer.SimpleImputer(missing_values=-1).fit(coded)
    np.testing.assert_allclose(ours.transform(coded), theirs.transform(coded), rtol=1e-14)
    named = SimpleImputer(missing_values="?", strategy="most_frequent").fit([["a"], ["?"], ["?"], ["a"], ["b"]])
    assert named.transform([["?"], ["b"]]).ravel().tolist() == ["a", "b"]


def test_saved_and_from_files(tmp_path: Path) -> None:
    for strategy in ("most_frequent", "constant"):
        imputer = SimpleImputer(strategy=strategy, add_indicator=True).fit(MIXED)
        imputer.save(tmp_path / "m.suffice")
        assert load(tmp_path / "m.suffice").transform(MIXED).tolist() == imputer.transform(MIXED).tolist()
        MIXED.to_csv(tmp_path / "rows.csv", index=False)
        read = SimpleImputer(strategy=strategy, add_indicator=True).fit(str(tmp_path / "rows.csv"))
        assert read.transform(MIXED).tolist() == imputer.transform(MIXED).tolist()


def test_the_report_names_columns_and_values() -> None:
    told = str(SimpleImputer(strategy="most_frequent").fit(MIXED).report(MIXED))
    assert "site         1  most frequent: 'south'" in told
    assert "age          1  most frequent: 40.0" in told


@pytest.mark.parametrize(
    ("options", "rows", "told"),
    [
        ({"strategy": "mode"}, X, "strategy"),
        ({"strategy": "constant", "fill_value": "none"}, X[:, :2], "fill_value must be a number for columns of"),
        ({"strategy": "constant", "fill_value": [1]}, X[:, :2], "fill_value must be a number or a text"),
        ({"missing_values": object()}, X[:, :2], "missing_values must be a number, a text, NaN or None"),
        ({}, MIXED, "'site'"),
        ({}, np.array([[np.inf, 1.0]]), "infinity"),
    ],
)
def test_bad_input_in_one_sentence(options: dict[str, Any], rows: Any, told: str) -> None:
    with pytest.raises((BadInput, ValueError), match=told):
        SimpleImputer(**options).fit(rows)
