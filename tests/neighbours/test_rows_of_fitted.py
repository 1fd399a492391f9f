"""A fitted model of neighbours, or a tree of scikit-learn's, in place of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn import neighbors as theirs
from sklearn.exceptions import NotFittedError

from suffice import KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors, RadiusNeighborsRegressor
from suffice.core.errors import BadInput

RNG = np.random.default_rng(5)
X = RNG.normal(size=(30, 3))
Y = RNG.integers(0, 3, 30)
KEPT: list[Any] = [
    NearestNeighbors().fit(X),
    RadiusNeighborsRegressor(metric="manhattan").fit(X, Y),
    KNeighborsClassifier().fit(csr_array(X), Y),
    theirs.NearestNeighbors().fit(X),
    theirs.KDTree(X),
    theirs.BallTree(X),
]


@pytest.mark.parametrize("kept", KEPT, ids=[type(one).__name__ for one in KEPT])
@pytest.mark.parametrize("model", [NearestNeighbors, KNeighborsClassifier, KNeighborsRegressor])
def test_its_rows_are_searched_by_the_parameters_of_who_takes_them(kept: Any, model: Any) -> None:
    ours, rows = (model(n_neighbors=4, metric="chebyshev").fit(given, Y) for given in (kept, X))
    for a, b in zip(ours.kneighbors(X[:7]), rows.kneighbors(X[:7]), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    assert ours.n_features_in_ == 3
    assert ours.n_samples_fit_ == 30


def test_who_is_not_fitted_has_no_rows() -> None:
    for kept in (NearestNeighbors(), theirs.NearestNeighbors()):
        with pytest.raises(NotFittedError):
            NearestNeighbors().fit(kept)


TABLE = pd.DataFrame({"a": X[:, 0], "b": np.array(["u", "v", "w"])[Y]})
D = np.abs(X @ X.T)
BAD: list[tuple[Any, str]] = [
    (lambda: NearestNeighbors().fit(NearestNeighbors(metric="precomputed").fit(D)), "where distances are given"),
    (lambda: NearestNeighbors(metric="precomputed").fit(NearestNeighbors().fit(X)), "where distances are given"),
    (lambda: NearestNeighbors().fit(KNeighborsClassifier().fit(X, Y, Y + 1.0)), "rows of numbers that weigh the same"),
    (lambda: NearestNeighbors().fit(KNeighborsClassifier().fit(TABLE, Y)), "rows of numbers that weigh the same"),
    (lambda: KNeighborsClassifier().fit(NearestNeighbors().fit(X), Y[:3]), "of one length"),
    (lambda: NearestNeighbors().fit(X).kneighbors(NearestNeighbors().fit(X)), "the table must be"),
]


@pytest.mark.parametrize(("work", "words"), BAD)
def test_what_cannot_stand_for_rows_gets_one_sentence(work: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        work()
