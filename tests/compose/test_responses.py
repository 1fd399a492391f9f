"""Scores that maps are learned from: log-odds to the last digit, classes that a model has not met, limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import logit, logsumexp

from suffice.compose.calibration.responses import ClassScorer, log_odds


def test_log_odds_keep_their_digits_on_both_sides() -> None:
    p = np.array([[0.2, 0.8], [0.5, 0.5], [1e-9, 1 - 1e-9]])
    np.testing.assert_allclose(log_odds(np.log(p))[:, 0], logit(p[:, 0]), rtol=1e-12, atol=1e-15)
    far = np.array([[-0.0, -900.0, -901.0]])
    np.testing.assert_allclose(log_odds(far)[0], [-logsumexp(far[0, 1:]), -900.0, -901.0], rtol=1e-15)


def test_log_odds_of_what_is_certain_or_impossible() -> None:
    assert log_odds(np.array([[0.0, -np.inf, -np.inf]])).tolist() == [[np.inf, -np.inf, -np.inf]]
    assert log_odds(np.zeros((2, 1))).tolist() == [[np.inf], [np.inf]]


class Fixed:
    """A model that gives the same scores whatever it is asked."""

    def __init__(self, classes: Any, scores: Any) -> None:
        self.classes_, self.scores = np.array(classes), np.array(scores)

    def predict_proba(self, X: Any) -> Any:
        return self.scores

    def decision_function(self, X: Any) -> Any:
        return self.scores


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("predict_proba", [0.0, 0.25, 0.75]),
        ("log_proba", [-np.inf, np.log(0.25), np.log(0.75)]),
        ("log_odds", [-np.inf, -np.log(3), np.log(3)]),
        ("decision_function", [0.0, 0.25, 0.75]),
    ],
)
def test_a_class_that_the_model_has_not_met_has_the_lowest_score(name: str, expected: list[float]) -> None:
    model = Fixed(["b", "c"], [[0.25, 0.75]])
    scores = ClassScorer("me", name, ("a", "b", "c"))(model, None)
    np.testing.assert_allclose(scores[0], expected, rtol=1e-13)


def test_one_column_of_decision_values_is_about_two_classes() -> None:
    model = Fixed([1, 2], [-2.0, 5.0])
    assert ClassScorer("me", "decision_function", (1, 2))(model, None).tolist() == [-2.0, 5.0]
    wide = ClassScorer("me", "decision_function", (0, 1, 2))(model, None)
    assert wide.tolist() == [[-5.0, 2.0, -2.0], [-5.0, -5.0, 5.0]]


def test_infinite_log_odds_are_cut_to_twice_the_largest_odds_met_or_to_what_so_many_rows_can_say() -> None:
    scorer = ClassScorer("me", "log_odds", (0, 1))
    assert scorer.bounded(np.array([np.inf, -np.inf])).limit == pytest.approx(np.log(2.5 / 0.5), rel=1e-15)
    assert scorer.bounded(np.array([1.0, np.inf])).limit == pytest.approx(1.0 + np.log(2.0), rel=1e-15)
    assert scorer.bounded(np.array([[1.0, np.inf, 7.0]])).limit == pytest.approx(7.0 + np.log(2.0), rel=1e-15)
    bounded = scorer.bounded(np.array([-800.0, np.inf, 3.0]))
    far = 800.0 + np.log(2.0)
    assert bounded.within(np.array([-np.inf, 5000.0, 1.0])).tolist() == pytest.approx([-far, far, 1.0], rel=1e-15)
    plain = ClassScorer("me", "decision_function", (0, 1))
    assert plain.bounded(np.array([np.inf])) == plain
