"""NIST's regression sets: coefficients to the storage limit, whole and from 1 to 16 shards in any order.

The yardstick is the exact rational solution of the normal equations of the float64 table. Norris comes with SciPy; the
Wampler sets are a polynomial of x = 0, ..., 20 plus a published disturbance times 0, 1, 100 or 10000.
"""

from __future__ import annotations

import math
import re
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
import sklearn.linear_model

from suffice import LinearRegression, PolynomialRegression
from suffice.linear.regression.least_squares_problem import IllConditioned
from tests.peers import test_nist_anova as anova

SHAKEN = [759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048, 2048]
SHAKEN = np.array([*SHAKEN, *SHAKEN[9::-1]], dtype=float)  # it reads the same backwards
x = np.arange(21.0)
POWERS = np.stack([x**k for k in range(1, 6)], axis=1)
FIFTH = 1.0 + POWERS.sum(axis=1)
FILE = Path(scipy.stats.__file__).parent / "tests" / "data" / "nist_linregress" / "Norris.dat"
CERTIFIED = {  # as published, to be reached as far as the stored table allows
    "Norris": [-0.262323073774029, 1.00211681802045],
    "Wampler1": [1.0] * 6,
    "Wampler2": [10.0**-k for k in range(6)],
    "Wampler3": [1.0] * 6,
    "Wampler4": [1.0] * 6,
    "Wampler5": [1.0] * 6,
}
LEAST = {"Norris": 14.0, "Wampler1": 14.0, "Wampler2": 14.0, "Wampler3": 14.0, "Wampler4": 14.0, "Wampler5": 14.0}
OTHERS = {  # digits of numpy.linalg.lstsq, as the guide tells; scikit-learn's default tol leaves none of Wampler
    "Norris": 12, "Wampler1": 9, "Wampler2": 10, "Wampler3": 9, "Wampler4": 7, "Wampler5": 5,
}  # fmt: skip


def norris() -> tuple[Any, Any]:
    lines = FILE.read_text(encoding="ascii").splitlines()
    cells = [line.split() for line in lines if re.fullmatch(r"\s*[\d.]+\s+[\d.]+\s*", line)][-36:]
    return np.array([[float(v)] for _, v in cells]), np.array([float(y) for y, _ in cells])


SETS: dict[str, tuple[Any, Any]] = {
    "Norris": norris(),
    "Wampler1": (POWERS, FIFTH),
    "Wampler2": (POWERS, 1.0 + POWERS @ [10.0**-k for k in range(1, 6)]),
    "Wampler3": (POWERS, FIFTH + SHAKEN),
    "Wampler4": (POWERS, FIFTH + 100.0 * SHAKEN),
    "Wampler5": (POWERS, FIFTH + 10000.0 * SHAKEN),
}


def exact(X: Any, y: Any, terms: list[list[Fraction]] | None = None) -> list[Fraction]:
    """The solution of the normal equations, intercept first, in rationals; of `terms`, where they are not stored."""
    rows = [[Fraction(1), *map(Fraction, row)] for row in (X.tolist() if terms is None else terms)]
    targets = list(map(Fraction, y.tolist()))
    m = len(rows[0])
    G = [[sum(r[i] * r[j] for r in rows) for j in range(m)] for i in range(m)]
    for i, line in enumerate(G):
        line.append(sum(r[i] * t for r, t in zip(rows, targets, strict=True)))
    for i in range(m):
        pivot = next(k for k in range(i, m) if G[k][i])
        G[i], G[pivot] = G[pivot], G[i]
        G[i] = [v / G[i][i] for v in G[i]]
        for k in range(m):
            if k != i:
                G[k] = [a - G[k][i] * b for a, b in zip(G[k], G[i], strict=True)]
    return [line[-1] for line in G]


def digits(found: Any, true: list[Fraction]) -> float:
    """Digits of the worst coefficient."""
    gaps = [abs(Fraction(float(f)) - t) / abs(t) for f, t in zip(found, true, strict=True)]
    return min(16.0, *(-math.log10(gap) if gap else 16.0 for gap in gaps))


def coefficients(model: Any) -> list[float]:
    return [float(model.intercept_), *model.coef_.tolist()]


def test_the_sets_are_the_published_ones() -> None:
    assert [len(y) for _, y in SETS.values()] == [36, 21, 21, 21, 21, 21]
    assert SETS["Wampler3"][1][[0, 1, 4, 20]].tolist() == [760.0, -2042.0, 3888.0, 3369180.0]
    assert SETS["Wampler5"][1][[0, 20]].tolist() == [7590001.0, 10958421.0]
    assert (SETS["Norris"][0][0, 0], SETS["Norris"][1][0]) == (0.2, 0.1)


