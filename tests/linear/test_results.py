"""The table of results: from the summary alone, against formulas on all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from suffice import LinearRegression, LogisticRegression, PolynomialRegression, Ridge

RNG = np.random.default_rng(1)
N, D = 60, 3
X = RNG.normal([0.0, 5.0, -2.0], size=(N, D))
X[:, 2] += 0.8 * X[:, 0]
y = X @ [1.0, -2.0, 0.0] + RNG.normal(size=N)
FULL = np.column_stack([np.ones(N), X])


def oracle(A: Any, y: Any) -> dict[str, Any]:
    n, p = A.shape
    coef = np.linalg.lstsq(A, y, rcond=None)[0]
    squares = ((y - A @ coef) ** 2).sum()
    cov = squares / (n - p) * np.linalg.inv(A.T @ A)
    likelihood = stats.norm.logpdf(y, A @ coef, np.sqrt(squares / n)).sum()
    return {"coef": coef, "squares": squares, "cov": cov, "likelihood": likelihood, "degrees": n - p}


@pytest.mark.parametrize("intercept", [True, False])
def test_coefficients_errors_and_criteria(intercept: bool) -> None:
    A = FULL if intercept else X
    true, found = oracle(A, y), LinearRegression(fit_intercept=intercept).fit(X, y).results()
    np.testing.assert_allclose(found.coefficients, true["coef"], rtol=1e-11)
    np.testing.assert_allclose(found.covariance, true["cov"], rtol=1e-9, atol=1e-14)
    errors = np.sqrt(np.diag(true["cov"]))
    np.testing.assert_allclose(found.standard_errors, errors, rtol=1e-10)
    np.testing.assert_allclose(found.t_values, true["coef"] / errors, rtol=1e-10)
    np.testing.assert_allclose(found.p_values, 2 * stats.t.sf(np.abs(found.t_values), true["degrees"]), rtol=1e-9)
    half = stats.t.ppf(0.95, true["degrees"]) * errors
    np.testing.assert_allclose(found.confidence(0.9), np.c_[true["coef"] - half, true["coef"] + half], rtol=1e-9)
    assert found.squares == pytest.approx(true["squares"], rel=1e-11)
    assert found.log_likelihood == pytest.approx(true["likelihood"], rel=1e-11)
    k = A.shape[1]
    assert (found.aic, found.bic) == pytest.approx(
        (2 * k - 2 * true["likelihood"], np.log(N) * k - 2 * true["likelihood"]), rel=1e-11
    )
    total = ((y - y.mean()) ** 2).sum() if intercept else (y**2).sum()
    assert found.r_squared == pytest.approx(1 - true["squares"] / total, rel=1e-11)
    free = N - 1 if intercept else N
    assert found.adjusted_r_squared == pytest.approx(1 - true["squares"] / true["degrees"] / (total / free), rel=1e-11)
    assert found.noise_variance == pytest.approx(true["squares"] / N, rel=1e-11)


def test_tests_of_nested_models() -> None:
    found = LinearRegression().fit(X, y).results()
    squares = [oracle(FULL[:, cols], y)["squares"] for cols in ([0], [0, 1, 2], [0, 1, 2, 3], [0, 2])]
    F = (squares[0] - squares[2]) / 3 / (squares[2] / 56)
    assert pytest.approx(F, rel=1e-10) == found.f_test.F
    assert found.f_test.p == pytest.approx(stats.f.sf(F, 3, 56), rel=1e-8)
    one = found.without("x2")
    assert pytest.approx((squares[1] - squares[2]) / (squares[2] / 56), rel=1e-8) == one.F
    assert pytest.approx(found.t_values[3] ** 2, rel=1e-10) == one.F
    assert one.p == pytest.approx(found.p_values[3], rel=1e-10)
    two = found.without("x0", "x2")
    assert pytest.approx((squares[3] - squares[2]) / 2 / (squares[2] / 56), rel=1e-9) == two.F
    assert two.df == (2.0, 56.0)


@pytest.mark.parametrize("new", [True, False])
def test_intervals_of_predictions(new: bool) -> None:
    true, model = oracle(FULL, y), LinearRegression().fit(X, y)
    asked = RNG.normal(size=(5, D)) * 3.0
    A = np.column_stack([np.ones(5), asked])
    variance = np.einsum("ij,jk,ik->i", A, true["cov"], A) + new * true["squares"] / true["degrees"]
    half = stats.t.ppf(0.975, true["degrees"]) * np.sqrt(variance)
    at = A @ true["coef"]
    np.testing.assert_allclose(model.results().interval(asked, new=new), np.c_[at, at - half, at + half], rtol=1e-10)


def test_variance_inflation_and_condition() -> None:
    found = LinearRegression().fit(X, y).results()
    for j in range(D):
        others = [0, *(i + 1 for i in range(D) if i != j)]
        rest = oracle(FULL[:, others], X[:, j])["squares"]
        share = 1 - rest / ((X[:, j] - X[:, j].mean()) ** 2).sum()
        assert found.inflation[j] == pytest.approx(1 / (1 - share), rel=1e-10)
    z = X - X.mean(axis=0)
    assert found.condition == pytest.approx(np.linalg.cond(z / np.linalg.norm(z, axis=0)), rel=1e-10)


def test_effect_of_changing_one_target() -> None:
    model = LinearRegression().fit(X, y)
    moved = y.copy()
    moved[7] += 2.5
    again = LinearRegression().fit(X, moved)
    expected = np.append(again.intercept_ - model.intercept_, again.coef_ - model.coef_)
    np.testing.assert_allclose(model.results().effect(X[[7]], 2.5)[0], expected, rtol=1e-9)


def test_the_same_merged_loaded_and_weighted(tmp_path: Any) -> None:
    from suffice import load

    whole = LinearRegression().fit(X, y).results()
    parts = [LinearRegression().fit(X[i::4], y[i::4]) for i in range(4)]
    parts[0].merge(*parts[1:]).save(tmp_path / "model")
    for found in (parts[0].results(), load(tmp_path / "model").results()):
        np.testing.assert_allclose(found.standard_errors, whole.standard_errors, rtol=1e-12)
        np.testing.assert_allclose(found.interval(X), whole.interval(X), rtol=1e-12)
    w = RNG.integers(1, 4, N)
    copied, heavy = LinearRegression().fit(np.repeat(X, w, axis=0), np.repeat(y, w)), LinearRegression().fit(X, y, w)
    np.testing.assert_allclose(copied.results().standard_errors, heavy.results().standard_errors, rtol=1e-11)
    assert copied.results().bic == pytest.approx(heavy.results().bic, rel=1e-11)


def test_several_targets_and_the_table() -> None:
    model = LinearRegression().fit(X, np.column_stack([y, 2.0 * y + X[:, 0]]))
    assert model.results(0).squares * 4 == pytest.approx(model.results(1).squares, rel=1e-10)
    text = str(model.results())
    assert [line.split()[0] for line in text.splitlines()[1:5]] == ["intercept", "x0", "x1", "x2"]
    assert "adjusted R^2" in text
    assert PolynomialRegression(2).fit(X, y).results().names[-1] == "x2^2"


def test_levels_are_tested_by_their_column() -> None:
    table = {"x": X[:, 0], "site": np.array(["a", "b", "c"])[RNG.integers(0, 3, N)]}
    found = LinearRegression().fit(table, y).results()
    assert found.names == ("intercept", "x", "site=b", "site=c")
    assert found.without("site").df == (2.0, 56.0)


def test_exact_fits_have_no_noise() -> None:
    found = LinearRegression().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]).results()
    assert found.r_squared == 1.0
    assert found.f_test.p < 1e-10
    few = LinearRegression().fit([[0.0], [1.0]], [0.0, 1.0]).results()
    assert np.isnan(few.residual_variance)


def test_what_has_no_results() -> None:
    with pytest.raises(ValueError, match=r"the columns must be independent .* got 2 columns of rank 1"):
        LinearRegression().fit(np.ones((5, 2)) * [[1], [2], [3], [4], [5]], range(5)).results()
    with pytest.raises(ValueError, match="LinearRegression: target must be the number of a target, below 1, got 3"):
        LinearRegression().fit(X, y).results(3)
    with pytest.raises(ValueError, match="LinearRegression: level must be between 0 and 1, got 95"):
        LinearRegression().fit(X, y).results().confidence(95)
    with pytest.raises(ValueError, match="LinearRegression: names must be names of terms"):
        LinearRegression().fit(X, y).results().without("x9")
    with pytest.raises(ValueError, match="must be of least squares or ridge for results, got 'Positive'"):
        PolynomialRegression(degree=1).fit(X, y).results(), Ridge(positive=True).fit(X, y).results()
    with pytest.raises(ValueError, match=r"without a penalty on sizes for results, got l1_ratio=1\.0"):
        LogisticRegression(l1_ratio=1.0).fit(X, y > np.median(y)).results(X, y > np.median(y))


def test_ridge_without_pull_says_what_least_squares_says() -> None:
    plain, ridge = LinearRegression().fit(X, y).results(), Ridge(alpha=1e-12).fit(X, y).results()
    np.testing.assert_allclose(ridge.standard_errors, plain.standard_errors, rtol=1e-8)
    np.testing.assert_allclose(ridge.p_values, plain.p_values, rtol=1e-6, atol=1e-300)
    np.testing.assert_allclose(ridge.confidence(), plain.confidence(), rtol=1e-7)
    assert (ridge.aic, ridge.bic) == pytest.approx((plain.aic, plain.bic), rel=1e-9)


@pytest.mark.parametrize("intercept", [True, False])
def test_ridge_is_a_linear_map_of_the_targets(intercept: bool) -> None:
    """The covariance is s^2 M M' for the matrix M that takes targets to coefficients; its trace uses degrees."""
    full = np.column_stack([np.ones(len(X)), X]) if intercept else X
    pull = 3.0 * np.eye(full.shape[1])
    pull[0, 0] = 0.0 if intercept else 3.0
    M = np.linalg.solve(full.T @ full + pull, full.T)
    found = Ridge(alpha=3.0, fit_intercept=intercept).fit(X, y).results()
    used = np.trace(full @ M)
    s2 = ((y - full @ M @ y) ** 2).sum() / (len(y) - used)
    assert found.parameters == pytest.approx(used)
    np.testing.assert_allclose(found.covariance, s2 * M @ M.T, rtol=1e-9)
    np.testing.assert_allclose(found.coefficients, M @ y, rtol=1e-9)


