"""The family of window densities: peers, merging, prior, components without rows or spread, draws."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest
from scipy.stats import gaussian_kde, kstest
from sklearn.neighbors import KernelDensity as Peer

from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.families.windows.bandwidths import LeaveOneOut, Scott, Silverman
from suffice.families.windows.sheather_jones import SheatherJones
from suffice.families.windows.window_density import WindowDensity
from suffice.families.windows.windows import WINDOWS, CosineWindow
from suffice.persistence import from_bytes, to_bytes
from tests.families.parts import column, hard, learn

EACH = pytest.mark.parametrize("name", WINDOWS)


def rows(n: int = 150, offset: float = 0.0) -> tuple[Array, Array]:
    """Two components of two columns."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, n)
    return offset + rng.normal(size=(n, 2)) + 2.0 * codes[:, None], codes


@EACH
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_each_component_and_column_is_the_density_of_scikit_learn(name: str, offset: float) -> None:
    X, codes = rows(offset=offset)
    w = np.random.default_rng(1).uniform(0.1, 2.0, len(X))
    found = learn(WindowDensity(0.45, name), X, hard(codes, 2, w.tolist()))
    for k in range(2):
        theirs = np.stack(
            [
                Peer(kernel=name, bandwidth=0.45)
                .fit(X[codes == k][:, [j]], sample_weight=w[codes == k])
                .score_samples(X[:, [j]])
                for j in range(2)
            ],
            axis=1,
        )
        ours = found.log_cells(X, k)
        both = np.isfinite(ours) & (theirs > -300)  # where no window reaches theirs is a large number
        assert both.mean() > 0.5
        np.testing.assert_allclose(ours[both], theirs[both], rtol=1e-10, atol=1e-10)
        assert np.isneginf(ours[~both]).all()


@pytest.mark.parametrize(("rule", "name"), [(Scott(), "scott"), (Silverman(), "silverman")])
def test_rules_give_the_density_of_scipy(rule: Scott, name: str) -> None:
    X, codes = rows()
    found = learn(WindowDensity(rule), X[:, :1], hard(codes, 2))
    for k in range(2):
        theirs = gaussian_kde(X[codes == k, 0], name)(X[:, 0])
        np.testing.assert_allclose(np.exp(found.log_density(X[:, :1])[:, k]), theirs, rtol=1e-10, atol=1e-12)


@EACH
@pytest.mark.parametrize("bandwidth", [0.3, Silverman(), SheatherJones(), LeaveOneOut()], ids=repr)
def test_densities_integrate_to_one(name: str, bandwidth: float) -> None:
    X, codes = rows(60)
    found = learn(WindowDensity(bandwidth, name, strength=0.5), X[:, :1], hard(codes, 2))
    knots = np.unique(np.concatenate([X[:, 0] + s * h for h in found.bandwidth[:, 0] for s in (-1, 0, 1)]))
    grid = np.unique(np.concatenate([np.linspace(-40, 45, 200), knots]))  # where a window begins, bends or ends
    for k in range(2):
        nodes, weights = np.polynomial.legendre.leggauss(10)
        half = np.diff(grid)[:, None] / 2
        x = (grid[:-1, None] + half * (nodes + 1)).reshape(-1, 1)
        total = float((np.exp(found.log_cells(x, k)).reshape(half.size, -1) * weights * half).sum())
        assert total == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize("bandwidth", [0.3, Silverman(), SheatherJones(), LeaveOneOut()], ids=repr)
@EACH
def test_merged_shards_are_the_whole_and_forgetting_goes_back(name: str, bandwidth: float) -> None:
    X, codes = rows()
    family = WindowDensity(bandwidth, name)
    pieces = np.split(np.random.default_rng(2).permutation(150), [3, 3, 90])
    parts = [family.summarize(X[at], hard(codes[at], 2)) for at in pieces]
    whole = learn(family, X, hard(codes, 2)).log_density(X)
    np.testing.assert_array_equal(family.estimate(reduce(add, parts)).log_density(X), whole)
    left = family.estimate(reduce(add, parts) - parts[3])
    np.testing.assert_array_equal(left.log_density(X), family.estimate(reduce(add, parts[:3])).log_density(X))


def test_another_bandwidth_reads_the_same_summary() -> None:
    X, codes = rows()
    kept = WindowDensity().summarize(X, hard(codes, 2))
    a = WindowDensity(0.2, "tophat").estimate(kept).log_density(X)
    np.testing.assert_array_equal(a, learn(WindowDensity(0.2, "tophat"), X, hard(codes, 2)).log_density(X))


