"""Comparing models: the numbers are those of cross-validation, the tests those of the pairs, and ties are told."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression as TheirLogistic

import suffice
from suffice import Chain, DecisionTreeRegressor, GaussianNB, LinearRegression, NaiveBayes, Ridge, TableEncoder, Tree
from suffice.core.errors import BadInput
from suffice.evaluation import PairedErrors, compare, cross_val_predict, cross_validate, holm, paired_t
from suffice.evaluation.comparing.compare_models import shows_classes
from suffice.plots import ComparisonDisplay

rng = np.random.default_rng(3)
N = 90
X = rng.normal(size=(N, 3)) + np.arange(N)[:, None] % 3
Y = np.array(["u", "v", "w"], dtype=object)[np.arange(N) % 3]
T = X @ [1.0, 2.0, 0.5] + rng.normal(size=N)
MIXED = {"a": X[:, 0].copy(), "c": rng.choice(["p", "q"], N).astype(object), "d": X[:, 1] > 0.5}
MIXED["a"][5] = np.nan
MIXED["c"][7] = None


def test_scores_and_answers_are_those_of_cross_validation() -> None:
    w = rng.integers(1, 4, N).astype(float)
    models = {"ours": GaussianNB(), "trees": Tree(), "theirs": TheirLogistic()}
    found = compare(X, Y, models, cv=4, sample_weight=w)
    for name, model in models.items():
        alone = cross_validate(model, X, Y, cv=4, sample_weight=w)
        np.testing.assert_allclose(found[name].result.values("log_loss"), alone.values("log_loss"), rtol=1e-12)
        assert found.estimate(name) == alone.total.accuracy
        assert found[name].result.path == alone.path
        np.testing.assert_array_equal(found[name].answers, cross_val_predict(model, X, Y, cv=4, sample_weight=w))
    values = [found.estimate(model.name).value for model in found.models]
    assert values == sorted(values, reverse=True)


def test_pairs_are_tested_with_both_corrections() -> None:
    models = {"a": LinearRegression(), "b": DecisionTreeRegressor(random_state=0), "c": Ridge(1e7)}
    found = compare(X, T, models, cv=10)
    assert found.best.name == "a"
    values = {name: cross_validate(model, X, T, cv=10).values("mean_squared_error") for name, model in models.items()}
    raw = []
    for pair in found.pairs:
        test = paired_t(-values[pair.first], -values[pair.second], test_ratio=1 / 9)
        np.testing.assert_allclose(pair.test.difference, test.difference, rtol=1e-10)
        raw.append(test.result.p)
    np.testing.assert_allclose([pair.p for pair in found.pairs], holm(raw), rtol=1e-9)
    assert len(found.pairs) == 3
    assert [pair.tied for pair in found.pairs] == [pair.p > 0.05 for pair in found.pairs]
    assert found.ties == ("a", *(pair.second for pair in found.pairs[:2] if pair.p > 0.05))
    assert "c" not in found.ties


def test_holm_by_its_definition() -> None:
    p = rng.random(9) ** 3
    order = np.argsort(p)
    slow = np.empty(9)
    for i, place in enumerate(order):
        slow[place] = max(min(1.0, (9 - j) * p[order[j]]) for j in range(i + 1))
    np.testing.assert_allclose(holm(p), slow, rtol=1e-14)
    np.testing.assert_array_equal(np.isnan(holm([np.nan, 0.2])), [True, False])
    assert holm([np.nan, 0.2])[1] == 0.2
    assert holm([]).size == 0


@pytest.mark.parametrize("p", [[-1.0, 0.5], [0.5, 2.0], [[0.1, 0.2]], 0.5])
def test_what_is_no_probability_is_not_adjusted(p: Any) -> None:
    with pytest.raises(BadInput, match="holm: p must be one number from 0 to 1 a test, or NaN, got "):
        holm(p)


def test_models_that_are_alike_are_tied_and_agree() -> None:
    found = compare(X, Y, [GaussianNB(), GaussianNB()], cv=3)
    assert found.ties == ("GaussianNB", "GaussianNB_2")
    assert found.pairs[0].test.result.p == 1.0
    assert found.disagreements().size == 0
    assert "Tied, as these rows do not tell which is better: GaussianNB, GaussianNB_2." in str(found)


def test_disagreements_name_the_rows() -> None:
    found = compare(X, Y, [GaussianNB(), Tree()], cv=3)
    a, b = found["GaussianNB"].answers, found["Tree"].answers
    np.testing.assert_array_equal(found.disagreements(), np.flatnonzero(a != b))
    pair = found.pair("Tree", "GaussianNB")
    counted = PairedErrors.of(Y, found[pair.first].answers, found[pair.second].answers)
    assert str(pair.errors) == str(counted)
    numbers = compare(X, T, [Ridge(), Ridge(1e3)], cv=3)
    apart = np.abs(np.asarray(numbers.models[0].answers) - np.asarray(numbers.models[1].answers))
    assert numbers.disagreements()[0] == apart.argmax()
    np.testing.assert_array_equal(np.sort(numbers.disagreements()), np.flatnonzero(apart))


@pytest.mark.parametrize("target", [Y, T], ids=["classes", "numbers"])
def test_the_usual_models_take_mixed_tables_with_missing_cells(target: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = compare(MIXED, target, cv=2)
    assert not found.left_out
    assert len(found.models) == (6 if target is Y else 4)
    assert found.classes == (target is Y)
    if target is Y:
        paths = {model.name: model.result.path for model in found.models}
        assert paths["NaiveBayes"] == paths["Featureless"] == "folds added"


def test_what_cannot_take_the_rows_is_left_out_and_told_unless_it_was_named() -> None:
    table = csr_array(np.round(np.abs(X)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = compare(table, Y, cv=2)
    assert "LogisticRegression" in found.left_out
    assert "NaiveBayes" in {model.name for model in found.models}
    assert "Left out: LogisticRegression (" in str(found)
    with pytest.raises(BadInput):
        compare(table, Y, [Chain(TableEncoder(), suffice.LogisticRegression())], cv=2)


def test_a_target_of_few_whole_numbers_is_classes() -> None:
    whole = np.arange(N)
    assert shows_classes(whole % 3)
    assert shows_classes(whole % 3 + 0.0)
    assert not shows_classes(whole % 31)
    assert not shows_classes(whole % 3 + 0.5)
    assert shows_classes(whole % 2 == 0)


def test_repeated_splits_have_no_single_answer_a_row() -> None:
    pairs = [(np.arange(0, 60), np.arange(60, N)), (np.arange(30, N), np.arange(30))]
    found = compare(X, Y, [GaussianNB(), NaiveBayes()], cv=pairs)
    assert found.best.answers is None
    assert found.pairs[0].errors is None
    with pytest.raises(BadInput, match="every row tested once"):
        found.disagreements()
    assert str(found)


def test_an_infinite_score_has_no_test() -> None:
    found = compare(X, Y, [Tree(), GaussianNB()], cv=3, scoring="log_loss")
    assert found.best.name == "GaussianNB"
    assert found.pairs[0].test is None
    assert "no test" in str(found.pairs[0])
    assert found.pairs[0].tied


def test_it_prints_as_text_and_as_html_with_escaped_names() -> None:
    found = compare(X, Y, {"<b>": GaussianNB(), "tree": Tree()}, cv=3)
    head, *lines = str(found).splitlines()
    assert head.split() == [
        "model",
        "accuracy",
        "low",
        "high",
        "log",
        "loss",
        "behind",
        "p",
        "verdict",
        "seconds",
        "folds",
    ]
    assert lines[0].split()[0] == found.best.name
    html = found._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    one = compare(X, Y, GaussianNB(), cv=3)
    assert "pairs" not in str(one)


def test_the_picture_has_an_interval_a_model() -> None:
    found = compare(X, T, [Ridge(), DecisionTreeRegressor(random_state=0), LinearRegression()], cv=3)
    display = ComparisonDisplay.from_comparison(found, ax=Figure().subplots())
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == [model.name for model in found.models]
    assert len(display.tied_[0].get_xdata()) == len(found.ties)
    np.testing.assert_allclose(display.tied_[0].get_xdata()[0], found.estimate(found.best.name).value)
    assert (display.worse_ is None) == (len(found.ties) == 3)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: compare(X, Y[:5]), "y must be one label or number for each of the 90 rows"),
        (lambda: compare(X, Y, []), "models must be at least one estimator, got none"),
        (lambda: compare(X, Y, [GaussianNB(), Ridge()]), "all classifiers or all regressors, got Ridge among"),
        (lambda: compare(X, Y, [TableEncoder()]), "models must be classifiers or regressors, got TableEncoder"),
        (lambda: compare(X, Y, [GaussianNB]), "models must be classifiers or regressors"),
        (lambda: compare(X, Y, scoring="r2"), "scoring must be one of accuracy"),
        (lambda: compare(X, T, [Ridge()], scoring="accuracy"), "scoring must be one of mean_absolute_error"),
        (lambda: compare(X, Y, [GaussianNB()], cv=1), "cv must be a number of folds from 2"),
        (lambda: compare(X, Y, [GaussianNB()], cv=3)["Tree"], "a model must be one of ['GaussianNB'], got 'Tree'"),
        (lambda: compare(X, Y, [GaussianNB()], cv=3).disagreements(), "two or more"),
        (lambda: compare(X, Y, [GaussianNB(), Tree()], cv=3).pair("Tree", "Tree"), "of two different models"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_a_sentence(call: Any, told: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()
    assert told in str(caught.value)
