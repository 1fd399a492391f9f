"""KernelDensity: scikit-learn's answers, in any dimension, with its parameters; bandwidths it does not have."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy.stats import gaussian_kde
from sklearn.neighbors import KDTree
from sklearn.neighbors import KernelDensity as Peer

from suffice import KernelDensity
from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.families.windows.bandwidths import LeaveOneOut, Scott, Silverman
from suffice.families.windows.sheather_jones import SheatherJones
from suffice.families.windows.windows import WINDOWS

EACH = pytest.mark.parametrize("name", WINDOWS)


def rows(n: int, d: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=(n, d))


def agree(ours: Array, theirs: Array, least: float = 0.5) -> None:
    """Within 1e-10, and -inf where no window reaches; scikit-learn's logs are large numbers or wrong there."""
    both = np.isfinite(ours)
    assert both.mean() >= least
    np.testing.assert_allclose(ours[both], theirs[both], rtol=1e-10, atol=1e-10)
    assert (theirs[~both] < -50).all()


@EACH
@pytest.mark.parametrize(("n", "d"), [(1, 1), (60, 1), (900, 1), (80, 3), (40, 5)])
@pytest.mark.parametrize("weighted", [False, True])
def test_log_densities_are_those_of_scikit_learn(name: str, n: int, d: int, weighted: bool) -> None:
    X, Q = rows(n, d), np.concatenate([rows(90, d, 1), rows(n, d)])
    w = np.random.default_rng(2).uniform(0.1, 3.0, n) if weighted else None
    h = 0.4 * d
    ours = KernelDensity(kernel=name, bandwidth=h).fit(X, sample_weight=w)
    theirs = Peer(kernel=name, bandwidth=h).fit(X, sample_weight=w)
    agree(ours.score_samples(Q), theirs.score_samples(Q), 0.01)


@pytest.mark.parametrize("name", ["gaussian", "tophat", "epanechnikov", "exponential", "linear"])
def test_two_dimensions_too(name: str) -> None:
    """In an even number of dimensions scikit-learn's cosine window has no unit volume; it is left out."""
    ours = KernelDensity(kernel=name, bandwidth=0.7).fit(rows(80, 2))
    agree(
        ours.score_samples(rows(50, 2, 1)),
        Peer(kernel=name, bandwidth=0.7).fit(rows(80, 2)).score_samples(rows(50, 2, 1)),
    )


@pytest.mark.parametrize("rule", [(Scott(), "scott"), (Silverman(), "silverman")])
def test_rules_are_those_of_scipy_in_one_dimension(rule: Any) -> None:
    X, Q = 7.0 * rows(300, 1), 7.0 * rows(2000, 1, 1)
    ours = np.exp(KernelDensity(bandwidth=rule[0]).fit(X).score_samples(Q))
    np.testing.assert_allclose(ours, gaussian_kde(X[:, 0], rule[1])(Q[:, 0]), rtol=1e-10, atol=1e-15)


@EACH
@pytest.mark.parametrize("d", [1, 2])
def test_densities_integrate_to_one(name: str, d: int) -> None:
    model = KernelDensity(kernel=name, bandwidth=0.8).fit(rows(12, d))
    reach = 40.0 if name == "exponential" else 14.0
    side = np.linspace(-reach, reach, 200_001 if d == 1 else 1601)
    grid = side[:, None] if d == 1 else np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    total = np.exp(model.score_samples(grid)).sum() * (side[1] - side[0]) ** d
    assert total == pytest.approx(1.0, abs=1e-3 if d == 2 or name == "tophat" else 1e-6)


@pytest.mark.parametrize("kernel", ["gaussian", "tophat"])
@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_seed_draws_what_scikit_learn_draws(kernel: str, d: int, weighted: bool) -> None:
    w = np.random.default_rng(2).integers(0, 4, 50).astype(float) if weighted else None
    ours, theirs = (K(kernel=kernel, bandwidth=0.3).fit(rows(50, d), sample_weight=w) for K in (KernelDensity, Peer))
    np.testing.assert_allclose(
        ours.sample(40, random_state=5), theirs.sample(40, random_state=5), rtol=1e-9, atol=1e-12
    )


