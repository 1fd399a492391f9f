"""Worked numbers of expectation-maximisation: counts of which some are seen only in sum, and mixtures of normals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from suffice import GaussianMixture, HiddenCounts, em

CELLS = HiddenCounts(lambda b: (0.5, b, 2 * b, 0.5 - 3 * b), seen=[(0, 1), (2,), (3,)], low=0.0, high=1 / 6)
CLOSED = HiddenCounts(
    CELLS.cells, CELLS.seen, low=0.0, high=1 / 6, maximise=lambda n: (n[1] + n[2]) / (6 * (n[1] + n[2] + n[3]))
)
SEEN = [20, 10, 10]


def test_the_set_up() -> None:
    """P.W109: probabilities of the cells add to 1, the sample is evenly split, and b stays below 1/6."""
    assert CELLS.probabilities(0.1).tolist() == pytest.approx([0.5, 0.1, 0.2, 0.2], abs=1e-15)
    assert SEEN[0] == SEEN[1] + SEEN[2]
    with pytest.raises(ValueError, match="probabilities of the cells must be at least 0 with sum 1"):
        CELLS.probabilities(0.17)


def test_expected_counts_of_hidden_cells() -> None:
    """P.W37, P.M076: at b = 1/10 a sum of 20 is expected to be 16 2/3 and 3 1/3."""
    hidden, _ = CELLS.expect(0.1, SEEN)
    assert hidden == pytest.approx([float(Fraction(50, 3)), float(Fraction(10, 3)), 10.0, 10.0], rel=1e-15)
    alone = HiddenCounts(CELLS.cells, [(0, 1, 2, 3)], high=1 / 6)  # nothing seen but the number: expected counts p n
    assert alone.expect(0.1, [40])[0] == pytest.approx([20.0, 4.0, 8.0, 8.0], rel=1e-15)


def test_what_cannot_be_is_split_evenly() -> None:
    """P.M076: at b = 0 a sum over cells of probability 0 says nothing of them; it is impossible, but it still adds."""
    model = HiddenCounts(lambda b: (1 - 3 * b, b, 2 * b), seen=[(0,), (1, 2)], high=1 / 3)
    hidden, height = model.expect(0.0, [5, 4])
    assert (hidden.tolist(), height) == ([5.0, 2.0, 2.0], -np.inf)
    assert model.expect(0.0, [5, 0])[1] == 0.0


@pytest.mark.parametrize("model", [CELLS, CLOSED], ids=["searched", "closed form"])
def test_the_parameter_from_full_counts(model: HiddenCounts) -> None:
    """P.W38, P.M076: counts 15, 5, 10, 10 give b = 1/10, by the formula and by the search."""
    assert model.estimate([15, 5, 10, 10]) == pytest.approx(0.1, abs=1e-11)


def test_the_second_round() -> None:
    """P.W39: from the split at b = 1/10 the next b is 2/21, which expects 16.8 and 3.2."""
    b = CLOSED.estimate(CLOSED.expect(0.1, SEEN)[0])
    assert b == pytest.approx(2 / 21, abs=1e-15)
    assert CLOSED.expect(b, SEEN)[0][:2] == pytest.approx([16.8, 3.2], abs=1e-13)


@pytest.mark.parametrize("model", [CELLS, CLOSED], ids=["searched", "closed form"])
def test_the_stationary_point(model: HiddenCounts) -> None:
    """P.W40, P.M077: b = 0.094788, 16.8127 and 3.1873; four decimals stand within ten rounds."""
    answer = model.learn(SEEN, [[15.0, 5.0, 10.0, 10.0]], hidden=True)
    assert answer.settled
    assert round(float(answer.model), 6) == 0.094788
    assert answer.hidden.round(5).tolist() == [16.81271, 3.18729, 10.0, 10.0]
    few = model.learn(SEEN, [[15.0, 5.0, 10.0, 10.0]], hidden=True, max_iter=9)
    assert round(float(few.model), 4) == 0.0948


def test_the_same_point_from_every_start() -> None:
    """P.W41: b = 0, 1, 5, 12, 20 hidden counts all lead there, as do several parameters."""
    starts = [[20.0 - b, b, 10.0, 10.0] for b in (0.0, 1.0, 5.0, 12.0, 20.0)]
    answer = CLOSED.learn(SEEN, starts, hidden=True, tol=0.0)
    assert len(answer.restarts) == 4
    # heights of a maximum tell its place to the root of their own digits only
    assert [float(run.model) for run in answer.restarts] == pytest.approx([float(answer.model)] * 4, abs=1e-8)
    limits = []
    for hidden in starts:
        for _ in range(60):
            hidden = CLOSED.expect(CLOSED.estimate(hidden), SEEN)[0].tolist()
        limits.append(CLOSED.estimate(hidden))
    assert limits == pytest.approx([limits[0]] * 5, abs=1e-14)


def test_the_direct_maximum() -> None:
    """P.W42: the observed log-likelihood s ln(1/2 + b) + c ln(2b) + d ln(1/2 - 3b) has its maximum at the same b."""
    direct = minimize_scalar(
        lambda b: -(20 * np.log(0.5 + b) + 10 * np.log(2 * b) + 10 * np.log(0.5 - 3 * b)),
        bounds=(1e-9, 1 / 6 - 1e-9),
        method="bounded",
        options={"xatol": 1e-12},
    )
    b = float(CLOSED.learn(SEEN, tol=0.0).model)
    assert b == pytest.approx(float(direct.x), abs=1e-7)
    for _ in range(60):
        b = CLOSED.estimate(CLOSED.expect(b, SEEN)[0])
    assert 20 / (0.5 + b) + 10 / b - 30 / (0.5 - 3 * b) == pytest.approx(0.0, abs=1e-11)  # its slope


def test_any_steps_climb() -> None:
    """P.M078, C.M17.07: theta' maximises the expected log-likelihood; trace, settling and a start of hidden values."""
    heads, throws = np.array([9, 1, 8, 2, 7]), 10

    def expect(p: np.ndarray) -> tuple[np.ndarray, float]:
        logs = heads[:, None] * np.log(p) + (throws - heads[:, None]) * np.log1p(-p) - np.log(len(p))
        total = np.logaddexp.reduce(logs, axis=1)
        return np.exp(logs - total[:, None]), float(total.sum())

    def maximise(shares: np.ndarray) -> np.ndarray:
        return np.asarray((shares * heads[:, None]).sum(axis=0) / (throws * shares.sum(axis=0)))

    answer = em(expect, maximise, [np.array([0.6, 0.4])], tol=1e-13)
    assert answer.settled
    assert (np.diff(answer.trace) >= -1e-12).all()
    assert maximise(expect(answer.model)[0]) == pytest.approx(answer.model, abs=1e-6)  # stationary
    shares = np.array([[0.9, 0.1], [0.1, 0.9], [0.9, 0.1], [0.1, 0.9], [0.9, 0.1]])
    from_hidden = em(expect, maximise, [shares], hidden=True, tol=1e-13)
    assert from_hidden.model == pytest.approx(answer.model, abs=1e-6)
    local = em(expect, maximise, [np.array([0.5, 0.5]), np.array([0.6, 0.4])], tol=1e-13)  # the first cannot leave
    assert local.log_likelihood == pytest.approx(answer.log_likelihood, abs=1e-10)
    assert local.restarts[0].log_likelihood < local.log_likelihood - 1.0


