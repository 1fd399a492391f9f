"""Support vector machines on the sources' rows: three points, four points over all of C, another road to each."""

from __future__ import annotations

from fractions import Fraction as F
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import SVC as TheirSVC

from suffice import SVC, BasicLinearClassifier, LeastSquaresClassifier, LinearRegression
from suffice.core.errors import BadInput
from suffice.margin import geometric_margin, margin_report
from suffice.margin.svc.margin_reading import INSIDE, ON, OUTSIDE
from tests.worked.exact_margin import exact_margin

THREE, SIDES3 = [[1, 2], [-1, 2], [-1, -2]], [-1, -1, 1]
FOUR, SIDES4 = [*THREE, [3, 1]], [*SIDES3, 1]
PATH = [F(k, 160) for k in (1, 5, 8, 12, 15, 16, 17, 20, 24, 29, 30, 31, 36, 40, 48, 50, 51, 64, 79, 80, 81, 160, 3200)]


def fitted(X: Any = FOUR, y: Any = SIDES4, C: float = np.inf, **options: Any) -> SVC:
    return SVC(**{"kernel": "linear", "C": C, "tol": 1e-10, **options}).fit(X, y)


def multipliers(model: SVC, n: int) -> Any:
    alpha = np.zeros(n)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    return alpha


def test_three_points() -> None:
    """G.N23, G.N24, G.N25, G.G043, G.G044, G.G045, G.G046, G.G047: Gram matrices, reduced dual, optimum; x1 is on the
    margin without being a support vector."""
    X, y = np.array(THREE), np.array(SIDES3)
    assert (X @ X.T).tolist() == [[5, 3, -5], [3, 5, -3], [-5, -3, 5]]
    signed = X * y[:, None]
    Q = signed @ signed.T
    assert Q.tolist() == [[5, 3, 5], [3, 5, 3], [5, 3, 5]]
    ways = np.array([[1, 0], [0, 1], [1, 1]])  # a3 = a1 + a2, from sum alpha y = 0
    assert (ways.T @ Q @ ways).tolist() == [[20, 16], [16, 16]]
    assert np.linalg.solve([[20, 16], [16, 16]], [2, 2]).tolist() == pytest.approx([0, 1 / 8], abs=1e-15)

    model = fitted(X, y)
    alpha = multipliers(model, 3)
    np.testing.assert_allclose(alpha, [0, 1 / 8, 1 / 8], atol=1e-12)
    assert alpha @ y == pytest.approx(0, abs=1e-15)
    np.testing.assert_allclose(model.coef_, [(alpha * y) @ X], atol=1e-15)
    np.testing.assert_allclose(model.coef_, [[0, -1 / 2]], atol=1e-12)
    np.testing.assert_allclose(
        [*model.intercept_, *model.margin_width_, *model.dual_objective_], [0, 2, 1 / 8], atol=1e-12
    )
    report = margin_report(model, X, y)
    np.testing.assert_allclose(report.margin, [1, 1, 1], atol=1e-12)
    assert model.support_.tolist() == [1, 2]
    assert report.place[0] == ON
    np.testing.assert_allclose(X[model.support_] @ model.coef_[0] - y[model.support_], 0, atol=1e-12)  # t from any


def test_four_points_hard_margin() -> None:
    """G.N26, G.G040, G.G041, G.G042: multipliers, margins of the examples, balanced class margins, width 1/norm(w)."""
    X, y = np.array(FOUR), np.array(SIDES4)
    signed = X * y[:, None]
    assert (signed @ signed.T).tolist() == [[5, 3, 5, -5], [3, 5, 3, 1], [5, 3, 5, -5], [-5, 1, -5, 10]]
    model = fitted()
    np.testing.assert_allclose(multipliers(model, 4), [1 / 2, 0, 1 / 10, 2 / 5], atol=1e-12)
    np.testing.assert_allclose(model.coef_, [[3 / 5, -4 / 5]], atol=1e-12)
    np.testing.assert_allclose(
        [*model.intercept_, *model.dual_objective_, *model.margin_width_], [0, 1 / 2, 1], atol=1e-12
    )
    report = margin_report(model, X, y)
    np.testing.assert_allclose(report.margin, [1, 11 / 5, 1, 1], atol=1e-12)
    assert report.place.tolist() == [ON, OUTSIDE, ON, ON]
    assert report.class_margins == pytest.approx((1, 1), abs=1e-12)
    assert report.balanced_threshold == pytest.approx(report.threshold, abs=1e-12)
    assert report.width == pytest.approx(1 / np.linalg.norm(model.coef_), rel=1e-12)
    for t in (-0.5, 0.25):  # m+ + m- stays; t balances them
        margins = y * (X @ model.coef_[0] - t)
        plus, minus = margins[y > 0].min(), margins[y < 0].min()
        assert plus + minus == pytest.approx(2, abs=1e-12)
        assert t + 0.5 * (plus - minus) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("C", PATH, ids=str)