@pytest.mark.parametrize("name", SETS)
def test_digits_of_the_whole(name: str) -> None:
    X, y = SETS[name]
    true = exact(X, y)
    assert digits(coefficients(LinearRegression().fit(X, y)), true) >= LEAST[name]
    assert digits(CERTIFIED[name], true) >= 13.5  # storing the table costs no more


@pytest.mark.parametrize("name", SETS)
def test_digits_of_one_to_sixteen_shards_in_any_order(name: str) -> None:
    X, y = SETS[name]
    true, rng = exact(X, y), np.random.default_rng(16)
    for shards in range(1, 17):
        pieces = np.array_split(rng.permutation(len(y)), shards)
        first, *others = [LinearRegression().fit(X[rows], y[rows]) for rows in pieces]
        assert digits(coefficients(first.merge(*others)), true) >= LEAST[name], shards
        chunked = LinearRegression()
        for rows in pieces[::-1]:
            chunked.partial_fit(X[rows], y[rows])
        assert digits(coefficients(chunked), true) >= LEAST[name], shards


@pytest.mark.parametrize("name", SETS)
def test_digits_after_forgetting(name: str) -> None:
    X, y = SETS[name]
    more = np.random.default_rng(1).permutation(len(y))[:9]
    model = LinearRegression().fit(X, y).partial_fit(X[more] + 0.5, y[more] * 3.0)
    model.forget(X[more] + 0.5, y[more] * 3.0)
    assert digits(coefficients(model), exact(X, y)) >= 12.0


@pytest.mark.parametrize("name", list(SETS)[1:])
def test_polynomials_of_x_are_the_same(name: str) -> None:
    model = PolynomialRegression(degree=5).fit({"x": x}, SETS[name][1])
    assert model.get_feature_names_out().tolist() == ["x", "x^2", "x^3", "x^4", "x^5"]
    assert digits(coefficients(model), exact(*SETS[name])) >= LEAST[name]


@pytest.mark.parametrize("name", SETS)
def test_the_table_of_the_guide(name: str) -> None:
    """What the others keep, so that the comparison in the guide stays true."""
    X, y = SETS[name]
    true = exact(X, y)
    theirs = np.linalg.lstsq(np.column_stack([np.ones(len(y)), X]), y, rcond=None)[0]
    assert int(digits(theirs, true)) in (OTHERS[name], OTHERS[name] + 1)
    peer = sklearn.linear_model.LinearRegression().fit(X, y)
    assert (digits(coefficients(peer), true) < 1.0) == name.startswith("Wampler")


def test_a_tenth_degree_keeps_digits_that_plain_products_lose() -> None:
    """Like NIST's Filip: powers 1 to 10 of x in -9 ... -3, condition number above 1e9."""
    rng = np.random.default_rng(10)
    points = np.linspace(-8.8, -3.1, 82)
    X = np.stack([points**k for k in range(1, 11)], axis=1)
    y = 0.8 + 0.05 * np.sin(points) + 0.003 * rng.normal(size=82)
    true = exact(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IllConditioned)
        whole = LinearRegression().fit(X, y)
        parts = [LinearRegression().fit(X[i::5], y[i::5]) for i in range(5)]
        merged = parts[0].merge(*parts[1:])
    assert whole.summary_.summary.factor is not None
    assert whole.condition_ > 1e9
    assert min(digits(coefficients(whole), true), digits(coefficients(merged), true)) >= 6.0
    theirs = np.linalg.lstsq(np.column_stack([np.ones(82), X]), y, rcond=None)[0]
    assert digits(theirs, true) < 3.0


def powers(points: Any, degree: int) -> list[list[Fraction]]:
    """Powers of stored points, none of them rounded."""
    return [[Fraction(v) ** k for k in range(1, degree + 1)] for v in points.tolist()]


@pytest.mark.parametrize("shards", [1, 2, 20])
def test_a_tenth_degree_to_twelve_digits(shards: int) -> None:
    """Like NIST's Filip, powers taken by the model: in pairs, about a centre of their own; whole or in shards."""
    rng = np.random.default_rng(10)
    points = np.linspace(-8.8, -3.1, 82)
    y = 0.8 + 0.05 * np.sin(points) + 0.003 * rng.normal(size=82)
    true = exact(points, y, powers(points, 10))
    pieces = np.array_split(rng.permutation(82), shards)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IllConditioned)  # of the first rows
        model = PolynomialRegression(degree=10)
        for rows in pieces:
            model.partial_fit({"x": points[rows]}, y[rows])
    assert digits(coefficients(model), true) >= 12.0
    assert model.condition_ < 1e7


