"""Maps that know all they need before they are fitted map before it, and stay as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn import preprocessing as peers
from sklearn.exceptions import NotFittedError

from suffice import Binarizer, LogisticRegression, Normalizer, SelectFromModel

X = np.random.default_rng(0).normal(size=(20, 4))
Y = X[:, 1] > 0


@pytest.mark.parametrize("name", ["Normalizer", "Binarizer"])
@pytest.mark.parametrize("form", [np.array, scipy.sparse.csr_matrix, np.ndarray.tolist])
def test_rows_are_mapped_without_fit(name: str, form: Any) -> None:
    ours, theirs = {"Normalizer": Normalizer, "Binarizer": Binarizer}[name](), getattr(peers, name)()
    for rows in (X, X[:, :2]):  # of any width
        found, expected = ours.transform(form(rows)), theirs.transform(form(rows))
        assert scipy.sparse.issparse(found) == scipy.sparse.issparse(expected)
        dense = [table.toarray() if scipy.sparse.issparse(table) else table for table in (found, expected)]
        np.testing.assert_allclose(*dense, rtol=1e-15)
    assert not hasattr(ours, "n_features_in_")
    for ask in (ours.get_feature_names_out, lambda: ours.save("nowhere")):
        with pytest.raises(NotFittedError, match=f"This {name} instance is not fitted yet"):
            ask()


def test_a_selector_by_a_fitted_estimator_needs_no_fit() -> None:
    fitted = LogisticRegression().fit(X, Y)
    selector = SelectFromModel(fitted, prefit=True)
    chosen = selector.transform(X)
    assert "fitted_" not in vars(selector)
    assert (chosen == SelectFromModel(LogisticRegression()).fit(X, Y).transform(X)).all()
    assert (selector.fit(X).transform(X) == chosen).all()  # no labels are needed either
    for ask in ("fit", "transform"):
        with pytest.raises(NotFittedError, match="expected to be a fitted estimator, got LogisticRegression"):
            getattr(SelectFromModel(LogisticRegression(), prefit=True), ask)(X)
