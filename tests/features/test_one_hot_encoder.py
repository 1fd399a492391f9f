"""OneHotEncoder: scikit-learn's indicators, on counts that add."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.preprocessing as theirs
from scipy.sparse import issparse
from sklearn.pipeline import make_pipeline

from suffice import OneHotEncoder, Ridge, load
from suffice.core.errors import BadInput, NeverAdded

RNG = np.random.default_rng(0)
TEXTS = np.array([["north", "a"], ["east", "b"], ["north", "b"], ["west", "a"]], dtype=object)
TABLES: dict[str, Any] = {
    "texts": TEXTS,
    "missing texts": np.array([["a", "x"], [None, "y"], ["b", None]], dtype=object),
    "whole": RNG.integers(-2, 5, (50, 3)),
    "floats": RNG.integers(0, 4, (50, 2)) / 2.0,
    "missing floats": np.where(RNG.random((50, 2)) < 0.3, np.nan, RNG.integers(0, 4, (50, 2)) / 2.0),
    "truth": RNG.random((20, 2)) < 0.5,
    "one": np.array([["only"]] * 5, dtype=object),
}


@pytest.mark.parametrize("drop", [None, "first", "if_binary"])
@pytest.mark.parametrize("name", TABLES)
def test_the_indicators_of_scikit_learn(name: str, drop: Any) -> None:
    X = TABLES[name]
    for sparse in (True, False):
        mine = OneHotEncoder(drop=drop, sparse_output=sparse).fit(X)
        other = theirs.OneHotEncoder(drop=drop, sparse_output=sparse).fit(X)
        Z, expected = mine.transform(X), other.transform(X)
        assert issparse(Z) == issparse(expected) == sparse
        assert Z.dtype == expected.dtype
        dense, expected = (Z.toarray(), expected.toarray()) if sparse else (Z, expected)
        assert np.array_equal(dense, expected)
        assert [list(map(str, some)) for some in mine.categories_] == [list(map(str, c)) for c in other.categories_]
        assert mine.inverse_transform(Z).shape == X.shape
        assert np.array_equal(pd.DataFrame(mine.inverse_transform(Z)).isna(), pd.DataFrame(X).isna())
        assert (mine.inverse_transform(Z) == X)[~pd.DataFrame(X).isna().to_numpy()].all()
    if drop is None:
        assert mine.drop_idx_ is None
    else:
        assert mine.drop_idx_.tolist() == other.drop_idx_.tolist()


def test_names_of_the_indicators() -> None:
    table = pd.DataFrame(TEXTS, columns=["site", "arm"])
    mine, other = OneHotEncoder(drop="first").fit(table), theirs.OneHotEncoder(drop="first").fit(table)
    assert mine.get_feature_names_out().tolist() == other.get_feature_names_out().tolist()
    assert mine.get_feature_names_out().tolist() == ["site_north", "site_west", "arm_b"]


def test_unknown_categories() -> None:
    unknown = np.array([["south", "a"]], dtype=object)
    with pytest.raises(BadInput, match=r"Found unknown categories \['south'\] in column 0 during transform"):
        OneHotEncoder().fit(TEXTS).transform(unknown)
    for how in ("ignore", "infrequent_if_exist"):
        mine = OneHotEncoder(handle_unknown=how, sparse_output=False).fit(TEXTS)
        other = theirs.OneHotEncoder(handle_unknown=how, sparse_output=False).fit(TEXTS)
        assert np.array_equal(mine.transform(unknown), other.transform(unknown))
        assert mine.inverse_transform(mine.transform(unknown)).tolist() == [[None, "a"]]
    with pytest.warns(UserWarning, match="Found unknown categories in columns"):
        OneHotEncoder(handle_unknown="warn").fit(TEXTS).transform(unknown)
    with pytest.warns(UserWarning, match="Found unknown categories in columns"):
        OneHotEncoder(handle_unknown="ignore", drop="first").fit(TEXTS).transform(unknown)


def test_given_categories() -> None:
    given = [["west", "north", "east", "south"], ["a", "b"]]
    mine = OneHotEncoder(categories=given, sparse_output=False).fit(TEXTS)
    other = theirs.OneHotEncoder(categories=given, sparse_output=False).fit(TEXTS)
    assert np.array_equal(mine.transform(TEXTS), other.transform(TEXTS))
    with pytest.raises(BadInput, match=r"Found unknown categories \['east'\] in column 0 during fit"):
        OneHotEncoder(categories=[["west", "north"], ["a", "b"]]).fit(TEXTS)
    with pytest.raises(BadInput, match="one list for each of the 2 columns"):
        OneHotEncoder(categories=[["west"]]).fit(TEXTS)


def test_it_merges_forgets_and_learns_on() -> None:
    first, rest = OneHotEncoder().fit(TEXTS[:2]), OneHotEncoder().fit(TEXTS[2:])
    assert [c.tolist() for c in first.categories_] == [["east", "north"], ["a", "b"]]
    whole = OneHotEncoder().fit(TEXTS)
    for both in (first + rest, OneHotEncoder().partial_fit(TEXTS[:2]).partial_fit(TEXTS[2:])):
        assert [c.tolist() for c in both.categories_] == [c.tolist() for c in whole.categories_]
    left = (first + rest).forget(TEXTS[:2])
    assert [c.tolist() for c in left.categories_] == [["north", "west"], ["a", "b"]]
    with pytest.raises(NeverAdded):
        rest.forget(TEXTS[:2])


def test_missing_cells_leave_with_their_last_row() -> None:
    X = np.array([["a"], [None], ["b"]], dtype=object)
    encoder = OneHotEncoder().fit(X)
    assert encoder.categories_[0].tolist() == ["a", "b", None]
    assert encoder.forget(X[1:2]).categories_[0].tolist() == ["a", "b"]


def test_rows_of_weight_0_bring_no_category() -> None:
    encoder = OneHotEncoder().fit(TEXTS, sample_weight=[1.0, 0.0, 1.0, 1.0])
    assert encoder.categories_[0].tolist() == ["north", "west"]


def test_files_give_the_same(tmp_path: Path) -> None:
    table = pd.DataFrame(TEXTS, columns=["site", "arm"])
    table.to_csv(tmp_path / "x.csv", index=False)
    mine, memory = OneHotEncoder().fit(str(tmp_path / "x.csv")), OneHotEncoder().fit(table)
    assert [c.tolist() for c in mine.categories_] == [c.tolist() for c in memory.categories_]
    assert np.array_equal(mine.transform(table).toarray(), memory.transform(table).toarray())


def test_it_is_saved_and_loaded(tmp_path: Path) -> None:
    X = TABLES["missing texts"]
    encoder = OneHotEncoder(drop="first", sparse_output=False, dtype=np.float32).fit(X)
    encoder.save(tmp_path / "e.suffice")
    loaded = load(tmp_path / "e.suffice")
    assert np.array_equal(loaded.transform(X), encoder.transform(X))
    assert loaded.transform(X).dtype == np.float32
    assert [c.tolist() for c in loaded.categories_] == [c.tolist() for c in encoder.categories_]
    again = loaded.estimator()
    assert isinstance(again, OneHotEncoder)
    assert np.array_equal(again.transform(X), encoder.transform(X))
    given = OneHotEncoder(categories=[["a", "b", None], ["y", "x", None]]).fit(X)
    given.save(tmp_path / "g.suffice")
    assert np.array_equal(load(tmp_path / "g.suffice").transform(X).toarray(), given.transform(X).toarray())


def test_scikit_learn_pipelines_and_outputs() -> None:
    y = np.arange(4.0)
    mine = make_pipeline(OneHotEncoder(), Ridge()).fit(TEXTS, y)
    other = make_pipeline(theirs.OneHotEncoder(), Ridge()).fit(TEXTS, y)
    np.testing.assert_allclose(mine.predict(TEXTS), other.predict(TEXTS), rtol=1e-12)
    out = OneHotEncoder(sparse_output=False).set_output(transform="pandas").fit_transform(TEXTS)
    assert list(out.columns) == ["x0_east", "x0_north", "x0_west", "x1_a", "x1_b"]


def test_zeros_that_say_nothing() -> None:
    with pytest.raises(BadInput, match="zeros in row 0"):
        OneHotEncoder().fit(TEXTS).inverse_transform(np.zeros((1, 5)))
