"""Worked numbers of perceptrons: primal, dual, kernel, regression, threshold; corrected where a source errs."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from suffice import BasicLinearClassifier, KernelPerceptron, Perceptron, PerceptronRegressor
from suffice.datasets import load_or, load_xor
from suffice.margin import mistake_bound
from suffice.spaces import LinearKernel, PolynomialKernel, RbfKernel, monomial_map, quadratic_map

FOUR, SIGNS = np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0], [3.0, 1.0]]), [-1, -1, 1, 1]
RINGS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1], [3, 0], [0, 3], [-3, 0], [0, -3]], dtype=float)
INNER = [1, 1, 1, 1, -1, -1, -1, -1]
CLASSICAL: dict[str, Any] = {"stop": "mistakes", "shuffle": False}


def exact(
    rows: Any, signs: Sequence[int], rate: Fraction = Fraction(1), start: Any = (0, 0, 0), strict: bool = False
) -> tuple[list[Fraction], list[int], int | None]:
    """Weights (b, w), mistakes on each row and sweeps, in exact rationals."""
    homogeneous = [[Fraction(1), *(Fraction(x) for x in row)] for row in rows]
    w, alpha = [Fraction(x) for x in start], [0] * len(homogeneous)
    for sweeps in range(1, 1000):
        clean = True
        for i, (row, sign) in enumerate(zip(homogeneous, signs, strict=True)):
            z = sign * sum(a * x for a, x in zip(w, row, strict=True))
            if z < 0 if strict else z <= 0:
                w = [a + rate * sign * x for a, x in zip(w, row, strict=True)]
                alpha[i] += 1
                clean = False
        if clean:
            return w, alpha, sweeps
    return w, alpha, None


def weights(model: Any) -> list[float]:
    return [float(model.intercept_[0]), *model.coef_[0].tolist()]


@pytest.mark.parametrize("rate", [Fraction(1, 5), Fraction(1, 2), Fraction(1)])
def test_from_zero_the_rate_only_scales_the_weights(rate: Fraction) -> None:
    """G.N20, G.G030, G.G031: four points, 4 sweeps, 5 mistakes, (b, w) = rate (-1, 3, -4)."""
    w, alpha, sweeps = exact(FOUR, SIGNS, rate)
    assert (w, alpha, sweeps) == ([-rate, 3 * rate, -4 * rate], [3, 0, 0, 2], 4)
    model = Perceptron(eta0=float(rate), **CLASSICAL).fit(FOUR, SIGNS)
    np.testing.assert_allclose(weights(model), [float(a) for a in w], rtol=1e-12)
    assert (model.mistakes_.tolist(), model.n_iter_, model.converged_) == ([5], 4, True)
    assert model.predict(FOUR).tolist() == SIGNS


def test_from_another_start_the_rate_changes_the_path() -> None:
    """G.G031: from given weights, rates make other mistakes and end elsewhere, as exact rationals say."""
    start, paths = (-1, 2, 3), []
    for rate in (Fraction(1, 5), Fraction(1, 2), Fraction(1)):
        w, alpha, sweeps = exact(FOUR, SIGNS, rate, start)
        model = Perceptron(eta0=float(rate), **CLASSICAL)
        model.fit(FOUR, SIGNS, coef_init=start[1:], intercept_init=start[0])
        np.testing.assert_allclose(weights(model), [float(a) for a in w], rtol=1e-12, atol=1e-12)
        assert (model.mistakes_.tolist(), model.n_iter_) == ([sum(alpha)], sweeps)
        paths.append(sum(alpha))
    assert len(set(paths)) > 1


def test_where_to_begin() -> None:
    """G.G032: zero, the basic linear classifier (which makes no mistake on the four points), or given weights."""
    basic = BasicLinearClassifier().fit(FOUR, SIGNS)
    means = Perceptron(start="means", **CLASSICAL).fit(FOUR, SIGNS)
    np.testing.assert_allclose(weights(means), [basic.intercept_[0], *basic.coef_[0]], rtol=1e-12)
    assert (means.mistakes_.tolist(), means.n_iter_) == ([0], 1)
    given = Perceptron(**CLASSICAL).fit(FOUR, SIGNS, coef_init=basic.coef_, intercept_init=basic.intercept_)
    assert weights(given) == pytest.approx(weights(means), rel=1e-12)
    assert Perceptron(start="zero", **CLASSICAL).fit(FOUR, SIGNS).mistakes_.tolist() == [5]


def test_one_example_at_a_time() -> None:
    """G.G033: a row that is right leaves the weights alone, one that is wrong moves them; four rounds as in G.N20."""
    model, w = Perceptron(), np.zeros(3)
    for row, sign in 4 * list(zip(FOUR, SIGNS, strict=True)):
        wrong = sign * (w @ [1.0, *row]) <= 0
        w = w + wrong * sign * np.array([1.0, *row])
        model.partial_fit([row], [sign], classes=[-1, 1])
        assert weights(model) == w.tolist()
    assert weights(model) == [-1.0, 3.0, -4.0]
    settled = model.coef_.copy()
    model.partial_fit(FOUR, SIGNS)
    assert model.coef_.tolist() == settled.tolist()


def test_separable_rows_take_no_more_mistakes_than_novikoff_allows() -> None:
    """G.G034: (R / gamma)^2 for every order of the four points; R^2 = 11, gamma^2 = 16 / 26 for (-1, 3, -4)."""
    bound = Fraction(11) * 26 / 16
    assert mistake_bound(FOUR, SIGNS, [3.0, -4.0], -1.0) == float(bound)
    for order in itertools.permutations(range(4)):
        rows, signs = FOUR[list(order)], [SIGNS[i] for i in order]
        model = Perceptron(**CLASSICAL).fit(rows, signs)
        assert model.mistakes_[0] == sum(exact(rows, signs)[1]) <= bound
    with pytest.warns(ConvergenceWarning, match="sweeps still made mistakes"):
        Perceptron(max_iter=50, **CLASSICAL).fit(*load_xor())


def test_the_dual_form_counts_the_mistakes_of_the_primal_one() -> None:
    """G.N20b, G.G035, G.G037: alpha = (3, 0, 0, 2); w = sum alpha y x; rows never wrong can be deleted."""
    dual = KernelPerceptron("linear", shuffle=False).fit(FOUR, SIGNS)
    primal = Perceptron(**CLASSICAL).fit(FOUR, SIGNS)
    assert dual.alpha_.tolist() == [[3, 0, 0, 2]] == [exact(FOUR, SIGNS)[1]]
    assert weights(dual) == weights(primal) == [-1.0, 3.0, -4.0]
    decided = [sum(a * y * (1 + x @ z) for a, y, x in zip((3, 0, 0, 2), SIGNS, FOUR, strict=True)) for z in FOUR]
    assert dual.decision_function(FOUR).tolist() == decided
    fewer = KernelPerceptron("linear", shuffle=False).fit(FOUR[[0, 3]], [-1, 1])
    assert weights(fewer) == weights(dual)


def test_three_points() -> None:
    """G.N20c: (b, w) = (-1, -1, -2), alpha = (1, 0, 0), two sweeps."""
    assert exact(FOUR[:3], SIGNS[:3]) == ([-1, -1, -2], [1, 0, 0], 2)
    model = Perceptron(**CLASSICAL).fit(FOUR[:3], SIGNS[:3])
    assert (weights(model), model.n_iter_) == ([-1.0, -1.0, -2.0], 2)
    assert KernelPerceptron("linear", shuffle=False).fit(FOUR[:3], SIGNS[:3]).alpha_.tolist() == [[1, 0, 0]]


def test_the_mistake_rule_is_not_strict() -> None:
    """G.N20d: with y w.x < 0 nothing is ever wrong from w = 0, and it ends at once with w = 0."""
    assert exact(FOUR, SIGNS, strict=True) == ([0, 0, 0], [0, 0, 0, 0], 1)
    model = Perceptron(max_iter=1, tol=None, shuffle=False).fit(FOUR, SIGNS)
    assert model.mistakes_[0] > 0
    assert np.any(model.coef_)


def test_the_basic_linear_classifier_in_dual_form() -> None:
    """G.N21, G.G036: alpha = 1/Pos and 1/Neg give w = (1, -2.5), t = -1.375, as the means do."""
    alpha, signs = np.array([0.5, 0.5, 0.5, 0.5]), np.array(SIGNS)
    basic = BasicLinearClassifier().fit(FOUR, SIGNS)
    assert ((alpha * signs) @ FOUR).tolist() == basic.coef_[0].tolist() == [1.0, -2.5]
    assert -basic.intercept_[0] == -1.375
    assert basic.dual_coef(SIGNS).tolist() == [[0.5, 0.0], [0.5, 0.0], [0.0, 0.5], [0.0, 0.5]]
    K = LinearKernel().between(FOUR)
    dual = K @ (alpha * signs) + 1.375
    np.testing.assert_allclose(dual, basic.decision_function(FOUR), rtol=1e-14)


def test_means_can_fail_where_a_perceptron_separates() -> None:
    """G.N21b: (1, 0) lies on the wrong side of the bisector of the means."""
    rows, signs = np.array([[-1.0, 0.0], [1.0, 0.0], [30.0, 0.0], [30.0, 1.0]]), [-1, 1, 1, 1]
    assert BasicLinearClassifier().fit(rows, signs).predict(rows).tolist() == [-1, -1, 1, 1]
    for start in ("zero", "means"):
        model = Perceptron(start=start, **CLASSICAL).fit(rows, signs)
        assert model.predict(rows).tolist() == signs


def test_regression_moves_along_the_residual_not_its_square() -> None:
    """G.N22, erratum G.E03, G.G038: squares raise the intercept to 9, 109, 9910, ...; residuals end at (-1, 2)."""
    rows, y = [[-1.0], [0.0], [1.0]], [-3.0, -1.0, 1.0]
    w, b, printed = Fraction(0), Fraction(0), []
    for x, target in [(-1, -3), (0, -1), (1, 1)]:
        c = (target - w * x - b) ** 2
        w, b = w + c * x, b + c
        printed.append(int(b))
    assert printed == [9, 109, 9910]
    model = PerceptronRegressor(eta0=0.1, max_iter=400, shuffle=False).fit(rows, y)
    np.testing.assert_allclose([model.intercept_, *model.coef_], [-1.0, 2.0], rtol=1e-10)
    a, slope = Fraction(0), Fraction(0)
    for x, target in [(-1, -3), (0, -1), (1, 1)]:
        e = Fraction(1, 10) * (target - slope * x - a)
        a, slope = a + e, slope + e * x
    once = PerceptronRegressor(eta0=0.1, max_iter=1, shuffle=False).fit(rows, y)
    np.testing.assert_allclose([once.intercept_, *once.coef_], [float(a), float(slope)], rtol=1e-14)
    with pytest.raises(ValueError, match="Lower eta0"):
        PerceptronRegressor(eta0=2.5, max_iter=1000, shuffle=False).fit(rows, y)  # a large rate diverges


def test_regression_until_the_squared_residuals_are_small() -> None:
    """G.G039: sweeps end at the first sum of squared residuals under the bound, or say that it was not reached."""
    rows, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-3.0, -1.0, 1.0])
    sums = []
    for sweeps in range(1, 60):
        model = PerceptronRegressor(eta0=0.1, max_iter=sweeps, shuffle=False).fit(rows, y)
        sums.append(((y - model.intercept_ - rows @ model.coef_) ** 2).sum())
    stopped = PerceptronRegressor(eta0=0.1, bound=1e-3, max_iter=60, shuffle=False).fit(rows, y)
    assert stopped.n_iter_ == 1 + next(i for i, left in enumerate(sums) if left < 1e-3)
    with pytest.warns(ConvergenceWarning, match="not under the bound"):
        PerceptronRegressor(eta0=0.1, bound=1e-3, max_iter=2, shuffle=False).fit(rows, y)


def test_threshold_outputs_learn_or() -> None:
    """C.M08.01, C.M08.06, C.R09: output 1 where w.x + w0 > 0; w_i += eta (t - o) x_i; OR is learned in 4 epochs."""
    rng = np.random.RandomState(0)
    X, t = load_or()
    w, epochs = rng.uniform(-0.05, 0.05, 3), 0
    model: Perceptron | None = None
    while True:  # the same steps by hand and by ours, epoch for epoch in an order of its own
        epochs, order = epochs + 1, rng.permutation(4)
        if model is None:
            model = Perceptron(eta0=0.1, boundary="first", shuffle=False, max_iter=1, tol=None)
            model.fit(X[order], t[order], coef_init=w[:2], intercept_init=w[2])
            made = model.mistakes_[0]
        else:
            before = model.mistakes_[0]
            made = model.partial_fit(X[order], t[order]).mistakes_[0] - before
        wrong = 0
        for i in order:
            output = float(np.append(X[i], 1.0) @ w > 0)
            wrong += output != t[i]
            w = w + 0.1 * (t[i] - output) * np.append(X[i], 1.0)
        np.testing.assert_allclose([*model.coef_[0], model.intercept_[0]], w, rtol=1e-12, atol=1e-14)
        assert made == wrong
        if wrong == 0:
            break
    assert epochs == 4
    assert model.predict(X).tolist() == [0, 1, 1, 1]


def test_threshold_outputs_never_settle_on_xor() -> None:
    """C.M08.01, C.M08.06, C.R09: not in 200 epochs; nor could any weights: the four sides contradict one another."""
    X, t = load_xor()
    with pytest.warns(ConvergenceWarning, match="the last of 200 sweeps still made mistakes"):
        model = Perceptron(eta0=0.1, boundary="first", stop="mistakes", max_iter=200).fit(X, t)
    assert not model.converged_
    # w0 <= 0, w2 + w0 > 0, w1 + w0 > 0, w1 + w2 + w0 <= 0: the middle two and the outer two have the same sum
    rows = np.column_stack([X, np.ones(4)])
    assert ((rows[1] + rows[2]) - (rows[0] + rows[3])).tolist() == [0.0, 0.0, 0.0]


def test_at_a_score_of_0_the_output_is_0() -> None:
    """C.M08.01: from w = 0 a row of output 0 is right under the threshold, and wrong under y w.x <= 0."""
    first = Perceptron(boundary="first").partial_fit([[1.0, 1.0]], [0], classes=[0, 1])
    either = Perceptron().partial_fit([[1.0, 1.0]], [0], classes=[0, 1])
    assert (first.mistakes_.tolist(), either.mistakes_.tolist()) == ([0], [1])


def test_squares_of_the_columns_separate_rings() -> None:
    """G.G064: no line separates two rings, a line in the squares does; its pre-image has four signs for each point."""
    with pytest.warns(ConvergenceWarning):
        Perceptron(max_iter=60, **CLASSICAL).fit(RINGS, INNER)
    model = Perceptron(**CLASSICAL).fit(RINGS**2, INNER)
    assert model.predict(RINGS**2).tolist() == INNER
    points = np.array([[0.5, 1.5], [-0.5, 1.5], [0.5, -1.5], [-0.5, -1.5]])
    assert len(set(model.decision_function(points**2).tolist())) == 1


def test_the_kernel_perceptron_on_rings() -> None:
    """G.N42b, G.G071: (x.z)^2 without a constant never settles; (x.z + 1)^2 does, alpha = (4, 3, 2, 1, 1, 1, 0, 0)."""
    bare = KernelPerceptron(PolynomialKernel(2, 1.0, 0.0), fit_intercept=False, shuffle=False, max_iter=200)
    with pytest.warns(ConvergenceWarning, match="the last of 200 sweeps still made mistakes"):
        bare.fit(RINGS, INNER)
    whole = KernelPerceptron(PolynomialKernel(2, 1.0, 1.0), fit_intercept=False, shuffle=False).fit(RINGS, INNER)
    assert whole.alpha_.tolist() == [[4, 3, 2, 1, 1, 1, 0, 0]]
    assert whole.n_iter_ == 5
    assert whole.predict(RINGS).tolist() == INNER
    mended = KernelPerceptron(PolynomialKernel(2, 1.0, 0.0), fit_intercept=True).fit(RINGS, INNER)
    assert mended.predict(RINGS).tolist() == INNER


@pytest.mark.parametrize(
    ("kernel", "written"),
    [
        (PolynomialKernel(2, 1.0, 0.0), monomial_map),
        (PolynomialKernel(2, 1.0, 1.0), quadratic_map),
        (PolynomialKernel(3, 1.0, 0.0), lambda X: np.array([np.einsum("i,j,k", x, x, x).ravel() for x in X])),
    ],
)
def test_a_kernel_is_a_product_in_a_space_of_features(kernel: Any, written: Any) -> None:
    """G.G065, G.G066, G.G067, G.G068: the kernel perceptron makes the mistakes of a perceptron on phi(x)."""
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(40, 2))
    signs = np.where((rows**2).sum(axis=1) > 1.2, 1, -1)
    options: dict[str, Any] = {"fit_intercept": False, "shuffle": False, "max_iter": 30}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        dual = KernelPerceptron(kernel, **options).fit(rows, signs)
        primal = KernelPerceptron("linear", **options).fit(written(rows), signs)
    np.testing.assert_allclose(kernel.between(rows), written(rows) @ written(rows).T, rtol=1e-12, atol=1e-12)
    assert dual.alpha_.tolist() == primal.alpha_.tolist()
    assert (dual.n_iter_, dual.converged_) == (primal.n_iter_, primal.converged_)


def test_the_gaussian_kernel_separates_any_rows_that_differ() -> None:
    """G.G069, G.G070: k(x, x) = 1; the matrix is positive definite, so that any labels can be separated."""
    rng = np.random.default_rng(2)
    rows, signs = rng.normal(size=(20, 2)), rng.choice([-1, 1], 20)
    kernel = RbfKernel.of_width(0.4)
    K = kernel.between(rows)
    assert np.diagonal(K).tolist() == kernel.diagonal(rows).tolist() == [1.0] * 20
    assert np.linalg.eigvalsh(K).min() > 0
    model = KernelPerceptron(kernel, fit_intercept=False).fit(rows, signs)
    assert model.converged_
    w = np.linalg.solve(
        K, signs.astype(float)
    )  # f = signs at every row: norm(w)^2 = signs.K^-1.signs, gamma = 1 / norm
    assert model.mistakes_[0] <= signs @ w


def test_the_decision_has_no_part_for_the_label_of_the_row_asked_about() -> None:
    """Erratum G.E09, G.G073: sum_j alpha_j y_j k(x_j, x) + b over rows that were ever wrong, and the constant stays."""
    model = KernelPerceptron(PolynomialKernel(2, 1.0, 0.0), shuffle=False).fit(RINGS, INNER)
    asked = np.array([[0.2, 0.1], [2.9, 0.3], [-0.4, 2.5]])
    alpha, y = model.alpha_[0], np.array(INNER)
    by_hand = [sum(a * s * ((x @ z) ** 2 + 1) for a, s, x in zip(alpha, y, RINGS, strict=True)) for z in asked]
    np.testing.assert_allclose(model.decision_function(asked), by_hand, rtol=1e-12)
    assert model.predict(asked).tolist() == [1, -1, -1]
    assert model.intercept_[0] == (alpha * y).sum() != 0
    assert len(model.support_) == (alpha > 0).sum() < len(RINGS)