@pytest.mark.parametrize(("C", "K"), [(np.inf, 2), (0.5, 2), (np.inf, 3), (0.5, 3)])
def test_logistic_results_are_those_of_the_information(C: float, K: int) -> None:
    """Fisher's information of all classes, made by hand; without a penalty its (pseudo-)inverse."""
    labels = (np.argsort(np.argsort(y + 3.0 * np.sin(9.0 * y))) * K) // len(y)
    model = LogisticRegression(C=C, tol=1e-10, max_iter=500).fit(X, labels)
    found = model.results(X, labels)
    p, Z = model.predict_proba(X), np.column_stack([np.ones(len(X)), X])
    L, q = (1, Z.shape[1]) if K == 2 else (K, Z.shape[1])
    own = p[:, 1:] if K == 2 else p
    H = np.zeros((L * q, L * q))
    for i in range(len(Z)):
        H += np.kron(np.diag(own[i]) - np.outer(own[i], own[i]), np.outer(Z[i], Z[i]))
    pull = np.diag(np.tile(np.append(0.0, np.full(q - 1, 0.0 if np.isinf(C) else 1.0 / C)), L))
    if K == 2 or np.isfinite(C):
        inverse = np.linalg.pinv(H + pull, hermitian=True)
        np.testing.assert_allclose(found.covariance, inverse @ H @ inverse, rtol=1e-5, atol=1e-9)
    assert found.log_likelihood == pytest.approx(np.log(p[np.arange(len(Z)), labels]).sum())
    if np.isinf(C):
        assert found.parameters == pytest.approx((K - 1) * q)
    assert "std. error" in str(found)
