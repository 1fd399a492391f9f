"""Normal imputation: closed forms, shards, forgetting, proper draws and pooled intervals (P.M159)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from suffice import NormalImputer, load
from suffice.core.errors import BadInput, NeverAdded, NotASummary
from suffice.core.shares import Shares
from suffice.features import pool
from suffice.features.missing.normal_augmentation import Drawn, SumsDrawn
from suffice.summaries import pattern_moments
from suffice.summaries.pattern_moments import PatternMoments

RNG = np.random.default_rng(0)
ROOT = np.linalg.cholesky([[1.0, 0.6, 0.3], [0.6, 1.0, 0.5], [0.3, 0.5, 1.0]])


def gapped(n: int, rng: Any = RNG, share: float = 0.25) -> Any:
    X = rng.standard_normal((n, 3)) @ ROOT.T + [1.0, 2.0, 3.0]
    return np.where((rng.random(X.shape) < share) & (np.arange(n) > 3)[:, None], np.nan, X)


def test_a_monotone_pattern_has_a_closed_form() -> None:
    """P.M159: y is missing in some rows, x in none: the regression of y on x in the complete rows tells the maximum."""
    x = RNG.normal(1e4, 3.0, 60)
    y = 2.0 * x + RNG.normal(0.0, 1.0, 60)
    X = np.column_stack([x, np.where(np.arange(60) < 40, y, np.nan)])
    imputer = NormalImputer().fit(X)
    m, s = x[:40].mean(), x[:40].var()
    slope = ((x[:40] - m) * (y[:40] - y[:40].mean())).mean() / s
    np.testing.assert_allclose(imputer.transform(X)[40:, 1], y[:40].mean() + slope * (x[40:] - m), rtol=1e-12)
    np.testing.assert_allclose(imputer.mean_, [x.mean(), y[:40].mean() + slope * (x.mean() - m)], rtol=1e-12)
    left = (y[:40] - y[:40].mean() - slope * (x[:40] - m)).var()
    np.testing.assert_allclose(imputer.covariance_[1, 1], left + slope**2 * x.var(), rtol=1e-10)
    np.testing.assert_allclose(imputer.covariance_[0, 1], slope * x.var(), rtol=1e-10)
    assert imputer.n_missing_.tolist() == [0, 20]


def test_the_estimate_is_stationary() -> None:
    """One more round of expectation and maximisation over the rows themselves moves nothing."""
    X = gapped(200)
    imputer = NormalImputer().fit(X)
    m, C = imputer.mean_, imputer.covariance_
    S, Q = np.zeros(3), np.zeros((3, 3))
    for row in X:
        u, o = np.isnan(row), ~np.isnan(row)
        z, V = row - m, np.zeros((3, 3))
        if u.any():
            A = C[np.ix_(u, o)] @ np.linalg.inv(C[np.ix_(o, o)]) if o.any() else np.zeros((u.sum(), 0))
            z[u] = A @ z[o]
            V[np.ix_(u, u)] = C[np.ix_(u, u)] - A @ C[np.ix_(o, u)]
        S, Q = S + z, Q + np.outer(z, z) + V
    np.testing.assert_allclose(S / 200, 0.0, atol=1e-11)
    np.testing.assert_allclose(Q / 200 - np.outer(S, S) / 200**2, C, rtol=1e-10, atol=1e-12)


def test_shards_files_and_forgetting(tmp_path: Any) -> None:
    X = gapped(120) + np.array([0.0, 1e8, 0.0])
    whole = NormalImputer().fit(X)
    halves = NormalImputer().fit(X[::2]).merge(NormalImputer().fit(X[1::2]))
    np.testing.assert_allclose(halves.transform(X), whole.transform(X), rtol=1e-10)
    np.testing.assert_allclose(halves.covariance_, whole.covariance_, rtol=1e-7)
    left = NormalImputer().fit(X[::2])
    np.testing.assert_allclose(halves.forget(X[1::2]).transform(X), left.transform(X), rtol=1e-10)
    with pytest.raises(NeverAdded):
        left.forget([[np.nan, np.nan, 5.0]] * 70)
    frame = pd.DataFrame(X, columns=list("abc"))
    frame.to_csv(tmp_path / "rows.csv", index=False)
    read = NormalImputer().fit(tmp_path / "rows.csv")
    np.testing.assert_allclose(read.transform(frame), whole.transform(X), rtol=1e-10)
    whole.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.transform(X), whole.transform(X))
    a, b = (next(iter(one.draw(X, 1, 3))) for one in (whole, loaded))
    np.testing.assert_array_equal(a, b)
    assert str(read.report(frame)).splitlines()[1].startswith("a")
    assert [line.cells for line in whole.report(X)] == np.isnan(X).sum(axis=0).tolist()


def test_a_shard_may_lack_a_column() -> None:
    """What it cannot tell alone it tells once it is merged."""
    X = gapped(40)
    first = X[:10].copy()
    first[:, 1] = np.nan
    shard = NormalImputer().fit(first)
    whole = NormalImputer().fit(np.vstack([first, X[10:]]))
    np.testing.assert_allclose(shard.merge(NormalImputer().fit(X[10:])).transform(X), whole.transform(X), rtol=1e-10)


def test_weights_are_copies_and_present_cells_stay() -> None:
    X, w = gapped(60), RNG.integers(0, 3, 60)
    weighed, copied = NormalImputer().fit(X, sample_weight=w), NormalImputer().fit(np.repeat(X, w, axis=0))
    np.testing.assert_allclose(weighed.covariance_, copied.covariance_, rtol=1e-10)
    for table in (weighed.transform(X), *weighed.draw(X, 2, 0)):
        np.testing.assert_array_equal(table[~np.isnan(X)], X[~np.isnan(X)])
        assert np.isfinite(table).all()
    assert weighed.transform(X.astype(np.float32)).dtype == np.float32


def test_sums_of_drawn_cells_are_drawn_without_the_cells() -> None:
    """One pattern of nine rows: first and second sums have the distribution that drawing every cell gives them."""
    x = np.random.default_rng(5).normal(size=9) + 1.0
    C, m = ROOT[:2, :2] @ ROOT[:2, :2].T, np.array([0.5, 2.0])
    rows = np.column_stack([x, np.full(9, np.nan)])
    summary = PatternMoments.of(rows, Shares.hard(np.zeros(9, dtype=np.int32), 1))
    chain, n = SumsDrawn(summary, np.zeros(2), np.random.default_rng(6)), 4000
    pattern = (chain.present[0], chain.weight[0], chain.first[0], chain.second[0])
    sums = [chain.completed(Drawn(m, C), *pattern) for _ in range(n)]
    mine = np.array([(S[1], Q[0, 1], Q[1, 1]) for S, Q in sums])
    slope = C[0, 1] / C[0, 0]
    noise = np.random.default_rng(7).normal(0.0, np.sqrt(C[1, 1] - slope * C[0, 1]), (n, 9))
    y = m[1] + slope * (x - m[0]) + noise
    theirs = np.column_stack([y.sum(axis=1), y @ x, (y * y).sum(axis=1)])
    for a, b in ((mine, theirs), (mine**2, theirs**2), (np.prod(mine[:, :2], axis=1), np.prod(theirs[:, :2], axis=1))):
        error = np.sqrt((a.var(axis=0) + b.var(axis=0)) / n)
        assert (np.abs(a.mean(axis=0) - b.mean(axis=0)) < 4.5 * error).all()
    assert all(stats.ks_2samp(mine[:, j], theirs[:, j]).pvalue > 1e-4 for j in range(3))


def test_intervals_cover_what_is_true() -> None:
    """Means and slopes of 60 rows, some missing for reasons that another column tells: 60 tables, 95 % intervals."""
    rng, covered, slopes = np.random.default_rng(8), [], []
    true = (ROOT @ ROOT.T)[1, 2] / (ROOT @ ROOT.T)[1, 1]
    for seed in range(60):
        X = rng.standard_normal((60, 3)) @ ROOT.T
        X[rng.random(60) < 0.7 / (1.0 + np.exp(-2.0 * X[:, 0])), 1] = np.nan
        imputer = NormalImputer().fit(X)
        drawn = np.array(list(imputer.draw(X, 5, seed, burn_in=20)))
        cells = drawn[:, :, 1]
        low, high = pool(cells.mean(axis=1), cells.var(axis=1, ddof=1) / 60, 59.0).interval()
        covered.append(low < 0.0 < high)
        fits = [stats.linregress(table[:, 1], table[:, 2]) for table in drawn]
        low, high = pool([fit.slope for fit in fits], [fit.stderr**2 for fit in fits], 58.0).interval()
        slopes.append(low < true < high)
    assert 0.86 <= np.mean(covered) <= 1.0  # 3 standard errors below 0.95
    assert 0.86 <= np.mean(slopes) <= 1.0


def test_rubins_rules() -> None:
    """Against the formulas, and against a complete table, where nothing varies between tables."""
    rng = np.random.default_rng(3)
    q, U = rng.normal(size=(5, 2)), rng.random((5, 2))
    told = pool(q, U, 40.0)
    B = q.var(axis=0, ddof=1)
    T = U.mean(axis=0) + 1.2 * B
    g = 1.2 * B / T
    v = 1.0 / (g**2 / 4 + 1.0 / (41.0 / 43.0 * 40.0 * (1 - g)))
    np.testing.assert_allclose((told.total, told.freedom, told.missing), (T, v, g), rtol=1e-13)
    low, high = told.interval(0.9)
    np.testing.assert_allclose(high - low, 2 * stats.t.ppf(0.95, v) * np.sqrt(T), rtol=1e-13)
    alike = pool([2.0, 2.0], [1.0, 1.0])
    assert (float(alike.total), float(alike.freedom), float(alike.missing)) == (1.0, np.inf, 0.0)


REFUSED: list[tuple[Any, str]] = [
    (
        lambda: NormalImputer().fit([[1.0, np.nan], [2.0, np.nan]]).mean_,
        "a cell must be present in some row of every column",
    ),
    (lambda: NormalImputer().fit([[1.0, "x"]]), "column .x1. must be of numbers, got .x. in row 0"),
    (lambda: NormalImputer().fit([[1.0, np.inf]]), "inf"),
    (lambda: NormalImputer(-1.0).fit([[1.0]]), "prior_strength"),
    (lambda: NormalImputer().fit(gapped(30)).draw([[1.0, 2.0, 3.0]], 0), "m must be a whole number of at least 1"),
    (lambda: NormalImputer().fit(gapped(30)).draw([[1.0, 2.0, 3.0]], burn_in=1), "burn_in must be a whole number"),
    (lambda: NormalImputer().fit(gapped(30)).transform([[1.0, 2.0]]), "3 features"),
    (lambda: pool([1.0], [1.0]), "estimates must be numbers of the shape of variances, of at least two tables"),
    (lambda: pool([1.0, 2.0], [1.0, -1.0]), "variances must be numbers of at least 0"),
    (lambda: pool([1.0, 2.0], [1.0, 1.0], 0.0), "freedom must be above 0"),
    (lambda: pool([1.0, 2.0], [1.0, 1.0]).interval(1.0), "level must be between 0 and 1"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises((BadInput, ValueError, TypeError), match=message):
        ask()


def test_columns_that_follow_from_one_another_and_few_rows() -> None:
    """The second column is twice the first, the third constant; and there may be fewer rows than columns."""
    x = RNG.normal(size=30)
    X = np.column_stack([x, 2.0 * x, np.full(30, 7.0)])
    gaps = X.copy()
    gaps[3, 1] = gaps[4, 0] = gaps[5, 2] = np.nan
    imputer = NormalImputer().fit(gaps)
    np.testing.assert_allclose(imputer.transform(gaps), X, rtol=1e-6)
    for table in imputer.draw(gaps, 3, 0):
        np.testing.assert_allclose(table, X, atol=1e-4)
    two = NormalImputer().fit([[1.0, 2.0, 3.0], [2.0, 4.0, 1.0]])
    np.testing.assert_allclose(two.transform([[1.5, np.nan, np.nan]]), [[1.5, 3.0, 2.0]], rtol=1e-9)


@pytest.mark.parametrize("strength", [0.0, 2.0])
def test_more_patterns_than_are_kept_take_passes_over_the_rows(
    strength: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """The same model as from the sums of each pattern: rows without cells, weights, a column at 1e8, files."""
    X, w = gapped(150) + np.array([0.0, 0.0, 1e8]), RNG.integers(0, 3, 150)
    X[3] = np.nan
    whole = NormalImputer(strength).fit(X, sample_weight=w)
    unit, expected = np.sqrt(np.diagonal(whole.covariance_)), whole.transform(X)
    with monkeypatch.context() as less:
        less.setattr(pattern_moments, "CELLS", 20)
        found = NormalImputer(strength).fit(X, sample_weight=w)
        frame = pd.DataFrame(np.column_stack([X, w]), columns=[*"abc", "w"])
        frame.to_csv(tmp_path / "rows.csv", index=False)
        read = NormalImputer(strength).fit(tmp_path / "rows.csv", sample_weight="w")
        with pytest.raises(BadInput, match="missing patterns take several passes"):
            NormalImputer(strength).fit(iter([frame[list("abc")]]))
    assert (whole.algebra_, found.algebra_) == ("one pass", "passes")
    for one in (found, read):
        np.testing.assert_allclose((one.mean_ - whole.mean_) / unit, 0.0, atol=1e-9)
        np.testing.assert_allclose((one.covariance_ - whole.covariance_) / unit / unit[:, None], 0.0, atol=1e-9)
    np.testing.assert_allclose((found.transform(X) - expected) / unit, 0.0, atol=1e-9)
    assert found.n_missing_.tolist() == whole.n_missing_.tolist()
    found.save(tmp_path / "model")
    np.testing.assert_array_equal(load(tmp_path / "model").transform(X), found.transform(X))
    for attempt in (lambda: found.merge(whole), lambda: found.partial_fit(X)):
        with pytest.raises(NotASummary, match="passes over its rows"):
            attempt()
    with pytest.raises(BadInput, match="draw needs them"):
        found.draw(X, 2)
