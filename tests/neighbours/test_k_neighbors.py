"""k nearest neighbours: votes, targets, retrieval, the choice of k, weights as copies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.neighbors as theirs
from scipy.sparse import csr_array
from sklearn.model_selection import LeaveOneOut, cross_val_predict

import suffice
from suffice import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
)
from suffice.core.errors import BadInput
from suffice.spaces import Hamming, Mahalanobis, Manhattan

RNG = np.random.default_rng(0)
N = 80
Y = np.array(["a", "b", "c"])[RNG.integers(0, 3, N)]
X = RNG.normal(size=(N, 3)) + (Y == "b")[:, None] * 1.5
T = X.sum(axis=1) + RNG.normal(size=N)
Q = RNG.normal(size=(30, 3))


@pytest.mark.parametrize("algorithm", ["auto", "brute", "kd_tree", "ball_tree"])
@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])
@pytest.mark.parametrize("metric", ["minkowski", "manhattan", "chebyshev"])
def test_answers_are_those_of_scikit_learn(algorithm: str, weights: Any, metric: str) -> None:
    given: dict[str, Any] = {"algorithm": algorithm, "weights": weights, "metric": metric}
    # by products, as their brute force takes distances, a row may be 1e-8 away from itself
    peer = {**given, "algorithm": "kd_tree"} if algorithm == "brute" else given

    def both(name: str, size: Any, y: Any) -> list[Any]:
        return [getattr(room, name)(size, **way).fit(X, y) for room, way in ((suffice, given), (theirs, peer))]

    ours, other = both("KNeighborsClassifier", 4, Y)
    np.testing.assert_allclose(ours.predict_proba(Q), other.predict_proba(Q), rtol=1e-9, atol=1e-12)
    ours, other = both("KNeighborsRegressor", 4, T)
    np.testing.assert_allclose(ours.predict(Q), other.predict(Q), rtol=1e-9)
    if callable(weights):  # theirs hands it arrays of arrays
        return
    ours, other = both("RadiusNeighborsRegressor", 2.0, T)
    np.testing.assert_allclose(ours.predict(X), other.predict(X), rtol=1e-9)
    ours, other = both("RadiusNeighborsClassifier", 2.0, Y)
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_an_offset_changes_nothing(offset: float) -> None:
    rows, query = np.round(X, 3) + offset, np.round(Q, 3) + offset
    back = KNeighborsClassifier(5).fit(rows - offset, Y).predict_proba(query - offset)
    assert (KNeighborsClassifier(5).fit(rows, Y).predict_proba(query) == back).all()


@pytest.mark.parametrize("k", [1, 5, 17])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_a_row_of_weight_w_is_w_copies(k: int, weights: str) -> None:
    w = RNG.integers(0, 4, N)
    copies = np.repeat(np.arange(N), w)
    a = KNeighborsClassifier(k, weights=weights).fit(X, Y, w)
    b = KNeighborsClassifier(k, weights=weights).fit(X[copies], Y[copies])
    np.testing.assert_allclose(a.predict_proba(Q), b.predict_proba(Q), rtol=1e-12)
    for aggregate in ("mean", "median", "mode", 0.25):
        c = KNeighborsRegressor(k, weights=weights, aggregate=aggregate).fit(X, T, w)
        d = KNeighborsRegressor(k, weights=weights, aggregate=aggregate).fit(X[copies], T[copies])
        np.testing.assert_allclose(c.predict(Q), d.predict(Q), rtol=1e-12)
    half = KNeighborsClassifier(k).fit(X, Y, np.full(N, 0.5))  # the nearest 2 k, half of each
    whole = KNeighborsClassifier(2 * k).fit(X, Y)
    np.testing.assert_allclose(half.predict_proba(Q), whole.predict_proba(Q), rtol=1e-12)


def test_the_choice_of_k_is_leave_one_out_in_one_search() -> None:
    """C.M06.06: the same errors as refitting without each row."""
    model = KNeighborsClassifier("leave-one-out", candidates=[1, 7]).fit(X, Y)
    for k, error in zip(model.candidates_, model.errors_, strict=True):
        left = cross_val_predict(theirs.KNeighborsClassifier(int(k)), X, Y, cv=LeaveOneOut())
        assert error == pytest.approx(np.mean(left != Y), abs=1e-12)
    assert model.n_neighbors_ == model.candidates_[model.errors_ == model.errors_.min()].max()
    assert (model.predict(Q) == theirs.KNeighborsClassifier(model.n_neighbors_).fit(X, Y).predict(Q)).all()
    regressor = KNeighborsRegressor("leave-one-out").fit(X, T)
    for k in (5,):
        left = cross_val_predict(theirs.KNeighborsRegressor(k), X, T, cv=LeaveOneOut())
        assert regressor.errors_[k - 1] == pytest.approx(np.mean((left - T) ** 2), rel=1e-9)
    w = RNG.integers(1, 3, N)
    heavy = KNeighborsClassifier("leave-one-out").fit(X, Y, w)  # of a row of weight w, one copy is left out
    copies = KNeighborsClassifier("leave-one-out").fit(np.repeat(X, w, axis=0), np.repeat(Y, w))
    np.testing.assert_allclose(heavy.errors_, copies.errors_, rtol=1e-12)


def test_votes_of_the_sources() -> None:
    """G.G100, G.G101, G.G102, C.M06.01: majority, shares of votes, and the smallest label of a tie."""
    rows, labels = np.arange(6.0)[:, None], [2, 1, 1, 2, 2, 2]
    assert KNeighborsClassifier(1).fit(rows, labels).predict(rows).tolist() == labels
    model = KNeighborsClassifier(3).fit(rows, labels)
    assert model.predict([[0.9]]).tolist() == [1]
    np.testing.assert_allclose(model.predict_proba([[0.9], [4.2]]), [[2 / 3, 1 / 3], [0.0, 1.0]])
    assert KNeighborsClassifier(2).fit(rows, labels).predict([[0.4]]).tolist() == [1]  # one vote each
    smoothed = KNeighborsClassifier(3, smoothing=1.0).fit(rows, labels).predict_proba([[4.2]])
    np.testing.assert_allclose(smoothed, [[1 / 5, 4 / 5]])
    refused = KNeighborsClassifier(3).fit(rows, labels).predict([[0.9]], at_least=0.9)
    assert refused.tolist() == [None]


def test_distance_weights_of_the_sources() -> None:
    """G.G103: with one over the distance, k = n still varies over space."""
    rows, labels = np.arange(10.0)[:, None], [0] * 5 + [1] * 5
    flat = KNeighborsClassifier(10).fit(rows, labels).predict_proba([[0.3], [8.7]])
    near = KNeighborsClassifier(10, weights="distance").fit(rows, labels).predict_proba([[0.3], [8.7]])
    assert (flat == 0.5).all()
    assert near[0, 0] > 0.6
    assert near[1, 1] > 0.6
    at = KNeighborsClassifier(10, weights="distance").fit(rows, labels).predict_proba([[3.0]])
    assert at.tolist() == [[1.0, 0.0]]  # at a row, that row alone counts


def test_targets_of_neighbours_of_the_sources() -> None:
    """C.M06.08, G.G104, C.R41: the mean target of the two nearest of x 0, 1, 2 with y 0, 1, 4 at 1.2 is 2.5."""
    rows, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0]
    assert KNeighborsRegressor(2).fit(rows, y).predict([[1.2]]).tolist() == [2.5]
    weighed = KNeighborsRegressor(2, weights="distance").fit(rows, y).predict([[1.2]])
    assert weighed[0] == pytest.approx((1.0 / 0.2 + 4.0 / 0.8) / (1.0 / 0.2 + 1.0 / 0.8))
    jump = KNeighborsRegressor(1).fit(rows, y).predict([[1.5 - 1e-9], [1.5 + 1e-9]])
    assert jump.tolist() == [1.0, 4.0]  # discontinuous


def test_any_aggregator_of_the_sources() -> None:
    """G.G106, G.E11: any function of the targets of the k nearest neighbours (not k-means, as printed)."""
    rows, y = np.arange(7.0)[:, None], np.array([0.0, 5.0, 1.0, 1.0, 9.0, 9.0, 9.0])
    answers = {"mean": 3.2, "median": 1.0, "mode": 1.0, 0.75: 5.0}
    for aggregate, expected in answers.items():
        found = KNeighborsRegressor(5, aggregate=aggregate).fit(rows, y).predict([[2.0]])
        assert found[0] == pytest.approx(expected), aggregate
    widest = KNeighborsRegressor(5, aggregate=lambda t: np.ptp(t, axis=0)).fit(rows, y).predict([[2.0]])
    assert widest.tolist() == [9.0]


def test_retrieval_of_the_sources() -> None:
    """G.G105: the exemplar itself, or whatever belongs to it."""
    things: list[Any] = ["text", np.zeros((2, 2)), None]
    model = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [5.0]])
    assert model.retrieve([[0.1]], payload=things)[0][0] == "text"
    assert model.retrieve([[0.9]], payload=things)[0][0] is things[1]
    assert [row.tolist() for row in model.retrieve([[4.0]])[0]] == [[5.0], [1.0]]


def test_the_search_is_the_same_whatever_the_algorithm_of_the_sources() -> None:
    """G.G108: index structures cut the time of a query, not the answer."""
    rows = RNG.normal(size=(3000, 2))
    found = [NearestNeighbors(algorithm=a).fit(rows).kneighbors(rows[:50]) for a in ("brute", "kd_tree", "ball_tree")]
    for d, i in found:
        np.testing.assert_allclose(d, found[0][0], rtol=1e-14)
        assert (i == found[0][1]).all()
    assert NearestNeighbors().fit(rows)._fit_method == "kd_tree"


def test_scaling_decides_which_column_dominates() -> None:
    """C.M06.05: rescale where wide columns should not dominate; coordinates of one unit stay as they are."""
    rows = np.array([[0.0, 0.0], [1.0, 1000.0]])
    assert NearestNeighbors(n_neighbors=1).fit(rows).kneighbors([[0.9, 400.0]], return_distance=False)[0, 0] == 0
    scaled = NearestNeighbors(n_neighbors=1).fit(rows / [1.0, 1000.0])
    assert scaled.kneighbors([[0.9, 0.4]], return_distance=False)[0, 0] == 1


def test_densities_of_balls() -> None:
    rows = RNG.uniform(size=(4000, 2))
    for p in (1.0, 2.0, np.inf):
        density = np.exp(NearestNeighbors(n_neighbors=60, p=p).fit(rows).score_samples([[0.5, 0.5], [0.3, 0.6]]))
        np.testing.assert_allclose(density, 1.0, rtol=0.35)  # uniform; a deviation of one over the root of 60
    with pytest.raises(BadInput, match="the volume of a ball is unknown"):
        NearestNeighbors(metric="cosine").fit(rows).score_samples(rows)


def test_distances_as_values_saved_and_loaded(tmp_path: Path) -> None:
    bits = RNG.integers(0, 2, size=(40, 6)) * 1.0
    for metric in (Hamming(), Manhattan(), Mahalanobis(np.eye(6) * 2.0), "cosine", "precomputed"):
        rows = Manhattan().between(bits) if metric == "precomputed" else bits
        model = KNeighborsClassifier(3, metric=metric, weights="distance").fit(rows, np.arange(40) % 2)
        model.save(tmp_path / "m")
        loaded = suffice.load(tmp_path / "m")
        assert (loaded.predict_proba(rows) == model.predict_proba(rows)).all()
        assert (loaded.kneighbors(rows)[1] == model.kneighbors(rows)[1]).all()
        assert (loaded.kneighbors()[1] == model.kneighbors()[1]).all()
    sparse = KNeighborsRegressor(3).fit(csr_array(bits), np.arange(40.0))
    sparse.save(tmp_path / "m")
    assert (suffice.load(tmp_path / "m").predict(bits) == sparse.predict(csr_array(bits))).all()


def test_missing_cells_by_a_distance_that_takes_them() -> None:
    rows = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X)
    assert np.isnan(rows).all(axis=1).sum() == 1
    ours = KNeighborsClassifier(3, metric="nan_euclidean").fit(rows, Y)
    other = theirs.KNeighborsClassifier(3, metric="nan_euclidean").fit(rows, Y)
    near = ours.kneighbors(rows)[0], other.kneighbors(rows)[0]
    empty = np.isnan(rows).all(axis=1)
    np.testing.assert_allclose(near[0][~empty], near[1][~empty], rtol=1e-9, atol=1e-7)
    assert (near[0][empty] == np.inf).all()  # scikit-learn says NaN
    with pytest.raises(ValueError, match="NaN"):
        KNeighborsClassifier().fit(rows, Y)


BAD: list[tuple[Any, str]] = [
    (lambda: KNeighborsClassifier(0).fit(X, Y), "n_neighbors"),
    (lambda: KNeighborsClassifier(2.5).fit(X, Y), "n_neighbors"),
    (lambda: KNeighborsClassifier("best").fit(X, Y), "n_neighbors"),
    (lambda: KNeighborsClassifier(N + 1).fit(X, Y).predict(X), "n_neighbors must be at most"),
    (lambda: KNeighborsClassifier(weights="near").fit(X, Y), "weights"),
    (lambda: KNeighborsClassifier(smoothing=-1.0).fit(X, Y), "smoothing"),
    (lambda: KNeighborsClassifier(metric="euclid").fit(X, Y), "metric"),
    (lambda: KNeighborsClassifier(algorithm="tree").fit(X, Y), "algorithm"),
    (lambda: KNeighborsClassifier(algorithm="kd_tree", metric="cosine").fit(X, Y), "metric must be one that algorithm"),
    (lambda: KNeighborsClassifier(algorithm="kd_tree", metric=lambda x, y: 0.0).fit(X, Y), "metric must be a name"),
    (lambda: KNeighborsClassifier(metric="precomputed").fit(np.abs(X), Y), "a square of distances"),
    (lambda: KNeighborsClassifier(metric="precomputed").fit(-np.ones((N, N)), Y), "distances of at least 0"),
    (lambda: KNeighborsClassifier(metric="cosine", metric_params={"p": 1}, p=None).fit(X, Y), "metric_params must be"),
    (lambda: KNeighborsClassifier("leave-one-out", candidates=[0]).fit(X, Y), "candidates must be whole numbers"),
    (lambda: KNeighborsClassifier("leave-one-out", candidates=[N]).fit(X, Y), "candidates must be whole numbers"),
    (lambda: KNeighborsClassifier("leave-one-out").fit(X[:1], Y[:1]), "two rows or more"),
    (lambda: KNeighborsClassifier().fit(X, Y[1:]), "label"),
    (lambda: KNeighborsClassifier().fit(X, Y, np.full(N, -1.0)), "weight"),
    (lambda: KNeighborsClassifier(5).fit(X, Y, np.full(N, 1e-3)).predict(X), "the weight of the rows"),
    (lambda: KNeighborsClassifier(weights=lambda d: d[:, :1]).fit(X, Y).predict(X), "one weight for each"),
    (lambda: KNeighborsClassifier(weights=lambda d: 0 * d).fit(X, Y).predict(X), "a weight above 0"),
    (lambda: KNeighborsClassifier().fit(X, Y).kneighbors(X, 0), "n_neighbors must be above 0"),
    (lambda: KNeighborsClassifier().fit(X, Y).kneighbors(X, "3"), "n_neighbors must be a whole number"),
    (lambda: KNeighborsClassifier().fit(X, Y).kneighbors(None, N), "below the number of rows"),
    (lambda: KNeighborsClassifier().fit(X, Y).kneighbors_graph(X, mode="both"), "mode must be"),
    (lambda: KNeighborsClassifier().fit(X, Y).retrieve(X, payload=["a"]), "payload must be of 80 things"),
    (lambda: KNeighborsRegressor(aggregate="sum").fit(X, T), "aggregate must be one of mean"),
    (lambda: KNeighborsRegressor(aggregate=1.5).fit(X, T), "aggregate must be one of mean"),
    (lambda: KNeighborsRegressor(aggregate=lambda t: [1, 2]).fit(X, T).predict(X), "must give 1 numbers"),
    (lambda: KNeighborsRegressor().fit(X, Y), "y must be numbers"),
    (lambda: RadiusNeighborsClassifier(-1.0).fit(X, Y), "radius"),
    (lambda: RadiusNeighborsClassifier(1e-9).fit(X, Y).predict(Q), "near some row of training"),
    (lambda: RadiusNeighborsClassifier(1.0, outlier_label=3).fit(X, Y), "of the type of the labels"),
    (lambda: NearestNeighbors(radius=-1).fit(X), "radius"),
    (
        lambda: NearestNeighbors().fit(X).radius_neighbors(X, sort_results=True, return_distance=False),
        "return_distance",
    ),
    (lambda: NearestNeighbors(algorithm="kd_tree", p=0.5).fit(X), "algorithm must be 'brute'"),
    (lambda: NearestNeighbors().fit(np.zeros((0, 2))), "0 sample"),
    (lambda: NearestNeighbors().fit(X).kneighbors(X[:, :2]), "features"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_gets_one_sentence(call: Any, words: str) -> None:
    with pytest.raises((BadInput, ValueError, TypeError)) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_function_is_not_saved(tmp_path: Path) -> None:
    model = KNeighborsClassifier(metric=lambda x, y: float(abs(x - y).sum())).fit(X, Y)
    with pytest.raises(BadInput, match="DistanceFunction"):
        model.save(tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_cells_of_exemplars_as_pictures() -> None:
    from matplotlib.figure import Figure

    from suffice.neighbours import exemplar_cells
    from suffice.plots import DecisionRegionDisplay

    x = np.linspace(-3.0, 3.0, 21)
    grid = np.array([[a, b] for b in x for a in x])
    for k, count in ((1, 3), (2, 6)):
        codes, cells = exemplar_cells([[-1.0, -1.0], [1.1, -0.9], [0.0, 1.3]], grid, k)
        assert len(cells) == count
        display = DecisionRegionDisplay(x=x, y=x, codes=codes.reshape(21, 21), classes=cells).plot(
            ax=Figure().subplots()
        )
        assert display.ax_ is not None
