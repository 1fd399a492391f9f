"""SVC on sparse rows, and on many classes that share one kernel matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse

from suffice import SVC
from suffice.core.errors import BadInput
from suffice.margin.svc.one_versus_one import PairTraining

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


def test_pairs_find_the_same_machines_in_one_matrix_and_in_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = SVC().fit(X, Y)
    monkeypatch.setattr(PairTraining, "whole", lambda self, K, order: None)
    alone = SVC().fit(X, Y)
    np.testing.assert_allclose(shared.decision_function(X), alone.decision_function(X), atol=1e-8)
    np.testing.assert_array_equal(shared.support_, alone.support_)