def test_four_points_over_all_of_C(C: F) -> None:
    """G.N28, G.N30, G.N31, G.N33, G.G048, G.G050, G.G054: multipliers, w, thresholds and slacks as exact rationals."""
    exact = exact_margin(FOUR, SIDES4, C)
    model = fitted(C=float(C))
    np.testing.assert_allclose(multipliers(model, 4), np.array(exact.alpha, dtype=float), atol=1e-8)
    np.testing.assert_allclose(model.coef_[0], np.array(exact.w, dtype=float), atol=1e-8)
    np.testing.assert_allclose(-model.intercept_[0], float(sum(exact.thresholds) / 2), atol=1e-8)
    np.testing.assert_allclose(model.threshold_interval_[0], [float(t) for t in exact.thresholds], atol=1e-8)
    report = margin_report(model, FOUR, SIDES4)
    np.testing.assert_allclose(report.slack, np.array(exact.slack, dtype=float), atol=1e-8)
    assert report.primal_objective == pytest.approx(report.dual_objective, abs=1e-8)


@pytest.mark.parametrize("C", PATH, ids=str)
def test_the_regimes_of_the_path(C: F) -> None:
    """G.N28, G.N30, G.N31, G.N33: the exact optimum has the closed forms of its regime."""
    exact = exact_margin(FOUR, SIDES4, C)
    t = sum(exact.thresholds) / 2
    if F(1, 2) <= C:
        expected = [F(1, 2), 0, F(1, 10), F(2, 5)], [F(3, 5), F(-4, 5)], F(0)
    elif F(5, 16) <= C:
        expected = [C, 0, C / 5, 4 * C / 5], [C * F(6, 5), C * F(-8, 5)], 2 * C - 1
    elif F(3, 16) <= C:
        second, last = (F(25, 32) - C * F(5, 2)) / 4, F(3, 32) + C / 2
        expected = [C, second, C + second - last, last], [F(3, 8), F(-1, 2)], F(-3, 8)
    elif F(1, 10) <= C:
        a = (F(1, 2) - C) / 4
        expected = [C, a, a, C], [2 * C, F(-1, 2)], -2 * C
    else:
        expected = [C] * 4, [2 * C, -5 * C], -2 * C
        assert exact.thresholds == (8 * C - 1, 1 - 12 * C)
    assert (exact.alpha, exact.w, t) == expected


def test_wider_margins_come_from_smaller_C() -> None:
    """G.N27, G.E04, G.G049: margins 1, 1.6, 1.857, 3.714 as C falls from 1/2 to 1/20."""
    widths = [float(fitted(C=C).margin_width_[0]) for C in (1 / 2, 5 / 16, 1 / 10, 1 / 20)]
    assert widths == pytest.approx([1, 1.6, 10 / sqrt(29), 20 / sqrt(29)], abs=1e-9)
    assert np.round(widths, 3).tolist() == [1.0, 1.6, 1.857, 3.714]
    assert (np.diff(widths) > 0).all()


def test_more_margin_errors_need_more_support_vectors() -> None:
    """G.N27b, G.E05: non-zero multipliers are 3, 3, 4, 4 as C falls through 1/2, 5/16, 1/4, 1/10."""
    assert [len(fitted(C=C).support_) for C in (1 / 2, 5 / 16, 1 / 4, 1 / 10)] == [3, 3, 4, 4]