@EACH
def test_every_window_can_be_drawn_from(name: str) -> None:
    model = KernelDensity(kernel=name, bandwidth=0.1).fit([[0.0, 0.0], [50.0, 50.0]], sample_weight=[0, 1])
    drawn = model.sample(500, random_state=0)
    assert drawn.shape == (500, 2)
    assert np.abs(drawn - 50).max() < 5  # the row of weight 0 is never drawn
    assert np.isfinite(model.score_samples(drawn)).all()
    assert KernelDensity(kernel=name).fit(rows(4, 1)).sample().shape == (1, 1)


@pytest.mark.parametrize("name", ["gaussian", "epanechnikov"])
def test_weight_w_is_w_copies(name: str) -> None:
    X, w = rows(60, 1), np.random.default_rng(1).integers(0, 4, 60)
    for bandwidth in (0.4, Silverman(), SheatherJones(), LeaveOneOut(), "leave-one-out", "scott", "silverman"):
        a = KernelDensity(bandwidth=bandwidth, kernel=name).fit(X, sample_weight=w)
        b = KernelDensity(bandwidth=bandwidth, kernel=name).fit(np.repeat(X, w, axis=0))
        assert a.bandwidth_ == pytest.approx(b.bandwidth_, rel=1e-12)
        np.testing.assert_allclose(a.score_samples(X), b.score_samples(X), atol=1e-11)


@pytest.mark.parametrize("bandwidth", ["scott", "silverman"])
@pytest.mark.parametrize("d", [1, 3])
def test_a_row_of_weight_0_changes_nothing(bandwidth: str, d: int) -> None:
    X, w = rows(60, d), np.where(np.arange(60) < 20, 0.0, 1.0)
    a = KernelDensity(bandwidth=bandwidth).fit(X, sample_weight=w)
    b = KernelDensity(bandwidth=bandwidth).fit(X[20:])
    assert a.bandwidth_ == b.bandwidth_ == Peer(bandwidth=bandwidth).fit(X[20:]).bandwidth_
    np.testing.assert_allclose(a.score_samples(X), b.score_samples(X), rtol=1e-12)


@pytest.mark.parametrize("allowed", [{"rtol": 1e-6}, {"atol": 1e-7}, {"rtol": 1e-3, "atol": 1e-2}])
def test_allowed_errors_are_kept(allowed: dict[str, float]) -> None:
    X, Q = rows(3000, 1), 2.0 * rows(3000, 1, 1)
    exact = np.exp(KernelDensity(bandwidth=0.15).fit(X).score_samples(Q))
    coarse = np.exp(KernelDensity(bandwidth=0.15, **allowed).fit(X).score_samples(Q))
    assert (np.abs(coarse - exact) <= allowed.get("rtol", 0.0) * exact + allowed.get("atol", 0.0)).all()
    assert np.abs(coarse - exact).max() > 0


def test_the_binned_error_of_the_benchmark() -> None:
    """At most 1e-6 of the largest density, on 20,000 points and places, against sums over all pairs of every 40th."""
    X, Q = rows(20_000, 1), rows(20_000, 1, 1)
    model = KernelDensity(bandwidth="scott", rtol=1e-6).fit(X)
    found = np.exp(model.score_samples(Q))[::40]
    u = (Q[::40] - X[:, 0]) / model.bandwidth_
    exact = np.exp(-u * u / 2).mean(axis=1) / np.sqrt(2 * np.pi) / model.bandwidth_
    assert np.abs(found - exact).max() <= 1e-6 * exact.max()
    full = np.exp(KernelDensity(bandwidth="scott").fit(X).score_samples(Q))[::40]
    np.testing.assert_allclose(full, exact, rtol=1e-12)


def test_leave_one_out_over_twenty_bandwidths_equals_refits() -> None:
    X = rows(40, 2)
    tried = tuple(np.geomspace(0.1, 2.0, 20))
    found = KernelDensity(bandwidth=LeaveOneOut(tried)).fit(X)
    refits = [np.mean([Peer(bandwidth=h).fit(np.delete(X, i, axis=0)).score(X[[i]]) for i in range(40)]) for h in tried]
    np.testing.assert_allclose(
        LeaveOneOut(tried).scores(found.fitted_.model.points, WINDOWS["gaussian"]), refits, rtol=0, atol=1e-9
    )
    assert found.bandwidth_ == tried[int(np.argmax(refits))]


