"""NaiveBayes of mixed tables, with missing cells, unseen labels and weights, equals naive Bayes by the book."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice import NaiveBayes
from tests.bayes import oracle

KINDS = {"size": "quantitative", "shade": "categorical", "sold": "boolean", "note": "text"}
WORDS = st.lists(st.sampled_from(["red", "Blue", "x", "green"]), max_size=4).map(" ".join)
CELLS = {
    "size": st.none() | st.sampled_from([-3.5, 0.0, 1.0, 2.25, 1e3]),
    "shade": st.none() | st.sampled_from("abc"),
    "sold": st.none() | st.booleans(),
    "note": st.none() | WORDS,
}
UNSEEN = {**CELLS, "shade": CELLS["shade"] | st.just("new"), "note": CELLS["note"] | st.just("violet violet red")}


@st.composite
def tables(draw: Any) -> tuple[Any, ...]:
    n = draw(st.integers(2, 8))
    columns = {name: draw(st.lists(cells, min_size=n, max_size=n)) for name, cells in CELLS.items()}
    y = draw(st.lists(st.sampled_from(["in", "out", "over"]), min_size=n, max_size=n))
    w = draw(st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n, max_size=n).filter(any))
    asked = {name: draw(st.lists(cells, min_size=3, max_size=3)) for name, cells in UNSEEN.items()}
    return columns, y, w, asked


@given(tables())
def test_by_the_book(table: tuple[Any, ...]) -> None:
    """P.M056, P.M063, P.M006: p(x | c) = prod_i p(x_i | c), of real, yes-or-no, categorical and text features."""
    columns, y, w, asked = table
    model = NaiveBayes(kinds=KINDS).fit(columns, y, w)
    expected = np.array(oracle.log_joint(columns, y, w, KINDS, asked))
    np.testing.assert_allclose(model.predict_joint_log_proba(asked), expected, rtol=1e-12, atol=1e-12)
    density = np.logaddexp.reduce(expected, axis=1)
    np.testing.assert_allclose(model.score_samples(asked), density, rtol=1e-12, atol=1e-12)
    rounding = 1e-15 * (10.0 + np.abs(expected).max())  # of the subtraction in the line below
    np.testing.assert_allclose(model.predict_proba(asked), np.exp(expected - density[:, None]), rtol=0, atol=rounding)


@settings(max_examples=40)
@given(tables())
def test_a_missing_cell_is_a_missing_column(table: tuple[Any, ...]) -> None:
    """Prediction without a cell is prediction by the model that never had its column: the closed-form marginal."""
    columns, y, w, asked = table
    model = NaiveBayes(kinds=KINDS).fit(columns, y, w)
    for name in KINDS:
        left_out = {**asked, name: [None] * 3}
        fewer = {other: cells for other, cells in columns.items() if other != name}
        kinds = {other: kind for other, kind in KINDS.items() if other != name}
        smaller = NaiveBayes(kinds=kinds).fit(fewer, y, w)
        np.testing.assert_allclose(
            model.predict_joint_log_proba(left_out),
            smaller.predict_joint_log_proba({other: cells for other, cells in asked.items() if other != name}),
            rtol=1e-12,
            atol=1e-12,
        )


@pytest.mark.parametrize("gone", list(KINDS))
def test_a_column_without_a_cell_changes_nothing(gone: str) -> None:
    columns: dict[str, list[Any]] = {
        "size": [1.0, 2.0, None, 5.0],
        "shade": ["a", None, "b", "a"],
        "sold": [True, False, True, None],
        "note": ["red red", "blue", None, "green"],
    }
    y = ["in", "out", "in", "out"]
    asked = {name: cells[:2] for name, cells in columns.items()}
    kinds = {name: kind for name, kind in KINDS.items() if name != gone}
    empty = NaiveBayes(kinds=kinds).fit({**columns, gone: [None] * 4}, y)
    without = NaiveBayes(kinds=kinds).fit({name: cells for name, cells in columns.items() if name != gone}, y)
    np.testing.assert_array_equal(
        empty.predict_joint_log_proba(asked),
        without.predict_joint_log_proba({name: cells for name, cells in asked.items() if name != gone}),
    )
    assert dict(zip(empty.schema_.names, (c.kind.value for c in empty.schema_.columns), strict=True))[gone] == "unknown"


def test_one_missing_cell_changes_no_other_statistic() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), np.arange(50) % 2
    holed = X.copy()
    holed[7, 1] = np.nan
    whole, gap = NaiveBayes().fit(X, y).summary_.summary.parts[0], NaiveBayes().fit(holed, y).summary_.summary.parts[0]
    for attribute in ("rows", "variance"):
        a, b = getattr(whole, attribute), getattr(gap, attribute)
        np.testing.assert_allclose(np.delete(a, 1, axis=1), np.delete(b, 1, axis=1), rtol=1e-15)
        assert not np.array_equal(a[:, 1], b[:, 1])
