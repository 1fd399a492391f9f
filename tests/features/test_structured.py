"""Structured features: conditions over parts, texts, related tables, curves (P.M114-M116, P.W106, C.M16.08)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from suffice import NaiveBayes
from suffice.core.errors import BadInput
from suffice.features import (
    Amount,
    Count,
    Exists,
    Propositionalise,
    build,
    curve_coefficients,
    has_phrase,
    is_palindrome,
    longest_run,
    pairs,
    part,
    runs,
    shared_passage,
    words,
)

ANIMALS = [
    {"name": "bee", "parts": [{"kind": "leg", "length": 3.0}, {"kind": "leg", "length": 2.0}, {"kind": "wing"}]},
    {"name": "worm", "parts": []},
    {"name": "crane", "parts": [{"kind": "leg", "length": 40.0}, {"kind": "wing", "length": None}]},
]


def test_palindromes_ignore_case_blanks_and_punctuation() -> None:
    """P.W106: 21 letters read the same backwards; of P.M114."""
    assert is_palindrome("A man, a plan, a canal: Panama")
    assert sum(c.isalpha() for c in "A man, a plan, a canal: Panama") == 21
    assert not is_palindrome("A man, a plan, a canal: Panamas")
    assert not is_palindrome(" ,!")


def test_features_of_texts() -> None:
    """P.M114: a phrase, a run of words of another language, a passage of another text."""
    mail = "Dear all, please see below. Bitte lesen Sie den ganzen Text bis zum Ende durch. Thanks!"
    german = {"bitte", "lesen", "sie", "den", "ganzen", "text", "bis", "zum", "ende", "durch"}
    assert longest_run(words(mail), german.__contains__) == 10
    assert [len(run) for run in runs(words(mail), german.__contains__)] == [10]
    foreign = Exists(lambda m: runs(words(m), german.__contains__), lambda run: len(run) >= 8)
    assert foreign(mail)
    assert not foreign("Bitte see the text")
    assert has_phrase(mail, "see below")
    assert not has_phrase(mail, "below see")
    answer = f"I agree. > {mail}"
    assert shared_passage(mail, answer) == len(words(mail))
    assert shared_passage("one two", "three") == 0


def test_existence_counts_and_amounts_of_parts() -> None:
    """P.M115, and that a more specific feature covers a subset of what the more general one covers."""
    leg = part["kind"] == "leg"
    features = [
        Exists("parts", leg),
        Count("parts", leg),
        Amount("parts", leg, value="length", how="mean"),
        Exists("parts", leg & (part["length"] > 10)),
        Exists(pairs("parts"), lambda both: leg(both[0]) and leg(both[1]), name="two legs"),
    ]
    table = build(ANIMALS, features)
    assert list(table) == [
        "exists(parts: kind == 'leg')",
        "count(parts: kind == 'leg')",
        "mean length(parts: kind == 'leg')",
        "exists(parts: (kind == 'leg' & length > 10))",
        "two legs",
    ]
    assert list(table.values()) == [
        [True, False, True],
        [2, 0, 1],
        [2.5, None, 40.0],
        [False, False, True],
        [True, False, False],
    ]
    general, specific = table["exists(parts: kind == 'leg')"], table["two legs"]
    assert all(g for g, s in zip(general, specific, strict=True) if s)
    rare = ~(leg | part["kind"].among(["wing"])) | part["kind"].contains("x")
    assert Count("parts", rare)(ANIMALS[0]) == 0
    assert Amount("parts", value="length", how="max")(ANIMALS[2]) == 40.0
    assert Count(lambda case: case["name"], part.satisfies(str.isalpha))(ANIMALS[0]) == 3


CUSTOMERS = pd.DataFrame({"id": [1, 2, 3], "age": [20, 30, 40], "good": ["yes", "no", "yes"]})
ORDERS = pd.DataFrame(
    {
        "order": [10, 11, 12, 13],
        "id": [1, 1, 2, 9],
        "price": [3.0, 5.0, 7.0, 99.0],
        "paid": ["card", "cash", "card", "card"],
    }
)
ITEMS = pd.DataFrame({"order": [10, 10, 12], "weight": [1.0, 2.0, np.nan]})
KEYS = {"orders": "id", "items": ("order", "orders", "order")}


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_related_tables_become_one(library: Any) -> None:
    """P.M116: up front, and column by column."""
    tables = {"orders": library(ORDERS.to_dict("list")), "items": library(ITEMS.to_dict("list"))}
    cases = library(CUSTOMERS.to_dict("list"))
    flat = Propositionalise(tables, KEYS, amounts=["mean", "sum"], target="good")
    wide = flat(cases)
    assert type(wide) is library
    told = {name: list(wide[name]) for name in wide.columns}
    assert told["id"] == [1, 2, 3]
    assert told["COUNT(orders)"] == [2, 1, 0]
    assert told["MEAN(orders.price)"][:2] == [4.0, 7.0]
    assert told["COUNT(orders WHERE paid = card)"] == [1, 1, 0]
    assert told["SUM(orders.COUNT(items))"][:2] == [2, 1]
    assert told["MEAN(orders.SUM(items.weight))"][0] == 3.0
    assert "MEAN(orders.order)" not in told
    assert list(flat.column(cases, "COUNT(orders)")) == [2, 1, 0]
    assert "SUM(orders.COUNT(items))" not in Propositionalise(tables, KEYS, depth=1)(cases).columns
    model = NaiveBayes({"id": "identifier"}).fit(wide[[c for c in wide.columns if c != "good"]], ["yes", "no", "yes"])
    assert model.predict(wide[[c for c in wide.columns if c != "good"]]).tolist() == ["yes", "no", "yes"]


def test_a_cubic_for_each_series() -> None:
    """C.M16.08: four coefficients a series, sixteen for four series of a case; missing cells are left out."""
    t = np.linspace(-1.0, 1.0, 12)
    truth = np.random.default_rng(0).normal(size=(5, 4, 4))
    series = truth @ np.vander(t, 4, increasing=True).T
    found = curve_coefficients(series)
    assert found.shape == (5, 16)
    np.testing.assert_allclose(found, truth.reshape(5, 16), rtol=1e-11, atol=1e-12)
    series[0, 0, 3:6] = np.nan
    np.testing.assert_allclose(curve_coefficients(series), truth.reshape(5, 16), rtol=1e-10, atol=1e-11)
    years = np.arange(2000.0, 2012.0)
    line = curve_coefficients([3.0 * (years - 2000.0)], 1, times=years - 2000.0)
    np.testing.assert_allclose(line, [[0.0, 3.0]], atol=1e-12)


REFUSED: list[tuple[Any, str]] = [
    (lambda: bool((part["a"] > 1) and (part["b"] > 1)), "Join conditions by &"),
    (lambda: Exists("x", part > "a")({"x": [1]}), "part must be of a type that compares"),
    (lambda: Amount("x", how="median"), r"how must be one of \['min', 'max', 'sum', 'mean'\]"),
    (lambda: Count("x")({"x": 3}), "the parts must be a sequence"),
    (lambda: build([], [Count("x"), Count("x")]), "features must be of different names"),
    (lambda: words(3), "a text must be a string"),  # type: ignore[arg-type]
    (lambda: has_phrase("a", "!"), "phrase must be at least one word"),
    (lambda: Propositionalise({"o": ORDERS}, {}), "keys must be given for table 'o'"),
    (lambda: Propositionalise({"o": ORDERS}, {"o": "nobody"}), "keys must be columns of their tables, got 'nobody'"),
    (lambda: Propositionalise({"o": ORDERS}, {"o": ("id", "nobody")}), "keys must be of the tables"),
    (lambda: Propositionalise({"o": ORDERS}, {"o": "id"}, ["median"]), "amounts must be some of"),
    (lambda: Propositionalise({"o": ORDERS}, {"o": "id"}, target="paid"), "tables without the target 'paid'"),
    (lambda: Propositionalise({"o": ORDERS}, {"o": "id"}, most=2)(CUSTOMERS), "columns must be at most 2, got"),
    (lambda: Propositionalise({"o": ORDERS}, {"o": "order"})(CUSTOMERS), "columns of the parent"),
    (lambda: Propositionalise({"o": ORDERS}, {"o": "id"}).column(CUSTOMERS, "x"), "a column must be one of"),
    (lambda: curve_coefficients([1.0, 2.0]), "series must be of shape"),
    (lambda: curve_coefficients([[1.0, np.nan]], 1), "a series must have more than 1 cells at different times"),
    (lambda: curve_coefficients([[1.0, 2.0]], -1), "degree must be a whole number"),
    (lambda: curve_coefficients([[1.0, 2.0]], 1, times=[1.0]), "times must be 2 numbers"),
    (lambda: curve_coefficients([[1.0, np.inf]], 0), "series must be finite numbers"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        ask()
