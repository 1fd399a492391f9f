"""Factorisations and completion."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import NMF as TheirNMF

from suffice import NMF, MatrixCompletion
from suffice.projections import boolean_factors, choose_rank, complete_entries, soft_impute, weighted_topics
from suffice.projections.factors.nonnegative_model import coordinate_loop, coordinate_step

RNG = np.random.default_rng(0)
X = np.abs(RNG.normal(size=(30, 3))) @ np.abs(RNG.normal(size=(3, 12))) + 0.01


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("beta", ["frobenius", "kullback-leibler", "itakura-saito"])
def test_non_negative_factors_are_scikit_learns(beta: str) -> None:
    given = {"init": "nndsvda", "random_state": 0, "max_iter": 60, "solver": "mu", "beta_loss": beta}
    mine, theirs = NMF(3, **given), TheirNMF(3, **given)
    np.testing.assert_allclose(mine.fit_transform(X), theirs.fit_transform(X), rtol=1e-6, atol=1e-9)
    assert mine.reconstruction_err_ == pytest.approx(theirs.reconstruction_err_, rel=1e-6)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("solver", "loss"), [("cd", "frobenius"), ("mu", "kullback-leibler")])
def test_sparse_rows_give_the_factors_of_dense_ones(solver: str, loss: str) -> None:
    Y = np.where(RNG.random(X.shape) < 0.5, X, 0.0)
    given = {"random_state": 0, "max_iter": 40, "solver": solver, "beta_loss": loss, "init": "random"}
    a, b = NMF(2, **given).fit(Y), NMF(2, **given).fit(sp.csr_array(Y))
    np.testing.assert_allclose(a.components_, b.components_, rtol=1e-8, atol=1e-10)


def test_the_loop_over_coordinates_is_its_twin() -> None:
    W, H = np.abs(RNG.normal(size=(40, 3))), np.abs(RNG.normal(size=(3, 12)))
    W[::4] = 0.0
    Y, other = np.abs(RNG.normal(size=(40, 12))), W.copy()
    off, products, cross = np.zeros(40), H @ H.T, Y @ H.T - 0.5
    far = coordinate_step(W, products, cross, [2, 0, 1])
    coordinate_loop(other, products, cross, np.array([2, 0, 1]), off)
    np.testing.assert_allclose(W, other, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(far, off, rtol=1e-10)


def test_many_rows_go_over_threads() -> None:
    rng = np.random.default_rng(5)
    W, products, cross = rng.random((20_001, 5)), np.eye(5) + rng.random((5, 5)), rng.random((20_001, 5))
    other, off = W.copy(), np.zeros(20_001)
    coordinate_loop(other, products, cross, np.arange(5), off)
    np.testing.assert_array_equal(coordinate_step(W, products, cross, range(5)), off)
    np.testing.assert_array_equal(W, other)


def test_boolean_factors_greedy_and_exact() -> None:
    left, right = RNG.random((12, 3)) < 0.5, np.array([[1, 1, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 1, 1]], dtype=bool)
    seen = (left.astype(int) @ right.astype(int)) > 0
    exact, greedy = boolean_factors(seen, 3, exact=True), boolean_factors(seen, 3)
    assert exact.error == 0 <= greedy.error
    assert (exact.product() != seen).sum() == exact.error
    assert (greedy.product() != seen).sum() == greedy.error


def test_weighted_topics_that_do_not_fit_say_by_how_much() -> None:
    found = weighted_topics([[1, 0], [0, 2], [3, 3]], 1)
    assert found.error == ((found.matrix() - [[1, 0], [0, 2], [3, 3]]) ** 2).sum() > 0


def entries() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    truth = (
        3.0 + rng.normal(size=(60, 1)) + rng.normal(size=(1, 40)) + rng.normal(size=(60, 2)) @ rng.normal(size=(2, 40))
    )
    i, j = np.nonzero(rng.random(truth.shape) < 0.5)
    return i, j, truth[i, j] + rng.normal(0, 0.1, len(i)), truth


def test_completion_finds_what_was_not_seen() -> None:
    i, j, x, truth = entries()
    found = complete_entries(i, j, x, truth.shape, rank=2, penalty=0.05, max_iter=200)
    unseen = np.ones(truth.shape, dtype=bool)
    unseen[i, j] = False
    assert np.sqrt(((found.matrix() - truth)[unseen] ** 2).mean()) < 0.2
    np.testing.assert_allclose(found.cells([3, 5], [7, 9]), found.matrix()[[3, 5], [7, 9]])
    flat = complete_entries(i, j, x, truth.shape, rank=0)
    assert np.sqrt(((flat.matrix() - truth)[unseen] ** 2).mean()) > 0.8


def test_the_rank_by_entries_held_out() -> None:
    i, j, x, truth = entries()
    chosen = choose_rank(i, j, x, truth.shape, ranks=(0, 1, 2, 4), penalties=(0.1,), folds=3, max_iter=30)
    assert chosen.rank == 2
    assert chosen.errors.argmin() == 2


def test_soft_impute_falls_to_rank_one() -> None:
    Y = np.outer([1.0, 2.0, 3.0, 4.0], [1.0, -1.0, 2.0])
    holes = Y.copy()
    holes[0, 0] = np.nan
    filled, values = soft_impute(holes, 0.05, max_iter=3000, tol=1e-9)
    assert len(values) == 1
    assert filled[0, 0] == pytest.approx(1.0, abs=0.1)


def test_new_rows_are_filled_in() -> None:
    rng = np.random.default_rng(2)
    V = rng.normal(size=(2, 10))
    model = MatrixCompletion(2, penalty=1e-3, max_iter=300, tol=1e-9).fit(rng.normal(size=(50, 2)) @ V)
    row = rng.normal(size=(1, 2)) @ V
    holes = row.copy()
    holes[0, [1, 4, 8]] = np.nan
    np.testing.assert_allclose(model.transform(holes), row, atol=0.05)
