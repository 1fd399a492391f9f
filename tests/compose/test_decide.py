"""Decide around any classifier: brute force on every row, nothing learned again, two reasons to refuse."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import BernoulliNB as TheirBernoulliNB
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils._param_validation import InvalidParameterError

from suffice import Decide, Decision, GaussianNB, NaiveBayes, Posterior, recalibrate
from suffice.core.errors import BadInput
from suffice.datasets import make_clinic
from suffice.decision import Outliers

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]


def logistic() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression(C=0.1))


@pytest.mark.parametrize("seed", range(25))
def test_every_answer_is_the_cheapest(seed: int) -> None:
    """Any prior, costs, price and limit, against plain loops over classes and rows."""
    rng = np.random.default_rng(seed)
    K = int(rng.integers(2, 11))
    y = np.arange(60 * K) % K
    rows = rng.normal(size=(len(y), 3)) + np.eye(max(K, 3))[y][:, :3] * 2 + y[:, None] * 0.3
    model = Decide(LogisticRegression(max_iter=500)).fit(rows, y)
    prior, costs = rng.dirichlet(np.ones(K)), rng.normal(size=(K, K)) * 10
    reject, at_least = float(rng.normal() * 5), float(rng.random() / 3)
    answers = model.predict(rows, prior=prior, costs=costs, reject=reject, at_least=at_least)
    model.set_params(refusal="none", prior=prior, costs=costs, reject=reject, at_least=at_least)
    for proba, row, answer in zip(model.estimator_.predict_proba(rows), model.predict(rows), answers, strict=True):
        p = proba / model.prior_ * prior
        p /= p.sum()
        price = [sum(p[c] * costs[c, a] for c in range(K)) for a in range(K)]
        best = int(np.argmin(price))
        refused = reject < price[best] or p[best] < at_least
        assert answer == (None if refused else best)
        assert row == ("none" if refused else best)
    np.testing.assert_allclose(model.expected_cost(rows)[-1, :K], price, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.predict_proba(rows)[-1], p, rtol=1e-12)


class CountingTable(Mapping[str, np.ndarray]):
    """A table that counts how often its columns are read."""

    def __init__(self, columns: dict[str, np.ndarray]) -> None:
        self.columns, self.reads = columns, 0

    def __getitem__(self, name: str) -> np.ndarray:
        self.reads += 1
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)


class Counting(ClassifierMixin, BaseEstimator):
    """A classifier that counts how often it learns."""

    learned = 0

    def fit(self, X: Any, y: Any) -> Counting:
        type(self).learned += 1
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        p = np.clip(np.asarray(X)[:, 0], 0.0, 1.0)
        return np.column_stack([1 - p, p])


def test_deciding_anew_reads_no_training_data() -> None:
    """The table of training is not touched, and the classifier does not learn again, whatever is asked."""
    clinic = make_clinic(400, random_state=0, text=False)
    table = CountingTable({name: column for name, column in clinic.data.items() if name != "patient"})
    fresh = {
        name: column for name, column in make_clinic(50, random_state=1, text=False).data.items() if name != "patient"
    }
    model = Decide(NaiveBayes(), outliers=0.05).fit(table, clinic.target)
    reads = table.reads
    assert reads > 0
    answers = set()
    for wish in (
        {},
        {"prior": "uniform"},
        {"costs": {"pneumonia": {"cold": 50, "flu": 50}}},
        {"reject": 0.1},
        {"at_least": 0.99},
        {"outliers": 0.3},
    ):
        answers.add(tuple(model.predict(fresh, **wish).tolist()))
        model.set_params(**wish).predict(fresh)
    assert len(answers) >= 4
    assert table.reads == reads
    Counting.learned = 0
    simple = Decide(Counting()).fit([[0.2], [0.9]], ["no", "yes"])
    for prior in ([0.5, 0.5], [0.9, 0.1], "uniform"):
        simple.predict([[0.7]], prior=prior)
    assert Counting.learned == 1


def test_a_trained_classifier_is_used_as_it_is() -> None:
    """Without `fit`; it is the same object, and a prior it tells is the one that is exchanged."""
    trained = TheirGaussianNB().fit(X, NAMES)
    model = Decide(trained, prior={"setosa": 0.1, "versicolor": 0.1, "virginica": 0.8})
    np.testing.assert_array_equal(Decide(trained).predict(X), trained.predict(X))
    expected = Posterior(trained.predict_proba(X), trained.class_prior_).shift([0.1, 0.1, 0.8])
    np.testing.assert_array_equal(model.predict_proba(X), expected.proba)
    assert model.classes_.tolist() == trained.classes_.tolist()
    assert not hasattr(model, "estimator_")
    with pytest.raises(NotFittedError, match=r"This Decide instance is not fitted yet"):
        clone(model).predict(X)
    frozen = Decide(FrozenEstimator(trained)).fit(X[::2], NAMES[::2])
    np.testing.assert_array_equal(frozen.predict(X), trained.predict(X))
    np.testing.assert_array_equal(frozen.prior_, trained.class_prior_)


def test_a_prior_nobody_knows_is_asked_for_only_when_needed() -> None:
    trained = logistic().fit(X, Y)
    model = Decide(trained)
    np.testing.assert_array_equal(model.predict(X, costs=1 - np.eye(3)), trained.predict(X))
    message = (
        "Decide: learned_prior must be given for a trained classifier that does not tell its prior, got None. Most "
        "often it is the class shares of its training rows."
    )
    for call in (lambda: model.predict(X, prior="uniform"), lambda: model.posterior(X)):
        with pytest.raises(BadInput) as caught:
            call()
        assert str(caught.value) == message
    stated = Decide(trained, learned_prior="uniform")
    np.testing.assert_array_equal(stated.predict(X, prior="uniform"), trained.predict(X))


@pytest.mark.parametrize(
    ("estimator", "prior"),
    [
        (LogisticRegression(), [0.1, 0.3, 0.6]),
        (LogisticRegression(class_weight="balanced"), [1 / 3, 1 / 3, 1 / 3]),
        (LogisticRegression(class_weight={0: 2.0}), [2 / 11, 3 / 11, 6 / 11]),
        (make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced")), [1 / 3, 1 / 3, 1 / 3]),
        (LinearDiscriminantAnalysis(priors=[0.2, 0.2, 0.6]), [0.2, 0.2, 0.6]),
        (TheirGaussianNB(priors=[0.5, 0.25, 0.25]), [0.5, 0.25, 0.25]),
        (TheirBernoulliNB(class_prior=[0.5, 0.25, 0.25]), [0.5, 0.25, 0.25]),
        (NaiveBayes(prior="uniform"), [1 / 3, 1 / 3, 1 / 3]),
        (make_pipeline(StandardScaler(), NaiveBayes(prior="uniform")), [1 / 3, 1 / 3, 1 / 3]),
        (GridSearchCV(TheirGaussianNB(), {"priors": [[0.5, 0.25, 0.25]]}, cv=2), [0.5, 0.25, 0.25]),
        (Decide(LogisticRegression(), learned_prior=[0.2, 0.3, 0.5]), [0.2, 0.3, 0.5]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_prior_that_probabilities_assume(estimator: Any, prior: list[float]) -> None:
    """Told by the classifier, or the shares of its rows as its class weights count them."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [10, 30, 60])
    rows = rng.normal(size=(100, 2)) + y[:, None]
    model = Decide(estimator).fit(rows, y)
    np.testing.assert_allclose(model.prior_, prior, rtol=1e-12)
    np.testing.assert_array_equal(model.posterior(rows).prior, model.prior_)


