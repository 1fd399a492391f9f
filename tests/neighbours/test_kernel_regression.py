"""KernelRegression: formulas written out, limits, leave-one-out against refits, bad inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor

from suffice import KernelRegression
from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.families.windows.bandwidths import LeaveOneOut, Silverman
from suffice.families.windows.windows import WINDOWS
from suffice.neighbours.smoothers import NadarayaWatson, PriestleyChao

EACH = pytest.mark.parametrize("name", WINDOWS)
METHODS = pytest.mark.parametrize("method", ["nadaraya-watson", "priestley-chao"])


def rows(n: int = 60, d: int = 1, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 10, size=(n, d))
    return X, np.sin(X[:, 0]) + 0.1 * rng.normal(size=n)


@EACH
@pytest.mark.parametrize("d", [1, 2, 4])
def test_nadaraya_watson_written_out(name: str, d: int) -> None:
    (X, y), (Q, _) = rows(d=d), rows(20, d, 1)
    w = np.random.default_rng(1).uniform(0.5, 2.0, 60)
    model = KernelRegression(bandwidth=6.0, kernel=name).fit(X, y, sample_weight=w)
    K = np.exp(WINDOWS[name].log_density(np.sqrt(((Q[:, None] - X) ** 2).sum(axis=2)) / 6.0, d)) * w
    np.testing.assert_allclose(model.predict(Q), (K @ y) / K.sum(axis=1), rtol=1e-12, atol=1e-13)


@EACH
def test_priestley_chao_written_out(name: str) -> None:
    (X, y), (Q, _) = rows(), rows(20, 1, 1)
    model = KernelRegression(bandwidth=0.8, kernel=name, method="priestley-chao").fit(X, y)
    order = np.argsort(X[:, 0])
    x, t = X[order, 0], y[order]
    expected = [
        sum((x[i] - x[i - 1]) * WINDOWS[name]((q - x[i]) / 0.8) * t[i] for i in range(1, 60)) / 0.8 for q in Q[:, 0]
    ]
    np.testing.assert_allclose(model.predict(Q), expected, rtol=1e-11, atol=1e-13)


@METHODS
def test_the_order_of_the_rows_does_not_matter(method: str) -> None:
    X, y = rows()
    order = np.random.default_rng(1).permutation(60)
    a = KernelRegression(bandwidth=0.5, method=method).fit(X, y)
    b = KernelRegression(bandwidth=0.5, method=method).fit(X[order], y[order])
    np.testing.assert_allclose(a.predict(X), b.predict(X), atol=1e-13)


@METHODS
def test_rows_at_one_value_count_as_their_mean(method: str) -> None:
    X, y, w = [[0.0], [1.0], [1.0], [2.0]], [0.0, 1.0, 5.0, 4.0], [1.0, 3.0, 1.0, 1.0]
    model = KernelRegression(bandwidth=1.0, method=method).fit(X, y, sample_weight=w)
    merged = KernelRegression(bandwidth=1.0, method=method).fit([[0.0], [1.0], [2.0]], [0.0, 2.0, 4.0], [1, 4, 1])
    np.testing.assert_allclose(model.predict([[0.7], [3.0]]), merged.predict([[0.7], [3.0]]), rtol=1e-14)


def test_far_from_all_rows_the_nearest_counts() -> None:
    """C.M06.11: the sums underflow to 0 / 0; in logs the limit is the target of the nearest row."""
    X, y = [[0.0], [1.0]], [3.0, 7.0]
    for name in WINDOWS:
        model = KernelRegression(bandwidth=1e-3, kernel=name).fit(X, y)
        assert model.predict([[-50.0], [0.2], [1e6]]).tolist() == [3.0, 3.0, 7.0]


def test_a_tophat_is_a_mean_of_neighbours() -> None:
    X, y = rows(30)
    model = KernelRegression(bandwidth=1e9, kernel="tophat").fit(X, y)
    assert model.predict([[5.0]])[0] == pytest.approx(y.mean(), rel=1e-12)
    nearest = KNeighborsRegressor(1).fit(X, y)
    np.testing.assert_array_equal(KernelRegression(bandwidth=1e-12).fit(X, y).predict(X), nearest.predict(X))


@EACH
@pytest.mark.parametrize("d", [1, 3])
def test_leaving_one_out_of_a_mean_equals_refits(name: str, d: int) -> None:
    X, y = rows(40, d)
    found = NadarayaWatson.of("me", X, y[:, None], np.ones(40)).left_out(1.5, WINDOWS[name])[:, 0]
    for i in range(40):
        rest = KernelRegression(bandwidth=1.5, kernel=name).fit(np.delete(X, i, axis=0), np.delete(y, i))
        assert found[i] == pytest.approx(rest.predict(X[[i]])[0], abs=1e-9)


@EACH
def test_leaving_one_out_of_a_sum_over_stretches_equals_refits(name: str) -> None:
    X, y = rows(40)
    smoother = PriestleyChao.of("me", X, y[:, None], np.ones(40))
    found = smoother.left_out(0.9, WINDOWS[name])[:, 0]
    for i, x in enumerate(smoother.values):
        rest = X[:, 0] != x
        refit = KernelRegression(bandwidth=0.9, kernel=name, method="priestley-chao").fit(X[rest], y[rest])
        assert found[i] == pytest.approx(refit.predict([[x]])[0], abs=1e-9)


@METHODS
def test_the_bandwidth_with_the_least_error_is_taken(method: str) -> None:
    X, y = rows(150)
    model = KernelRegression(method=method, candidates=[5.0, 0.01, 0.3]).fit(X, y)
    assert model.bandwidth_ == 0.3
    assert model.errors_.shape == (3,)
    assert model.errors_.argmin() == 1  # candidates in order: 0.01, 0.3, 5
    assert KernelRegression(method=method).fit(X, y).score(X, y) > 0.8
    assert not hasattr(model.set_params(bandwidth=1.0).fit(X, y), "errors_")


def test_rules_look_at_the_columns_alone() -> None:
    X, y = rows()
    assert KernelRegression(bandwidth=Silverman()).fit(X, y).bandwidth_ == pytest.approx(
        X.std(ddof=1) * (60 * 3 / 4) ** -0.2, rel=1e-12
    )
    assert KernelRegression(bandwidth=LeaveOneOut((0.1, 1.0))).fit(X, y).bandwidth_ in (0.1, 1.0)


def test_several_targets() -> None:
    X, y = rows()
    both = KernelRegression(bandwidth=0.5).fit(X, np.stack([y, -2 * y], axis=1)).predict(X[:5])
    one = KernelRegression(bandwidth=0.5).fit(X, y).predict(X[:5])
    np.testing.assert_allclose(both, np.stack([one, -2 * one], axis=1), rtol=1e-13)


def test_rows_that_are_all_equal() -> None:
    assert KernelRegression().fit([[2.0], [2.0]], [1.0, 3.0]).predict([[2.0], [9.0]]).tolist() == [2.0, 2.0]
    assert KernelRegression().fit([[2.0]], [4.0]).predict([[-1.0]]).tolist() == [4.0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda X, y: KernelRegression(method="priestley-chao").fit(np.c_[X, X], y),
            'KernelRegression: X must be one column where method is "priestley-chao", got 2. Use method=',
        ),
        (
            lambda X, y: KernelRegression(candidates=[1.0, -1.0]).fit(X, y),
            "KernelRegression: candidates must be finite",
        ),
        (lambda X, y: KernelRegression(candidates=[]).fit(X, y), "KernelRegression: candidates must be finite numbers"),
        (
            lambda X, y: KernelRegression().fit(X, y[:-1]),
            r"KernelRegression: X and y must be of one length \(Found input variables with inconsistent",
        ),
        (
            lambda X, y: KernelRegression().fit(X, [np.nan, *y[1:]]),
            r"KernelRegression: y must be present in every row \(Input y contains NaN",
        ),
        (
            lambda X, y: KernelRegression().fit(X, y, sample_weight=-y * y),
            "KernelRegression: sample_weight must be at least",
        ),
        (
            lambda X, y: KernelRegression(bandwidth=Silverman()).fit([[1.0], [1.0]], [0.0, 1.0]),
            r"KernelRegression: X must be spread out where bandwidth is Silverman\(\)",
        ),
        (
            lambda X, y: KernelRegression().fit(X, y).predict([[np.inf]]),
            "must be finite .Input X contains inf",
        ),
    ],
)
def test_bad_inputs_get_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        call(*rows(10))


@pytest.mark.parametrize(
    "parameters", [{"method": "spline"}, {"kernel": "box"}, {"bandwidth": -1.0}, {"bandwidth": "scott"}]
)
def test_parameters_are_checked(parameters: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"The '{next(iter(parameters))}' parameter of KernelRegression must be"):
        KernelRegression(**parameters).fit(*rows(10))
