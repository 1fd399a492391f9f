"""Precision, recall, F, balanced accuracy, Matthews' correlation and kappa: scikit-learn's, with honest intervals."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import isnan, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from suffice.core.errors import BadInput
from suffice.evaluation import ClassScores, Estimate, Scores
from suffice.evaluation.scores.agreement import kappa, matthews
from suffice.evaluation.scores.confusion import Confusion
from suffice.evaluation.scores.estimate import between, share

NAMES = ("cat", "cow", "dog", "eel")
CASES = st.tuples(
    st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 4), st.integers(1, 4), st.booleans(), st.booleans()
)


class Answered:
    """Some rows with true classes and answers, of which some classes may be only true or only answered."""

    def __init__(self, seed: int, n: int, true: int, answered: int, weighted: bool, good: bool) -> None:
        rng = np.random.default_rng(seed)
        self.y = rng.integers(0, true, n)
        guess = rng.integers(0, answered, n)
        self.answers = np.where(rng.random(n) < 0.6, self.y, guess) if good else guess
        self.w = rng.choice([0.1, 0.5, 1.0, 2.0, 3.7], n) if weighted else None

    def scores(self, rows: Any = slice(None)) -> Scores:
        y, answers = ([NAMES[i] for i in side[rows]] for side in (self.y, self.answers))
        return Scores.of(y, None, predicted=answers, sample_weight=None if self.w is None else self.w[rows])


@given(CASES, st.sampled_from([0.5, 1.0, 2.0]))
def test_values_are_those_of_scikit_learn(case: Any, beta: float) -> None:
    rows = Answered(*case)
    scores = rows.scores()
    labels = [NAMES.index(label) for label in scores.confusion.labels]
    for average in (None, "macro", "weighted", "micro"):
        precision, recall, f, _ = metrics.precision_recall_fscore_support(
            rows.y, rows.answers, beta=beta, labels=labels, average=average, sample_weight=rows.w, zero_division=nan
        )
        ours = (scores.precision, scores.recall, scores.f(beta))
        for found, expected in zip(ours, (precision, recall, f), strict=True):
            values = found.values if average is None else getattr(found, average).value
            if average == "weighted" and np.isnan(found.values[scores.confusion.table.any(axis=1)]).all():
                assert isnan(values)  # no true class has a score: scikit-learn then averages the others, unweighted
                continue
            np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-14)


@given(CASES)
def test_agreement_is_that_of_scikit_learn(case: Any) -> None:
    rows = Answered(*case)
    scores = rows.scores()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about classes that were never true, or only one
        mcc = metrics.matthews_corrcoef(rows.y, rows.answers, sample_weight=rows.w)
        cohen = metrics.cohen_kappa_score(rows.y, rows.answers, sample_weight=rows.w)
        balanced = metrics.balanced_accuracy_score(rows.y, rows.answers, sample_weight=rows.w)
    assert scores.balanced_accuracy.value == pytest.approx(balanced, rel=1e-12)
    assert scores.matthews.value == pytest.approx(mcc, rel=1e-11, abs=1e-12)
    if len(set(rows.y) | set(rows.answers)) == 1:
        assert isnan(scores.kappa.value)
    else:
        assert scores.kappa.value == pytest.approx(cohen, rel=1e-11, abs=1e-12)


@given(CASES, st.integers(0, 60))
def test_merged_shards_are_the_whole(case: Any, cut: int) -> None:
    rows = Answered(*case)
    whole, merged = rows.scores(), rows.scores(slice(cut)) + rows.scores(slice(cut, None))
    for read in READINGS.values():
        np.testing.assert_allclose(read(merged), read(whole), rtol=1e-9, atol=1e-12)


READINGS: dict[str, Callable[[Scores], Estimate]] = {
    "precision macro": lambda s: s.precision.macro,
    "precision weighted": lambda s: s.precision.weighted,
    "recall macro": lambda s: s.recall.macro,
    "f0.5 macro": lambda s: s.f(0.5).macro,
    "f2 weighted": lambda s: s.f(2.0).weighted,
    "f1 cat": lambda s: s.f()["cat"] if "cat" in s.recall.labels else s.f().macro,
    "micro": lambda s: s.f().micro,
    "matthews": lambda s: s.matthews,
    "kappa": lambda s: s.kappa,
}


def scores_of(table: Any) -> Scores:
    true, answered = np.indices(table.shape).reshape(2, -1)
    y, answers = ([NAMES[i] for i in side] for side in (true, answered))
    return Scores.of(y, None, predicted=answers, sample_weight=table.ravel())


@pytest.mark.parametrize("name", READINGS)
def test_the_variance_behind_each_interval_is_that_of_the_derivatives(name: str) -> None:
    """The delta method, its derivatives taken by moving every cell a little."""
    table = np.array([[30.0, 4.0, 2.0], [6.0, 25.0, 7.0], [1.0, 9.0, 16.0]])
    read, step = READINGS[name], 1e-5
    found = read(scores_of(table))
    variance = 0.0
    for cell in np.ndindex(table.shape):
        up, down = table.copy(), table.copy()
        up[cell] += step
        down[cell] -= step
        gradient = (read(scores_of(up)).value - read(scores_of(down)).value) / (2.0 * step)
        variance += table[cell] * gradient**2
    least = -1.0 if name in ("matthews", "kappa") else 0.0
    expected = between(found.value, variance, found.n, least)
    np.testing.assert_allclose(found[:3], expected[:3], rtol=1e-7)


@pytest.mark.parametrize("name", ["precision macro", "recall macro", "f1 cat", "f2 weighted", "matthews", "kappa"])
def test_intervals_hold_as_often_as_they_say(name: str) -> None:
    shares = np.array([[0.30, 0.04, 0.02], [0.06, 0.25, 0.07], [0.01, 0.09, 0.16]])
    true = READINGS[name](scores_of(shares)).value
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(1000):
        found = READINGS[name](scores_of(rng.multinomial(150, shares.ravel()).reshape(3, 3).astype(float)))
        held += found.low <= true <= found.high
    assert 0.93 <= held / 1000 <= 0.97  # three standard errors of 1000 draws are 0.02


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_of_one_class_precision_and_recall_have_wilson_s_interval(tp: int, fp: int, fn: int, tn: int) -> None:
    scores = scores_of(np.array([[tn, fp], [fn, tp]], dtype=float))
    for found, n in ((scores.precision, tp + fp), (scores.recall, tp + fn)):
        if n:
            np.testing.assert_allclose(found["cow"], share(float(tp), float(n)), rtol=1e-9, atol=1e-12)
        elif "cow" in found.labels:
            assert isnan(found["cow"].value)
            assert found["cow"][1:] == (0.0, 1.0, 0.0)


def test_a_perfect_score_is_not_certain() -> None:
    scores = scores_of(np.diag([8.0, 2.0]))
    for found in (scores.recall.macro, scores.f().macro, scores.matthews, scores.kappa):
        assert found.value == 1.0
        assert found.low < 0.8
        assert found.high == 1.0
    assert scores.recall.macro.low < scores.recall["cat"].low  # two rows of the other class say little


def test_a_share_is_its_own_case() -> None:
    np.testing.assert_allclose(between(0.3, 0.3 * 0.7 / 40, 40.0)[:3], share(12.0, 40.0)[:3], rtol=1e-12)
    assert isnan(between(0.0, 0.0, 0.0).value)


def test_classes_without_a_score_do_not_enter_averages() -> None:
    scores = Scores.of(["a", "a", "b"], None, predicted=["a", "c", "a"])
    np.testing.assert_allclose(scores.precision.values, [0.5, nan, 0.0])
    np.testing.assert_allclose(scores.recall.values, [0.5, 0.0, nan])
    assert scores.precision.macro.value == 0.25
    assert scores.balanced_accuracy.value == 0.25
    assert scores.precision.weighted.value == 0.5  # of class a alone: b was never answered


def test_refused_rows_are_left_out() -> None:
    scores = Scores.of(["a", "a", "b", "b"], None, predicted=["a", None, "b", "a"])
    assert scores.recall["a"].value == 1.0
    assert scores.precision["a"].value == 0.5
    assert scores.recall.micro == scores.accuracy


def test_one_class_and_none() -> None:
    one = Scores.of(["a"] * 5, None, predicted=["a"] * 5)
    assert one.matthews == Estimate(0.0, -1.0, 1.0, 5.0)
    assert isnan(one.kappa.value)
    assert one.recall.macro.value == 1.0
    none = Scores.of([], None, predicted=[])
    for found in (none.recall.macro, none.recall.weighted, none.f().micro, none.matthews, none.kappa):
        assert isnan(found.value)
        assert found.high == 1.0


def test_printed() -> None:
    scores = Scores.of(["ham", "ham", "spam", "spam"], None, predicted=["ham", "spam", "spam", "spam"])
    assert str(scores.precision).splitlines() == [
        "class      value     95 % interval  of rows",
        "ham       1.0000  0.2065 to 1.0000        1",
        "spam      0.6667  0.2077 to 0.9385        3",
        "macro     0.8333  0.4759 to 0.9650        3",
        "weighted  0.8333  0.6207 to 0.9386        3",
        "micro     0.7500  0.3006 to 0.9544        4",
    ]


def test_bad_input_gets_one_sentence() -> None:
    scores = Scores.of(["a", "b"], None, predicted=["a", "a"])
    with pytest.raises(BadInput, match=r"^ClassScores: label must be one of the classes \('a', 'b'\), got 'c'\. Only"):
        scores.precision["c"]
    for beta in (-1, nan, "two"):
        with pytest.raises(BadInput, match=r"^Scores: beta must be a finite number of at least 0, got "):
            scores.f(beta)  # type: ignore[arg-type]


def test_many_classes_take_no_time() -> None:
    L = 300
    rng = np.random.default_rng(0)
    table = rng.integers(0, 3, (L, L)).astype(float) + 50.0 * np.eye(L)
    found = ClassScores(Confusion(tuple(range(L)), table, np.zeros(L)), by_true=0.5)
    y, answers = (np.repeat(side.ravel(), table.ravel().astype(int)) for side in np.indices((L, L)))
    assert found.macro.value == pytest.approx(metrics.f1_score(y, answers, average="macro"), rel=1e-12)
    assert matthews(table).value == pytest.approx(metrics.matthews_corrcoef(y, answers), rel=1e-10)
    assert kappa(table).value == pytest.approx(metrics.cohen_kappa_score(y, answers), rel=1e-10)
