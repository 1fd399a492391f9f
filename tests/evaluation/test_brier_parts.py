"""The parts of the Brier score: they add up to it, in exact numbers and from merged shards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.decision import rank_scores
from suffice.evaluation import BrierParts, Scores
from suffice.summaries.rankings import Rankings

CASES = st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 50), st.integers(2, 4), st.booleans())


def made(seed: int, n: int, K: int, weighted: bool) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    return (
        rng.integers(0, K, n),
        rng.multinomial(8, np.full(K, 1.0 / K), n) / 8.0,
        rng.choice([0.5, 1.0, 3.0], n) if weighted else None,
    )


@given(CASES, st.sampled_from([None, 1, 3, 10]))
def test_the_parts_add_up_to_the_brier_score(case: Any, bins: int | None) -> None:
    y, p, w = made(*case)
    classes = list(range(case[2]))
    parts = BrierParts.of(y, p, classes, w, bins=bins)
    scores = Scores.of(y, p, classes, sample_weight=w)
    assert parts.brier == pytest.approx(scores.brier.value, rel=1e-12, abs=1e-14)
    assert parts.refinement == pytest.approx(parts.uncertainty - parts.resolution, abs=1e-15)
    assert min(parts[:3] if isinstance(parts, tuple) else (parts.reliability, parts.resolution, parts.uncertainty)) >= 0
    assert (parts.within == 0.0) or bins is not None


@given(CASES)
def test_two_classes_group_by_group(case: Any) -> None:
    """P.M073: the score of (y - p)^2, with reliability and resolution summed over the distinct probabilities."""
    y, p, _ = made(case[0], case[1], 2, False)
    exact = [Fraction(v) for v in p[:, 1]]
    n, base = len(y), Fraction(int(y.sum()), len(y))
    reliability = resolution = Fraction(0)
    for value in set(exact):
        group = [int(t) for t, q in zip(y, exact, strict=True) if q == value]
        hit = Fraction(sum(group), len(group))
        reliability += len(group) * (value - hit) ** 2 / n
        resolution += len(group) * (hit - base) ** 2 / n
    parts = BrierParts.of(y, p, [0, 1])
    assert parts.reliability == pytest.approx(float(reliability), abs=1e-14)
    assert parts.resolution == pytest.approx(float(resolution), abs=1e-14)
    assert parts.uncertainty == pytest.approx(float(base * (1 - base)), abs=1e-15)
    one = BrierParts.from_rankings(rank_scores(p[:, 1], y))
    assert one.brier == pytest.approx(parts.brier, abs=1e-14)


@given(CASES, st.sampled_from([None, 4]))
def test_merged_shards_are_the_whole(case: Any, bins: int | None) -> None:
    y, p, w = made(*case)
    halves = [rows for rows in (slice(0, None, 2), slice(1, None, 2)) if len(y[rows])]
    merged = Rankings.sum([rank_scores(p[r], y[r], None if w is None else w[r]) for r in halves])
    parts, whole = BrierParts.from_rankings(merged, bins), BrierParts.of(y, p, list(range(case[2])), w, bins=bins)
    for name in ("reliability", "resolution", "uncertainty", "within"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), abs=1e-13)


def test_calibrated_probabilities_have_no_reliability_loss() -> None:
    y, p = np.array([0, 1, 1, 1, 0, 0]), np.array([0.75] * 4 + [0.0] * 2)
    parts = BrierParts.of(y, np.column_stack([1 - p, p]), [0, 1])
    assert parts.reliability == 0.0
    assert parts.refinement == pytest.approx(4 / 6 * 0.75 * 0.25, rel=1e-14)


def test_a_true_class_that_is_not_known_counts_against_all() -> None:
    parts = BrierParts.of(["a", "new"], [[0.75, 0.25], [0.5, 0.5]], ["a", "b"])
    brier = Scores.of(["a", "new"], [[0.75, 0.25], [0.5, 0.5]], ["a", "b"]).brier.value
    assert parts.brier == pytest.approx(brier - 0.5 * 0.5, rel=1e-14)  # the missing column of the unknown class


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: BrierParts.of([0], [[0.5, 0.6]], [0, 1]), r"proba must be probabilities .* sum to 1"),
        (lambda: BrierParts.of([0], [[0.5, 0.5]], [0, 0]), r"classes must be the labels of the columns of proba, each"),
        (lambda: BrierParts.of([0], [[0.5, 0.5]], [0, 1], bins=0), r"bins must be a whole number of at least 1, got 0"),
        (
            lambda: BrierParts.of([0], [[0.5, 0.5]], [0, 1], [0.0]),
            r"rankings must be of some rows, .*, got 2 columns, ",
        ),
        (lambda: BrierParts.from_rankings(rank_scores([1.5], [1])), r"probabilities must be from 0 to 1, got 1\.5"),
        (lambda: BrierParts.from_rankings(rank_scores([-1.0], [1])), r"probabilities must be from 0 to 1, got -1\.0"),
        (
            lambda: BrierParts.from_rankings(Rankings.empty(3, 1)),
            r"rankings must be of some rows, .*, got 1 columns, 3 ",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput, match=f"^BrierParts: {message}"):
        call()
