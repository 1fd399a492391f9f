"""Digits: exact rationals beside what is kept, and what offsets, scales, shards and forgetting cost.

The figures of the library's promise: 1 to 64 shards within 1e-12 at offset 0 and 1e8; +1e8 within 1e-12 on a grid of
2^-20 and 1e-6 otherwise; units within 1e-12; a variance 1e8 sd from the first rows, and after forgetting an outlier of
1e8, within 1e-12 of exact rationals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice import GaussianNB, NaiveBayes
from suffice.core.shares import Shares
from suffice.numerics import loop
from suffice.summaries.moments import Moments
from suffice.testing.check import hold
from suffice.testing.law import law
from suffice.testing.rows import LawRows, reach
from suffice.testing.sameness import PAIRED
from suffice.testing.tables import numbers, rows
from tests.laws import rationals

CLOSE = 1e-12
ROUTES = [0, loop.WORTH]  # cells of the table that the rows are said to belong to: NumPy, and the compiled loop
MODELS = [NaiveBayes, GaussianNB]


def one_component(x: Any, w: Any = None) -> Moments:
    x = np.asarray(x, dtype=float)
    return Moments.of(x[:, None], Shares.hard(np.zeros(len(x), dtype=np.int32), 1, w))


@law
def exact_moments(r: LawRows) -> None:
    """Mean and variance of every component and column, from shards, are exact rationals but for the stated limit."""
    kept, size = Moments.sum([Moments.of(shard.part, shard.shares) for shard in r.shards()]), reach(r.part)
    for k, j in np.ndindex(r.K, r.part.shape[1]):
        here = (r.codes == k) & (r.weights > 0) & ~np.isnan(r.part[:, j])
        assert kept.rows[k, j] == here.sum()
        if here.any():
            _exact_cell(
                kept.columns([j]), k, r.part[here, j].tolist(), r.weights[here].tolist(), size[j], r.weights.sum()
            )


def _exact_cell(kept: Moments, k: int, x: list[float], w: list[float], size: float, weight: float) -> None:
    true, spread, share = rationals.mean(x, w), rationals.variance(x, w), weight / sum(w)
    found = rationals.Exact(kept.mean.high[k, 0]) + rationals.Exact(kept.mean.low[k, 0])
    assert abs(found - true) <= PAIRED * (share * size + abs(kept.mean.high[k, 0]))
    limit = rationals.Exact(PAIRED * share) * rationals.Exact(size) ** 2
    assert abs(rationals.Exact(kept.variance[k, 0]) - spread) <= rationals.Exact(2.0**-52) * spread + limit


EXACT = rows(numbers())


def test_moments_are_exact_rationals_but_for_the_stated_limit() -> None:
    hold(exact_moments, EXACT)


@pytest.mark.parametrize("cells", ROUTES)
def test_the_variance_of_a_class_1e8_sd_from_the_first_rows(cells: int) -> None:
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=200), 1e8 + rng.normal(size=300)])
    codes = np.repeat([0, 1], [200, 300]).astype(np.int32)
    with loop.whole(cells):
        kept = Moments.of(x[:, None], Shares.hard(codes, 2))
    assert abs(kept.shift[0]) < 10.0  # the first rows say where the shift is: 1e8 sd from the second class
    for k in range(2):
        true = rationals.variance(x[codes == k].tolist())
        assert rationals.off(kept.variance[k, 0], true) <= CLOSE
        centre = rationals.mean(x[codes == k].tolist())
        assert rationals.pair_off(kept.mean.high[k, 0], kept.mean.low[k, 0], centre, true) <= 2.0**-70


@pytest.mark.parametrize("cells", ROUTES)
@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_variance_after_forgetting_an_outlier_of_1e8(cells: int, first: bool, weighted: bool) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=400)
    w = rng.uniform(0.5, 2.0, 400) if weighted else None
    with loop.whole(cells):
        kept, outlier = one_component(x, w), one_component([1e8], np.array([1.7]) if weighted else None)
        left = (outlier + kept if first else kept + outlier) - outlier
    true = rationals.variance(x.tolist(), None if w is None else w.tolist())
    assert rationals.off(left.variance[0, 0], true) <= CLOSE
    assert left.rows[0, 0] == 400


def test_a_constant_column_is_constant_again_after_an_outlier_is_forgotten() -> None:
    for constant in (0.1, 1e8 + 0.1):
        whole = one_component([constant] * 5 + [1e8, -3.3, 2e8 / 3])
        left = whole - one_component([1e8, -3.3, 2e8 / 3])
        assert left.variance[0, 0] == 0.0
        assert left.mean.value[0, 0] == constant


def two_classes(n: int = 240, offset: float = 0.0, seed: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    return rng.normal(size=(n, 4)) * [1.0, 3.0, 0.2, 1.0] + y[:, None] * [1.0, 0.0, 0.1, 2.0] + offset, y


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("model", MODELS)
def test_1_to_64_shards_in_any_order_are_the_whole(model: type[Any], offset: float) -> None:
    X, y = two_classes(offset=offset)
    whole = model().fit(X, y).predict_proba(X)
    rng = np.random.default_rng(3)
    worst = 0.0
    for shards in (1, 2, 3, 4, 5, 7, 8, 11, 16, 21, 27, 32, 40, 48, 57, 63, 64):
        order = rng.permutation(len(y))
        cuts = np.sort(rng.choice(np.arange(1, len(y)), shards - 1, replace=False))
        first, *others = (model().fit(X[rows], y[rows]) for rows in np.split(order, cuts))
        worst = max(worst, np.abs(first.merge(*others).predict_proba(X) - whole).max())
    assert worst <= CLOSE


@pytest.mark.parametrize("model", MODELS)
def test_adding_1e8_to_columns_on_a_grid_changes_nothing(model: type[Any]) -> None:
    X, y = two_classes()
    X = np.rint(X * 2.0**20) / 2.0**20
    before = model().fit(X, y).predict_proba(X)
    after = model().fit(X + 1e8, y).predict_proba(X + 1e8)
    assert np.array_equal((X + 1e8) - 1e8, X)  # float64 lost nothing
    assert np.abs(after - before).max() <= CLOSE


@pytest.mark.parametrize("model", MODELS)
def test_adding_1e8_changes_no_more_than_float64_lost(model: type[Any]) -> None:
    X, y = two_classes()
    before = model().fit(X, y).predict_proba(X)
    assert np.abs(model().fit(X + 1e8, y).predict_proba(X + 1e8) - before).max() <= 1e-6


@pytest.mark.parametrize("factor", [1e6, 1e-6, 2.0**20, 2.0**-20, 3.7e5, 1.0 / 3e6])
def test_units_change_nothing(factor: float) -> None:
    X, y = two_classes()
    before = NaiveBayes().fit(X, y).predict_proba(X)
    for units in (np.array([factor, 1.0, 1.0, 1.0]), np.full(4, factor), np.array([1.0, factor, 1.0, 1.0 / factor])):
        assert np.abs(NaiveBayes().fit(X * units, y).predict_proba(X * units) - before).max() <= CLOSE


@pytest.mark.parametrize("factor", [1e6, 1e-6, 2.0**20, 3.7e5])
def test_one_unit_for_all_columns_changes_nothing_in_gaussian_nb(factor: float) -> None:
    """Its floor is a share of the largest variance, so that columns must change their units together."""
    X, y = two_classes()
    before = GaussianNB().fit(X, y).predict_proba(X)
    assert np.abs(GaussianNB().fit(X * factor, y).predict_proba(X * factor) - before).max() <= CLOSE


@pytest.mark.parametrize("model", MODELS)
def test_a_model_forgets_an_outlier_of_1e8(model: type[Any]) -> None:
    X, y = two_classes()
    earlier = model().fit(X, y)
    X_out, y_out = np.full((1, 4), 1e8), np.array([1])
    again = model().fit(X, y).partial_fit(X_out, y_out).forget(X_out, y_out)
    assert np.abs(again.predict_proba(X) - earlier.predict_proba(X)).max() <= CLOSE
    begun = model().fit(np.vstack([X_out, X]), np.append(y_out, y)).forget(X_out, y_out)
    assert np.abs(begun.predict_proba(X) - earlier.predict_proba(X)).max() <= CLOSE