def test_two_reasons_to_refuse() -> None:
    """Between the classes the answer is ambiguous; far from both, where the posterior is certain, it is an outlier."""
    model = Decide(GaussianNB(), at_least=0.9, outliers=Outliers(-20.0), refusal="ask", unexplained="strange")
    model.fit([[-1.0], [1.0], [3.0], [5.0]], ["a", "a", "b", "b"])
    rows = [[0.0], [2.0], [60.0], [4.0]]
    assert model.predict(rows).tolist() == ["a", "ask", "strange", "b"]
    assert model.reasons(rows).tolist() == ["answered", "ambiguous", "outlier", "answered"]
    assert model.reasons(rows, outliers=Outliers(-np.inf)).tolist() == ["answered", "ambiguous", "answered", "answered"]
    assert model.reasons(rows, at_least=0.0).tolist() == ["answered", "answered", "outlier", "answered"]
    assert model.predict_proba([[60.0]]).max() == 1.0


@pytest.mark.parametrize("estimator", [GaussianNB(), TheirGaussianNB(), NaiveBayes()], ids=["ours", "theirs", "tables"])
def test_outliers_by_the_share_of_training(estimator: Any) -> None:
    """At most that share of the training rows is refused, by whichever method the classifier tells p(x)."""
    model = Decide(estimator, outliers=0.1).fit(X, Y)
    assert (model.reasons(X) == "outlier").sum() == 15
    assert (model.reasons(X, outliers=0.02) == "outlier").sum() == 3
    assert (model.reasons(X, outliers=0) == "outlier").sum() == 0
    assert set(model.reasons(X + 100).tolist()) == {"outlier"}
    weights = np.where(np.arange(150) < 75, 1, 0)
    some = Decide(clone(estimator), outliers=0.1).fit(X, Y % 2, sample_weight=weights)
    assert (some.reasons(X[:75]) == "outlier").sum() == 7


