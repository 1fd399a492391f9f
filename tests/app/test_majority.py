"""The gain over always answering one class."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.app.report.score_sections import gain_over
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.estimate import Z

LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", None])), min_size=2, max_size=40)


@given(LABELS, st.sampled_from("abc"))
def test_it_is_the_mean_of_paired_differences(rows: list[tuple[str, str | None]], usual: str) -> None:
    truth, answers = zip(*rows, strict=True)
    scores = Scores.of(list(truth), None, predicted=list(answers))
    difference = np.array([float(t == a) - float(t == usual) for t, a in rows])
    half = Z * difference.std(ddof=1) / np.sqrt(len(rows))
    gain = gain_over(scores, usual)
    assert gain.value == pytest.approx(difference.mean(), abs=1e-12)
    assert gain.low == pytest.approx(max(difference.mean() - half, -1.0), abs=1e-12)
    assert gain.high == pytest.approx(min(difference.mean() + half, 1.0), abs=1e-12)
    assert gain.n == len(rows)


def test_always_answering_the_class_gains_nothing_for_certain() -> None:
    gain = gain_over(Scores.of(["a", "a", "b"], None, predicted=["a", "a", "a"]), "a")
    assert (gain.value, gain.low, gain.high) == (0.0, 0.0, 0.0)


def test_a_class_that_never_occurs_is_beaten_by_every_right_answer() -> None:
    assert gain_over(Scores.of(["a", "b"], None, predicted=["a", "a"]), "z").value == 0.5