def test_large_parts_take_the_quick_routes_and_say_the_same() -> None:
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(3000, 1)), rng.normal(size=(500, 1))
    found = learn(WindowDensity(0.1), X, hard([0] * 3000))
    np.testing.assert_allclose(
        np.exp(found.log_density(Q)[:, 0]), gaussian_kde(X[:, 0], 0.1 / X.std(ddof=1))(Q[:, 0]), rtol=1e-10
    )


def test_virtual_rows_are_distributed_as_the_whole_column() -> None:
    x, R = column(0.0, 1.0, 10.0), hard([0, 0, 1])
    bare = learn(WindowDensity(1.0, "tophat"), x, R)
    assert np.isneginf(bare.log_density(column(10.0))[0, 0])
    mixed = np.exp(learn(WindowDensity(1.0, "tophat", strength=3.0), x, R).log_density(column(10.0, 0.0)))
    assert mixed == pytest.approx(np.array([[0.5 * 1 / 5, 0.5 * 2 / 4], [0.5 * 2 / 5, 0.5 * 1 / 4]]), rel=1e-12)


def test_components_without_rows_or_spread() -> None:
    x, R = column(1.0, 2.0, 4.0, 9.0), hard([0, 0, 0, 1], 3)
    found = learn(WindowDensity(), x, R)
    pooled = learn(WindowDensity(), x, hard([0] * 4))
    assert found.bandwidth[1, 0] == found.bandwidth[2, 0] == pooled.bandwidth[0, 0] > 0  # one row; none
    np.testing.assert_allclose(found.log_density(x)[:, 2], pooled.log_density(x)[:, 0], atol=1e-14)


def test_constant_and_empty_columns_tell_nothing() -> None:
    X = np.array([[7.0, np.nan], [7.0, np.nan]])
    found = learn(WindowDensity(), X, hard([0, 1]))
    assert found.log_density(np.array([[7.0, 1.0], [8.0, np.nan]])).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    drawn = found.sample(np.array([0, 1]), np.random.default_rng(0))
    assert drawn[:, 0].tolist() == [7.0, 7.0]
    assert np.isnan(drawn[:, 1]).all()
    assert learn(WindowDensity(1.0), X, hard([0, 1])).log_density(np.array([[7.0, 0.0]])) == pytest.approx(
        -0.5 * np.log(2 * np.pi)
    )


def test_missing_and_infinite_cells_are_not_there() -> None:
    a = learn(WindowDensity(), column(1.0, 2.0, 5.0), hard([0] * 3))
    b = learn(WindowDensity(), column(1.0, 2.0, 5.0, np.nan, np.inf), hard([0] * 5))
    np.testing.assert_array_equal(a.log_density(column(0.0, 3.0)), b.log_density(column(0.0, 3.0)))
    assert a.log_density(column(np.nan, -np.inf)).tolist() == [[0.0], [0.0]]


@EACH
def test_draws_follow_the_density(name: str) -> None:
    X, codes = rows(40)
    found = learn(WindowDensity(0.8, name), X[:, :1], hard(codes, 2))
    drawn = found.sample(np.ones(3000, dtype=int), np.random.default_rng(1))[:, 0]
    grid = np.linspace(-30, 30, 60001)
    density = np.exp(found.log_cells(grid[:, None], 1)[:, 0])
    steps = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    assert kstest(drawn, lambda x: np.interp(x, grid, steps / steps[-1])).pvalue > 1e-3


def test_window_densities_are_saved() -> None:
    X, codes = rows(30)
    found = learn(WindowDensity(LeaveOneOut((0.1, 1.0)), "cosine"), X, hard(codes, 2))
    again = from_bytes(to_bytes(found))
    np.testing.assert_array_equal(again.log_density(X), found.log_density(X))
    family = WindowDensity(SheatherJones(), CosineWindow(), 1.0)
    assert from_bytes(to_bytes(family)) == family


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WindowDensity(0.0), "WindowDensity: bandwidth must be a finite number above 0, or a rule such as"),
        (lambda: WindowDensity("scott"), "WindowDensity: bandwidth must be .*, got 'scott'. Choose one of these"),  # type: ignore[arg-type]
        (lambda: WindowDensity(window="box"), "WindowDensity: window must be one of gaussian, .*, got 'box'"),  # type: ignore[arg-type]
        (lambda: WindowDensity(strength=np.nan), "WindowDensity: strength must be finite and at least 0, got nan"),
    ],
)
def test_what_makes_no_window_density_is_refused(make: object, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make()  # type: ignore[operator]
