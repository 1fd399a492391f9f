"""Information criteria over shapes of covariance and numbers of components."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import mixture as peer

from suffice import compare_mixtures
from tests.mixtures.blobs import blobs


def test_the_table_is_that_of_single_fits() -> None:
    X = blobs(240, 2, 3, far=6.0)
    found = compare_mixtures(X, [1, 2, 3, 4], ["spherical", "diag", "tied", "full"], random_state=0)
    assert len(found.candidates) == 16
    assert found.best.n_components == 3
    for one in found.candidates:
        theirs = peer.GaussianMixture(one.n_components, covariance_type=one.covariance_type, random_state=0).fit(X)
        assert one.bic == pytest.approx(theirs.bic(X), abs=1e-5)
        assert one.aic == pytest.approx(theirs.aic(X), abs=1e-5)
        assert one.parameters == theirs._n_parameters()
        assert one.log_likelihood == pytest.approx(theirs.score(X) * 240, abs=1e-5)
    assert [c.bic for c in found.candidates] == sorted(c.bic for c in found.candidates)
    assert str(found).splitlines()[0].split() == ["covariance", "K", "log-likelihood", "parameters", "AIC", "BIC"]
    assert len(str(found).splitlines()) == 17


def test_by_the_other_criterion_and_with_weights() -> None:
    X, w = blobs(120, 2, 2), np.ones(120)
    found = compare_mixtures(X, [1, 2], ["diag"], criterion="aic", sample_weight=w, random_state=0)
    assert [c.aic for c in found.candidates] == sorted(c.aic for c in found.candidates)
    assert found.criterion == "aic"
