"""Many classes from two: by K or K - 1 classifiers against the rest, by votes of pairs; ambiguity is said."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
import sklearn.multiclass as theirs
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.svm import SVC, LinearSVC

from suffice import NaiveBayes, OneVsOneClassifier, OneVsRestClassifier
from suffice.core.errors import BadInput
from suffice.datasets import make_clinic

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
GRID = np.array(np.meshgrid(*[np.linspace(low, high, 7) for low, high in zip(X.min(0), X.max(0), strict=True)]))
ROWS = GRID.reshape(4, -1).T
CLASSIFIERS = [LogisticRegression(max_iter=500), LinearSVC(), SVC(), Perceptron(), NaiveBayes()]
BASES = [*CLASSIFIERS, LinearRegression()]


@pytest.mark.parametrize(
    ("ours", "base"),
    [*((OneVsRestClassifier, base) for base in BASES), *((OneVsOneClassifier, base) for base in CLASSIFIERS)],
    ids=lambda thing: thing.__name__ if isinstance(thing, type) else type(thing).__name__,
)
@pytest.mark.parametrize("labels", [NAMES, Y, Y == 1], ids=["names", "numbers", "two"])
def test_as_scikit_learn(ours: Any, base: Any, labels: np.ndarray) -> None:
    """C.M11.03, C.M11.04: the same answers, values, and fitted attributes, wherever rows lie."""
    mine = ours(clone(base)).fit(X, labels)
    peer = getattr(theirs, ours.__name__)(clone(base)).fit(X, labels)
    np.testing.assert_array_equal(mine.predict(ROWS), peer.predict(ROWS))
    assert mine.classes_.dtype == peer.classes_.dtype
    assert len(mine.estimators_) == len(peer.estimators_)
    assert {name for name in dir(mine) if name.endswith("_") and name[0] != "_"} == {
        name for name in dir(peer) if name.endswith("_") and name[0] != "_"
    }
    for method in ("decision_function", "predict_proba"):
        assert hasattr(mine, method) == hasattr(peer, method)
        if hasattr(peer, method):
            np.testing.assert_array_equal(getattr(mine, method)(ROWS), getattr(peer, method)(ROWS))


class Ray(ClassifierMixin, BaseEstimator):
    """Says yes above the mean of the rows that were said to be yes, in a column that holds all: a rule by hand."""

    def fit(self, X: Any, y: Any) -> Ray:
        self.classes_, self.mean_ = np.unique(y), np.asarray(X)[np.asarray(y) == 1].mean(axis=0)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        return 1.5 - np.abs(np.asarray(X) - self.mean_).sum(axis=1)

    def predict(self, X: Any) -> np.ndarray:
        return (self.decision_function(X) > 0).astype(int)


LINE = np.array([[0.0], [2.0], [6.0]])
WHERE = np.array([[0.0], [0.9], [1.2], [3.9], [6.0]])


def test_k_classifiers_by_hand() -> None:
    """C.M11.04: yes within 1.5 of the class; at 0.9 and 1.2 two do, at 3.9 none, and the largest decides."""
    model = OneVsRestClassifier(Ray()).fit(LINE, ["a", "b", "c"])
    assert len(model.estimators_) == 3
    assert model.claims(WHERE).astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert model.ambiguous(WHERE).tolist() == [False, True, True, True, False]
    assert model.predict(WHERE).tolist() == ["a", "a", "b", "b", "c"]


def test_k_minus_1_classifiers_by_hand() -> None:
    """C.M11.02: the last class where all others say no; where two say yes the larger value decides."""
    model = OneVsRestClassifier(Ray(), one_less=True).fit(LINE, ["a", "b", "c"])
    assert len(model.estimators_) == 2
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.claims(WHERE).astype(int).tolist() == [[1, 0], [1, 1], [1, 1], [0, 0], [0, 0]]
    assert model.ambiguous(WHERE).tolist() == [False, True, True, False, False]
    assert model.predict(WHERE).tolist() == ["a", "a", "b", "c", "c"]
    values = model.decision_function(WHERE)
    assert values.shape == (5, 3)
    assert model.classes_[values.argmax(axis=1)].tolist() == ["a", "a", "b", "c", "c"]


def test_on_the_boundary_a_classifier_says_no() -> None:
    """A value of exactly 0 is no claim, so that the row goes to the last class."""
    model = OneVsRestClassifier(Ray(), one_less=True).fit(LINE, ["a", "b", "c"])
    assert model.predict([[3.5]]).tolist() == ["c"]
    assert not model.ambiguous([[3.5]]).any()


@pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
def test_k_minus_1_by_its_definition(base: Any) -> None:
    """C.M11.02: for every kind of base; the classifiers are those of the full scheme, less the last."""
    model = OneVsRestClassifier(clone(base), one_less=True).fit(X, NAMES)
    full = OneVsRestClassifier(clone(base)).fit(X, NAMES)
    np.testing.assert_array_equal(model.claims(ROWS), full.claims(ROWS)[:, :2])
    yes = model.claims(ROWS)
    plain = yes.sum(axis=1) == 1
    answers = model.predict(ROWS)
    np.testing.assert_array_equal(answers[plain], NAMES[[0, 50]][yes[plain].argmax(axis=1)])
    assert set(answers[~yes.any(axis=1)].tolist()) <= {"virginica"}
    np.testing.assert_array_equal(model.ambiguous(ROWS), yes.all(axis=1))
    for method in ("predict_proba", "partial_fit"):
        assert not hasattr(model, method)
    assert len(model.set_params(one_less=False).fit(X, NAMES).estimators_) == 3


def test_two_classes_need_one_classifier_in_either_scheme() -> None:
    for one_less in (False, True):
        model = OneVsRestClassifier(LogisticRegression(), one_less=one_less).fit(X[:100], NAMES[:100])
        assert len(model.estimators_) == 1
        assert not model.ambiguous(ROWS).any()
        np.testing.assert_array_equal(model.predict(ROWS), LogisticRegression().fit(X[:100], NAMES[:100]).predict(ROWS))


class Cyclic(ClassifierMixin, BaseEstimator):
    """Where the first column is positive, 0 beats 1, 1 beats 2 and 2 beats 0; elsewhere the lower class wins."""

    def fit(self, X: Any, y: Any) -> Cyclic:
        self.classes_, self.pair_ = np.unique(y), sorted(set(np.asarray(X)[:, 1].astype(int).tolist()))
        return self

    def predict(self, X: Any) -> np.ndarray:
        low = np.zeros(len(X), dtype=int) if self.pair_ != [0, 2] else np.ones(len(X), dtype=int)
        return np.where(np.asarray(X)[:, 0] > 0, low, 0)

    def decision_function(self, X: Any) -> np.ndarray:
        return np.asarray(X)[:, 0] * (2 * self.predict(X) - 1) * (1 + self.pair_[0])


def test_votes_and_ties_by_hand() -> None:
    """C.M11.03: three classes that beat each other in a circle have a vote each; that is said, and the sums decide."""
    model = OneVsOneClassifier(Cyclic()).fit([[1.0, 0], [1, 1], [1, 2]], ["a", "b", "c"])
    votes = model.votes([[1.0, 0.0], [-1.0, 0.0]])
    assert votes.counts.tolist() == [[1, 1, 1], [2, 1, 0]]
    assert votes.tied.tolist() == model.ambiguous([[1.0, 0.0], [-1.0, 0.0]]).tolist() == [True, False]
    assert votes.winner.tolist() == [0, 0]
    values = model.decision_function([[1.0, 0.0]])
    assert np.round(values).tolist() == [[1, 1, 1]]
    assert model.predict([[1.0, 0.0]])[0] == model.classes_[values.argmax()]


@pytest.mark.parametrize(
    "base", [LogisticRegression(max_iter=500), SVC(), LinearRegression(), SVC(kernel="precomputed")]
)
def test_votes_are_those_of_the_pairs(base: Any) -> None:
    """C.M11.03, C.R18: counted pair by pair; where no tie is, the most votes are the answer. 3 pairs of 3, 45 of 10."""
    table = X @ X.T if getattr(base, "kernel", None) == "precomputed" else X
    model = OneVsOneClassifier(clone(base)).fit(table, NAMES)
    votes = model.votes(table)
    assert votes.counts.sum(axis=1).tolist() == [3] * 150
    counts = np.zeros((150, 3))
    for pair, inner in zip(combinations(range(3), 2), model.estimators_, strict=True):
        some = np.isin(Y, pair)
        columns = np.flatnonzero(some) if table is not X else slice(None)
        said = np.asarray(inner.predict(table[:, columns])) > 0.5
        counts[np.arange(150), np.where(said, pair[1], pair[0])] += 1
    np.testing.assert_array_equal(counts, votes.counts)
    clear = ~votes.tied
    np.testing.assert_array_equal(model.predict(table)[clear], model.classes_[votes.winner[clear]])


def test_regressors_vote_too() -> None:
    """C.M11.03: above a half is a vote for the second class; scikit-learn counts only predictions of exactly 0 or 1, so
    that a linear regression has no vote there."""
    model = OneVsOneClassifier(LinearRegression()).fit(X, NAMES)
    peer = theirs.OneVsOneClassifier(LinearRegression()).fit(X, NAMES)
    assert model.score(X, NAMES) > 0.97
    assert peer.score(X, NAMES) < 0.6
    np.testing.assert_array_equal(np.round(model.decision_function(X)), model.votes(X).counts)
    two = OneVsOneClassifier(LinearRegression()).fit(X[50:], NAMES[50:])
    np.testing.assert_array_equal(two.predict(X) == "virginica", two.estimators_[0].predict(X) > 0.5)
    assert two.decision_function(X).shape == (150,)


def test_pairs_of_ten_classes() -> None:
    """C.R18: K (K - 1) / 2 classifiers: 3 for 3 classes, 45 for 10."""
    rng = np.random.default_rng(0)
    for K, pairs in ((3, 3), (10, 45)):
        y = np.arange(20 * K) % K
        assert (
            len(OneVsOneClassifier(NaiveBayes()).fit(rng.normal(size=(len(y), 2)) + y[:, None], y).estimators_) == pairs
        )


def test_any_table_one_against_the_rest() -> None:
    """Rows are the base's to read: a table of mixed kinds with missing cells, labels of the user's own."""
    clinic = make_clinic(400, random_state=0, text=False)
    table = clinic.frame("pandas").drop(columns="patient")
    for one_less in (False, True):
        model = OneVsRestClassifier(NaiveBayes(), one_less=one_less).fit(table, clinic.target)
        assert (model.predict(table) == clinic.target).mean() > 0.6
        assert model.ambiguous(table).dtype == bool


def test_several_labels() -> None:
    """As scikit-learn, where each label has its classifier; nothing can be ambiguous there."""
    rows, labels = make_multilabel_classification(60, 5, n_classes=3, random_state=0)
    model = OneVsRestClassifier(LogisticRegression()).fit(rows, labels)
    peer = theirs.OneVsRestClassifier(LogisticRegression()).fit(rows, labels)
    np.testing.assert_array_equal(model.predict(rows), peer.predict(rows))
    np.testing.assert_array_equal(model.claims(rows), peer.predict(rows))
    with pytest.raises(BadInput) as caught:
        model.ambiguous(rows)
    assert str(caught.value) == (
        "OneVsRestClassifier: y must be one label a row to be ambiguous about, got several. Look at `claims`."
    )
    before = dict(vars(model))
    with pytest.raises(BadInput) as caught:
        model.set_params(one_less=True).fit(rows, labels)
    assert str(caught.value) == (
        "OneVsRestClassifier: one_less must be False where rows have several labels, got True. Each of several labels "
        "needs its classifier."
    )
    assert model.estimators_ is before["estimators_"]


def test_unfitted_and_failed() -> None:
    for model in (OneVsRestClassifier(LogisticRegression()), OneVsOneClassifier(LogisticRegression())):
        with pytest.raises(NotFittedError):
            model.ambiguous(X)
        model.fit(X, NAMES)
        before = {name: id(value) for name, value in vars(model).items()}
        with pytest.raises(ValueError, match="NaN"):
            model.fit(np.full((150, 4), np.nan), NAMES)
        assert {name: id(value) for name, value in vars(model).items()} == before
    with pytest.raises(ValueError, match="'one_less' parameter of OneVsRestClassifier"):
        OneVsRestClassifier(LogisticRegression(), one_less="yes").fit(X, NAMES)
    with pytest.raises(ValueError, match="Input y contains infinity"):
        OneVsRestClassifier(LogisticRegression()).fit(X, np.where(Y == 0, np.inf, 1.0))
