"""Classes that exist though no row has them: declared by `classes`, with the share that the prior gives them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from suffice import Decide, ModelAverage, MultinomialNB, NaiveBayes, load
from suffice.bayes.inference.model_evidence import exact_evidence
from suffice.families import Dirichlet, MEstimate, Multinomial

ROWS = {"colour": ["red", "red", "blue", None, "red"], "size": [1.0, 2.0, None, 4.0, 5.0]}
Y = ["a", "a", "c", "c", "a"]
CLASSES = ["a", "b", "c", "d"]
EMPTY = {"colour": [None], "size": [None]}


def declared(**parameters: Any) -> NaiveBayes:
    return NaiveBayes(**{"classes": CLASSES, "prior": Dirichlet(1.0), **parameters}).fit(ROWS, Y)


@pytest.mark.parametrize(
    ("prior", "shares"),
    [
        (Dirichlet(1.0), [4 / 9, 1 / 9, 3 / 9, 1 / 9]),
        (Dirichlet({"a": 1.0, "b": 3.0, "c": 1.0, "d": 0.0}), [4 / 10, 3 / 10, 3 / 10, 0.0]),
        (MEstimate(4.0), [4 / 9, 1 / 9, 3 / 9, 1 / 9]),
        ("uniform", [0.25] * 4),
        ({"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4}, [0.1, 0.2, 0.3, 0.4]),
        (None, [0.6, 0.0, 0.4, 0.0]),
    ],
)
def test_the_share_of_a_class_without_rows(prior: Any, shares: list[float]) -> None:
    """Where a row has no cells, the prior alone answers."""
    model = declared(prior=prior)
    assert model.classes_.tolist() == CLASSES
    np.testing.assert_allclose(model.predict_proba(EMPTY)[0], shares, rtol=1e-14)
    np.testing.assert_allclose(model.posterior(EMPTY).prior, shares, rtol=1e-14)


def test_cells_of_a_class_without_rows() -> None:
    """Of symbols the prior alone: one pseudo-count for red, blue and all others; of numbers the whole column."""
    model = declared()
    red, odd = (model.predict_joint_log_proba({"colour": [cell], "size": [None]})[0] for cell in ("red", "odd"))
    np.testing.assert_allclose(np.exp(red), np.array([4 / 6, 1 / 3, 1 / 4, 1 / 3]) * [4 / 9, 1 / 9, 3 / 9, 1 / 9])
    np.testing.assert_allclose(np.exp(odd), np.array([1 / 6, 1 / 3, 1 / 4, 1 / 3]) * [4 / 9, 1 / 9, 3 / 9, 1 / 9])
    x, size = 3.5, np.array([1.0, 2.0, 4.0, 5.0])
    normal = np.exp(-0.5 * (x - size.mean()) ** 2 / size.var()) / np.sqrt(2 * np.pi * size.var())
    joint = np.exp(model.predict_joint_log_proba({"colour": [None], "size": [x]})[0])
    np.testing.assert_allclose(joint[[1, 3]], normal / 9, rtol=1e-13)


def test_it_makes_no_difference_how_rows_come_and_go(tmp_path: Path) -> None:
    """A declared class stays when its rows are forgotten, and one that was not declared may still come."""
    whole = declared()
    parts = [NaiveBayes(classes=CLASSES, prior=Dirichlet(1.0)) for _ in range(2)]
    for part, rows in zip(parts, (slice(0, 2), slice(2, 5)), strict=True):
        part.fit({name: cells[rows] for name, cells in ROWS.items()}, Y[rows])
    np.testing.assert_allclose((parts[1] + parts[0]).predict_proba(ROWS), whole.predict_proba(ROWS), rtol=1e-12)
    more = declared().partial_fit({"colour": ["red", "odd"], "size": [1.0, 2.0]}, ["b", "e"])
    assert more.classes_.tolist() == [*CLASSES, "e"]
    more.forget({"colour": ["red", "odd"], "size": [1.0, 2.0]}, ["b", "e"])
    assert more.classes_.tolist() == CLASSES
    np.testing.assert_allclose(more.predict_proba(ROWS), whole.predict_proba(ROWS), rtol=1e-12)
    whole.save(tmp_path / "model")
    back = load(tmp_path / "model")
    np.testing.assert_array_equal(back.predict_proba(ROWS), whole.predict_proba(ROWS))
    assert back.estimator().classes == CLASSES


def test_classes_can_be_declared_when_all_rows_are_learned() -> None:
    """They change how the summary is read, not what is kept: nothing is learned again."""
    model = NaiveBayes(prior=Dirichlet(1.0)).fit(ROWS, Y)
    assert model.classes_.tolist() == ["a", "c"]
    model.set_params(classes=CLASSES)
    np.testing.assert_array_equal(model.predict_proba(ROWS), declared().predict_proba(ROWS))
    assert model.set_params(classes=None).classes_.tolist() == ["a", "c"]


def test_decisions_know_classes_without_rows() -> None:
    """Costs, priors and the models around a model have a place for them."""
    answers = declared(refusal="ask").predict(ROWS, costs={"b": {"a": 100, "c": 100, "d": 100}}, prior="uniform")
    assert set(answers.tolist()) == {"b"}
    around = Decide(NaiveBayes(classes=CLASSES, prior=Dirichlet(1.0)), prior=[0.0, 0.0, 0.0, 1.0]).fit(ROWS, Y)
    assert set(around.predict(ROWS).tolist()) == {"d"}
    average = ModelAverage([("with", declared()), ("without", NaiveBayes())], evidence="joint").fit(ROWS, Y)
    assert average.predict_proba(ROWS).shape == (5, 4)


@pytest.mark.parametrize("kind", [np.array, tuple, list])
def test_labels_are_read_as_those_of_rows(kind: Any) -> None:
    """Whatever holds them; numbers stay numbers."""
    model = NaiveBayes(classes=kind([3, 1, 2])).fit({"x": [1.0, 2.0]}, np.array([1, 2], dtype=np.int16))
    assert model.classes_.tolist() == [1, 2, 3]
    assert model.classes_.dtype == np.int16


def test_a_class_without_rows_takes_its_share_of_the_evidence() -> None:
    """The labels are less probable where there could have been others."""
    rows, y = {"t": ["aa", "aa", "bb", "bb", "bb"]}, ["a", "a", "c", "c", "c"]
    families = {"by_kind": {"text": Multinomial()}, "kinds": {"t": "text"}, "prior": Dirichlet(1.0)}
    without = exact_evidence(NaiveBayes(**families).fit(rows, y), rows)
    among = exact_evidence(NaiveBayes(**families, classes=["a", "b", "c"]).fit(rows, y), rows)
    assert without is not None
    assert among is not None
    labels = [2 * 6 / 720, 2 * 2 * 6 / 5040]  # prod n_c! (K - 1)! / (N + K - 1)! for two classes and for three
    assert among - without == pytest.approx(np.log(labels[1] / labels[0]), rel=1e-12)


def test_scikit_learns_names_declare_them_in_the_first_call() -> None:
    """As in scikit-learn, where counted shares have no pseudo-counts; another prior can be assumed later."""
    model = MultinomialNB().partial_fit([[1, 0], [0, 1]], ["a", "c"], classes=["a", "b", "c"])
    np.testing.assert_allclose(model.predict_proba([[0, 0]])[0], [0.5, 0.0, 0.5], rtol=1e-14)
    given = MultinomialNB(class_prior=[0.2, 0.3, 0.5]).partial_fit(
        [[1, 0], [0, 1]], ["a", "c"], classes=["a", "b", "c"]
    )
    np.testing.assert_allclose(given.predict_proba([[0, 0]])[0], [0.2, 0.3, 0.5], rtol=1e-14)