def test_the_threshold_at_five_sixteenths() -> None:
    """G.N29, G.E17: t = -3/8 under w.x - t; with 3/8 the slacks would be another row's."""
    model = fitted(C=5 / 16)
    np.testing.assert_allclose(multipliers(model, 4), [5 / 16, 0, 1 / 16, 1 / 4], atol=1e-9)
    np.testing.assert_allclose(model.coef_[0], [3 / 8, -1 / 2], atol=1e-9)
    np.testing.assert_allclose(-model.intercept_, [-3 / 8], atol=1e-9)
    np.testing.assert_allclose([*model.margin_width_, *model.dual_objective_], [1.6, 55 / 128], atol=1e-9)
    np.testing.assert_allclose(margin_report(model, FOUR, SIDES4).slack, [6 / 8, 0, 0, 0], atol=1e-9)
    misread = np.maximum(0, 1 - np.array(SIDES4) * (np.array(FOUR) @ model.coef_[0] - 3 / 8))
    np.testing.assert_allclose(misread, [0, 0, 3 / 4, 3 / 4], atol=1e-9)


def test_the_boundary_rests_until_three_sixteenths() -> None:
    """G.N30, G.E18: w and t do not move between 3/16 and 5/16, and rotate below."""
    for C in (5 / 16, 0.3, 1 / 4, 0.2, 3 / 16):
        model = fitted(C=C)
        np.testing.assert_allclose([*model.coef_[0], *model.intercept_], [3 / 8, -1 / 2, 3 / 8], atol=1e-9)
    np.testing.assert_allclose(fitted(C=0.15).coef_[0], [3 / 10, -1 / 2], atol=1e-9)
    np.testing.assert_allclose(multipliers(fitted(C=1 / 4), 4), [1 / 4, 5 / 128, 9 / 128, 7 / 32], atol=1e-9)


def test_rows_at_the_bound_with_no_slack() -> None:
    """G.N32, G.N31, G.G051, G.G052, G.E24: at C = 1/10 every alpha is C, yet x2 and x3 lie on the margin."""
    model = fitted(C=1 / 10)
    np.testing.assert_allclose(multipliers(model, 4), [0.1] * 4, atol=1e-9)
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], [1 / 5, -1 / 2, 1 / 5], atol=1e-9)
    np.testing.assert_allclose([*model.margin_width_, *model.dual_objective_], [1.8570, 51 / 200], atol=5e-5)
    report = margin_report(model, FOUR, SIDES4)
    np.testing.assert_allclose(report.slack, [4 / 10, 0, 0, 7 / 10], atol=1e-9)
    assert report.place.tolist() == [INSIDE, ON, ON, INSIDE]
    assert report.margin_errors.tolist() == [0, 3]
    assert report.errors.tolist() == []
    np.testing.assert_allclose(report.slack, np.maximum(0, 1 - report.margin), atol=0)  # hinge loss
    z = np.array(SIDES4) * model.decision_function(FOUR)  # the constraint carries y_i
    assert (z >= 1 - report.slack - 1e-12).all()
    middle = margin_report(fitted(C=3 / 20), FOUR, SIDES4)
    np.testing.assert_allclose(middle.slack, [3 / 5, 0, 0, 3 / 10], atol=1e-9)
    assert (middle.free.tolist(), middle.bounded.tolist()) == ([1, 2], [0, 3])


@pytest.mark.parametrize("C", [0.09, 0.05, 0.001])
def test_below_a_tenth_the_threshold_is_an_interval(C: float) -> None:
    """G.N33, G.E19, C.M10.02: no free row; every t in [8C - 1, 1 - 12C] is optimal, the middle -2C is taken."""
    model = fitted(C=C)
    np.testing.assert_allclose(model.coef_[0], [2 * C, -5 * C], atol=1e-12)
    np.testing.assert_allclose(model.threshold_interval_, [[8 * C - 1, 1 - 12 * C]], atol=1e-12)
    np.testing.assert_allclose(model.intercept_, [2 * C], atol=1e-12)
    X, y, w = np.array(FOUR), np.array(SIDES4), model.coef_[0]
    costs = [np.maximum(0, 1 - y * (X @ w - t)).sum() for t in np.linspace(*model.threshold_interval_[0], 7)]
    np.testing.assert_allclose(costs, costs[0], rtol=1e-12)
    beyond = [np.maximum(0, 1 - y * (X @ w - t)).sum() for t in (8 * C - 1.1, 1.1 - 12 * C)]
    assert min(beyond) > costs[0] + 0.05


