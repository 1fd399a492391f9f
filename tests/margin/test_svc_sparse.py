"""SVC on sparse rows, and on many classes that share one kernel matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse

from suffice import SVC
from suffice.core.errors import BadInput
from suffice.margin.svc import class_blocks
from suffice.margin.svc.one_versus_one import PairTraining
from suffice.spaces.kernels import Kernel, PolynomialKernel, RbfKernel

RNG = np.random.default_rng(0)
X = np.where(RNG.random((120, 6)) < 0.6, 0.0, RNG.normal(size=(120, 6)))
Y = np.arange(120) % 5
X[:, 0] += Y


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_sparse_rows_are_learned_as_full_ones(kernel: str) -> None:
    full, sparse = SVC(kernel=kernel).fit(X, Y), SVC(kernel=kernel).fit(csr_array(X), Y)
    np.testing.assert_array_equal(sparse.decision_function(csr_array(X)), full.decision_function(X))
    assert issparse(sparse.support_vectors_)
    assert issparse(sparse.dual_coef_)
    np.testing.assert_array_equal(sparse.support_vectors_.toarray(), full.support_vectors_)


def test_rows_that_do_not_fit_are_refused_with_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suffice.estimators.boundary.sparse_form.memory", lambda: 4 * 120 * 6 * 8 - 4)
    with pytest.raises(BadInput, match=r"120 rows of 6 columns, filled in, .* got 5,760 bytes"):
        SVC().fit(csr_array(X), Y)


@pytest.mark.parametrize("few", [0, 10**6])  # rows by class; all rows at once
def test_pairs_find_the_same_machines_from_shared_values_and_their_own(
    monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(class_blocks, "FEW", few)
    shared = SVC().fit(X, Y)
    monkeypatch.setattr(PairTraining, "shared", lambda self, K, order, runs: None)
    alone = SVC().fit(X, Y)
    np.testing.assert_allclose(shared.decision_function(X), alone.decision_function(X), atol=1e-8)
    np.testing.assert_array_equal(shared.support_, alone.support_)


@pytest.mark.parametrize("kernel", [RbfKernel(0.5), RbfKernel(50.0), PolynomialKernel(2)])
def test_the_matrix_of_two_classes_is_symmetric_and_written_over_by_the_next(kernel: Kernel) -> None:
    rows, runs = np.array([[0.0], [1.0], [1.0], [3.0], [7.0], [2.0]]), [slice(0, 2), slice(2, 5), slice(5, 6)]
    blocks = class_blocks.ClassBlocks(kernel, rows, runs)
    for i, j in ((0, 1), (1, 2), (0, 2)):
        found = blocks.pair(i, j).K
        np.testing.assert_array_equal(found, found.T)
        expected = kernel.between(np.vstack([rows[runs[i]], rows[runs[j]]]))
        np.testing.assert_allclose(found, expected, rtol=1e-12)  # 1 exactly for rows that are equal
        np.testing.assert_array_equal(found == 1.0, expected == 1.0)
        assert np.shares_memory(found, blocks.room)
