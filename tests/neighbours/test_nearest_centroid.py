"""NearestCentroid: it adds, merges and forgets; exemplars match distances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.neighbors as theirs
from scipy.sparse import csr_array

import suffice
from suffice import BasicLinearClassifier, NearestCentroid
from suffice.core.errors import BadInput, NeverAdded
from suffice.spaces import Cosine, Mahalanobis, Minkowski, geometric_median

RNG = np.random.default_rng(0)
N = 60
Y = np.array(["a", "b", "c"])[RNG.integers(0, 3, N)]
X = RNG.normal(size=(N, 4)) * np.array([1.0, 10.0, 1e-3, 1.0]) + (Y == "b")[:, None] * 1.5
METRICS = ["euclidean", "manhattan", "cosine", "chebyshev"]


def assert_same(a: Any, b: Any, rows: Any = X) -> None:
    assert a.classes_.tolist() == b.classes_.tolist()
    np.testing.assert_allclose(a.centroids_, b.centroids_, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(a.within_class_std_dev_, b.within_class_std_dev_, rtol=1e-9, atol=1e-12)
    assert a.predict(rows).tolist() == b.predict(rows).tolist()


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("cut", [1, 7, 30, 59])
def test_shards_are_the_whole(metric: str, offset: float, cut: int) -> None:
    rows, w = X + offset, RNG.integers(0, 3, N) * 1.0
    w[:2] = w[-2:] = 1.0
    whole = NearestCentroid(metric).fit(rows, Y, w)
    a, b = (NearestCentroid(metric).fit(rows[s], Y[s], w[s]) for s in (slice(0, cut), slice(cut, N)))
    assert_same(a + b, whole, rows)
    assert_same(b + a, whole, rows)
    a.partial_fit(rows[cut:], Y[cut:], sample_weight=w[cut:])
    assert_same(a, whole, rows)
    a.forget(rows[cut:], Y[cut:], sample_weight=w[cut:])
    assert_same(a, NearestCentroid(metric).fit(rows[:cut], Y[:cut], w[:cut]), rows)


@pytest.mark.parametrize("metric", METRICS)
def test_a_row_of_weight_w_is_w_copies(metric: str) -> None:
    w = RNG.integers(0, 4, N)
    w[:3] = 2
    model = NearestCentroid(metric, shrink_threshold=0.1, priors="empirical").fit(X, Y, w)
    copies = NearestCentroid(metric, shrink_threshold=0.1, priors="empirical")
    assert_same(model, copies.fit(np.repeat(X, w, axis=0), np.repeat(Y, w)))
    order = RNG.permutation(N)
    assert_same(
        model, NearestCentroid(metric, shrink_threshold=0.1, priors="empirical").fit(X[order], Y[order], w[order])
    )


def test_forgetting_what_was_never_learned_changes_nothing() -> None:
    model = NearestCentroid().fit(X, Y)
    before = model.centroids_.copy()
    with pytest.raises(NeverAdded):
        model.forget(X, np.full(N, "z"))
    assert (model.centroids_ == before).all()
    only = NearestCentroid().fit(X[:5], np.array(list("aabbb"))).partial_fit(X[5:6], ["z"])
    assert only.forget(X[5:6], ["z"]).classes_.tolist() == ["a", "b"]  # the class leaves with its last row


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize("shrink", [None, 0.2])
def test_attributes_are_those_of_scikit_learn(metric: str, shrink: Any) -> None:
    ours = NearestCentroid(metric, shrink_threshold=shrink).fit(X, Y)
    other = theirs.NearestCentroid(metric=metric, shrink_threshold=shrink).fit(X, Y)
    for name in ("centroids_", "within_class_std_dev_", "deviations_", "class_prior_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(other, name), rtol=1e-9, atol=1e-12, err_msg=name)
    assert (ours.predict(X) == other.predict(X)).all()
    if metric == "euclidean":
        np.testing.assert_allclose(ours.decision_function(X), other.decision_function(X), rtol=1e-9, atol=1e-9)
        both = other.predict_log_proba(X) / 2.0  # half: a normal density has a half, which theirs leaves out
        both -= np.log(np.exp(both).sum(axis=1, keepdims=True))
        np.testing.assert_allclose(ours.predict_log_proba(X), both, rtol=1e-7, atol=1e-9)


def test_exemplars_match_distances() -> None:
    assert NearestCentroid("manhattan").fit([[0.0], [1.0], [9.0], [5.0]], list("aaab")).centroids_.tolist() == [
        [1.0],
        [5.0],
    ]
    units = X / np.sqrt((X**2).sum(axis=1))[:, None]
    model = NearestCentroid(Cosine()).fit(X, Y)
    np.testing.assert_allclose(model.centroids_[0], units[Y == "a"].mean(axis=0), rtol=1e-12)
    far = NearestCentroid(Cosine()).fit(X * np.exp(RNG.normal(size=N))[:, None], Y)
    np.testing.assert_allclose(far.centroids_, model.centroids_, rtol=1e-10, atol=1e-14)
    pooled = np.cov((X - model.fit(X, Y).centroids_[0]), rowvar=False)
    assert NearestCentroid(Mahalanobis(pooled)).fit(X, Y).predict(X).shape == (N,)
    assert NearestCentroid(Minkowski(3.0), exemplar="median").fit(X, Y).score(X, Y) > 0.3
    assert NearestCentroid(lambda x, y: abs(x - y).max()).fit(X, Y).predict(X[:3]).shape == (3,)
    assert geometric_median(X).shape == (4,)


def test_sparse_rows_files_and_saving(tmp_path: Path) -> None:
    counts = RNG.poisson(1.0, size=(40, 5)) * 1.0
    y = np.arange(40) % 2
    dense, sparse = NearestCentroid().fit(counts, y), NearestCentroid().fit(csr_array(counts), y)
    assert_same(dense, sparse, counts)
    assert (sparse.predict(csr_array(counts)) == dense.predict(counts)).all()
    for metric in METRICS:
        model = NearestCentroid(metric).fit(counts, y)
        model.save(tmp_path / "m")
        loaded = suffice.load(tmp_path / "m")
        assert_same(loaded, model, counts)
        assert_same(loaded.merge(model), NearestCentroid(metric).fit(np.r_[counts, counts], np.r_[y, y]), counts)
    with (tmp_path / "rows.csv").open("w") as file:
        file.write("a,b,c,d,e,y\n" + "\n".join(",".join(map(str, [*row, c])) for row, c in zip(counts, y, strict=True)))
    for metric in ("euclidean", "manhattan"):
        there = NearestCentroid(metric).fit(str(tmp_path / "rows.csv"), target="y")
        np.testing.assert_allclose(there.centroids_, NearestCentroid(metric).fit(counts, y).centroids_, rtol=1e-12)


def test_two_means_are_the_basic_linear_classifier() -> None:
    """G.G095, G.G097: the nearest of two class means is the perpendicular bisector; of more, the nearest of them."""
    two = Y != "c"
    query = RNG.normal(size=(200, 4)) * np.array([1.0, 10.0, 1e-3, 1.0])
    linear = BasicLinearClassifier().fit(X[two], Y[two])
    assert (NearestCentroid().fit(X[two], Y[two]).predict(query) == linear.predict(query)).all()
    assert (NearestCentroid().fit(X, Y).predict(query) == BasicLinearClassifier().fit(X, Y).predict(query)).all()


def test_the_manhattan_boundary_of_the_sources() -> None:
    """G.N50, G.G096: between (0, 0) and (2, 4) it is y = 3 up to x = 0, then y = 3 - x, then y = 1 from x = 2."""
    model = NearestCentroid("manhattan").fit([[0.0, 0.0], [2.0, 4.0]], ["o", "p"])
    for x in np.linspace(-3.0, 5.0, 33):
        edge = 3.0 if x <= 0 else 3.0 - x if x <= 2 else 1.0
        assert model.predict([[x, edge - 1e-9], [x, edge + 1e-9]]).tolist() == ["o", "p"]
    square = NearestCentroid("manhattan").fit([[0.0, 0.0], [2.0, 2.0]], ["o", "p"])  # spanning a square, regions tie
    assert square.distance_.between([[-1.0, 3.0], [-5.0, 9.0]], square.centroids_).tolist() == [
        [4.0, 4.0],
        [14.0, 14.0],
    ]


BAD: list[tuple[Any, str]] = [
    (lambda: NearestCentroid("euclid").fit(X, Y), "metric"),
    (lambda: NearestCentroid(exemplar="medoid").fit(X, Y), "exemplar"),
    (lambda: NearestCentroid(priors=[0.5, 0.5]).fit(X, Y), "priors must be 3 shares"),
    (lambda: NearestCentroid(priors=[-1.0, 1.0, 1.0]).fit(X, Y), "priors must be shares of at least 0"),
    (lambda: NearestCentroid(shrink_threshold=-1.0).fit(X, Y), "shrink_threshold"),
    (lambda: NearestCentroid().fit(X, Y[:-1]), "label"),
    (lambda: NearestCentroid().fit(np.where(X > 1.0, np.nan, X), Y), "NaN"),
    (lambda: NearestCentroid("mahalanobis").fit(X, Y), "V must be given"),
    (lambda: NearestCentroid().fit(X, Y).predict(X[:, :2]), "features"),
    (lambda: NearestCentroid().fit(X, Y).merge(NearestCentroid("manhattan").fit(X, Y)), "must keep"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_gets_one_sentence(call: Any, words: str) -> None:
    with pytest.raises((BadInput, ValueError, TypeError)) as caught:
        call()
    assert words in str(caught.value)
