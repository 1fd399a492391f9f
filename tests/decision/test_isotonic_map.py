"""IsotonicMap: equal to scikit-learn's isotonic regression, exact from merged rankings, smooth where asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from suffice.core.errors import BadInput
from suffice.decision import IsotonicMap, rank_scores
from suffice.persistence import from_bytes, to_bytes


def drawn(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    s = rng.normal(size=n)
    return s, (rng.random(n) < 1 / (1 + np.exp(-s))).astype(int)


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("n", [1, 2, 3, 50, 3000])
def test_equal_to_scikit_learn_at_and_between_the_scores(n: int, offset: float) -> None:
    s, y = drawn(n)
    s = s + offset
    peer = IsotonicRegression(out_of_bounds="clip").fit(s, y)
    at = np.concatenate([s, np.linspace(s.min() - 1, s.max() + 1, 997)])
    np.testing.assert_allclose(IsotonicMap.of(s, y)(at), peer.predict(at), rtol=0, atol=1e-12)


def test_equal_to_scikit_learn_with_weights_and_ties() -> None:
    s, y = drawn(2000, seed=1)
    s, w = s.round(1), np.random.default_rng(2).exponential(size=2000).round(2)
    w[:5] = 0.0
    peer = IsotonicRegression(out_of_bounds="clip").fit(s, y, w)
    at = np.linspace(-4, 4, 999)
    np.testing.assert_allclose(IsotonicMap.of(s, y, w)(at), peer.predict(at), rtol=0, atol=1e-12)


@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=40), st.integers(1, 39))
def test_merged_shards_give_the_map_of_the_whole_to_the_last_bit(rows: list[tuple[int, bool]], cut: int) -> None:
    s, y = (np.array(side) for side in zip(*rows, strict=True))
    cut = min(cut, len(s) - 1)
    merged = IsotonicMap.estimate(rank_scores(s[:cut], y[:cut]) + rank_scores(s[cut:], y[cut:]))
    whole, weighted = IsotonicMap.of(s, y), IsotonicMap.of(s, y, np.ones(len(s)))
    for field in ("low", "high", "positive", "weight"):
        for other in (merged, weighted):
            assert getattr(other, field)[0].tolist() == getattr(whole, field)[0].tolist()


def test_weight_w_is_w_copies() -> None:
    s, y = drawn(60)
    w = np.arange(60) % 4
    at = np.linspace(-3, 3, 100)
    assert IsotonicMap.of(s, y, w)(at).tolist() == IsotonicMap.of(s.repeat(w), y.repeat(w))(at).tolist()


def test_rows_of_equal_score_have_one_probability_whatever_their_order() -> None:
    map = IsotonicMap.of([1.0, 1.0, 1.0, 2.0], [1, 0, 0, 1])
    assert map([1.0, 2.0]).tolist() == [1 / 3, 1.0]
    assert IsotonicMap.of([1.0, 1.0, 1.0, 2.0], [0, 0, 1, 1])([1.0]).tolist() == [1 / 3]


def test_between_plateaus_lies_a_line_or_a_step() -> None:
    line = IsotonicMap.of([0.0, 4.0], [0, 1])
    step = IsotonicMap.of([0.0, 4.0], [0, 1], linear=False)
    at = [-9.0, 0.0, 1.0, 1.999, 2.0, 3.0, 4.0, 9.0]
    assert line(at).tolist() == [0.0, 0.0, 0.25, 0.49975, 0.5, 0.75, 1.0, 1.0]
    assert step(at).tolist() == [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]


def test_steps_between_neighbouring_floats_keep_each_at_its_plateau() -> None:
    below, above = 1.0, np.nextafter(1.0, 2.0)
    assert IsotonicMap.of([below, above], [0, 1], linear=False)([below, above]).tolist() == [0.0, 1.0]


def test_infinite_scores_are_the_first_and_the_last() -> None:
    for linear in (True, False):
        map = IsotonicMap.of([-np.inf, 0.0, 1.0, np.inf], [0, 1, 0, 1], linear=linear)
        assert map([-np.inf, -1e300, 0.5, 1e300, np.inf]).tolist() == [0.0, 0.5, 0.5, 0.5, 1.0]
    assert IsotonicMap.of([-np.inf, np.inf], [0, 1])([-np.inf, 3.0, np.inf]).tolist() == [0.0, 0.5, 1.0]
    assert IsotonicMap.of([-np.inf, 3.0, 4.0], [1, 0, 1])([-np.inf, 0.0, 4.0]).tolist() == [0.5, 0.5, 1.0]


def test_smoothing_is_rows_at_the_wrong_end() -> None:
    s, y = drawn(300)
    smooth = IsotonicMap.of(s, y, smoothing=1.0)
    by_hand = IsotonicMap.of([s.min() - 1, *s, s.max() + 1], [1, *y, 0])
    at = np.sort(s)
    assert smooth(at).tolist() == by_hand(at).tolist()
    assert 0.0 < smooth(-9.0 * np.ones(1))[0] < smooth(9.0 * np.ones(1))[0] < 1.0
    assert (np.diff(smooth(np.linspace(-9, 9, 999))) >= 0.0).all()


def test_smoothing_where_all_is_pooled() -> None:
    map = IsotonicMap.of([1.0, 2.0], [1, 0], smoothing=2.0)
    assert (map.low[0].tolist(), map.high[0].tolist()) == ([1.0], [2.0])
    assert map([1.5]).tolist() == [0.5]


def test_the_probabilities_add_up_to_the_positives() -> None:
    s, y = drawn(500)
    assert IsotonicMap.of(s, y)(s).sum() == pytest.approx(y.sum(), rel=1e-14)


def test_a_missing_score_has_no_probability() -> None:
    for linear in (True, False):
        p = IsotonicMap.of([0.0, 1.0], [0, 1], linear=linear)([np.nan, 1.0])
        assert np.isnan(p[0])
        assert p[1] == 1.0


def test_several_classes_are_normalised_and_share_alike_where_none_is_possible() -> None:
    scores = np.array([[3.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 3.0]])
    map = IsotonicMap.of(scores, [0, 1, 2])
    assert map(scores).tolist() == np.eye(3).tolist()
    assert map([[1.0, 1.0, 1.0], [3.0, 3.0, 1.0]]).tolist() == [[1 / 3] * 3, [0.5, 0.5, 0.0]]
    assert map.proba(scores).shape == (3, 3)
    assert IsotonicMap.of([0.0, 1.0], [0, 1]).proba([0.0, 1.0]).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_saved_and_loaded_it_maps_alike() -> None:
    s, y = drawn(100)
    map = IsotonicMap.of(s, y, smoothing=0.5, linear=False)
    assert from_bytes(to_bytes(map))(s).tolist() == map(s).tolist()


@pytest.mark.parametrize("smoothing", [-1.0, np.inf, np.nan, True, "some"])
def test_smoothing_is_a_number_of_rows(smoothing: object) -> None:
    with pytest.raises(BadInput, match="IsotonicMap: smoothing must be a finite number of at least 0, got"):
        IsotonicMap.of([0.0, 1.0], [0, 1], smoothing=smoothing)  # type: ignore[arg-type]