@pytest.mark.parametrize(("offset", "degree"), [(0.0, 3), (1e4, 3), (1e8, 2), (1e8, 3), (-1e8, 5)])
def test_powers_far_from_zero(offset: float, degree: int) -> None:
    """About a shift they are as good as near 0, without a warning: answers, and coefficients as far as stored."""
    rng = np.random.default_rng(3)
    t = rng.uniform(-1.0, 1.0, 200)
    points = offset + t
    y = 1.0 + 2.0 * t - 3.0 * t**2 + 0.1 * rng.normal(size=200)
    model = PolynomialRegression(degree=degree).fit({"x": points}, y)
    true = exact(points, y, powers(points, degree))
    rows = [Fraction(1)] + [sum(c * Fraction(v) ** k for k, c in enumerate(true)) for v in points[:9].tolist()]
    np.testing.assert_allclose(model.predict({"x": points[:9]}), [float(v) for v in rows[1:]], rtol=1e-11, atol=1e-11)
    assert digits(coefficients(model), true) >= 12.0
    halves = [PolynomialRegression(degree=degree).fit({"x": points[i::2]}, y[i::2]) for i in range(2)]
    assert digits(coefficients(halves[0] + halves[1]), true) >= 11.0
    left = PolynomialRegression(degree=degree).fit({"x": points}, y).forget({"x": points[::3]}, y[::3])
    kept = np.arange(200) % 3 > 0
    never = PolynomialRegression(degree=degree).fit({"x": points[kept]}, y[kept])
    np.testing.assert_allclose(left.predict({"x": points}), never.predict({"x": points}), rtol=1e-9, atol=1e-9)


def test_products_of_columns_and_levels_far_from_zero() -> None:
    rng = np.random.default_rng(4)
    a, b, site = rng.normal(size=150), rng.normal(size=150), rng.choice(["n", "s", "w"], 150)
    y = a * b - a**2 + (site == "s") * a + 0.1 * rng.normal(size=150)
    near = PolynomialRegression(degree=2).fit({"a": a, "b": b, "site": site}, y)
    table = {"a": a + 2.0**27, "b": b - 2.0**20, "site": site}
    far = PolynomialRegression(degree=2).fit(table, y)
    assert far.get_feature_names_out().tolist() == near.get_feature_names_out().tolist()
    np.testing.assert_allclose(far.predict(table), near.predict({"a": a, "b": b, "site": site}), atol=1e-6)
    shards = [
        PolynomialRegression(degree=2).fit({k: np.asarray(v)[i::3] for k, v in table.items()}, y[i::3])
        for i in range(3)
    ]
    np.testing.assert_allclose((shards[0] + shards[1] + shards[2]).predict(table), far.predict(table), atol=1e-9)


def test_a_warning_with_the_condition_number_where_fewer_than_six_digits_are_safe() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(50, 3))
    X[:, 2] = X[:, 0] + 2e-11 * X[:, 2]
    with pytest.warns(
        IllConditioned, match=r"LinearRegression: fewer than 6 digits .* \(condition number [1-9]\.\de\+1[01]\)"
    ):
        model = LinearRegression().fit(X, X.sum(axis=1))
    assert model.rank_ == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LinearRegression().fit(X[:, :2], X.sum(axis=1))


@pytest.mark.parametrize("path", anova.SETS, ids=lambda path: path.stem)
def test_the_F_of_groups_as_a_regression(path: Path) -> None:
    """A column of groups explains the responses; the F test of the model is that of the analysis of variance."""
    groups, responses, _ = anova.read(path)
    true = float(anova.exact_F(groups, responses))
    names = [f"group {g:02d}" for g in groups]
    whole = LinearRegression().fit({"group": names}, responses)
    order = np.random.default_rng(0).permutation(len(names))
    shards = [
        LinearRegression().fit({"group": [names[i] for i in part]}, responses[part])
        for part in np.array_split(order, 5)
    ]
    for model in (whole, shards[0].merge(*shards[1:])):
        found = model.results().f_test
        assert found.F == pytest.approx(true, rel=1e-12)  # noqa: SIM300  (F is no constant)
