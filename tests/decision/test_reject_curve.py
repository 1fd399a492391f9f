"""Accuracy among the most certain rows, against counting row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.errors import BadInput
from suffice.decision import Decision, Posterior, RejectCurve, rank_scores

CASES = st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 50), st.integers(2, 5), st.booleans())


def predicted(seed: int, n: int, K: int, weighted: bool) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    proba = rng.multinomial(16, np.full(K, 1.0 / K), n) / 16.0  # exact, so that ties are ties
    return proba, rng.integers(0, K, n), rng.integers(1, 4, n).astype(float) if weighted else None


@given(CASES)
def test_every_limit_answers_and_is_right_as_the_decision_is(case: tuple[int, int, int, bool]) -> None:
    """C.M14.07: the reject option, at every limit at once."""
    proba, labels, weights = predicted(*case)
    w = np.ones(len(labels)) if weights is None else weights
    curve = RejectCurve.of(proba, labels, weights)
    prior = np.full(proba.shape[1], 1.0 / proba.shape[1])
    for limit, answered, accuracy in zip(curve.at_least, curve.answered, curve.accuracy, strict=True):
        actions = Decision(at_least=limit).decide(Posterior(proba, prior))
        given_ = actions >= 0
        assert answered == pytest.approx(w[given_].sum() / w.sum(), rel=1e-12)
        assert accuracy == pytest.approx(w[given_ & (actions == labels)].sum() / w[given_].sum(), rel=1e-12, abs=1e-15)
    assert curve.answered[-1] == 1.0


@given(CASES)
def test_shards_two_columns_and_one_agree(case: tuple[int, int, int, bool]) -> None:
    proba, labels, weights = predicted(case[0], case[1], 2, case[3])
    whole, one = RejectCurve.of(proba, labels, weights), RejectCurve.of(proba[:, 1], labels, weights)
    np.testing.assert_allclose(one.accuracy, whole.accuracy, rtol=1e-12)
    certainty, right = proba.max(axis=1), proba.argmax(axis=1) == labels
    half = len(labels) // 2
    parts = [
        rank_scores(certainty[rows], right[rows], None if weights is None else weights[rows])
        for rows in (slice(half), slice(half, None))
        if len(labels[rows])
    ]
    merged = RejectCurve.from_rankings(parts[0] if len(parts) == 1 else parts[0] + parts[1])
    np.testing.assert_allclose(merged.accuracy, whole.accuracy, rtol=1e-12)
    np.testing.assert_allclose(merged.answered, whole.answered, rtol=1e-12)


@given(CASES, st.floats(0.0, 1.0))
def test_the_limit_for_an_accuracy_or_a_share(case: tuple[int, int, int, bool], wish: float) -> None:
    curve = RejectCurve.of(*predicted(*case))
    found = curve.for_accuracy(wish)
    good = curve.accuracy >= wish
    assert found.answered == (curve.answered[good].max() if good.any() else 0.0)
    assert np.isnan(found.at_least) if not good.any() else found.accuracy >= wish
    share = curve.for_share(wish)
    assert share.answered == curve.answered[curve.answered >= wish].min()


def test_the_area_is_the_mean_error_over_all_shares() -> None:
    curve = RejectCurve.of_certainty([0.9, 0.8, 0.7, 0.6], [True, True, False, True])
    assert curve.area == pytest.approx((0.0 + 0.0 + 1 / 3 + 1 / 4) / 4, rel=1e-14)
    assert RejectCurve.of_certainty([0.5, 0.5], [True, False]).accuracy.tolist() == [0.5]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: RejectCurve.of([[1.5, -0.5]], [0]),
            r"proba must be probabilities from 0 to 1, got \[1\.5, -0\.5\] in ",
        ),
        (
            lambda: RejectCurve.of([[np.nan, 0.5]], [0]),
            r"proba must be probabilities from 0 to 1, got \[nan, 0\.5\] in",
        ),
        (lambda: RejectCurve.of_certainty([0.5, np.nan], [0, 1]), r"scores must be present in every row, got NaN in r"),
        (lambda: RejectCurve.of_certainty([0.5], ["yes"]), r"labels must be 0 or 1, False or True, got "),
        (lambda: RejectCurve.of([[0.5, 0.5]], [0]).for_accuracy(2), r"accuracy must be a number from 0 to 1, got 2"),
        (
            lambda: RejectCurve.of([[0.5, 0.5]], [0]).for_share("all"),
            r"answered must be a number from 0 to 1, got 'all",
        ),
        (
            lambda: RejectCurve.from_rankings(rank_scores([0.5], [1]).scale(0.0)),
            r"rows must be at least one that weighs something, got none",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(BadInput, match=f"^RejectCurve: {message}"):
        call()