def test_weights_are_copies() -> None:
    w = np.arange(150) % 3
    weighted = Decide(GaussianNB(), outliers=0.1).fit(X, Y, sample_weight=w)
    copied = Decide(GaussianNB(), outliers=0.1).fit(np.repeat(X, w, axis=0), np.repeat(Y, w))
    np.testing.assert_allclose(weighted.prior_, copied.prior_, rtol=1e-15)
    np.testing.assert_array_equal(weighted.reasons(X), copied.reasons(X))


def test_recalibrated_weights_are_a_prior() -> None:
    """P.M049: chosen on rows held out, used in `predict`; nothing is trained again."""
    model = Decide(logistic()).fit(X[::2], NAMES[::2])
    held = X[1::2], NAMES[1::2]
    found = recalibrate(*model.posterior(held[0]), held[1], classes=model.classes_)
    assert np.mean(model.predict(held[0], prior=found.weights) != held[1]) == pytest.approx(found.cost)
    assert np.mean(model.predict(held[0]) != held[1]) == pytest.approx(found.before)
    assert found.cost <= found.before


def test_inside_scikit_learn() -> None:
    """Clones, searches, pipelines, data frames, pickles, routing."""
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = Decide(logistic(), costs=[[0, 1, 1], [1, 0, 5], [1, 1, 0]]).fit(frame, NAMES)
    assert is_classifier(model)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(frame), model.predict(frame))
    assert clone(model).get_params()["costs"] == model.costs
    assert cross_val_score(Decide(logistic()), X, NAMES).mean() > 0.9
    search = GridSearchCV(
        Decide(logistic()), {"prior": [None, "uniform"], "estimator__logisticregression__C": [0.1, 1]}
    )
    assert search.fit(X, NAMES).best_score_ > 0.9
    with sklearn.config_context(enable_metadata_routing=True):
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        routed = Decide(inner).fit(X, Y, sample_weight=np.where(Y == 0, 2.0, 1.0))
    np.testing.assert_allclose(routed.prior_, [0.5, 0.25, 0.25], rtol=1e-15)


def test_without_a_classifier_it_takes_any_table() -> None:
    clinic = make_clinic(300, random_state=0, text=False)
    model = Decide().fit(clinic.frame("polars"), clinic.target)
    assert isinstance(model.estimator_, NaiveBayes)
    assert model.score(clinic.frame("polars"), clinic.target) > 0.6


