"""Rows that no class explains, kept apart from rows that two classes explain alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice import GaussianNB
from suffice.core.errors import BadInput
from suffice.decision import OUTLIER, REFUSE, Decision, Outliers


@given(
    values=st.lists(st.integers(-6, 6), min_size=1, max_size=30),
    weights=st.lists(st.integers(0, 3), min_size=30, max_size=30),
    share=st.integers(0, 29),
)
def test_the_limit_is_the_highest_that_refuses_no_more(values: list[int], weights: list[int], share: int) -> None:
    """By brute force over every limit, with weights as copies and many ties."""
    w = np.array(weights[: len(values)])
    if not w.any():
        w[0] = 1
    copies = np.repeat(np.array(values, dtype=float), w)
    limit = Outliers.below(np.array(values, dtype=float), share / 30, sample_weight=w)
    right = max(v for v in copies if (copies < v).sum() * 30 <= share * len(copies))
    assert limit.least == right
    assert limit.found(copies).mean() <= share / 30


def test_two_reasons_two_marks() -> None:
    """Far from both classes the posterior is certain and only the density can tell; between them it is reverse."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = rng.normal(4.0 * y[:, None], 1.0, (400, 1))
    model = GaussianNB().fit(X, y)
    limit = Outliers.below(model.score_samples(X), 0.01)
    assert limit.found(model.score_samples(X)).sum() == 4
    rows = np.array([[0.0], [2.0], [60.0], [np.float64(-50.0)]])
    middle = GaussianNB().fit([[-1.0], [1.0], [3.0], [5.0]], [0, 0, 1, 1])
    actions = Decision(at_least=0.9).decide(middle.posterior(rows))
    assert actions.tolist() == [0, REFUSE, 1, 0]
    marked = Outliers(-20.0).mark(actions, middle.score_samples(rows))
    assert marked.tolist() == [0, REFUSE, OUTLIER, OUTLIER]


def test_on_the_limit_and_unknown() -> None:
    assert Outliers(-3.0).found([-3.0, -3.0000001, np.nan, -np.inf, np.inf]).tolist() == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert Outliers(-np.inf).found([-np.inf, -1e300, np.nan]).tolist() == [False, False, True]
    assert Outliers(-3.0).mark(np.zeros(0, dtype=int), []).shape == (0,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Outliers(np.nan), "least must be a log density, got nan."),
        (lambda: Outliers("low"), "least must be a log density, got 'low'."),  # type: ignore[arg-type]
        (lambda: Outliers.below([0.0], 1.0), "share must be a share of the rows, from 0 to below 1, got 1.0."),
        (lambda: Outliers.below([0.0], True), "share must be a share of the rows, from 0 to below 1, got True."),
        (
            lambda: Outliers.below([], 0.1),
            "log_density must be the logarithm of a density for each row of training, at least one and none of them "
            "NaN, got [].",
        ),
        (
            lambda: Outliers.below([np.nan], 0.1),
            "log_density must be the logarithm of a density for each row of training, at least one and none of them "
            "NaN, got [nan].",
        ),
        (
            lambda: Outliers(0.0).found([[0.0]]),
            "log_density must be the logarithm of a density for each row, got (1, 1).",
        ),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()
    assert str(caught.value) == f"Outliers: {message}"
