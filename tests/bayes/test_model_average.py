"""Models as random variables: exact evidence, averaging, and what the average answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from suffice import BernoulliNB, CategoricalNB, GaussianNB, ModelAverage, MultinomialNB, NaiveBayes
from suffice.bayes.inference.model_evidence import exact_evidence
from suffice.bayes.inference.model_posterior import ModelPosterior
from suffice.bayes.naive.featureless import Featureless
from suffice.bayes.readings.parameter_counts import count_parameters
from suffice.core.errors import BadInput
from suffice.families import (
    Bernoulli,
    Beta,
    BetaBernoulli,
    Binomial,
    Categorical,
    DiagonalNormal,
    Dirichlet,
    DirichletCategorical,
    DirichletMultinomial,
    Gamma,
    GammaPoisson,
    Geometric,
    InverseGammaNormal,
    Multinomial,
    NormalInverseGamma,
    Poisson,
)
from suffice.sources import Analyzer

RNG = np.random.default_rng(11)
N = 60
Y = np.array(["a", "b"])[RNG.integers(0, 2, N)]
TABLE = pd.DataFrame(
    {
        "number": RNG.normal(3.0, 2.0, N),
        "events": RNG.poisson(2.0, N).astype(float),
        "wins": RNG.binomial(5, 0.4, N).astype(float),
        "wait": RNG.geometric(0.4, N).astype(float),
        "colour": np.array(["red", "green", "blue"])[RNG.integers(0, 3, N)],
        "flag": RNG.random(N) < 0.3,
    }
)
PROPER = {
    "number": DiagonalNormal(NormalInverseGamma(2.0, 0.5, 1.0, 3.0)),
    "events": Poisson(Gamma(2.0, 0.5)),
    "wins": Binomial(5, Beta(1.0, 2.0)),
    "wait": Geometric(Beta(1.5, 2.0)),
    "colour": Categorical(Dirichlet(0.7), ("red", "green", "blue")),
    "flag": Bernoulli(Beta(1.0, 3.0)),
}


def proper(**changed: Any) -> NaiveBayes:
    """A naive Bayes whose families all have proper priors, with some of them changed."""
    return NaiveBayes(families={**PROPER, **changed}, prior=Dirichlet(1.0))


def conjugates(rows: pd.DataFrame) -> float:
    """The evidence of the rows of one class, column by column, by the conjugate values."""
    number, events = InverseGammaNormal(1.0, 0.5, 3.0, 2.0), GammaPoisson(2.0, 0.5)
    wins, wait = BetaBernoulli(1.0, 2.0), BetaBernoulli(1.5, 2.0)
    colour, flag = DirichletCategorical.over(("red", "green", "blue"), Dirichlet(0.7)), BetaBernoulli(1.0, 3.0)
    from scipy.special import comb

    return (
        number.log_evidence(number.summarize(rows["number"]))
        + events.log_evidence(events.summarize(rows["events"]), events.log_base(rows["events"]))
        + wins.log_evidence({True: rows["wins"].sum(), False: (5 - rows["wins"]).sum()})
        + float(np.log(comb(5, rows["wins"])).sum())
        + wait.log_evidence({True: len(rows), False: (rows["wait"] - 1).sum()})
        + colour.log_evidence(colour.summarize(rows["colour"].tolist()))
        + flag.log_evidence(flag.summarize(rows["flag"].tolist()))
    )


def test_the_evidence_is_that_of_the_conjugate_values_column_by_column() -> None:
    found = exact_evidence(proper().fit(TABLE, Y), TABLE)
    labels = DirichletCategorical.over(("a", "b"))
    oracle = labels.log_evidence(labels.summarize(Y.tolist())) + sum(conjugates(TABLE[k == Y]) for k in "ab")
    assert found == pytest.approx(oracle, rel=1e-12)


def test_a_weight_is_so_many_copies_and_missing_cells_are_left_out() -> None:
    table, w = TABLE.astype({"number": float}), RNG.integers(0, 3, N)
    table.loc[::4, "number"] = np.nan
    table.loc[1::5, "events"] = np.nan
    weighted = exact_evidence(proper().fit(table, Y, w), table, w.astype(float))
    copies = np.repeat(np.arange(N), w)
    again = table.iloc[copies]
    assert weighted == pytest.approx(exact_evidence(proper().fit(again, Y[copies]), again), rel=1e-12)


def test_documents_weigh_as_count_vectors() -> None:
    X, y = RNG.integers(0, 4, (30, 5)), np.repeat(["a", "b"], 15)
    model = MultinomialNB(alpha=0.6, class_prior=[0.3, 0.7]).fit(X, y)
    belief = DirichletMultinomial.over(range(5), Dirichlet(0.6))
    oracle = sum(belief.log_evidence(belief.summarize(X[y == k]), belief.log_base(X[y == k])) for k in "ab")
    assert exact_evidence(model, X) == pytest.approx(oracle + 15 * np.log(0.3 * 0.7), rel=1e-12)


@pytest.mark.parametrize("by_family", [True, False])
def test_words_outside_a_fixed_vocabulary_weigh_nothing(by_family: bool) -> None:
    """The evidence of texts is that of the matrix of the words that there are, met or not."""
    words, texts, y = ("aa", "bb", "zz"), ["aa bb out", "bb bb", "out out aa aa", ""], ["a", "b", "a", "b"]
    counts = np.array([[text.split().count(word) for word in words] for text in texts])
    columns = MultinomialNB(alpha=0.6, class_prior=[0.3, 0.7]).fit(counts, y)
    family = Multinomial(Dirichlet(0.6), vocabulary=words if by_family else None)
    how = None if by_family else Analyzer(vocabulary=words)
    model = NaiveBayes({"t": "text"}, by_kind={"text": family}, prior={"a": 0.3, "b": 0.7}, analyzer=how)
    exact = exact_evidence(columns, counts)
    assert exact_evidence(model.fit({"t": texts}, y), {"t": texts}) == pytest.approx(exact, rel=1e-12)


def test_codes_weigh_as_labels_do() -> None:
    X, y = RNG.integers(0, 3, (40, 2)), np.repeat([0, 1], 20)
    belief, shares = DirichletCategorical.over(range(3), Dirichlet(0.5)), BetaBernoulli()
    columns = [belief.summarize(X[y == k, j]) for k in (0, 1) for j in (0, 1)]
    oracle = shares.log_evidence({True: 20, False: 20}) + sum(map(belief.log_evidence, columns))
    assert exact_evidence(CategoricalNB(alpha=0.5).fit(X, y), X) == pytest.approx(oracle, rel=1e-12)


def test_labels_of_several_types_are_kept_apart() -> None:
    X, y = {"a": list("xxyyzz") * 4}, [1, 1, "one", "one", "1", "1"] * 4
    average = ModelAverage().fit(X, y)
    assert average.posterior_.best == "naive"
    assert average.predict({"a": ["x", "y", "z"]}).tolist() == [1, "one", "1"]
    np.testing.assert_allclose(average.class_prior_, [1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize(
    "model",
    [
        NaiveBayes(),  # the prior of its normal columns is read from the rows
        proper(events=Poisson()),
        proper(number=DiagonalNormal(NormalInverseGamma(2.0, 0.0, 1.0, 3.0))),
        proper(colour=Categorical(Dirichlet(0.0))),
        proper(wins=Binomial(5, Beta(0.0, 1.0))),
        proper().set_params(feature_weights={"flag": 0.5}),
    ],
)
def test_there_is_no_exact_evidence_without_proper_priors(model: Any) -> None:
    assert exact_evidence(model.fit(TABLE, Y), TABLE) is None
    assert exact_evidence(LogisticRegression().fit(TABLE[["number"]], Y), TABLE[["number"]]) is None


@pytest.mark.parametrize(("prior", "wins"), [(Beta(0.0, 1.0), 0), (Beta(1.0, 0.0), 5)])
def test_an_improper_prior_has_no_evidence_even_where_rows_do_not_show_it(prior: Any, wins: int) -> None:
    """Rows without a success ask nothing of Beta(0, 1), which is no distribution all the same."""
    rows = TABLE.assign(wins=wins)
    assert exact_evidence(proper(wins=Binomial(5, prior)).fit(rows, Y), rows) is None
    assert exact_evidence(proper(wins=Binomial(5, Beta(1.0, 1.0))).fit(rows, Y), rows) is not None


def test_the_average_is_the_weighted_sum() -> None:
    models = [("weak", proper()), ("strong", proper(flag=Bernoulli(Beta(50.0, 50.0))))]
    average = ModelAverage(models, prior={"weak": 0.25, "strong": 0.75}).fit(TABLE, Y)
    assert average.evidence_ == "exact"
    logs = [exact_evidence(clone(model).fit(TABLE, Y), TABLE) for _, model in models]
    joint = np.exp(np.array(logs) - max(logs)) * [0.25, 0.75]
    np.testing.assert_allclose(average.weights_, joint / joint.sum(), rtol=1e-10)
    each = [clone(model).fit(TABLE, Y).predict_proba(TABLE) for _, model in models]
    expected = average.weights_[0] * each[0] + average.weights_[1] * each[1]
    np.testing.assert_allclose(average.predict_proba(TABLE), expected, atol=1e-14)
    np.testing.assert_allclose(np.exp(average.predict_log_proba(TABLE)), expected, atol=1e-14)


def test_where_one_model_has_no_density_all_are_weighed_by_the_labels() -> None:
    X, y = load_iris(return_X_y=True)
    logistic = make_pipeline(StandardScaler(), LogisticRegression())
    members = [("normal", GaussianNB()), ("linear", logistic), ("shares", DummyClassifier())]
    average = ModelAverage(members, n_parameters={"linear": 15}).fit(X, y)
    assert average.evidence_ == "labels"
    logs = []
    for (_, model), k in zip(members, [2 * 12 + 2, 15, 2], strict=True):
        proba = clone(model).fit(X, y).predict_proba(X)
        logs.append(np.log(proba[np.arange(150), y]).sum() - k / 2 * np.log(150))
    np.testing.assert_allclose(average.posterior_.log_evidence, logs, rtol=1e-12)
    assert average.posterior_.best == "linear"


def test_a_model_that_fits_is_preferred_to_shares_alone_and_noise_is_not() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    told = ModelAverage().fit(X, y)
    assert (told.evidence_, told.posterior_.best) == ("joint", "naive")
    noise = RNG.standard_normal((80, 8))
    coin = RNG.integers(0, 2, 80)
    blind = ModelAverage().fit(noise, coin)
    assert blind.posterior_.best == "featureless"
    np.testing.assert_allclose(blind.predict_proba(noise[:1])[0], np.bincount(coin) / 80, atol=1e-3)


def test_the_joint_criterion_is_of_rows_and_labels() -> None:
    X, y = load_iris(return_X_y=True)
    average = ModelAverage([("normal", GaussianNB()), ("blind", Featureless(GaussianNB()))]).fit(X, y)
    joint = GaussianNB().fit(X, y).predict_joint_log_proba(X)[np.arange(150), y].sum()
    pooled = stats.norm.logpdf(X, X.mean(axis=0), np.sqrt(X.var(axis=0))).sum() + 150 * np.log(1 / 3)
    expected = [joint - 26 / 2 * np.log(150), pooled - (8 + 2) / 2 * np.log(150)]
    np.testing.assert_allclose(average.posterior_.log_evidence, expected, rtol=1e-8)


def test_whether_a_symbol_depends_on_the_class_is_decided_exactly() -> None:
    """A column that depends on the class or not, against the evidences of three Dirichlets."""
    table, prior = {"colour": TABLE["colour"].tolist()}, {"colour": PROPER["colour"]}
    naive = NaiveBayes(families=prior)
    average = ModelAverage([("naive", naive), ("featureless", Featureless(naive))]).fit(table, Y)
    assert average.evidence_ == "exact"
    belief, labels = (
        DirichletCategorical.over(("red", "green", "blue"), Dirichlet(0.7)),
        DirichletCategorical.over("ab"),
    )
    whole = belief.summarize(table["colour"])
    by_class = [belief.summarize(TABLE["colour"][k == Y].tolist()) for k in "ab"]
    shares = labels.log_evidence(labels.summarize(Y.tolist()))
    expected = [shares + sum(map(belief.log_evidence, by_class)), shares + belief.log_evidence(whole)]
    np.testing.assert_allclose(average.posterior_.log_evidence, expected, rtol=1e-12)


def test_featureless_passes_scikit_learns_checks() -> None:
    results = check_estimator(Featureless(), on_fail=None, on_skip=None)
    odd = {result["check_name"]: result["exception"] for result in results if result["status"] != "passed"}
    assert set(odd) <= {"check_array_api_input"}, odd


def test_prior_costs_and_refusal_are_decided_late() -> None:
    X, y = load_iris(return_X_y=True)
    average = ModelAverage([("a", GaussianNB()), ("b", GaussianNB(var_smoothing=0.1))], refusal=-1).fit(X, y)
    prior = [0.1, 0.1, 0.8]
    parts = [model.posterior(X).shift(prior).proba for model in average.models_]
    expected = sum(weight * part for weight, part in zip(average.weights_, parts, strict=True))
    assert (average.predict(X, prior=prior) == np.argmax(expected, axis=1)).all()
    refused = average.predict(X, at_least=0.9)
    assert ((refused == -1) == (average.predict_proba(X).max(axis=1) < 0.9)).all()
    costs = np.array([[0, 1, 1], [1, 0, 1], [1, 9, 0]])
    assert (average.predict(X, costs=costs) == (average.predict_proba(X) @ costs).argmin(axis=1)).all()


def test_parameters_of_the_models_are_reached_by_name() -> None:
    average = ModelAverage([("a", GaussianNB()), ("b", GaussianNB())])
    average.set_params(b__var_smoothing=0.5, evidence="joint")
    assert clone(average).get_params()["b__var_smoothing"] == 0.5
    assert ModelAverage().set_params(prior=[0.5, 0.5]).prior == [0.5, 0.5]


@pytest.mark.parametrize(
    ("model", "k"),
    [(GaussianNB(), 2 * 8 + 1), (BernoulliNB(), 8 + 1), (MultinomialNB(), 6 + 1), (LogisticRegression(), 5)],
)
def test_learned_numbers_are_counted(model: Any, k: int) -> None:
    X, y = RNG.integers(0, 3, (20, 4)), np.repeat([0, 1], 10)
    assert count_parameters("me", "it", model.fit(X, y)) == k


def test_sequential_updating_of_models_is_updating_once() -> None:
    """The evidence of more rows given the earlier ones is the difference of two evidences."""
    strong, weak = BetaBernoulli(50, 50), BetaBernoulli(1, 1)
    first, second = {True: 7, False: 3}, {True: 8, False: 2}
    both = {True: 15, False: 5}
    names = {"weak": weak, "strong": strong}
    once = ModelPosterior.of({name: prior.log_evidence(both) for name, prior in names.items()})
    steps = ModelPosterior.of({name: prior.log_evidence(first) for name, prior in names.items()})
    steps = steps.update({name: (prior + first).log_evidence(second) for name, prior in names.items()})
    np.testing.assert_allclose(steps.weights, once.weights, rtol=1e-12)
    assert once.bayes_factor("weak", "strong") == pytest.approx(once.weights[0] / once.weights[1], rel=1e-12)


def test_rows_impossible_under_every_model_leave_the_prior() -> None:
    models = ModelPosterior.of({"a": -np.inf, "b": -np.inf}, [0.2, 0.8])
    np.testing.assert_allclose(models.weights, [0.2, 0.8], rtol=1e-14)
    assert ModelPosterior.of({"a": -5000.0, "b": -6000.0}).weights.tolist() == [1.0, 0.0]


X2, Y2 = np.arange(8.0)[:, None], np.repeat([0, 1], 4)


def fitted(model: Any, **options: Any) -> ModelAverage:
    return ModelAverage([("a", model)], **options).fit(X2, Y2)


REFUSED: list[tuple[Any, str]] = [
    (lambda: ModelAverage([]).fit(X2, Y2), r"ModelAverage: estimators must be a list of at least one \(name, class"),
    (lambda: ModelAverage([("a", GaussianNB())] * 2).fit(X2, Y2), "estimators must be a list of models with names of"),
    (lambda: fitted(StandardScaler()), "model 'a' must be a classifier with predict_proba"),
    (
        lambda: fitted(GaussianNB(), prior=[0.5]),
        r"prior must be one probability for each of the models \['a'\], summing to",
    ),
    (lambda: fitted(GaussianNB(), evidence="exact"), "model 'a' must be a naive Bayes whose families all have proper"),
    (
        lambda: fitted(BernoulliNB(), evidence="joint"),
        "must be a classifier with score_samples that describes the cell",
    ),
    (lambda: fitted(LogisticRegression(), evidence="joint"), "score_samples that .*, got LogisticRegression"),
    (lambda: fitted(DecisionTreeClassifier()), "model 'a' must be a model whose learned numbers can be counted"),
    (lambda: Featureless(LogisticRegression()).fit(X2, Y2), "Featureless: density must be a classifier with score_sam"),
    (lambda: fitted(Featureless(BernoulliNB()), evidence="joint"), "score_samples that describes the cells"),
    (lambda: ModelAverage(evidence="aic").fit(X2, Y2), "The 'evidence' parameter of ModelAverage must be a str among"),
    (lambda: ModelPosterior.of({"a": 0.0}, {"b": 1.0}), r"ModelPosterior: prior must be one .* got \{'b': 1.0\}"),
    (lambda: ModelPosterior.of({"a": 0.0, "b": 1.0}, [0.5, -0.5]), "prior must be one probability for each of the mod"),
    (lambda: ModelPosterior.of({}), r"ModelPosterior: log_evidence must be of at least one model, got \{\}"),
    (lambda: ModelPosterior.of({"a": np.nan}), "ModelPosterior: log_evidence must be numbers below infinity"),
    (lambda: ModelPosterior.of({"a": 0.0}).update({"b": 1.0}), r"must be given for the models \['a'\], got 'b'"),
    (lambda: ModelPosterior.of({"a": 0.0}).bayes_factor("a", "b"), r"a model must be one of \['a'\], got 'b'"),
    (lambda: ModelPosterior.of({"a": 0.0}).average([]), "predictions must be one for each of the 1 models, got 0"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


def test_a_second_fit_leaves_nothing_of_the_first() -> None:
    table = pd.DataFrame({"first": X2[:, 0], "second": X2[:, 0] ** 2})
    average = ModelAverage().fit(table, Y2)
    assert average.feature_names_in_.tolist() == ["first", "second"]
    average.fit(X2, Y2)
    assert not hasattr(average, "feature_names_in_")
    assert average.n_features_in_ == 1


def test_nothing_is_half_changed() -> None:
    average = ModelAverage([("a", GaussianNB())]).fit(X2, Y2)
    before = average.predict_proba(X2)
    with pytest.raises(BadInput):
        average.set_params(prior=[0.1, 0.9]).fit(X2[:4], Y2[:4])
    assert (average.predict_proba(X2) == before).all()
    with pytest.raises(NotFittedError):
        ModelAverage().predict(X2)