FITTED = Decide(GaussianNB()).fit(X, NAMES)
CLASSES = "('setosa', 'versicolor', 'virginica')"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: FITTED.predict(X, prior={"setosa": 0.5, "rosa": 0.5}),
            f"Decide: prior must be given for the classes {CLASSES}, got 'rosa'. There is no such class.",
        ),
        (
            lambda: FITTED.predict(X, prior=[0.5, 0.5, 0.5]),
            "Decide: prior must be one probability per class, summing to 1, got [0.5, 0.5, 0.5]. They sum to 1.5; "
            "divide them by that.",
        ),
        (
            lambda: FITTED.predict(X, costs=np.zeros((2, 2))),
            "Decide: costs must be a table of finite costs, a row for each true class and a column for each action, of "
            "shape (3, 3), got (2, 2). An action is to answer one of the classes.",
        ),
        (
            lambda: FITTED.predict(X, costs=np.ones((7, 3, 3))),
            "Decision: posterior must be of 7 rows, one for each table of costs, got (150, 3).",
        ),
        (
            lambda: FITTED.predict(X, costs=[[0, 0, 1], [1, 0, 1], [1, 0, 0]]),
            "Decide: costs must be a table in which no action is free whatever the truth, got 0 for every true class "
            "where 'versicolor' is answered. Every row would be answered so; say what its mistakes cost.",
        ),
        (lambda: FITTED.predict(X, at_least=2), "Decide: at_least must be None or a probability from 0 to 1, got 2."),
        (
            lambda: FITTED.predict(X, reject="dear"),
            "Decide: reject must be None or a finite cost, in the unit of `costs`, got 'dear'.",
        ),
        (
            lambda: FITTED.predict(X, outliers=0.1),
            "Decide: outliers must be None or Outliers where the densities of training were not kept, got 0.1. Give "
            "outliers= before `fit`, or Outliers(least) with a log density.",
        ),
        (
            lambda: Decide(GaussianNB(), outliers=0.1).fit(X, Y).predict(X, outliers=1.5),
            "Decide: share must be a share of the rows, from 0 to below 1, got 1.5.",
        ),
        (
            lambda: Decide(LogisticRegression(C=0.01), outliers=0.1).fit(X, Y),
            "Decide: outliers must be None for a classifier that does not know p(x), got LogisticRegression. "
            "Generative ones do: they have score_samples or predict_joint_log_proba.",
        ),
        (
            lambda: Decide(LogisticRegression(C=0.01), learned_prior={"rosa": 1.0}).fit(X, NAMES),
            f"Decide: prior must be given for the classes {CLASSES}, got 'rosa'. There is no such class.",
        ),
        (
            lambda: Decide(TheirGaussianNB()).fit(X, np.zeros(150)),
            "Decide: y must be of at least two classes, got one class. There is nothing to tell apart.",
        ),
    ],
)
def test_messages(call: Any, message: str) -> None:
    before = {name: id(value) for name, value in vars(FITTED).items()}
    with pytest.raises(BadInput) as caught:
        call()
    assert str(caught.value) == message
    assert {name: id(value) for name, value in vars(FITTED).items()} == before


def test_parameters_are_checked_by_fit() -> None:
    """As scikit-learn words it; a classifier without probabilities is refused before it is trained."""
    for parameters, words in (
        ({"estimator": Perceptron()}, "'estimator' parameter of Decide"),
        ({"at_least": 1.5}, "'at_least' parameter of Decide"),
        ({"outliers": 1.0}, "'outliers' parameter of Decide"),
        ({"reject": "dear"}, "'reject' parameter of Decide"),
    ):
        with pytest.raises((InvalidParameterError, BadInput), match=words):
            Decide(**parameters).fit(X, Y)


def test_a_failed_fit_changes_nothing() -> None:
    model = Decide(GaussianNB(), outliers=0.1).fit(X, Y)
    before = {name: id(value) for name, value in vars(model).items()}
    with pytest.raises(BadInput):
        model.fit(X, np.zeros(150))
    assert {name: id(value) for name, value in vars(model).items()} == before


def test_the_decision_is_that_of_decision() -> None:
    """The wrapper adds nothing of its own: labels for numbers."""
    model = Decide(logistic()).fit(X, NAMES)
    decision = Decision(prior=[0.1, 0.8, 0.1], costs=1 - np.eye(3))
    direct = model.classes_[decision.decide(model.posterior(X))]
    np.testing.assert_array_equal(model.predict(X, prior=[0.1, 0.8, 0.1]), direct)


@pytest.mark.parametrize("late", [True, False])
def test_costs_that_are_not_named_are_not_free(late: bool) -> None:
    """A missed virginica costs 3: rows still differ in their answers, each the cheapest by the whole table."""
    named: dict[str, Any] = {"virginica": {"versicolor": 3}}
    model = Decide(logistic(), refusal="ask").fit(X, NAMES)
    proba = model.predict_proba(X)
    price = proba @ [[0, 1, 1], [1, 0, 1], [1, 3, 0]]
    wanted = np.where(price.min(axis=1) > 0.3, "ask", model.classes_[price.argmin(axis=1)])
    answers = (
        model.predict(X, costs=named, reject=0.3) if late else model.set_params(costs=named, reject=0.3).predict(X)
    )
    assert answers.tolist() == wanted.tolist()
    assert set(answers.tolist()) == {"setosa", "versicolor", "virginica", "ask"}
