"""What a naive Bayes can tell: explanations that add exactly, repeated columns, coefficients, tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suffice
from suffice import NaiveBayes
from suffice.bayes.readings.duplicate_features import Duplicate
from suffice.families.counts.categorical import Categorical
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Dirichlet
from suffice.families.counts.truncated_counts import TruncatedCounts

CELLS: dict[str, list[Any]] = {
    "note": ["red red", "blue", None, "green blue", "red", "blue blue"],
    "size": [1.0, 2.0, None, 5.0, 1.5, 4.0],
    "shade": ["a", None, "b", "a", "c", "b"],
    "sold": [True, False, True, None, True, False],
    "when": [1, 2, 3, 4, 5, 6],
}
Y = ["in", "out", "in", "out", "over", "over"]
KINDS = {"note": "text"}


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes(kinds=KINDS).fit(CELLS, Y)


def test_contributions_add_exactly(model: NaiveBayes) -> None:
    """P.M046: log odds are a sum of per-feature contributions, in table order."""
    told = model.explain(CELLS)
    assert told.features == ("note", "size", "shade", "sold", "when")
    log_posterior = model.predict_log_proba(CELLS)
    place = {label: k for k, label in enumerate(model.classes_)}
    for i in range(6):
        parts = [told.prior[i], *told.contributions[i]]
        assert told.log_odds[i] == math.fsum(parts)
        difference = log_posterior[i, place[told.target[i]]] - log_posterior[i, place[told.versus[i]]]
        assert told.log_odds[i] == pytest.approx(difference, abs=1e-12)
        ranked = np.argsort(-log_posterior[i])
        assert [place[told.target[i]], place[told.versus[i]]] == ranked[:2].tolist()


def test_missing_cells_contribute_exactly_nothing(model: NaiveBayes) -> None:
    told = model.explain(CELLS)
    for j, name in enumerate(told.features):
        for i, cell in enumerate(CELLS[name]):
            assert cell is not None or told.contributions[i, j] == 0.0, (name, i)
    assert (told.contributions != 0.0).sum() > 15  # the others do tell something


def test_target_and_versus(model: NaiveBayes) -> None:
    forth, back = model.explain(CELLS, target="in", versus="out"), model.explain(CELLS, target="out", versus="in")
    assert set(forth.target) == {"in"}
    np.testing.assert_array_equal(forth.contributions, -back.contributions)
    np.testing.assert_allclose(forth.prior, np.log((2 / 6) / (2 / 6)), atol=0)
    likeliest = model.predict(CELLS)
    against = model.explain(CELLS, versus="out")
    assert all(t != "out" for t in against.target)
    assert [t for t, best in zip(against.target, likeliest, strict=True) if best != "out"] == [
        best for best in likeliest if best != "out"
    ]
    for_in = model.explain(CELLS, target="in")
    assert all(v != "in" for v in for_in.versus)


def test_factors_of_likelihood_ratios() -> None:
    """P.M046: Bernoulli factors are theta+/theta- or (1 - theta+)/(1 - theta-)."""
    cells = {"a": [True, False, True, True], "b": [False, False, True, True]}
    told = NaiveBayes().fit(cells, [0, 0, 1, 1]).explain({"a": [True], "b": [False]}, target=1, versus=0)
    np.testing.assert_allclose(np.exp(told.contributions[0]), [(3 / 4) / (2 / 4), (1 / 4) / (3 / 4)], rtol=1e-14)
    words = suffice.MultinomialNB().fit([[3, 0], [1, 2]], [0, 1]).explain([[2, 1]], target=1, versus=0)
    np.testing.assert_allclose(np.exp(words.contributions[0]), [(0.4 / 0.8) ** 2, 0.6 / 0.2], rtol=1e-14)


@pytest.mark.parametrize("name", ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"])
def test_drop_ins_explain_by_the_names_of_their_columns(name: str) -> None:
    import pandas as pd

    X = pd.DataFrame(np.random.default_rng(0).poisson(1.0, size=(30, 3)), columns=["a", "b", "c"])
    model = getattr(suffice, name)().fit(X, np.arange(30) % 3)
    told = model.explain(X)
    assert told.features == ("a", "b", "c")
    logs = model.predict_log_proba(X)
    rows = np.arange(30)
    np.testing.assert_allclose(told.log_odds, logs[rows, list(told.target)] - logs[rows, list(told.versus)], atol=1e-12)
    assert getattr(suffice, name)().fit(X.to_numpy(), np.arange(30) % 3).explain(X.to_numpy()).features == (
        "x0",
        "x1",
        "x2",
    )


def test_evidence_that_excludes_a_class_is_infinite_and_that_excludes_both_nothing() -> None:
    model = suffice.CategoricalNB(alpha=0.0).fit([[0, 0], [1, 0], [0, 1]], [0, 1, 0])
    told = model.explain([[0, 0], [1, 1]], target=0, versus=1)
    assert told.contributions[0, 0] == np.inf
    assert told.log_odds[0] == np.inf
    assert math.isnan(told.log_odds[1])  # excluded by one column each


def test_one_class_has_nothing_against_it() -> None:
    told = NaiveBayes().fit({"x": [1.0, 2.0]}, ["only", "only"]).explain({"x": [3.0]})
    assert told.log_odds.tolist() == [0.0]
    assert (told.target, told.versus) == (("only",), ("only",))


def test_printed_explanation(model: NaiveBayes) -> None:
    text = str(model.explain(CELLS))
    assert text.startswith("row 0: in against ")
    assert text.count("log odds") == 5
    assert text.endswith("(1 more rows)")
    wide = NaiveBayes().fit(np.random.default_rng(0).normal(size=(20, 20)), np.arange(20) % 2)
    assert "(8 more features)" in str(wide.explain(np.zeros((1, 20))))


# Duplicate features


def test_a_copy_is_found_from_the_summary_alone() -> None:
    """P.M055, P.W31: word b listed twice is found, and only then counts twice."""
    mails = {  # Table 9.1 as bit vectors, which with two pseudo-documents give the thirds of the worked model
        "a": [False, False, True, True, True, True, True, False],
        "b": [True, True, False, True, True, False, False, False],
        "c": [False, True, False, False, False, True, False, False],
    }
    y = ["+"] * 4 + ["-"] * 4
    asked = {"a": [True], "b": [True], "c": [False]}
    once = NaiveBayes(prior="uniform").fit(mails, y)
    twice = NaiveBayes(prior="uniform").fit({**mails, "b2": mails["b"]}, y)
    assert once.duplicate_features() == []
    assert twice.duplicate_features() == [Duplicate("b", "b2", 1.0)]
    place = once.classes_.tolist().index("+")
    assert once.predict_proba(asked)[0, place] == pytest.approx(0.6, rel=1e-14)
    assert twice.predict_proba({**asked, "b2": [True]})[0, place] == pytest.approx(0.75, rel=1e-14)
    halved = twice.set_params(feature_weights={"b": 0.5, "b2": 0.5})
    assert halved.predict_proba({**asked, "b2": [True]})[0, place] == pytest.approx(0.6, rel=1e-14)


@settings(max_examples=30)
@given(st.integers(0, 1000), st.integers(1, 4), st.booleans())
def test_copies_of_numbers_and_symbols_whatever_their_place(seed: int, shards: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    n = 60
    x, s = rng.normal(size=n) * 1e3 + 1e6, rng.integers(0, 3, size=n)
    columns = {"x": x, "u": rng.normal(size=n), "s": s.astype(str), "y": x.copy(), "v": x + 1.0, "t": s.astype(str)}
    columns["const"], columns["also"] = np.ones(n), np.ones(n)  # tell nothing
    y, w = np.arange(n) % 2, rng.uniform(0.5, 2.0, size=n) if weighted else None
    model = None
    for rows in np.array_split(np.arange(n), shards):
        part = NaiveBayes().fit({k: c[rows] for k, c in columns.items()}, y[rows], None if w is None else w[rows])
        model = part if model is None else model.merge(part)
    assert model is not None
    assert model.duplicate_features() == [Duplicate("x", "y", 1.0), Duplicate("s", "t", 1.0)]


def test_copies_are_told_in_the_order_of_the_columns() -> None:
    """By the first of each pair, then by the second, whatever their names."""
    rng = np.random.default_rng(3)
    one, other = rng.normal(size=(2, 30))
    told = NaiveBayes().fit({"z": one, "q": other, "m": one, "b": other, "a": one}, np.arange(30) % 2)
    assert [found[:2] for found in told.duplicate_features()] == [("z", "m"), ("z", "a"), ("q", "b"), ("m", "a")]
    around = NaiveBayes().fit({"z": one, "q": other, "b": other, "a": one}, np.arange(30) % 2)
    assert [found[:2] for found in around.duplicate_features()] == [("z", "a"), ("q", "b")]


def test_three_copies_are_three_pairs_in_table_order() -> None:
    X = np.random.default_rng(0).normal(size=(30, 1)).repeat(3, axis=1)
    assert [d[:2] for d in NaiveBayes().fit(X, np.arange(30) % 2).duplicate_features()] == [
        ("x0", "x1"),
        ("x0", "x2"),
        ("x1", "x2"),
    ]


def test_copies_among_the_columns_of_a_matrix() -> None:
    counts = np.random.default_rng(0).poisson(1.0, size=(40, 3))
    X = np.column_stack([counts, counts[:, 1], np.zeros((40, 2))])
    for cls in (suffice.MultinomialNB, suffice.BernoulliNB, suffice.ComplementNB, suffice.GaussianNB):
        model = cls().fit(X, np.arange(40) % 2)
        assert [d[:2] for d in model.duplicate_features()] == [("x1", "x3")], cls


def test_a_correlated_pair_is_found_with_rows() -> None:
    """P.M055: correlated words do the same in part."""
    rng = np.random.default_rng(0)
    y = np.arange(2000) % 2
    pill = rng.random(2000) < 0.1 + 0.5 * y
    viagra = np.where(rng.random(2000) < 0.95, pill, rng.random(2000) < 0.5)
    other = rng.random(2000) < 0.2 + 0.4 * y
    cells = {"pill": pill, "other": other, "viagra": viagra}
    model = NaiveBayes().fit(cells, y)
    assert model.duplicate_features() == []
    (found,) = model.duplicate_features(cells, at_least=0.5)
    assert (found.first, found.second) == ("pill", "viagra")
    assert 0.7 < found.correlation < 1.0
    assert model.duplicate_features(cells, at_least=0.99) == []
    copied = NaiveBayes().fit({**cells, "pill2": pill}, y)
    (copy,) = copied.duplicate_features({**cells, "pill2": pill}, at_least=0.999)
    assert (copy.first, copy.second, round(copy.correlation, 9)) == ("pill", "pill2", 1.0)


# Coefficients


def test_softmax_and_sigmoid_of_the_worked_model() -> None:
    """P.M203, P.M204, P.M205, P.W100: softmax (0.6, 0.4), sigmoid 0.6, Bayes' rule 0.6."""
    mails = {
        "a": [False, False, True, True, True, True, True, False],
        "b": [True, True, False, True, True, False, False, False],
        "c": [False, True, False, False, False, True, False, False],
    }
    model = NaiveBayes(prior="uniform").fit(mails, [1] * 4 + [2] * 4)
    asked = {"a": [True], "b": [True], "c": [False]}
    linear = model.coefficients()
    assert linear.classes == (1, 2)
    np.testing.assert_allclose(linear.predict_proba(asked), [[0.6, 0.4]], rtol=1e-14)
    bias, w = linear.weights(1, 2)
    x = linear.design(asked)[0]
    assert 1.0 / (1.0 + math.exp(-(bias + w @ x))) == pytest.approx(0.6, rel=1e-14)
    np.testing.assert_allclose(model.predict_proba(asked), [[0.6, 0.4]], rtol=1e-14)
    named = dict(zip(linear.features, linear.coefficients[0], strict=True))
    assert math.exp(named["b", True]) == pytest.approx(2 / 3, rel=1e-14)  # log theta, then log (1 - theta)
    assert math.exp(named["b", False]) == pytest.approx(1 / 3, rel=1e-14)
    np.testing.assert_allclose(np.exp(linear.intercept), [0.5, 0.5], rtol=1e-14)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"feature_weights": {"size": 2.0, "note": 0.5, "shade": 0.0}},
        {"families": {"note": TruncatedCounts(3)}},
        {"families": {"note": TruncatedCounts(2)}, "prior": "uniform"},
        {"by_kind": {"categorical": Categorical(Dirichlet(0.0))}},
    ],
    ids=["default", "weights", "levels", "presence", "impossible labels"],
)
def test_coefficients_give_the_posterior_of_any_mixed_model(parameters: dict[str, Any]) -> None:
    model = NaiveBayes(kinds=KINDS, **parameters).fit(CELLS, Y)
    asked = {name: [*cells, None] for name, cells in CELLS.items()}
    asked["note"][0], asked["shade"][1] = "violet red", "new"
    linear = model.coefficients()
    assert linear.coefficients.shape == (3, len(linear.features)) == (3, linear.design(asked).shape[1])
    np.testing.assert_allclose(linear.predict_proba(asked), model.predict_proba(asked), rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize("name", ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"])
def test_coefficients_of_drop_ins(name: str) -> None:
    X = np.random.default_rng(0).poisson(1.0, size=(30, 3))
    model = getattr(suffice, name)().fit(X, np.arange(30) % 3)
    np.testing.assert_allclose(model.coefficients().predict_proba(X), model.predict_proba(X), rtol=1e-12)


def test_families_that_are_not_linear_say_so() -> None:
    model = NaiveBayes(families={"when": Poisson()}, kinds=KINDS).fit(CELLS, Y)
    with pytest.raises(ValueError, match=r"NaiveBayes: the family of every column must be .* linear, got 'Poissons'"):
        model.coefficients()


# Tables


def test_printed_tables() -> None:
    """P.M057: the smoothed relative frequency of each value of each feature in each class."""
    model = NaiveBayes().fit(
        {"sold": [True, False, True, True], "size": [1.0, 3.0, 2.0, 2.0]}, ["in", "in", "out", "out"]
    )
    assert str(model) == "\n".join(
        [
            "class      in  out",
            "p(class)  0.5  0.5",
            "",
            "sold (boolean)   in   out",
            "False           0.5  0.25",
            "True            0.5  0.75",
            "",
            "size (quantitative)      in     out",
            "mean                      2       2",
            "sd                   0.9129  0.4082",
        ]
    )
    assert str(NaiveBayes()) == "NaiveBayes()"


def test_printed_tables_of_every_family(model: NaiveBayes) -> None:
    text = str(model)
    assert [block.split()[0] for block in text.split("\n\n")] == ["class", *CELLS]
    assert "any other" in text
    assert "(1 more)" in str(NaiveBayes(kinds={"x": "categorical"}).fit({"x": list(range(13))}, [0, 1] * 6 + [0]))
    assert "rate" in str(NaiveBayes(families={"when": Poisson()}).fit({"when": [1, 2, 3, 4]}, [0, 1, 0, 1]))
    ordered = NaiveBayes(kinds={"x": ["low", "high"]}).fit({"x": ["low", "high"]}, [0, 1])
    assert str(ordered).index("low ") < str(ordered).index("high ")


def test_categories_of_a_class_sum_to_one(model: NaiveBayes) -> None:
    """P.M057: sum over the values of a feature is 1 for each feature and class."""
    (symbols,) = (
        d
        for d in model.fitted_.model.factors.distributions
        if type(d).__name__ == "Categories" and len(d.labels[0]) == 3
    )
    np.testing.assert_allclose(np.exp(symbols.column(0)).sum(axis=1), 1.0, rtol=1e-14)
