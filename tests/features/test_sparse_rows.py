"""Sparse rows through transformers: sparse in, sparse out, equal to dense rows, merged and forgotten alike."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer as TheirTfidf
from sklearn.preprocessing import PolynomialFeatures as TheirProducts

from suffice import (
    Binarizer,
    MaxAbsScaler,
    MinMaxScaler,
    MissingAsValue,
    Normalizer,
    OneHotEncoder,
    PolynomialFeatures,
    RobustScaler,
    SelectKBest,
    SelectPercentile,
    SimpleImputer,
    StandardScaler,
    TfidfTransformer,
    VarianceThreshold,
    load,
)
from suffice.core.errors import BadInput, NeverAdded
from suffice.core.shares import Shares
from suffice.features.encode import sparse_products
from suffice.summaries import sparse_sums
from suffice.summaries.moments import Moments
from suffice.summaries.power_sums import twin
from suffice.summaries.rankings import Rankings

RNG = np.random.default_rng(0)
N, D = 90, 7


def cells(gaps: bool) -> Any:
    """Columns of mostly zeros, of zeros alone, of an offset of 1e8 without any zero, of both signs, constant."""
    X = np.round(RNG.normal(size=(N, D)), 1) * (RNG.random((N, D)) < 0.3)
    X[:, 3], X[:, 4], X[:, 5] = 0.0, 1e8 + np.arange(N) % 5, 2.5
    if gaps:
        X[RNG.random(X.shape) < 0.08] = np.nan
    return X


HOLED, WHOLE, COUNTS = cells(True), cells(False), RNG.poisson(0.5, (N, D)).astype(float)
Y = RNG.integers(0, 3, N)
CASES: dict[str, tuple[Any, Any]] = {
    "scaled": (StandardScaler(with_mean=False), HOLED),
    "left as it is": (StandardScaler(with_mean=False, with_std=False), HOLED),
    "largest": (MaxAbsScaler(), HOLED),
    "clipped": (MaxAbsScaler(clip=True), HOLED),
    "quantiles": (RobustScaler(with_centering=False), HOLED),
    "above": (Binarizer(threshold=0.3), WHOLE),
    "l1": (Normalizer("l1"), WHOLE),
    "l2": (Normalizer("l2"), WHOLE),
    "products": (PolynomialFeatures(3), COUNTS),
    "interactions": (PolynomialFeatures((2, 3), interaction_only=True, include_bias=False), COUNTS),
    "mean": (SimpleImputer(), HOLED),
    "median": (SimpleImputer(strategy="median", add_indicator=True), HOLED),
    "frequent": (SimpleImputer(strategy="most_frequent", missing_values=2.5), HOLED),
    "given": (SimpleImputer(strategy="constant", fill_value=-1.0), HOLED),
    "varying": (VarianceThreshold(0.01), HOLED),
    "words": (TfidfTransformer(), COUNTS),
    "log words": (TfidfTransformer(norm="l1", sublinear_tf=True, smooth_idf=False), COUNTS),
    "counts": (SelectKBest("chi2", k=3), COUNTS),
    "variance between": (SelectKBest("f_classif", k=2), HOLED),
    "gain": (SelectPercentile("information_gain", percentile=40), HOLED),
}
pytestmark = pytest.mark.filterwarnings("ignore:.*Skipping features")


def dense(Z: Any) -> Any:
    return Z.toarray() if sp.issparse(Z) else Z


@pytest.mark.parametrize("name", CASES)
def test_sparse_rows_are_mapped_as_dense_ones_and_stay_sparse(name: str) -> None:
    transformer, X = CASES[name]
    model, w = clone(transformer).fit(X, Y), RNG.integers(0, 3, N)
    for form in (sp.csr_array, sp.csc_matrix, sp.coo_array):
        mine = clone(transformer).fit(form(X), Y)
        out = mine.transform(form(X))
        assert sp.issparse(out)
        assert out.format == ("csc" if form is sp.csc_matrix else "csr")
        np.testing.assert_allclose(dense(out), dense(model.transform(X)), rtol=1e-12, atol=1e-14)
    copies = clone(transformer).fit(sp.csr_array(np.repeat(X, w, axis=0)), np.repeat(Y, w))
    weighed = clone(transformer).fit(sp.csr_array(X), Y, sample_weight=w)
    np.testing.assert_allclose(dense(weighed.transform(X)), dense(copies.transform(X)), rtol=1e-12, atol=1e-14)
    single = clone(transformer).fit_transform(sp.csr_array(X.astype(np.float32)), Y)
    assert single.dtype == np.float32


@pytest.mark.parametrize("name", CASES)
def test_sparse_and_dense_shards_merge_are_forgotten_and_saved(name: str, tmp_path: Any) -> None:
    transformer, X = CASES[name]
    S = sp.csr_matrix(X)
    whole, first = (clone(transformer).fit(S[:n], Y[:n]) for n in (N, 30))
    model = clone(transformer).fit(S[:30], Y[:30]).merge(clone(transformer).fit(X[30:], Y[30:]))
    grown = clone(transformer).partial_fit(S[:30], Y[:30]).partial_fit(S[30:], Y[30:])
    for one in (model, grown):
        np.testing.assert_allclose(dense(one.transform(S)), dense(whole.transform(S)), rtol=1e-12, atol=1e-14)
    model.forget(S[30:], Y[30:])
    np.testing.assert_allclose(dense(model.transform(S)), dense(first.transform(S)), rtol=1e-12, atol=1e-14)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(dense(load(tmp_path / "model").transform(S)), dense(model.transform(S)))


@pytest.mark.parametrize("name", ["scaled", "largest", "quantiles", "counts"])
def test_sparse_rows_come_back_sparse(name: str) -> None:
    transformer, X = CASES[name]
    S = sp.csr_array(X)
    model = clone(transformer).fit(S, Y)
    back = model.inverse_transform(model.transform(S))
    assert sp.issparse(back)
    np.testing.assert_allclose(back.toarray(), dense(model.inverse_transform(dense(model.transform(X)))), rtol=1e-14)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "mean": (lambda: StandardScaler().fit(sp.csr_array(WHOLE)), "Cannot center .* Use with_mean=False"),
    "mean of new rows": (lambda: StandardScaler().fit(WHOLE).transform(sp.csr_array(WHOLE)), "Use with_mean=False"),
    "mean, back": (lambda: StandardScaler().fit(WHOLE).inverse_transform(sp.csr_array(WHOLE)), "Cannot center"),
    "median": (lambda: RobustScaler().fit(sp.csr_array(WHOLE)), "Cannot center .* Use with_centering=False"),
    "below 0": (lambda: Binarizer(threshold=-1.0).fit(sp.csr_array(WHOLE)), "Zeros would become ones"),
    "0 is missing": (lambda: SimpleImputer(missing_values=0).fit(sp.csr_array(WHOLE)), "Provide a dense array"),
    "own bins": (lambda: MissingAsValue().fit(sp.csr_array(WHOLE)), "must be a dense table, got a sparse matrix"),
    "too many": (lambda: PolynomialFeatures(9).fit_transform(sp.csr_array((2, 4_000))), "Use a smaller degree"),
    "too large": (lambda: StandardScaler(with_mean=False).fit(sp.csr_array([[1e200, 0.0]])), "column 0 .* 1e\\+200"),
    "no column": (lambda: VarianceThreshold().fit(sp.csr_array((3, 2))).transform(WHOLE[:, :2]), "smaller one"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_fill_the_rows_is_refused_with_a_remedy(name: str) -> None:
    attempt, words = REFUSED[name]
    with pytest.raises(BadInput, match=words):
        attempt()


def test_minima_would_fill_the_rows() -> None:
    with pytest.raises(TypeError, match="dense data is required"):
        MinMaxScaler().fit(sp.csr_array(WHOLE))
    with pytest.raises(BadInput, match="dense table"):
        load_and_ask(MinMaxScaler().fit(WHOLE))


def load_and_ask(model: Any) -> None:
    """As a model from a file does, which has no door of scikit-learn's."""
    model._before.plan.open(sp.csr_array(WHOLE))


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("weighed", [False, True])
def test_sums_and_ranks_of_stored_cells_are_those_of_all(soft: bool, weighed: bool) -> None:
    """Shares of every kind, cells stored as zeros, rows of nobody."""
    X = cells(True)
    S = sp.csr_array(X)
    S.data[::9] = 0.0  # stored, and 0 all the same
    X = S.toarray()
    w = RNG.integers(0, 4, N).astype(float) if weighed else None
    R = Shares.soft(RNG.dirichlet(np.ones(3), N)) if soft else Shares.hard((Y - (Y == 2) * 3).astype(np.int32), 2, w)
    mine, theirs = Moments.of(S, R), Moments.of(X, R)
    np.testing.assert_array_equal(mine.rows, theirs.rows)
    for got, wanted in ((mine.mean.value, theirs.mean.value), (mine.variance, theirs.variance)):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(mine.weight.value, theirs.weight.value, rtol=1e-13)
    ranks, others = Rankings.of(S, R), Rankings.of(X, R)
    for got, wanted in zip(ranks.values, others.values, strict=True):
        np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(ranks.rows, others.rows)
    np.testing.assert_array_equal(ranks.missing_rows, others.missing_rows)
    np.testing.assert_allclose(ranks.weight, others.weight, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("weighed", [False, True])
def test_the_loop_of_stored_cells_says_what_its_twin_says(weighed: bool) -> None:
    x = np.where(RNG.random(500) < 0.1, np.nan, RNG.normal(1e6, 1.0, 500))[:, None]
    R = Shares.hard(RNG.integers(-1, 5, 500).astype(np.int64), 5, RNG.integers(0, 3, 500) / 3 if weighed else None)
    mine, theirs = sparse_sums.compiled(x, R, np.zeros(1)), twin(x, R, np.zeros(1))
    np.testing.assert_array_equal(mine[0], theirs[0])
    for a, b in zip(mine[1:], theirs[1:], strict=True):
        apart = (a - b).value
        np.testing.assert_allclose(apart, 0.0, atol=1e-24 * max(1.0, float(np.abs(b.high).max())))


def test_the_loop_of_products_says_what_its_twin_says(monkeypatch: pytest.MonkeyPatch) -> None:
    S = sp.csr_matrix(COUNTS)
    for degree, apart in ((1, False), (4, False), (4, True)):
        wanted = TheirProducts(degree, interaction_only=apart).fit_transform(S)
        for loops in (False, True):
            monkeypatch.setattr(sparse_products._multiply, "pays", lambda cells, loops=loops: loops)
            found = PolynomialFeatures(degree, interaction_only=apart).fit(S).transform(S)
            np.testing.assert_array_equal(found.toarray(), wanted.toarray())
            assert found.has_sorted_indices
            assert found.has_canonical_format


def test_wide_rows_are_never_filled_in() -> None:
    """10,000 rows of 4,000 columns would be 320 MB; what is made of them takes an eighth at most."""
    S = sp.random_array((10_000, 4_000), density=1e-3, format="csr", rng=np.random.default_rng(1))
    y = np.arange(10_000) % 2
    steps = (StandardScaler(with_mean=False), MaxAbsScaler(), TfidfTransformer(), SelectKBest("chi2", k=9))
    for step in steps:
        step.fit(S[:2], y[:2])  # columns are listed once
    tracemalloc.start()
    for step in steps:
        out = step.fit(S, y).transform(S)
        assert out.nnz <= S.nnz
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 40e6


def test_weights_of_words_are_theirs_and_strangers_are_not_forgotten() -> None:
    S = sp.csr_array(COUNTS)
    for options in ({}, {"norm": None, "use_idf": False}, {"smooth_idf": False, "sublinear_tf": True}):
        mine, theirs = TfidfTransformer(**options), TheirTfidf(**options)
        np.testing.assert_allclose(mine.fit_transform(S).toarray(), theirs.fit_transform(S).toarray(), rtol=1e-13)
    np.testing.assert_allclose(TfidfTransformer().fit(S).idf_, TheirTfidf().fit(S).idf_, rtol=1e-14)
    with pytest.raises(NeverAdded):
        TfidfTransformer().fit(S[:5]).forget(np.ones((6, D)))
    with pytest.raises(NeverAdded):
        StandardScaler(with_mean=False, ledger=True).fit(S).forget(S[:1] * 7.0)


def test_logarithms_of_counts_leave_stored_zeros_and_refuse_what_has_none() -> None:
    S = sp.csr_array(COUNTS)
    stored = S.copy()
    stored.data[::3] = 0.0
    given = {"sublinear_tf": True, "smooth_idf": False, "norm": None}
    model = TfidfTransformer(**given).fit(stored)
    np.testing.assert_array_equal(model.transform(stored).toarray(), model.transform(stored.toarray()).toarray())
    before = pickle.dumps(model)
    for call in (model.fit, model.transform, TfidfTransformer(**given).fit):
        with pytest.raises(BadInput, match=r"TfidfTransformer: every count must be at least 0 .* got -\d"):
            call(-S)
    assert pickle.dumps(model) == before


def test_indicators_are_sparse_and_scaled_sparse() -> None:
    table = [["a", "x"], ["b", "y"], ["a", "z"]] * 4
    Z = OneHotEncoder().fit_transform(table)
    scaled = MaxAbsScaler().fit_transform(Z)
    assert sp.issparse(scaled)
    assert scaled.nnz == Z.nnz == 24