def test_small_C_is_the_basic_linear_classifier_only_for_equal_classes() -> None:
    """G.N34, G.N35, G.E05, G.G053: all alpha = C if Pos = Neg, parallel to the means; else the larger class shares."""
    few = fitted(C=0.01)
    np.testing.assert_allclose(multipliers(few, 4), [0.01] * 4, atol=1e-14)
    basic = BasicLinearClassifier().fit(FOUR, SIDES4)
    np.testing.assert_allclose([*basic.coef_[0], *basic.intercept_], [1, -2.5, 1.375], atol=1e-12)
    np.testing.assert_allclose(few.coef_[0] / few.coef_[0, 0], basic.coef_[0], atol=1e-12)
    tenth = fitted(C=0.1)
    assert -tenth.intercept_[0] / tenth.coef_[0, 0] == pytest.approx(-1.0, abs=1e-9)  # of the means: -1.375

    five = SVC(kernel="linear", C=0.001, tol=1e-12).fit([*FOUR, [4, 3]], [*SIDES4, 1])
    np.testing.assert_allclose(multipliers(five, 5) / 0.001, [1, 1, 1, 0, 1], atol=1e-9)
    assert exact_margin([*FOUR, [4, 3]], [*SIDES4, 1], F(1, 1000)).alpha == [F(1, 1000)] * 3 + [0, F(1, 1000)]


def test_the_least_squares_classifier_of_the_four_points() -> None:
    """G.N35b: another boundary for the same rows, w = (0.367925, -0.584906), t = -0.254717."""
    model = LeastSquaresClassifier().fit(FOUR, SIDES4)
    np.testing.assert_allclose([*model.coef_[0], *-model.intercept_], [0.367925, -0.584906, -0.254717], atol=5e-7)


def test_a_hard_margin_needs_classes_that_can_be_told_apart() -> None:
    """C.M09.04, C.M09.06, G.G043, G.G045: overlapping classes have no hard margin, and the fit says so."""
    with pytest.raises(
        BadInput, match="SVC: the classes must be separable by the kernel where C is infinite, got rows"
    ):
        fitted([*FOUR, [1, 2]], [*SIDES4, 1])


def test_signed_distance_and_margin() -> None:
    """C.M09.02: least signed distance, the rows that attain it, and no change with the length of w."""
    model = fitted()
    for scale in (1.0, 7.5, 1e-6):
        found = geometric_margin(FOUR, SIDES4, scale * model.coef_[0], -scale * model.intercept_[0])
        assert found.width == pytest.approx(1.0, abs=1e-12)
        assert found.nearest.tolist() == [0, 2, 3]
        np.testing.assert_allclose(found.distance, [1, 11 / 5, 1, 1], atol=1e-12)


def test_climbing_the_margin_itself_stops_short() -> None:
    """C.M09.03: the least distance has a kink at its maximum, where a gradient method gives up below the optimum."""
    X, y = np.array(FOUR, dtype=float), np.array(SIDES4)

    def loss(v: Any) -> float:
        return -float((y * (X @ v[:2] + v[2])).min() / np.linalg.norm(v[:2]))

    model = fitted()
    best = np.append(model.coef_[0], model.intercept_)
    assert loss(best) == pytest.approx(-1, abs=1e-12)
    step = 1e-6 * np.array([0.8, 0.6, 0.0])  # along the boundary: the derivative jumps from one side to the other
    right, left = (loss(best + step) - loss(best)) / 1e-6, (loss(best) - loss(best - step)) / 1e-6
    assert right - left > 0.5
    short = [minimize(loss, start, method="BFGS").fun for start in ([1.0, -0.2, 0.5], [0.3, -1.0, -0.4])]
    assert min(short) >= -1 - 1e-12
    assert max(short) > -0.999


