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

from suffice import Chain, OneHotEncoder, Ridge, load
from suffice.core.errors import BadInput, NeverAdded

RNG = np.random.default_rng(0)
TEXTS = np.array([["north", "a"], ["east", "b"], ["north", "b"], ["west", "a"]], dtype=object)
TABLES: dict[str, Any] = {
    "texts": TEXTS,
    "missing texts": np.array([["a", "x"], [np.nan, "y"], ["b", np.nan]], dtype=object),
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
    assert list(map(str, encoder.categories_[0])) == ["a", "b", "nan"]
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


COLOURS = np.array([["red"] * 20 + ["blue"] * 9 + ["green"] * 9 + ["pink"] * 2 + ["grey"]], dtype=object).T
RARE: list[dict[str, Any]] = [
    {"min_frequency": 5},
    {"min_frequency": 0.3},
    {"max_categories": 3},
    {"max_categories": 1},
    {"min_frequency": 5, "max_categories": 2, "drop": "first"},
    {"max_categories": 2, "drop": "if_binary"},
    {"min_frequency": 3, "drop": ["blue"]},
]


@pytest.mark.parametrize("options", RARE)
@pytest.mark.parametrize("unknown", ["infrequent_if_exist", "ignore", "warn"])
@pytest.mark.filterwarnings("ignore:Found unknown categories")
def test_infrequent_categories_of_scikit_learn_from_shards(
    options: dict[str, Any], unknown: str, tmp_path: Path
) -> None:
    make = {**options, "handle_unknown": unknown, "sparse_output": False}
    other = theirs.OneHotEncoder(**make).fit(COLOURS)
    new = np.array([["red"], ["pink"], ["green"], ["white"], ["blue"]], dtype=object)
    shards = 1 if isinstance(options.get("drop"), list) else 8  # a category to drop may not be on every shard
    first, *rest = (OneHotEncoder(**make).fit(COLOURS[i]) for i in np.array_split(np.arange(41)[::-1], shards))
    mine = first.merge(*rest)
    assert np.array_equal(mine.transform(new), other.transform(new))
    assert mine.infrequent_categories_[0].tolist() == other.infrequent_categories_[0].tolist()
    assert mine.get_feature_names_out().tolist() == other.get_feature_names_out().tolist()
    if mine.drop_idx_ is not None:
        assert mine.drop_idx_.tolist() == other.drop_idx_.tolist()
    back = mine.inverse_transform(mine.transform(new))
    if unknown == "ignore" and "drop" in options:  # scikit-learn's gives back the first category, grouped or not
        assert set(back.ravel()) <= {"red", "green", "blue", "infrequent_sklearn"}
    else:
        assert back.tolist() == other.inverse_transform(other.transform(new)).tolist()
    mine.save(tmp_path / "encoder")
    assert np.array_equal(load(tmp_path / "encoder").transform(new), other.transform(new))


def test_a_category_becomes_frequent_by_weight_and_infrequent_when_rows_are_forgotten() -> None:
    encoder = OneHotEncoder(min_frequency=5).fit(COLOURS)
    assert encoder.infrequent_categories_[0].tolist() == ["grey", "pink"]
    heavy = OneHotEncoder(min_frequency=5).fit(COLOURS, sample_weight=np.where(COLOURS[:, 0] == "pink", 3.0, 1.0))
    assert heavy.infrequent_categories_[0].tolist() == ["grey"]
    assert encoder.forget(COLOURS[20:25]).infrequent_categories_[0].tolist() == ["blue", "grey", "pink"]
    gaps = OneHotEncoder(min_frequency=2).fit(np.array([["a"], ["a"], [None]], dtype=object))
    assert list(map(str, gaps.infrequent_categories_[0])) == ["nan"]
    assert OneHotEncoder().fit(COLOURS).infrequent_categories_ == [None]


def test_a_chain_with_infrequent_categories_takes_two_passes_and_gives_the_same() -> None:
    y = np.arange(41.0)
    chain = Chain(OneHotEncoder(min_frequency=5, drop="first"), Ridge()).fit(COLOURS, y)
    Z = OneHotEncoder(min_frequency=5, drop="first", sparse_output=False).fit_transform(COLOURS)
    np.testing.assert_allclose(chain.predict(COLOURS), Ridge().fit(Z, y).predict(Z), rtol=1e-12)
    assert Chain(OneHotEncoder(drop="first"), Ridge()).fit(COLOURS, y).passes_ == 1


def test_names_made_by_a_function_are_not_written_into_files(tmp_path: Path) -> None:
    encoder = OneHotEncoder(feature_name_combiner=lambda column, category: f"{column} is {category}").fit(COLOURS)
    assert encoder.get_feature_names_out()[0] == "x0 is blue"
    with pytest.raises((BadInput, TypeError)):
        encoder.save(tmp_path / "encoder")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"drop": ["grey"], "min_frequency": 5}, "Unable to drop category 'grey' from feature 0"),
        ({"drop": ["white"]}, "were supposed to be dropped"),
        ({"drop": ["red", "blue"]}, "one category for each of the 1 columns"),
        ({"categories": [["red", "red", "blue"]]}, "duplicate elements"),
        ({"categories": [[np.nan, "red"]]}, "Nan should be the last element"),
        ({"min_frequency": 0}, "min_frequency"),
        ({"min_frequency": 1.5}, "min_frequency"),
        ({"max_categories": 0}, "max_categories"),
        ({"feature_name_combiner": "join"}, "feature_name_combiner"),
    ],
)
def test_what_may_not_be_asked_of_categories(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        OneHotEncoder(**options).fit(COLOURS)
