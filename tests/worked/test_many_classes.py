"""The sources' numbers about two-class models for more classes, on two columns of iris."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris

from suffice import SVC, LogisticRegression, MLPClassifier, OneVsOneClassifier, OneVsRestClassifier

X, Y = load_iris(return_X_y=True)
X = X[:, :2]


def test_one_class_fewer_than_models() -> None:
    """C.R47: setosa and versicolor against the rest: 1 row claimed twice, 66 by neither, 108 of 150 right."""
    claims = np.column_stack([LogisticRegression(C=1e5, max_iter=1000).fit(X, k == Y).predict(X) for k in (0, 1)])
    both, neither = claims.all(axis=1), ~claims.any(axis=1)
    assert (both.sum(), neither.sum()) == (1, 66)
    told = np.where(neither, 2, np.where(claims[:, 0], 0, 1))
    assert (told == Y)[~both].sum() + (told == Y)[both].sum() == 108


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_hits_of_150() -> None:
    """C.R48: one against the rest 121, one against one 125, all together 125; a window machine per class 121."""
    line = LogisticRegression(C=1e5, max_iter=1000)
    machine = SVC(kernel="rbf", gamma=0.7, C=10.0)
    models = (OneVsRestClassifier(line), OneVsOneClassifier(line), line, OneVsRestClassifier(machine))
    assert [int((model.fit(X, Y).predict(X) == Y).sum()) for model in models] == [121, 125, 125, 121]


def test_the_cross_entropy_needs_no_further_logarithm() -> None:
    """C.E32: the loss of a net is minus the mean log likelihood of the labels, which is the cross-entropy itself."""
    net = MLPClassifier((3,), "tanh", solver="lbfgs", alpha=0.0, max_iter=200, random_state=0).fit(X, Y > 0)
    log_likelihood = net.predict_log_proba(X)[np.arange(150), (Y > 0).astype(int)].sum()
    assert net.loss_ == pytest.approx(-log_likelihood / 150, rel=1e-6)