def test_a_lagrange_multiplier() -> None:
    """C.M09.05, C.W26: max 1 - x^2 - y^2 with x - y = 1 is at (1/2, -1/2), multiplier 1, value 1/2.

    The same optimum as the shortest coefficients that meet one equation, and as the widest margin between (1, -1) and
    its mirror image, whose multipliers are those of half the square: together half of that of the square.
    """
    shortest = LinearRegression(fit_intercept=False).fit([[1.0, -1.0]], [1.0]).coef_
    np.testing.assert_allclose(shortest, [0.5, -0.5], rtol=1e-14)
    assert 1 - shortest @ shortest == pytest.approx(0.5, rel=1e-14)
    np.testing.assert_allclose(2 * shortest, 1.0 * np.array([1, -1]), rtol=1e-14)  # gradients, by the multiplier 1
    model = fitted([[1, -1], [-1, 1]], [1, -1])
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], [0.5, -0.5, 0.0], atol=1e-12)
    np.testing.assert_allclose(multipliers(model, 2), [0.25, 0.25], atol=1e-12)
    assert 2 * multipliers(model, 2).sum() == pytest.approx(1.0, abs=1e-12)
    report = margin_report(model, [[1, -1], [-1, 1]], [1, -1])
    assert 1 - 2 * report.primal_objective == pytest.approx(0.5, abs=1e-12)
    assert 1 - 2 * report.dual_objective == pytest.approx(0.5, abs=1e-12)


def soft_dual(K: Any, y: Any, C: float) -> Any:
    """The dual by sequential least squares."""
    H = K * np.outer(y, y)
    found = minimize(
        lambda a: 0.5 * a @ H @ a - a.sum(),
        np.full(len(y), 0.1),
        jac=lambda a: H @ a - 1,
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: y @ a, "jac": lambda a: y},
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-13},
    )
    return found.x


def two_clouds() -> tuple[Any, Any]:
    r = np.random.RandomState(3)
    X = np.r_[r.normal(-0.6, 1, (18, 2)), r.normal(0.9, 0.6, (18, 2))]
    return X, np.r_[-np.ones(18), np.ones(18)]


def test_the_soft_margin_by_another_road() -> None:
    """C.R14, C.M09.06, C.M09.07, C.M10.01, C.M10.02, C.E30: SLSQP agrees; w0 is averaged over free vectors only."""
    X, y = two_clouds()
    alpha = soft_dual(X @ X.T, y, 1.0)  # entry n, m of H is y_n y_m x_n.x_m, not a sum
    model = fitted(X, y, C=1.0)
    ours = multipliers(model, 36)
    np.testing.assert_allclose(alpha, ours, atol=2e-5)
    np.testing.assert_allclose((alpha * y) @ X, model.coef_[0], atol=1e-5)
    free, vectors = (ours > 0) & (ours < 1), ours > 0.001
    w = model.coef_[0]
    assert np.mean(y[free] - X[free] @ w) == pytest.approx(model.intercept_[0], abs=1e-9)
    assert model.intercept_[0] == pytest.approx(0.1487, abs=5e-5)
    assert np.mean(y[vectors] - X[vectors] @ w) == pytest.approx(-0.3515, abs=5e-4)
    report = margin_report(model, X, y)
    assert ((report.slack > 1) == (report.margin < 0)).all()
    assert (ours[report.slack > 1e-9] == 1.0).all()
    assert report.primal_objective == pytest.approx(report.dual_objective, abs=1e-9)
    theirs = TheirSVC(C=1.0, kernel="linear", tol=1e-8).fit(X, y)
    np.testing.assert_allclose(theirs.coef_, model.coef_, atol=1e-5)  # theirs keeps kernel values in single precision


def test_hard_margin_by_another_road() -> None:
    """C.M09.04, C.M09.06, C.M09.07: the hard-margin dual by SLSQP on rows that can be told apart."""
    X, y = two_clouds()
    X = X + 2.5 * y[:, None]
    model = fitted(X, y)
    alpha = soft_dual(X @ X.T, y, 1e6)
    np.testing.assert_allclose((alpha * y) @ X, model.coef_[0], atol=1e-5)
    vectors = alpha > 0.001
    assert np.flatnonzero(vectors).tolist() == sorted(model.support_.tolist())
    assert np.mean(y[vectors] - X[vectors] @ model.coef_[0]) == pytest.approx(model.intercept_[0], abs=1e-5)
    assert (y * model.decision_function(X)).min() == pytest.approx(1, abs=1e-9)


