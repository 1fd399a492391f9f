"""Scores: equal to scikit-learn's, whole from any shards, with intervals that are what they say."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isnan, log, sqrt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from suffice.core.errors import BadInput, NeverAdded, NotASummary
from suffice.decision import Decision, Posterior
from suffice.evaluation import Confusion, Estimate, Scores
from suffice.evaluation.scores.estimate import Z, mean, share
from suffice.persistence import from_bytes, to_bytes
from suffice.testing.sameness import identical

CLASSES = {2: ("no", "yes"), 3: (0, 1, 2), 5: ("e", "d", "c", "b", "a")}
CLOSE = {"rtol": 1e-12, "atol": 1e-14}


class Case:
    """Some predicted rows; K classes, some rows weighted."""

    def __init__(self, seed: int, n: int, K: int, weighted: bool) -> None:
        rng = np.random.default_rng(seed)
        self.classes = CLASSES[K]
        self.proba = rng.dirichlet(np.full(K, 0.5), n).clip(1e-9)
        self.proba /= self.proba.sum(axis=1, keepdims=True)
        self.y = [self.classes[c] for c in rng.integers(0, K, n)]
        self.w = rng.choice([0.1, 0.5, 1.0, 2.0, 3.7], n) if weighted else None
        self.answers = [self.classes[c] for c in self.proba.argmax(axis=1)]
        self.refusing = [None if p.max() < 0.6 else a for p, a in zip(self.proba, self.answers, strict=True)]

    def scores(self, rows: Any = slice(None)) -> Scores:
        places = np.arange(len(self.y))[rows].tolist()
        w = None if self.w is None else self.w[rows]
        y, answers = ([side[i] for i in places] for side in (self.y, self.refusing))
        return Scores.of(y, self.proba[rows], self.classes, answers, w)


CASES = st.builds(Case, st.integers(0, 2**32 - 1), st.integers(1, 40), st.sampled_from([2, 3, 5]), st.booleans())


def assert_close(a: Scores, b: Scores) -> None:
    assert a.labels == b.labels
    assert a.impossible == b.impossible
    for name in ("accuracy", "refused", "majority", "log_loss", "brier"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), err_msg=name, **CLOSE)
    assert a.confusion.labels == b.confusion.labels
    np.testing.assert_allclose(a.confusion.table, b.confusion.table, **CLOSE)
    np.testing.assert_allclose(a.confusion.refused, b.confusion.refused, **CLOSE)


@given(CASES)
def test_values_are_those_of_scikit_learn(case: Case) -> None:
    scores = Scores.of(case.y, case.proba, case.classes, sample_weight=case.w)
    order = np.argsort(np.array(case.classes))
    labels = [case.classes[c] for c in order]
    p, w = case.proba[:, order], case.w
    assert scores.accuracy.value == pytest.approx(
        metrics.accuracy_score(case.y, case.answers, sample_weight=w), rel=1e-12
    )
    log_loss = metrics.log_loss(case.y, p, labels=labels, sample_weight=w)
    assert scores.log_loss.value == pytest.approx(log_loss, rel=1e-12)
    brier = metrics.brier_score_loss(case.y, p, labels=labels, sample_weight=w, scale_by_half=True)
    assert scores.brier.value == pytest.approx(brier, rel=1e-12)
    found = scores.confusion
    expected = metrics.confusion_matrix(case.y, case.answers, labels=labels, sample_weight=w)
    place = [labels.index(label) for label in found.labels]
    np.testing.assert_allclose(found.table, expected[np.ix_(place, place)], **CLOSE)
    np.testing.assert_allclose(found.table.sum(), expected.sum(), **CLOSE)
    assert not found.refused.any()
    assert scores.impossible == 0


def test_with_two_classes_the_brier_score_is_the_familiar_one() -> None:
    case = Case(3, 50, 2, weighted=True)
    binary = metrics.brier_score_loss(case.y, case.proba[:, 1], pos_label="yes", sample_weight=case.w)
    assert case.scores().brier.value == pytest.approx(binary, rel=1e-12)


def test_worked_log_loss_and_brier() -> None:
    """C.R38: t = 1, 0, 1 and g = .9, .2, .6 have log loss .279777 and Brier score .07."""
    scores = Scores.of([1, 0, 1], [[0.1, 0.9], [0.8, 0.2], [0.4, 0.6]], [0, 1])
    assert round(scores.log_loss.value, 6) == 0.279777
    assert scores.log_loss.value == pytest.approx(-(log(0.9) + log(0.8) + log(0.6)) / 3, rel=1e-14)
    assert scores.brier.value == pytest.approx(0.07, rel=1e-14)


@given(CASES, st.lists(st.integers(0, 40), max_size=4), st.randoms(use_true_random=False))
def test_shards_in_any_order_are_the_whole(case: Case, cuts: list[int], chance: Any) -> None:
    pieces = np.split(np.arange(len(case.y)), sorted(cuts))
    shards = [case.scores(rows) for rows in pieces]
    chance.shuffle(shards)
    whole = case.scores()
    assert_close(Scores.sum(shards), whole)
    total = shards[0]
    for shard in shards[1:]:
        total = total + shard
    assert_close(total, whole)
    for shard in shards[1:]:
        total = total - shard
    assert_close(total, shards[0])


@given(CASES)
def test_a_weight_counts_as_so_many_rows(case: Case) -> None:
    case.w = np.random.default_rng(len(case.y)).integers(0, 4, len(case.y)).astype(float)
    copies = np.repeat(np.arange(len(case.y)), case.w.astype(int))
    weighted = case.scores()
    case.w = None
    assert_close(weighted, case.scores(copies))


@given(st.integers(0, 200), st.integers(1, 200))
def test_intervals_of_shares_are_wilson_s(k: int, n: int) -> None:
    k = min(k, n)
    found = share(float(k), float(n))
    expected = stats.binomtest(k, n).proportion_ci(0.95, method="wilson")
    assert (found.value, found.n) == (k / n, n)
    np.testing.assert_allclose(found[1:3], expected, rtol=1e-12, atol=1e-15)
    for edge in (found.low, found.high):  # z standard errors away: n (k/n - p)^2 = z^2 p (1 - p), in exact arithmetic
        p, z = Fraction(edge), Fraction(Z)
        assert abs(n * (Fraction(k, n) - p) ** 2 - z**2 * p * (1 - p)) < 1e-14 * n


@given(CASES)
def test_intervals_of_means_are_those_of_the_sample_variance(case: Case) -> None:
    case.w = None
    scores, n = case.scores(), len(case.y)
    true = [case.classes.index(label) for label in case.y]
    p = case.proba[np.arange(n), true]
    target = np.eye(len(case.classes))[true]
    columns = {"log_loss": (-np.log(p), inf), "brier": (0.5 * ((case.proba - target) ** 2).sum(axis=1), 1.0)}
    for name, (loss, most) in columns.items():
        value, low, high, weight = getattr(scores, name)
        assert weight == n
        assert value == pytest.approx(loss.mean(), rel=1e-12)
        half = stats.norm.ppf(0.975) * loss.std(ddof=1) / sqrt(n) if n > 1 else inf
        assert low == pytest.approx(max(loss.mean() - half, 0.0), rel=1e-9, abs=1e-12)
        assert high == pytest.approx(min(loss.mean() + half, most), rel=1e-9)


def test_refused_rows_are_counted_apart() -> None:
    y, p = ["a", "a", "b", "b"], np.array([[0.9, 0.1], [0.6, 0.4], [0.45, 0.55], [0.8, 0.2]])
    actions = Decision(at_least=0.7).decide(Posterior(p, np.array([0.5, 0.5])))
    answers = [None if action < 0 else "ab"[action] for action in actions]
    scores = Scores.of(y, Posterior(p, np.array([0.5, 0.5])), ["a", "b"], answers, [1.0, 2.0, 1.0, 1.0])
    assert scores.accuracy == share(1.0, 2.0)
    assert scores.refused == share(3.0, 5.0)
    assert scores.confusion.table.tolist() == [[1.0, 0.0], [1.0, 0.0]]
    assert scores.confusion.refused.tolist() == [2.0, 1.0]
    everything = Scores.of(y, p, ["a", "b"], sample_weight=[1.0, 2.0, 1.0, 1.0])
    assert (scores.log_loss, scores.brier) == (everything.log_loss, everything.brier)
    silent = Scores.of(y, p, ["a", "b"], [None] * 4)
    assert isnan(silent.accuracy.value)
    assert silent.accuracy[1:] == (0.0, 1.0, 0.0)
    assert silent.refused.value == 1.0


REFUSALS: dict[str, tuple[Any, Any]] = {
    "None in a list": (["a", None, "b"], None),
    "NaN in a list": (["a", float("nan"), "b"], None),
    "array of objects": (np.array(["a", None, "b"], dtype=object), None),
    "pandas": (pd.Series(["a", None, "b"]), None),
    "pandas categories": (pd.Series(["a", None, "b"], dtype="category"), None),
    "polars": (pl.Series(["a", None, "b"]), None),
    "a label of its own": (np.array(["a", "?", "b"]), "?"),
    "both": (["a", None, "b"], "?"),
    "a number": (["a", -1, "b"], -1),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_as_they_come(name: str) -> None:
    predicted, refusal = REFUSALS[name]
    scores = Scores.of(["a", "b", "b"], None, predicted=predicted, refusal=refusal)
    assert scores.confusion.labels == ("a", "b")
    assert scores.confusion.table.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert scores.confusion.refused.tolist() == [0.0, 1.0]


def test_numbers_as_labels_of_any_type_meet() -> None:
    p = [[0.9, 0.1], [0.2, 0.8]]
    expected = Scores.of([3, 4], p, [3, 4])
    for y in (np.array([3, 4], dtype=np.int8), np.array([3.0, 4.0]), pd.Series([3, 4]), pl.Series([3, 4]), (3, 4)):
        for predicted in (None, [3, 4], np.array([3.0, 4.0]), pd.Series([3, 4])):
            assert_close(Scores.of(y, p, np.array([3, 4]), predicted), expected)
    nullable = pd.Series([3, None], dtype="Int64")
    assert Scores.of([3, 4], p, [3, 4], nullable).refused.value == 0.5


def test_an_unknown_true_class_is_wrong_and_impossible() -> None:
    scores = Scores.of(["a", "new"], [[0.75, 0.25], [0.5, 0.5]], ["a", "b"])
    assert scores.accuracy.value == 0.5
    assert scores.log_loss.value == inf
    assert isnan(scores.log_loss.low)
    assert isnan(scores.log_loss.high)
    assert scores.log_loss.n == 2.0
    assert scores.impossible == 1
    assert scores.brier.value == (0.0625 + 0.5 * (0.25 + 0.25 + 1.0)) / 2
    assert scores.confusion.labels == ("a", "new")
    assert scores.confusion.table.tolist() == [[1.0, 0.0], [1.0, 0.0]]
    without = scores - Scores.of(["new"], [[0.5, 0.5]], ["a", "b"])
    assert without.impossible == 0
    assert without.log_loss.value == pytest.approx(-log(0.75), rel=1e-15)


def test_probability_0_is_impossible_and_1_costs_nothing() -> None:
    scores = Scores.of(["a", "b", "b"], [[1.0, 0.0], [1.0, 0.0], [5e-324, 1.0]], ["a", "b"])
    assert (scores.impossible, scores.log_loss.value) == (1, inf)
    certain = Scores.of(["a"], [[1.0, 0.0]], ["a", "b"])
    assert certain.log_loss == Estimate(0.0, 0.0, inf, 1.0)
    assert certain.brier == Estimate(0.0, 0.0, 1.0, 1.0)
    faint = Scores.of(["a"], [[5e-324, 1.0]], ["a", "b"])
    assert faint.log_loss.value == -log(5e-324)
    over = Scores.of(["a"], [[1.0 + 2e-16, 0.0]], ["a", "b"])
    assert over.log_loss.value == 0.0


def test_answers_without_probabilities_have_no_losses_and_add_to_those_that_have() -> None:
    case = Case(7, 30, 3, weighted=False)
    answers = Scores.of(case.y, None, predicted=case.refusing)
    assert answers.accuracy == case.scores().accuracy
    assert isnan(answers.log_loss.value)
    assert isnan(answers.brier.value)
    assert answers.impossible == 0
    both = answers + case.scores()
    assert both.log_loss == case.scores().log_loss
    assert both.accuracy.n == 2 * case.scores().accuracy.n


def test_one_row_and_no_row() -> None:
    one = Scores.of(["a"], [[0.5, 0.5]], ["a", "b"])
    assert one.accuracy.value == 1.0
    assert one.log_loss == Estimate(log(2.0), 0.0, inf, 1.0)
    assert one.brier == Estimate(0.25, 0.0, 1.0, 1.0)
    for none in (Scores.of([], np.zeros((0, 2)), ["a", "b"]), one - one, Scores.of(["a"], [[1, 0]], [1, 2], None, [0])):
        assert none.labels == ()
        for name in ("accuracy", "refused", "majority", "log_loss", "brier"):
            found = getattr(none, name)
            assert isnan(found.value)
            assert (found.low, found.n) == (0.0, 0.0)
        assert none.confusion.labels == ()
        assert_close(none + one, one)


def test_the_majority_rule_answers_the_heaviest_true_class() -> None:
    scores = Scores.of(["a", "b", "b"], None, predicted=["a"] * 3, sample_weight=[5.0, 1.0, 1.0])
    assert scores.majority == share(5.0, 7.0)
    assert scores.majority == scores.accuracy
    assert "always a" in str(scores)


def test_float32_probabilities_are_taken_as_they_are() -> None:
    case = Case(11, 40, 5, weighted=False)
    rough = Scores.of(case.y, case.proba.astype(np.float32), case.classes)
    np.testing.assert_allclose(rough.brier.value, case.scores().brier.value, rtol=1e-5)


def test_inputs_are_not_changed_and_files_bring_the_same_back() -> None:
    case = Case(2, 20, 3, weighted=True)
    before = case.proba.copy()
    scores = case.scores()
    assert np.array_equal(before, case.proba)
    loaded = from_bytes(to_bytes(scores))
    assert identical(loaded, scores)
    assert identical(loaded + scores, scores + scores)


def test_decay_changes_no_value() -> None:
    scores = Case(5, 30, 3, weighted=False).scores()
    half = scores.scale(0.5)
    for name in ("accuracy", "refused", "majority", "log_loss", "brier"):
        assert getattr(half, name).value == pytest.approx(getattr(scores, name).value, rel=1e-14)
        assert getattr(half, name).n == getattr(scores, name).n / 2


def test_printed() -> None:
    p = [[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.5, 0.5]]
    scores = Scores.of(["flu", "cold", "cold", "cold"], p, ["flu", "cold"], ["flu", "flu", "cold", None])
    assert str(scores).splitlines() == [
        "score         value     95 % interval  of rows",
        "accuracy     0.6667  0.2077 to 0.9385        3",
        "always cold  0.7500  0.3006 to 0.9544        4",
        "refused      0.2500  0.0456 to 0.6994        4",
        "log loss     0.5179  0.1665 to 0.8692        4",
        "Brier score  0.1775  0.0233 to 0.3317        4",
        "",
        "true \\ answered  cold  flu  refused",
        "cold                1    1        1",
        "flu                 0    1        0",
    ]
    odd = Scores.of(["a\n\x1b", "x" * 50], [[1.0], [1.0]], ["x" * 50], sample_weight=[0.5, 1.0])
    lines = str(odd).splitlines()
    assert lines[6] == "Rows whose true class had probability 0, so that the log loss is infinite: 1"
    assert lines[4].split() == ["log", "loss", "inf", "1.5"]
    assert lines[9].startswith("a\\n\\x1b ")
    assert lines[10].startswith("x" * 21 + "... ")
    many = tuple(range(21))
    assert str(Confusion(many, np.zeros((21, 21)), np.zeros(21))) == "confusion table of 21 classes"
    assert str(Estimate(inf, float("nan"), float("nan"), 3.0)) == "inf"


def test_a_mean_knows_its_limits() -> None:
    assert mean(0.5, 100.0, 2.0, 0.0, 1.0) == Estimate(0.5, 0.0, 1.0, 2.0)
    assert mean(0.5, 0.0, 2.0) == Estimate(0.5, 0.5, 0.5, 2.0)
    assert mean(0.5, 0.0, 1.0) == Estimate(0.5, -inf, inf, 1.0)


def test_what_was_never_added_cannot_be_taken_away() -> None:
    scores = Scores.of(["a", "b"], [[0.9, 0.1], [0.4, 0.6]], ["a", "b"])
    before = to_bytes(scores)
    takes = {
        "the classes must have been added before, got 'c'": Scores.of(["c"], [[1.0, 0.0]], ["c", "a"]),
        "the labels of column 0 must have been added before, got 'z'": Scores.of(["a"], None, predicted=["z"]),
        "the rows must have been added before, got 1 more": scores + Scores.of(["a"], [[0.9, 0.1]], ["a", "b"]),
    }
    for message, other in takes.items():
        with pytest.raises(NeverAdded, match=f"^forget: {message}"):
            scores - other
    assert to_bytes(scores) == before


def test_classes_are_placed_by_label() -> None:
    scores = Case(1, 20, 3, weighted=False).scores()
    with pytest.raises(TypeError, match="placed by label"):
        scores.spread([0], 1)
    with pytest.raises(NotASummary, match=r"^Scores: can only be added to its own kind, got ByClass\."):
        scores + scores.by_class  # type: ignore[operator]
    assert scores.align((0,)).labels == (0,)


GOOD: dict[str, Any] = {"y_true": ["a", "b"], "proba": [[0.9, 0.1], [0.4, 0.6]], "classes": ["a", "b"]}
BAD: list[tuple[dict[str, Any], str]] = [
    ({"y_true": ["a", None]}, r"y: labels must be present in every row, got a missing one .* in row 1"),
    ({"y_true": [0.5, 1.5]}, r"y: labels must be classes .*, got 0\.5"),
    ({"y_true": [["a"], ["b"]]}, r"y: "),
    ({"y_true": 5}, r"y: labels must be "),
    ({"proba": [[0.9, 0.1]]}, r"Scores: proba must be numbers of shape \(2, 2\), a row for each .*shape \(1, 2\)"),
    ({"proba": [0.9, 0.4]}, r"Scores: proba must be numbers of shape \(2, 2\), .*, got 'float64 of shape \(2,\)'"),
    ({"proba": [["x", "y"], ["z", "w"]]}, r"Scores: proba must be numbers of shape .*, got '<U1 of shape \(2, 2\)'"),
    (
        {"proba": [[0.9, 0.1], [0.5, 0.6]]},
        r"Scores: proba must be .* sum to 1 .*, got \[0\.5, 0\.6\]\. Correct row 1\.",
    ),
    (
        {"proba": [[1.5, -0.5], [0.4, 0.6]]},
        r"Scores: proba must be .* at least 0 .*, got \[1\.5, -0\.5\]\. Correct row 0",
    ),
    ({"proba": [[0.9, 0.1], [np.nan, 0.6]]}, r"Scores: proba must be .*, got \[nan, 0\.6\]\. Correct row 1\."),
    ({"proba": [[np.inf, 0.1], [0.4, 0.6]]}, r"Scores: proba must be .*, got \[inf, 0\.1\]\. Correct row 0\."),
    ({"proba": None}, r"Scores: predicted must be given where there is no proba, got None\. Pass the answers"),
    ({"classes": None}, r"Scores: classes must be the labels of the columns of proba, each once, got None"),
    ({"classes": ["a", "a"]}, r"Scores: classes must be .*, each once, got \['a', 'a'\]"),
    ({"classes": "ab"}, r"Scores: classes must be the labels of the columns of proba, each once, got 'ab'"),
    ({"classes": [["a"], ["b"]]}, r"Scores: classes must be .*, got \[\['a'\], \['b'\]\]"),
    ({"classes": []}, r"Scores: classes must be .*, got \[\]"),
    ({"classes": ["a", "b", "c"]}, r"Scores: proba must be numbers of shape \(2, 3\)"),
    ({"predicted": ["a"]}, r"Scores: predicted must be one label for each of the 2 rows of y_true, got 'shape \(1,\)'"),
    ({"predicted": np.zeros((2, 2))}, r"Scores: predicted must be one label .*, got 'shape \(2, 2\)'\. Put None"),
    ({"predicted": "ab"}, r"Scores: predicted must be one label for each .*, got 'shape \(\)'"),
    ({"predicted": ["a", ["b"]]}, r"predicted: an answer must be a single value, got \['b'\] in row 1"),
    ({"sample_weight": [1.0]}, r"Scores: sample_weight must be one column of 2 numbers .*, got shape \(1,\)"),
    ({"sample_weight": [1.0, -1.0]}, r"Scores: sample_weight must be at least 0, got -1\.0"),
    ({"sample_weight": [1.0, np.inf]}, r"Scores: sample_weight must be finite, got NaN or infinity"),
    ({"sample_weight": ["x", "y"]}, r"Scores: sample_weight must be numbers, got \['x', 'y'\]"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_input_gets_one_sentence(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}"):
        Scores.of(**{**GOOD, **change})
