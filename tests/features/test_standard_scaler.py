"""StandardScaler: scikit-learn's numbers, on moments that add."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.preprocessing as theirs
from sklearn.pipeline import make_pipeline

from suffice import Ridge, StandardScaler, load
from suffice.core.errors import BadInput, NeverAdded

RNG = np.random.default_rng(0)
PLAIN = RNG.normal(size=(200, 4)) * [1.0, 50.0, 1e-3, 2.0] + [0.0, 10.0, 0.0, -3.0]
GAPS = np.where(RNG.random(PLAIN.shape) < 0.2, np.nan, PLAIN)
CONSTANT = np.column_stack([PLAIN, np.full(200, 7.25), np.zeros(200)])
OFFSET = PLAIN + 1e8
TABLES = {"plain": PLAIN, "gaps": GAPS, "constant": CONSTANT, "offset": OFFSET}
WEIGHTS = RNG.integers(0, 4, 200).astype(float)
FRACTIONS = RNG.random(200)


@pytest.mark.parametrize("w", [None, WEIGHTS, FRACTIONS], ids=["alike", "whole", "fractions"])
@pytest.mark.parametrize("name", TABLES)
def test_the_numbers_of_scikit_learn(name: str, w: Any) -> None:
    X = TABLES[name]
    mine, other = StandardScaler().fit(X, sample_weight=w), theirs.StandardScaler().fit(X, sample_weight=w)
    off = 1e-15 if name != "offset" else 1e-15 * 1e8  # theirs rounds a mean far from 0 several times
    np.testing.assert_allclose(mine.mean_, other.mean_, rtol=1e-13, atol=off)
    np.testing.assert_allclose(mine.var_, other.var_, rtol=1e-12 if name != "offset" else 1e-9, atol=1e-40)
    np.testing.assert_allclose(mine.scale_, other.scale_, rtol=1e-12 if name != "offset" else 1e-9)
    np.testing.assert_allclose(mine.n_samples_seen_, other.n_samples_seen_, rtol=1e-13)
    tolerance = 1e-12 if name != "offset" else 1e-15 * 1e8 / PLAIN.std(axis=0).min()
    np.testing.assert_allclose(mine.transform(X), other.transform(X), rtol=1e-12, atol=tolerance)
    np.testing.assert_allclose(mine.inverse_transform(mine.transform(X)), X, rtol=1e-14, atol=1e-14)


def test_the_digits_of_a_column_far_from_0() -> None:
    """The mean is the float that is nearest to the mean of the cells, and the variance has all its digits."""
    from fractions import Fraction

    cells = [Fraction(x) for x in OFFSET[:, 2].tolist()]
    mean = sum(cells) / len(cells)
    variance = sum((x - mean) ** 2 for x in cells) / len(cells)
    scaler = StandardScaler().fit(OFFSET)
    assert scaler.mean_[2] == float(mean)
    assert scaler.var_[2] == pytest.approx(float(variance), rel=1e-15)


@pytest.mark.parametrize(("mean", "deviation"), [(False, True), (True, False), (False, False)])
def test_parts_of_it_may_be_switched_off(mean: bool, deviation: bool) -> None:
    mine = StandardScaler(with_mean=mean, with_std=deviation).fit(GAPS)
    other = theirs.StandardScaler(with_mean=mean, with_std=deviation).fit(GAPS)
    np.testing.assert_allclose(mine.transform(GAPS), other.transform(GAPS), rtol=1e-12, atol=1e-13)
    for name in ("mean_", "var_", "scale_"):
        assert (getattr(mine, name) is None) == (getattr(other, name) is None)


def test_the_type_of_numbers_stays() -> None:
    X = PLAIN.astype(np.float32)
    assert StandardScaler().fit_transform(X).dtype == np.float32
    np.testing.assert_allclose(StandardScaler().fit_transform(X), theirs.StandardScaler().fit_transform(X), atol=1e-5)


@pytest.mark.parametrize("name", TABLES)
def test_it_merges_forgets_and_learns_on(name: str) -> None:
    X = TABLES[name]
    whole = StandardScaler().fit(X)
    first, rest = StandardScaler().fit(X[:70]), StandardScaler().fit(X[70:])
    for one in (first + rest, StandardScaler().partial_fit(X[:70]).partial_fit(X[70:])):
        np.testing.assert_allclose(one.mean_, whole.mean_, rtol=1e-15)
        np.testing.assert_allclose(one.var_, whole.var_, rtol=1e-13)
    left = (first + rest).forget(X[:70])
    np.testing.assert_allclose(left.mean_, rest.mean_, rtol=1e-15)
    np.testing.assert_allclose(left.var_, rest.var_, rtol=1e-13)
    with pytest.raises(NeverAdded):
        rest.forget(X)


def test_weights_are_copies() -> None:
    copied = StandardScaler().fit(np.repeat(GAPS, WEIGHTS.astype(int), axis=0))
    weighed = StandardScaler().fit(GAPS, sample_weight=WEIGHTS)
    np.testing.assert_allclose(weighed.var_, copied.var_, rtol=1e-13)
    assert np.array_equal(weighed.n_samples_seen_, copied.n_samples_seen_)


def test_files_give_the_same(tmp_path: Path) -> None:
    table = pd.DataFrame(GAPS, columns=list("abcd"))
    table.to_csv(tmp_path / "x.csv", index=False)
    mine, memory = StandardScaler().fit(str(tmp_path / "x.csv")), StandardScaler().fit(table)
    np.testing.assert_allclose(mine.mean_, memory.mean_, rtol=1e-12)
    np.testing.assert_allclose(mine.var_, memory.var_, rtol=1e-12)
    np.testing.assert_allclose(mine.transform(table), memory.transform(table), rtol=1e-12, atol=1e-13)


def test_it_is_saved_and_loaded(tmp_path: Path) -> None:
    table = pd.DataFrame(GAPS, columns=list("abcd"))
    scaler = StandardScaler().fit(table)
    scaler.save(tmp_path / "s.suffice")
    loaded = load(tmp_path / "s.suffice")
    assert np.array_equal(loaded.transform(table), scaler.transform(table), equal_nan=True)
    assert np.array_equal(loaded.inverse_transform(PLAIN), scaler.inverse_transform(PLAIN))
    assert np.array_equal(loaded.mean_, scaler.mean_)
    assert loaded.get_feature_names_out().tolist() == list("abcd")
    assert np.array_equal(loaded.merge(scaler).n_samples_seen_, 2 * scaler.n_samples_seen_)
    again = loaded.estimator()
    assert isinstance(again, StandardScaler)
    assert np.array_equal(again.var_, loaded.var_)


def test_scikit_learn_pipelines_and_outputs() -> None:
    y = PLAIN @ [1.0, 0.1, 100.0, 2.0]
    mine = make_pipeline(StandardScaler(), Ridge()).fit(PLAIN, y)
    other = make_pipeline(theirs.StandardScaler(), Ridge()).fit(PLAIN, y)
    np.testing.assert_allclose(mine.predict(PLAIN), other.predict(PLAIN), rtol=1e-12)
    table = pd.DataFrame(PLAIN, columns=list("abcd"))
    out = StandardScaler().set_output(transform="pandas").fit_transform(table)
    assert isinstance(out, pd.DataFrame)
    assert list(out.columns) == list("abcd")


def test_a_column_without_a_cell_stays_without() -> None:
    X = np.column_stack([PLAIN[:, 0], np.full(200, np.nan)])
    scaler = StandardScaler().fit(X)
    assert np.isnan(scaler.mean_[1])
    assert np.isnan(scaler.transform(X)[:, 1]).all()
    learned = scaler.partial_fit(np.column_stack([PLAIN[:, 0], PLAIN[:, 1]]))
    np.testing.assert_allclose(learned.mean_[1], PLAIN[:, 1].mean(), rtol=1e-13)


def test_what_it_refuses() -> None:
    with pytest.raises(ValueError, match="infinity"):
        StandardScaler().fit([[1.0], [np.inf]])
    with pytest.raises(
        ValueError, match=r"column 'x0' must be of numbers, got 'a' in row 0\. Turn it into numbers first, or"
    ):
        StandardScaler().fit([["a"], ["b"]])
    with pytest.raises(BadInput, match=r"X must be rows of 4 columns, got shape \(2, 1\)"):
        StandardScaler().fit(PLAIN).inverse_transform([[1.0], [2.0]])