def test_slacks_have_multipliers_of_their_own() -> None:
    """C.E29: C - alpha - mu = 0 with mu >= 0 and mu xi = 0; no C stands before the constraints."""
    X, y = two_clouds()
    model = fitted(X, y, C=0.7)
    report = margin_report(model, X, y)
    mu = 0.7 - multipliers(model, 36)
    assert (mu >= 0).all()
    np.testing.assert_allclose(mu * report.slack, 0, atol=1e-9)
    np.testing.assert_allclose(multipliers(model, 36) * (report.margin - 1 + report.slack), 0, atol=1e-9)


def test_the_kernel_decision_needs_its_threshold() -> None:
    """C.E05, G.E09, C.M10.03, C.M10.06: sum alpha y k(x_i, x) + w0; without w0 a part of new points changes sides."""
    r = np.random.RandomState(3)
    r.normal(-0.6, 1, (18, 2)), r.normal(0.9, 0.6, (18, 2))
    X = np.r_[r.normal(0, 0.5, (6, 2)), r.normal(0, 0.5, (30, 2)) + np.array([3, 0])]
    y = np.r_[-np.ones(6), np.ones(30)]
    model = SVC(C=1.0, gamma=2.0, tol=1e-9).fit(X, y)
    new = r.uniform([-1.5, -1.5], [4.5, 1.5], (2000, 2))
    K = np.exp(-2.0 * ((new[:, None] - X) ** 2).sum(axis=2))
    beta = np.zeros(36)
    beta[model.support_] = model.dual_coef_[0]
    np.testing.assert_allclose(K @ beta + model.intercept_, model.decision_function(new), atol=1e-12)
    theirs = TheirSVC(C=1.0, gamma=2.0, tol=1e-9).fit(X, y).predict(new)
    assert np.mean(np.sign(K @ beta + model.intercept_) == theirs) == 1.0
    assert np.mean(np.sign(K @ beta) == theirs) == pytest.approx(0.877, abs=5e-4)


def test_kernels_as_inner_products() -> None:
    """G.N40, G.N41, G.N42, C.W28, C.M10.04, C.M10.05, C.M10.07, C.E30: maps of u and of v, not of u twice."""
    from suffice.spaces import PolynomialKernel, RbfKernel, monomial_map, quadratic_map

    rng = np.random.default_rng(4)
    u, v = rng.normal(size=(2, 1, 2))
    dot = float(u[0] @ v[0])
    assert float(monomial_map(u)[0] @ monomial_map(v)[0]) == pytest.approx(dot**2, rel=1e-12)
    assert float(quadratic_map(u)[0] @ quadratic_map(v)[0]) == pytest.approx((dot + 1) ** 2, rel=1e-12)
    assert PolynomialKernel(2).between(u, v)[0, 0] == pytest.approx((dot + 1) ** 2, rel=1e-14)
    ones = np.ones((1, 1))
    homogeneous = PolynomialKernel(2, 1.0, 0.0).between(np.hstack([ones, u]), np.hstack([ones, v]))
    assert homogeneous[0, 0] == pytest.approx((dot + 1) ** 2, rel=1e-14)
    X = rng.normal(size=(30, 2))
    K = RbfKernel.of_width(0.8).between(X)
    assert (np.diagonal(K) == 1).all()
    assert np.linalg.eigvalsh(K).min() > -1e-12
    far = ((X[:, None] - X) ** 2).sum(axis=2)
    np.testing.assert_allclose(K, np.exp(-far / (2 * 0.8**2)), rtol=1e-12)


def test_a_map_and_its_kernel_are_one_machine() -> None:
    """C.M10.03, C.M10.04, C.M10.05: the linear machine on the six columns is the machine of (u.v + 1)^2."""
    from suffice.spaces import PolynomialKernel, quadratic_map

    X, y = two_clouds()
    by_kernel = SVC(C=2.0, kernel=PolynomialKernel(2), tol=1e-10).fit(X, y)
    by_map = SVC(C=2.0, kernel="linear", tol=1e-10).fit(quadratic_map(X), y)
    np.testing.assert_allclose(by_kernel.decision_function(X), by_map.decision_function(quadratic_map(X)), atol=1e-8)
    with pytest.raises(AttributeError, match="coef_ is there with a linear kernel"):
        by_kernel.coef_
