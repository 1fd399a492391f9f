"""Principal components: shards, files, forgetting, offsets, missing cells, how many to keep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from scipy.sparse import random as sparse_rows
from sklearn.decomposition import PCA as TheirPCA

from suffice import PCA, Chain, IncrementalPCA, LinearRegression, TruncatedSVD, load
from suffice.core.shares import Shares
from suffice.projections import broken_stick, choose_components, low_rank
from suffice.projections.components.component_counts import by_broken_stick, by_share
from suffice.projections.components.principal_plan import PrincipalLearner, column_variances
from suffice.summaries import PatternMoments, RowsSummary, WideMoments
from suffice.summaries.wide_moments import is_wide

RNG = np.random.default_rng(0)
TURN = np.linalg.qr(RNG.normal(size=(8, 8)))[0]
X = RNG.normal(size=(640, 8)) * [5, 4, 3, 2, 1, 0.5, 0.2, 0.1] @ TURN.T + np.arange(8)


def angle(a: Any, b: Any) -> float:
    return float(subspace_angles(a.components_.T, b.components_.T).max())


def test_shards_files_and_forgetting_keep_the_axes(tmp_path: Path) -> None:
    whole = PCA(3).fit(X)
    first, *rest = (PCA(3).fit(part) for part in np.array_split(X, 64))
    assert angle(first.merge(*rest), whole) <= 1e-10
    path = tmp_path / "rows.csv"
    np.savetxt(path, X, delimiter=",", header=",".join("abcdefgh"), comments="", fmt="%.17g")
    assert angle(PCA(3).fit(path), whole) <= 1e-10
    more = RNG.normal(size=(50, 8)) * 40.0
    assert angle(PCA(3).fit(X).partial_fit(more).forget(more), whole) <= 1e-9
    batches = IncrementalPCA(3)
    for part in np.array_split(X, 7):
        batches.partial_fit(part)
    assert angle(batches, whole) <= 1e-10
    np.testing.assert_allclose(batches.var_, X.var(axis=0), rtol=1e-12)


def test_a_column_far_from_zero() -> None:
    far = X.copy()
    far[:, 3] += 1e8
    stored = far.copy()
    stored[:, 3] -= 1e8  # exact: what the column holds after it was stored
    assert angle(PCA(3).fit(far), PCA(3).fit(stored)) <= 1e-10
    gap = PCA(3).fit(far).transform(far) - PCA(3).fit(stored).transform(stored)
    assert np.abs(gap).max() <= 1e-7


def test_infinite_cells_of_large_tables_are_met_by_the_pass_itself() -> None:
    """No other pass looks for them; missing cells stay missing ones, and a refused table changes nothing."""
    rows = np.random.default_rng(6).normal(size=(50_000, 40))
    model = PCA(2).fit(X)
    for cell in (np.inf, -np.inf, 1e200):
        rows[7, 3] = cell
        with pytest.raises(ValueError, match=r"column 'x3' must be finite .* in row 7"):
            model.fit(rows)
    np.testing.assert_array_equal(model.mean_, PCA(2).fit(X).mean_)
    rows[7, 3] = np.nan
    one = PCA(2).fit(rows)
    assert one.n_samples_ == 50_000
    np.testing.assert_allclose(
        one.explained_variance_, PCA(2).fit(np.delete(rows, 7, axis=0)).explained_variance_, 1e-3
    )


def test_weights_are_copies() -> None:
    w = RNG.integers(0, 4, 640)
    a, b = PCA(3).fit(X, sample_weight=w), PCA(3).fit(np.repeat(X, w, axis=0))
    assert angle(a, b) <= 1e-10
    np.testing.assert_allclose(a.explained_variance_, b.explained_variance_, rtol=1e-12)


def test_missing_cells_are_estimated() -> None:
    """Cells of rows on a plane are found again; leaving rows out, or filling in means, would not do."""
    flat = RNG.normal(size=(300, 2)) @ RNG.normal(size=(2, 5)) + RNG.normal(0, 0.01, (300, 5))
    holes = np.where(RNG.random(flat.shape) < 0.15, np.nan, flat)
    pca = PCA(2).fit(holes)
    assert angle(pca, PCA(2).fit(flat)) < 0.02
    back = pca.inverse_transform(pca.transform(holes))
    assert np.abs(back - flat)[np.isnan(holes)].mean() < 0.05
    halves = [PCA(2).fit(part) for part in np.array_split(holes, 2)]
    assert angle(halves[0].merge(halves[1]), pca) <= 1e-6


def test_it_is_scikit_learns_where_both_are_defined() -> None:
    mine, theirs = PCA(4).fit(X), TheirPCA(4).fit(X)
    for name in ("components_", "explained_variance_", "explained_variance_ratio_", "singular_values_", "mean_"):
        np.testing.assert_allclose(getattr(mine, name), getattr(theirs, name), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(mine.score_samples(X[:9]), theirs.score_samples(X[:9]), rtol=1e-10)
    np.testing.assert_allclose(mine.get_precision() @ mine.get_covariance(), np.eye(8), atol=1e-9)


def test_how_many_components() -> None:
    assert broken_stick(3) == pytest.approx([11 / 18, 5 / 18, 2 / 18])
    assert by_share(np.array([6.0, 3.0, 1.0]), 0.7) == 2
    assert by_broken_stick(np.array([8.0, 1.0, 1.0])) == 1
    assert PCA("broken-stick").fit(X).n_components_ == by_broken_stick(PCA().fit(X).explained_variance_)
    assert PCA(0.95).fit(X).n_components_ == TheirPCA(0.95).fit(X).n_components_
    assert PCA("mle").fit(X).n_components_ == TheirPCA("mle").fit(X).n_components_
    report = PCA().fit(X).variance_report()
    assert report[-1].together == pytest.approx(1.0)
    assert [row.component for row in report] == list(range(8))
    model = PCA(2).fit(X)
    assert model.set_params(n_components=5).n_components_ == 5  # read anew, without the rows


def test_the_number_of_components_by_rows_held_out() -> None:
    """The scores are those of models fitted to the other folds, row by row; nothing was fitted for them."""
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(400, 3)) * [4, 3, 2] @ rng.normal(size=(3, 7)) + rng.normal(size=(400, 7))
    chosen = choose_components(rows, folds=4, seed=1)
    assert chosen.best == 3
    mine = np.random.default_rng(1).permutation(np.arange(400) % 4)
    plain = [PCA(2).fit(rows[mine != k]).score(rows[mine == k]) for k in range(4)]
    assert chosen.scores[2] == pytest.approx(np.mean(plain), rel=1e-10)


def test_a_chain_goes_through_components() -> None:
    y = X @ np.arange(8.0)
    chain = Chain(PCA(8), LinearRegression()).fit(X, y)
    assert chain.predict(X[:5]) == pytest.approx(y[:5], abs=1e-6)


def test_wide_tables_take_the_rows_themselves(tmp_path: Path) -> None:
    wide = RNG.normal(size=(30, 3)) @ RNG.normal(size=(3, 600)) + 0.01 * RNG.normal(size=(30, 600))
    assert is_wide(30, 600)
    assert not is_wide(30, 500)
    model = PCA(3).fit(wide)
    assert not model.fitted_.adds
    np.testing.assert_allclose(model.explained_variance_, TheirPCA(3, svd_solver="full").fit(wide).explained_variance_)
    with pytest.raises(TypeError, match="must be one whose summary was kept"):
        model.merge(PCA(3).fit(wide))
    model.save(tmp_path / "m")
    np.testing.assert_array_equal(load(tmp_path / "m").transform(wide), model.transform(wide))


def test_batches_of_wide_tables_keep_their_rows(tmp_path: Path) -> None:
    """Nothing of columns x columns is made: batches, merging and forgetting are those of all rows at once."""
    rng = np.random.default_rng(3)
    wide = rng.normal(size=(60, 4)) * [9, 5, 3, 2] @ rng.normal(size=(4, 4_200)) + 0.1 * rng.normal(size=(60, 4_200))
    whole = TheirPCA(3, svd_solver="full").fit(wide)
    batches = IncrementalPCA(3).partial_fit(wide[:10]).partial_fit(wide[10:40]).merge(IncrementalPCA(3).fit(wide[40:]))
    assert batches.algebra_ == "rows"
    assert angle(batches, whole) <= 1e-10
    np.testing.assert_allclose(batches.explained_variance_, whole.explained_variance_, rtol=1e-10)
    np.testing.assert_allclose(batches.var_, wide.var(axis=0), rtol=1e-10)
    more = 50.0 * rng.normal(size=(5, 4_200))
    assert angle(batches.partial_fit(more).forget(more), whole) <= 1e-10
    batches.save(tmp_path / "m")
    np.testing.assert_array_equal(load(tmp_path / "m").transform(wide), batches.transform(wide))
    topics, pca = (model.partial_fit(wide[:20]).partial_fit(wide[20:]) for model in (TruncatedSVD(3), PCA(3)))
    assert angle(pca, whole) <= 1e-10
    np.testing.assert_allclose(topics.singular_values_, np.linalg.svd(wide, compute_uv=False)[:3], rtol=1e-10)


def test_sparse_batches_of_many_columns() -> None:
    rows = sparse_rows(80, 3_000, density=0.01, format="csr", random_state=0)
    whole = TheirPCA(3, svd_solver="full").fit(rows.toarray())
    batches = IncrementalPCA(3).partial_fit(rows[:50]).partial_fit(rows[50:])
    np.testing.assert_allclose(batches.explained_variance_, whole.explained_variance_, rtol=1e-10)
    assert angle(batches, whole) <= 1e-8
    np.testing.assert_allclose(IncrementalPCA().fit(rows).explained_variance_ratio_.sum(), 1.0, rtol=1e-10)
    topics = TruncatedSVD(2).partial_fit(rows[:50]).partial_fit(rows[50:])
    np.testing.assert_allclose(topics.singular_values_, np.linalg.svd(rows.toarray(), compute_uv=False)[:2], rtol=1e-10)


def test_shares_and_rules_of_sparse_rows_with_many_columns() -> None:
    rows = sparse_rows(40, 700, density=0.05, format="csr", random_state=1)
    for wish in (0.5, "broken-stick", None, 39):
        mine, dense = PCA(wish).fit(rows), PCA(wish, svd_solver="full").fit(rows.toarray())
        assert mine.n_components_ == dense.n_components_, wish
        np.testing.assert_allclose(mine.explained_variance_, dense.explained_variance_, rtol=1e-9, atol=1e-12)
    assert 1 < PCA(0.5).fit(rows).n_components_ < 30


def test_rows_become_products_when_there_are_many() -> None:
    """Components are the same whichever is kept, weights and a column far from 0 included."""
    far, w = X[:30] + 1e6 * np.eye(8)[2], RNG.integers(0, 4, 30).astype(float)
    learner = PrincipalLearner("PCA", 3, False, "pca")
    halves = [
        WideMoments.of(far[some], Shares.hard(np.zeros(15, dtype=np.int32), 1, w[some]))
        for some in (slice(15), slice(15, 30))
    ]
    assert [type(half.summary) for half in halves] == [RowsSummary, RowsSummary]
    whole = halves[0] + halves[1]
    assert isinstance(whole.summary, PatternMoments)
    for kept, some in ((whole, slice(30)), (halves[0], slice(15)), (whole - halves[1], slice(15))):
        found, plain = learner.estimate(kept), PCA(3).fit(np.repeat(far[some], w[some].astype(int), axis=0))
        assert subspace_angles(found.axes.T, plain.components_.T).max() <= 1e-9
        np.testing.assert_allclose(found.variances, plain.explained_variance_, rtol=1e-9)
        np.testing.assert_allclose(column_variances(kept), np.cov(far[some].T, aweights=w[some], ddof=0).diagonal())


def test_the_density_of_few_axes_makes_no_table_of_all_columns() -> None:
    """By the inverse of the covariance, where that can be had; without noise, along the axes that rows vary along."""
    for k in (0, 2, 8):
        model = PCA(k).fit(X)
        Z, inverse = X[:9] - X.mean(axis=0), np.linalg.inv(model.get_covariance())
        plain = -0.5 * (((Z @ inverse) * Z).sum(axis=1) + 8 * np.log(2 * np.pi) - np.linalg.slogdet(inverse)[1])
        np.testing.assert_allclose(model.score_samples(X[:9]), plain, rtol=1e-10)
    twice = np.column_stack([X, X[:, 0]])
    assert np.isfinite(PCA().fit(twice).score(twice))


def test_more_axes_than_rows_of_a_wide_table() -> None:
    rows = np.random.default_rng(5).normal(size=(2, 600))
    model = TruncatedSVD(4).partial_fit(rows)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(model.inverse_transform(model.transform(rows)), rows, atol=1e-12)
    assert model.singular_values_[2:].tolist() == [0.0, 0.0]


def test_truncated_values_are_those_of_the_uncentred_rows() -> None:
    model = TruncatedSVD(2).fit(X[:300]).partial_fit(X[300:])
    kept = low_rank(X, 2)
    np.testing.assert_allclose(model.singular_values_, kept.weights, rtol=1e-12)
    np.testing.assert_allclose(model.components_, kept.right, atol=1e-10)
    np.testing.assert_allclose(model.explained_variance_, model.transform(X).var(axis=0), rtol=1e-10)


def test_one_row_and_constant_columns() -> None:
    one = PCA().fit([[1.0, 2.0]])
    assert one.explained_variance_.tolist() == [0.0]
    assert one.transform([[1.0, 2.0]]).tolist() == [[0.0]]
    flat = PCA(whiten=True).fit(np.column_stack([X[:, 0], np.full(640, 7.25)]))
    assert flat.explained_variance_[1] == 0.0
    assert np.isfinite(flat.transform([[1.0, 7.25]])).all()