def test_far_and_offset_places() -> None:
    model = KernelDensity().fit([[1e8], [1e8 + 1.0]])
    assert model.score_samples([[1e8 + 0.5]])[0] == pytest.approx(-0.125 - 0.5 * np.log(2 * np.pi), abs=1e-12)
    assert model.score_samples([[0.0]])[0] == pytest.approx(-0.5e16, rel=1e-9)
    assert KernelDensity(kernel="linear").fit([[0.0]]).score_samples([[1.0]])[0] == -np.inf
    assert model.score([[1e8], [1e8 + 1.0]]) == pytest.approx(model.score_samples([[1e8], [1e8 + 1.0]]).sum())


def test_fitted_attributes_and_pickles() -> None:
    model = KernelDensity(bandwidth="silverman", leaf_size=3).fit(rows(10, 3))
    assert model.bandwidth_ == Peer(bandwidth="silverman").fit(rows(10, 3)).bandwidth_
    assert isinstance(model.tree_, KDTree)
    assert KernelDensity(algorithm="ball_tree").fit(rows(10, 3)).tree_.data.shape == (10, 3)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.score_samples(rows(5, 3)), model.score_samples(rows(5, 3)))
    euclidean = [
        KernelDensity(metric=m).fit(rows(9, 2)).score(rows(9, 2)) for m in ("euclidean", "l2", "minkowski", "p")
    ]
    assert len(set(euclidean)) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: KernelDensity(metric="manhattan").fit(rows(5, 2)),
            "KernelDensity: metric must be euclidean, in which",
        ),
        (
            lambda: KernelDensity(metric="minkowski", metric_params={"p": 3}).fit(rows(5, 2)),
            "KernelDensity: metric must be euclidean, in which .*, got 'minkowski'. Scale the columns instead",
        ),
        (
            lambda: KernelDensity().fit([[1.0], [np.nan]]),
            "must be present in every row .Input X contains NaN",
        ),
        (
            lambda: KernelDensity().fit([[1.0], ["a"]]),
            "KernelDensity: column .x0. must be of numbers, got .a. in row 1",
        ),
        (lambda: KernelDensity().fit(np.zeros((0, 2))), r"KernelDensity: Found array with 0 sample\(s\)"),
        (lambda: KernelDensity().fit([[1.0]], sample_weight=[-1.0]), "KernelDensity: sample_weight must be at least 0"),
        (
            lambda: KernelDensity().fit([[1.0]], sample_weight=[0.0]),
            "KernelDensity: sample_weight must be greater than 0",
        ),
        (
            lambda: KernelDensity().fit([[1.0]], sample_weight=[1.0, 2.0]),
            "KernelDensity: sample_weight must be one column",
        ),
        (
            lambda: KernelDensity(bandwidth="sheather-jones").fit(rows(9, 2)),
            "SheatherJones: the points must be of one column, got 2",
        ),
        (
            lambda: KernelDensity(bandwidth="leave-one-out").fit([[3.0], [3.0]]),
            "KernelDensity: X must be spread out where bandwidth is 'leave-one-out', got 'rows that are all equal'",
        ),
        (
            lambda: KernelDensity().fit([[1.0]]).sample(0),
            "KernelDensity: n_samples must be a whole number of at least 1",
        ),
        (lambda: KernelDensity().fit([[1.0]]).sample(2.5), "KernelDensity: n_samples must be .*, got 2.5"),
        (lambda: KernelDensity().fit([[1.0]]).score_samples([[1.0, 2.0]]), "KernelDensity: X has 2 features, but"),
    ],
)
def test_bad_inputs_get_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        call()


@pytest.mark.parametrize(
    "parameters",
    [{"bandwidth": 0}, {"bandwidth": "wide"}, {"kernel": "box"}, {"rtol": -1}, {"leaf_size": 0}, {"metric": "none"}],
)
def test_parameters_that_scikit_learn_refuses_are_refused_alike(parameters: dict[str, Any]) -> None:
    for K in (KernelDensity, Peer):
        with pytest.raises(ValueError, match=f"The '{next(iter(parameters))}' parameter of KernelDensity must be"):
            K(**parameters).fit(rows(5, 1))


def test_a_fit_that_fails_changes_nothing() -> None:
    model = KernelDensity().fit(rows(9, 1))
    before = dict(vars(model))
    with pytest.raises(BadInput):
        model.fit(rows(9, 2), sample_weight=-np.ones(9))
    assert vars(model) == before
