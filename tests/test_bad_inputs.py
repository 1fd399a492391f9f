"""Bad input gets one clear sentence, and nothing is changed: who refused, which argument, what must hold, what came."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils._param_validation import InvalidParameterError

import suffice
from suffice import Decision, NaiveBayes, load, persistence
from suffice.bayes import LearnedPrior
from suffice.core.errors import SufficeError
from suffice.estimators.state.loaded import model_of
from suffice.families.counts.binomial import Binomial
from suffice.families.counts.categorical import Categorical
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Beta, Dirichlet, MEstimate
from suffice.families.counts.rate_priors import Gamma
from suffice.families.counts.truncated_counts import TruncatedCounts
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.normals.variance_priors import NormalInverseGamma
from suffice.families.windows.histogram import Histogram
from suffice.sources.tables.analyzer import Analyzer

CELLS: dict[str, list[Any]] = {"x": [1.0, 2.0, 3.5, 4.0], "s": ["a", "b", "a", "c"], "t": [True, False, True, True]}
Y = ["in", "out", "in", "out"]
X = np.array([[1, 2], [0, 1], [3, 0], [2, 2]])
LABELS = [0, 1, 0, 1]
HOLED = np.array([[1.0, np.nan], [2.0, 3.0], [0.0, 1.0], [1.0, 1.0]])


class Case(NamedTuple):
    """Something that must be refused."""

    owner: str
    argument: str
    rule: str  # pattern of what must hold
    call: Callable[[Any], Any]
    subject: Callable[[], Any] = lambda: NaiveBayes()


def fitted(name: str = "NaiveBayes", **parameters: Any) -> Callable[[], Any]:
    rows, labels = (CELLS, Y) if name == "NaiveBayes" else (X, LABELS)
    return lambda: getattr(suffice, name)(**parameters).fit(rows, labels)


def fitting(owner: str, argument: str, rule: str, rows: Any = None, labels: Any = None, **parameters: Any) -> Case:
    """A first fit with bad parameters, rows, or labels."""
    plain = owner == "NaiveBayes"
    rows = (CELLS if plain else X) if rows is None else rows
    labels = (Y if plain else LABELS) if labels is None else labels
    return Case(owner, argument, rule, lambda m: m.fit(rows, labels), lambda: getattr(suffice, owner)(**parameters))


def weighing(owner: str, rule: str, w: Any) -> Case:
    rows, labels = (CELLS, Y) if owner == "NaiveBayes" else (X, LABELS)
    return Case(owner, "sample_weight", rule, lambda m: m.partial_fit(rows, labels, sample_weight=w), fitted(owner))


def deciding(argument: str, rule: str, value: Any) -> Case:
    return Case("NaiveBayes", argument, rule, lambda m: m.predict(CELLS, **{argument: value}), fitted())


def making(owner: str, argument: str, rule: str, call: Callable[[], Any]) -> Case:
    return Case(owner, argument, rule, lambda _: call(), lambda: None)


@cache
def loaded_bytes(name: str) -> bytes:
    return persistence.to_bytes(fitted(name)()._saved())


def loaded(name: str = "NaiveBayes") -> Callable[[], Any]:
    def make() -> Any:
        value = persistence.from_bytes(loaded_bytes(name))
        return model_of(value)

    return make


CASES = [
    # NaiveBayes: parameters
    fitting("NaiveBayes", "kinds", "an instance of 'collections.abc.Mapping' or None", kinds="text"),
    fitting("NaiveBayes", "kind of column 'x'", "one of boolean, ordinal", kinds={"x": "colour"}),
    fitting("NaiveBayes", "kinds", "about columns of the table", kinds={"z": "text"}),
    fitting("NaiveBayes", "order of column 's'", "different values", kinds={"s": ["a", "b", "a"]}),
    fitting("NaiveBayes", "cells of column 's'", "among", kinds={"s": ["a", "b"]}),
    fitting("NaiveBayes", "cells of column 's'", "real numbers", kinds={"s": "quantitative"}),
    fitting("NaiveBayes", "families", "an instance of", families=[Poisson()]),
    fitting("NaiveBayes", "families", "about columns of the table", families={"z": Poisson()}),
    fitting("NaiveBayes", "family of column 's'", "one for symbols", families={"s": Poisson()}),
    fitting("NaiveBayes", "family of column 'x'", "one for numbers", families={"x": "normal"}),
    fitting("NaiveBayes", "by_kind", "about kinds", by_kind={"colour": Poisson()}),
    fitting("NaiveBayes", "family of column 't'", "one for symbols", by_kind={"boolean": DiagonalNormal()}),
    fitting("NaiveBayes", "prior", '"uniform"', prior="flat"),
    fitting("NaiveBayes", "prior", "a mapping label -> share", prior=0.5),
    fitting("NaiveBayes", "prior", "pseudo-counts such as", prior=Dirichlet),
    fitting("NaiveBayes", "family of column 'x'", "such as DiagonalNormal", families={"x": Poisson}),
    fitting("NaiveBayes", "prior", "summing to 1", prior={"in": 0.5, "out": 0.4}),
    fitting("NaiveBayes", "prior", "none of them negative", prior={"in": 1.5, "out": -0.5}),
    fitting("NaiveBayes", "prior", "given for every class", prior={"in": 1.0}),
    fitting("NaiveBayes", "feature_weights", "about columns of the table", feature_weights={"z": 1.0}),
    fitting("NaiveBayes", "weight of column 'x'", "a finite number of at least 0", feature_weights={"x": -1.0}),
    fitting("NaiveBayes", "weight of column 's'", "a finite number of at least 0", feature_weights={"s": np.nan}),
    fitting("NaiveBayes", "weight of column 't'", "a finite number of at least 0", feature_weights={"t": "much"}),
    fitting("NaiveBayes", "analyzer", "an Analyzer or a scikit-learn vectorizer", analyzer="word"),
    fitting("NaiveBayes", "tokenizer of the analyzer", "None", analyzer=CountVectorizer(tokenizer=str.split)),
    fitting("NaiveBayes", "binary of the analyzer", "False", analyzer=CountVectorizer(binary=True)),
    fitting("NaiveBayes", "threads", "an int in the range", threads=0),
    # NaiveBayes: rows and labels
    fitting("NaiveBayes", "X", "rows and columns", np.arange(4.0)),
    fitting("NaiveBayes", "X", "a table with columns", np.zeros((4, 0))),
    fitting("NaiveBayes", "X", "a table with rows", np.zeros((0, 2)), []),
    fitting("NaiveBayes", "columns", "all of one length", {"x": [1.0, 2.0], "s": ["a"]}, ["in", "out"]),
    fitting("NaiveBayes", "numbers", "real", np.eye(4) * 1j),
    fitting("NaiveBayes", "table", "an array, a sparse matrix", 7),
    fitting("NaiveBayes", "column names", "all different", pd.DataFrame([[1, 2]] * 4, columns=["a", "a"])),
    fitting("NaiveBayes", "table", "one with a column that a model can learn from", {"x": [None] * 4}),
    fitting("TableEncoder", "table", "one with a column that a model can learn from", {"x": [None] * 4}),
    fitting("Calibrate", "table", "one with a column that a model can learn from", {"x": [None] * 4}),
    fitting("NaiveBayes", "cells of column 'x'", "texts", {"x": [1, 2, 3, 4]}, kinds={"x": "text"}),
    Case("NaiveBayes", "y", "a label for each row", lambda m: m.fit(CELLS, None)),
    fitting("NaiveBayes", "X and y", "of one length", labels=Y[1:]),
    fitting("NaiveBayes", "labels", "present in every row", labels=["in", None, "out", "in"]),
    fitting("NaiveBayes", "labels", "present in every row", labels=np.array([0.0, np.nan, 1.0, 1.0])),
    fitting("NaiveBayes", "labels", "classes", labels=[0.5, 1.5, 2.5, 3.5]),
    fitting("NaiveBayes", "labels", "finite", labels=[0.0, np.inf, 1.0, 1.0]),
    fitting("NaiveBayes", "y", "a 1d array", labels=np.zeros((4, 2))),
    *(
        weighing("NaiveBayes", rule, w)
        for rule, w in [
            ("at least 0", [1, 1, 1, -1]),
            ("finite", [1, 1, 1, np.nan]),
            ("one column of 4 numbers", [1, 1, 1]),
            ("numbers", ["a", "b", "c", "d"]),
        ]
    ),
    Case("NaiveBayes", "sample_weight", "greater than 0 for some row", lambda m: m.fit(CELLS, Y, np.zeros(4))),
    # NaiveBayes: predictions
    Case("NaiveBayes", "X", "is not fitted yet", lambda m: m.predict(CELLS)),
    Case("NaiveBayes", "columns", "'s' among them", lambda m: m.predict({"x": [1.0], "t": [True]}), fitted()),
    Case("NaiveBayes", "X", "is expecting 2 features", lambda m: m.predict(X[:, :1]), lambda: NaiveBayes().fit(X, Y)),
    Case(
        "NaiveBayes",
        "X",
        "feature names should match",
        lambda m: m.predict(pd.DataFrame({"t": [1], "s": ["a"], "x": [1]})),
        fitted(),
    ),
    deciding("prior", "one probability per class", [0.5, 0.25, 0.25]),
    deciding("prior", "given for the classes", {"in": 0.5, "elsewhere": 0.5}),
    deciding("prior", "one of", "flat"),
    deciding("costs", r"of shape \(2, 2\)", np.ones((3, 3))),
    deciding("costs", "given for the classes", {("in", "elsewhere"): 1.0}),
    deciding("costs", "finite costs", [[0.0, np.nan], [1.0, 0.0]]),
    deciding("reject", "a finite cost", True),
    deciding("at_least", "a probability from 0 to 1", 1.5),
    Case("NaiveBayes", "target", "one of the classes", lambda m: m.explain(CELLS, target="elsewhere"), fitted()),
    Case("NaiveBayes", "versus", "one of the classes", lambda m: m.explain(CELLS, versus="elsewhere"), fitted()),
    Case("NaiveBayes", "versus", "another class than target", lambda m: m.explain(CELLS, "in", "in"), fitted()),
    Case("NaiveBayes", "n_samples", "a whole number of at least 1", lambda m: m.sample(0), fitted()),
    Case("NaiveBayes", "random_state", "None, a seed", lambda m: m.sample(1, "dice"), fitted()),
    Case("NaiveBayes", "at_least", "a correlation above 0", lambda m: m.duplicate_features(CELLS, 0.0), fitted()),
    Case(
        "NaiveBayes",
        "family of every column",
        "linear",
        lambda m: m.coefficients(),
        fitted(families={"x": Histogram()}),
    ),
    Case("Softmax", "target", "one of the classes", lambda m: m.coefficients().weights("elsewhere", "in"), fitted()),
    # NaiveBayes: the algebra
    Case("NaiveBayes", "models to merge", "of its own kind", lambda m: m.merge(fitted("GaussianNB")()), fitted()),
    Case("NaiveBayes", "models to merge", "of its own kind", lambda m: m + 3, fitted()),
    Case("NaiveBayes", "columns of all models", "3 in number", lambda m: m.merge(NaiveBayes().fit(X, Y)), fitted()),
    Case("forget", "classes", "added before", lambda m: m.forget(CELLS, ["in", "out", "in", "new"]), fitted()),
    Case("forget", "rows", "added before", lambda m: m.forget({k: c * 2 for k, c in CELLS.items()}, Y * 2), fitted()),
    Case(
        "forget",
        "labels of column 0",
        "added before",
        lambda m: m.forget({"x": [1.0], "s": ["z"], "t": [True]}, ["in"]),
        fitted(),
    ),
    Case("NaiveBayes", "rows left after forget", "at least one", lambda m: m.forget(CELLS, Y), fitted()),
    Case(
        "Schema",
        "kind of column 'x'",
        "one in all tables",
        lambda m: m.partial_fit({**CELLS, "x": list("abcd")}, Y),
        fitted(),
    ),
    Case(
        "Schema",
        "columns",
        "the same in all tables",
        lambda m: m.partial_fit({"x": [1.0], "s": ["a"], "z": [1]}, ["in"]),
        fitted(),
    ),
    Case("NaiveBayes", "a parameter", "Invalid parameter 'colour'", lambda m: m.set_params(colour="red"), fitted()),
    Case("NaiveBayes", "prior", "summing to 1", lambda m: m.set_params(prior={"in": 0.7, "out": 0.7}), fitted()),
    Case(
        "NaiveBayes",
        "families",
        "about columns of the table",
        lambda m: m.set_params(families={"q": Poisson()}),
        fitted(),
    ),
    # Drop-ins
    fitting("GaussianNB", "the class shares", "sum to 1", priors=[0.5, 0.6]),
    fitting("GaussianNB", "the class shares", "finite and at least 0", priors=[-0.5, 1.5]),
    fitting("GaussianNB", "the class shares", "one for each of the 2 classes", priors=[0.2, 0.3, 0.5]),
    fitting("GaussianNB", "the class shares", "numbers", priors=["much", "little"]),
    fitting("GaussianNB", "the class shares", "a list of numbers", priors=[[0.5, 0.5]]),
    fitting("GaussianNB", "var_smoothing", "a float in the range", var_smoothing=-1.0),
    fitting("GaussianNB", "column", r"present in every row \(Input X contains NaN\)", HOLED),
    fitting("GaussianNB", "X", "dense data is required", sp.csr_array(X)),
    fitting("GaussianNB", "column 'x0'", "must be of numbers, got .a. in row 0", [["a", "b"]] * 4),
    Case("GaussianNB", "every cell", "present and finite", lambda m: m.predict(HOLED), fitted("GaussianNB")),
    Case("GaussianNB", "X", "is expecting 2 features", lambda m: m.predict(X[:, :1]), fitted("GaussianNB")),
    Case(
        "GaussianNB",
        "classes",
        "passed on the first call",
        lambda m: m.partial_fit(X, LABELS),
        lambda: suffice.GaussianNB(),
    ),
    Case(
        "GaussianNB",
        "classes",
        "those of the first call",
        lambda m: m.partial_fit(X, LABELS, [0, 1, 2]),
        fitted("GaussianNB"),
    ),
    Case(
        "GaussianNB",
        "labels",
        "declared",
        lambda m: m.partial_fit(X, [0, 1, 2, 3]),
        lambda: suffice.GaussianNB().partial_fit(X, LABELS, [0, 1]),
    ),
    weighing("GaussianNB", "at least 0", [-1, 1, 1, 1]),
    fitting("MultinomialNB", "alpha", "a float in the range", alpha=-1.0),
    fitting("MultinomialNB", "alpha", "one number for each of 2 columns", alpha=[1.0, 1.0, 1.0]),
    fitting("MultinomialNB", "alpha", "finite and at least 0", alpha=[1.0, -1.0]),
    fitting("MultinomialNB", "alpha", "a number or one for each column", alpha=["a", "b"]),
    fitting("MultinomialNB", "the class shares", "one for each of the 2 classes", class_prior=[1.0]),
    fitting("MultinomialNB", "X", "Negative values in data", -X),
    fitting("MultinomialNB", "column", "present in every row", HOLED),
    fitting("MultinomialNB", "fit_prior", "an instance of 'bool'", fit_prior="yes"),
    fitting("BernoulliNB", "binarize", "a float in the range", binarize=-1.0),
    Case(
        "merge",
        "models",
        "keep the same of their rows",
        lambda m: m.merge(fitted("BernoulliNB", binarize=1.0)()),
        fitted("BernoulliNB"),
    ),
    fitting("CategoricalNB", "codes", "at least 0", -X),
    fitting("CategoricalNB", "min_categories", "whole numbers", min_categories=[1.5, 2.5]),
    fitting("CategoricalNB", "min_categories", "one number, or one for each column", min_categories=[3, 3, 3]),
    Case("CategoricalNB", "codes", "Negative values in data", lambda m: m.predict(-X), fitted("CategoricalNB")),
    fitting("ComplementNB", "norm", "an instance of 'bool'", norm="l2"),
    fitting("ComplementNB", "the class shares", "one for each of the 2 classes", class_prior=[0.2, 0.3, 0.5]),
    # Models from files
    Case("NaiveBayes", "columns", "'s' among them", lambda m: m.predict({"x": [1.0]}), loaded()),
    Case("NaiveBayes", "y", "a label for each row", lambda m: m.partial_fit(CELLS, None), loaded()),
    Case("NaiveBayes", "X and y", "of one length", lambda m: m.partial_fit(CELLS, Y[1:]), loaded()),
    Case("NaiveBayes", "sample_weight", "at least 0", lambda m: m.partial_fit(CELLS, Y, [-1] * 4), loaded()),
    Case("NaiveBayes", "models to merge", "of its own kind", lambda m: m.merge(loaded("GaussianNB")()), loaded()),
    Case("NaiveBayes", "at_least", "a probability from 0 to 1", lambda m: m.predict(CELLS, at_least=2), loaded()),
    Case("forget", "rows", "added before", lambda m: m.forget({k: c * 2 for k, c in CELLS.items()}, Y * 2), loaded()),
    Case("GaussianNB", "number of columns", "2, as in training", lambda m: m.predict(X[:, :1]), loaded("GaussianNB")),
    Case("GaussianNB", "every cell", "present and finite", lambda m: m.predict(HOLED), loaded("GaussianNB")),
    # Files
    Case("save", "path", "in a folder that exists", lambda m: m.save("no such folder/model"), fitted()),
    Case("save", "path", "the name of a file", lambda m: m.save(""), fitted()),
    Case("save", "path", "a path", lambda m: m.save(7), fitted()),
    Case(
        "save",
        "value.parameters['refusal']",
        "an array, number, text",
        lambda m: m.save("model"),
        fitted(refusal=object()),
    ),
    making("load", "nowhere", "no such file", lambda: load("nowhere")),
    making("load", "'.'", "a folder", lambda: load(".")),
    making("load", "path", "a path", lambda: load(None)),  # type: ignore[arg-type]
    # Families, priors, analyzers, decisions
    making("Dirichlet", "alpha", "finite and at least 0", lambda: Dirichlet(-1.0)),
    making("MEstimate", "m", "finite and at least 0", lambda: MEstimate(np.inf)),
    making("MEstimate", "base", "shares", lambda: MEstimate(1.0, {"a": 0.7, "b": 0.7})),
    making("Beta", "yes", "finite and at least 0", lambda: Beta(-1.0, 1.0)),
    making("Gamma", "rate", "finite and at least 0", lambda: Gamma(1.0, -1.0)),
    making("NormalInverseGamma", "strength", "finite and at least 0", lambda: NormalInverseGamma(-1.0)),
    making("NormalInverseGamma", "variance", "finite and above 0", lambda: NormalInverseGamma(variance=0.0)),
    making("TruncatedCounts", "levels", "a whole number of at least 2", lambda: TruncatedCounts(1)),
    making("Binomial", "trials", "a whole number of at least 1", lambda: Binomial(0)),
    fitting("NaiveBayes", "the cells", "at least 0", {"x": [-5.0, -1.0, -2.0, -3.0]}, families={"x": Poisson()}),
    fitting("NaiveBayes", "the cells", "from 0 to 3", {"x": [9.0, 5.0, 6.0, 7.0]}, families={"x": Binomial(3)}),
    fitting("NaiveBayes", "every label", "one of", families={"s": Categorical(vocabulary=("a", "b"))}),
    making("LearnedPrior", "prior", "pseudo-counts", lambda: LearnedPrior(3)),
    making("LearnedPrior", "reading", "one of Reading", lambda: LearnedPrior(Dirichlet(1.0), "mode")),
    fitting("NaiveBayes", "classes", "a list of labels", classes="abc"),
    fitting("NaiveBayes", "classes", "none of them missing", classes=["a", None]),
    fitting("NaiveBayes", "classes", "named twice", classes=["a", "b", "a"]),
    making("Analyzer", "vocabulary", "a tuple of words", lambda: Analyzer(vocabulary=("a", "a"))),
    making("Analyzer", "unit", "one of", lambda: Analyzer(unit="sentence")),
    making("Analyzer", "ngrams", "a pair", lambda: Analyzer(ngrams=(2, 1))),
    making("Analyzer", "pattern", "a regular expression", lambda: Analyzer(pattern="(")),
    making("Decision", "prior", "summing to 1", lambda: Decision(prior=[0.5, 0.6])),
    making("Decision", "costs", "that is square", lambda: Decision(costs=[[0, 1, 1], [1, 0, 1]])),
]

ALLOWED = (SufficeError, InvalidParameterError, NotFittedError)
THEIRS = (  # scikit-learn's own sentences, where its interface asks for them
    "parameter of",
    "is not fitted yet",
    "expecting",
    "feature names should match",
    "should be a 1d array",
    "dense data is required",
)


def snapshot(thing: Any) -> tuple[Any, ...]:
    """All that a model is: its attributes, one by one the same objects, and its answers."""
    if thing is None:
        return ()
    state = {name: id(value) for name, value in vars(thing).items()}
    try:
        rows = CELLS if thing._state()[0].schema.names == tuple(CELLS) else X
        return state, thing.predict_proba(rows).tobytes(), persistence.to_bytes(thing.summary_)
    except NotFittedError:
        return (state,)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.owner}: {case.argument}: {case.rule[:30]}")
def test_refused_in_one_sentence_with_nothing_changed(case: Case, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    subject = case.subject()
    before = snapshot(subject)
    with pytest.raises(ALLOWED) as caught:
        case.call(subject)
    message = str(caught.value)
    assert snapshot(subject) == before
    assert list(tmp_path.iterdir()) == []
    assert re.search(case.rule, message), message
    if not any(words in message for words in THEIRS):
        assert case.argument in message, message
        assert re.match(r"[\w.]+: .+ must .+", message), message
        assert re.search(r", (got|but) ", message), message
        assert message.endswith((".", ")")), message
        assert len(message) < 400, message
        assert "\n" not in message, message


def test_the_cases_are_many_and_different() -> None:
    assert len({(case.owner, case.argument, case.rule) for case in CASES}) >= 120