def test_a_gaussian_mixture_in_one_dimension() -> None:
    """P.W43, P.M079, P.M080, C.M17.10: shares of a point midway, sums of shares, and a likelihood that never falls."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(-2.0, 1.0, 25), rng.normal(2.0, 0.7, 25)])[:, None]
    even = {"weights_init": [0.5, 0.5], "means_init": [[-1.0], [3.0]], "precisions_init": [1.0, 1.0]}
    start = GaussianMixture(2, covariance_type="spherical", max_iter=0, **even).fit(X)
    assert start.predict_proba([[1.0]])[0] == pytest.approx([0.5, 0.5], abs=1e-15)  # midway: 1/2 each
    shares = start.predict_proba(X)
    assert shares.sum() == pytest.approx(50.0, abs=1e-12)
    model = GaussianMixture(2, covariance_type="spherical", max_iter=1, reg_covar=0.0, **even)
    with pytest.warns(UserWarning, match="did not converge"):
        model.fit(X)
    sizes = shares.sum(axis=0)
    means = shares.T @ X / sizes[:, None]
    assert model.weights_ == pytest.approx(sizes / 50, abs=1e-14)
    assert model.means_ == pytest.approx(means, abs=1e-13)
    assert model.covariances_ == pytest.approx((shares * np.square(X - means.T)).sum(axis=0) / sizes, abs=1e-13)
    longer = GaussianMixture(2, covariance_type="spherical", max_iter=40, reg_covar=0.0, tol=0.0, **even)
    with pytest.warns(UserWarning, match="did not converge"):
        longer.fit(X)
    assert min(np.diff(longer.lower_bounds_)) > -1e-13  # a step of the mean over 50 rows
    assert len(longer.lower_bounds_) == 40


def test_boundaries_of_unequal_components_are_not_linear() -> None:
    """P.M081: new points are labelled by their shares; a narrow component inside a wide one is surrounded by it."""
    model = GaussianMixture(
        2,
        covariance_type="spherical",
        max_iter=0,
        weights_init=[0.5, 0.5],
        means_init=[[0.0, 0.0], [0.5, 0.0]],
        precisions_init=[1.0, 1 / 25],
    ).fit(np.random.default_rng(0).normal(size=(10, 2)))
    line = np.array([[x, 0.0] for x in (-9.0, 0.0, 9.0)])
    assert model.predict(line).tolist() == [1, 0, 1]


def test_restarts_and_the_trace() -> None:
    """P.M082: some starts end at a lower stationary point; the best is kept and every step is on record."""
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(c, 0.3, 20) for c in (-4.0, 0.0, 4.0)])[:, None]
    options = {"init_params": "random_from_data", "prior": 1.0, "tol": 1e-6, "max_iter": 500}
    ends = [GaussianMixture(3, random_state=seed, **options).fit(X).lower_bound_ for seed in range(4)]
    assert max(ends) - min(ends) > 0.05
    state = np.random.RandomState(0)
    alone = [GaussianMixture(3, random_state=state, **options).fit(X).lower_bound_ for _ in range(4)]
    best = GaussianMixture(3, n_init=4, random_state=np.random.RandomState(0), **options).fit(X)
    assert best.lower_bound_ == max(alone)
    assert len(best.lower_bounds_) == best.n_iter_
    assert (np.diff(best.lower_bounds_) >= -1e-12).all()
