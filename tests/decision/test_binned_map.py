"""BinnedMap: where bins are cut, what they hold, and that shards add."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from suffice.core.errors import BadInput
from suffice.decision import BinnedMap, rank_scores
from suffice.persistence import from_bytes, to_bytes


def drawn(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    s = rng.random(n)
    return s, (rng.random(n) < s).astype(int)


def test_equal_widths_against_scikit_learn() -> None:
    s, y = drawn(3000)
    s[:2] = 0.0, 1.0
    share, _ = calibration_curve(y, s, n_bins=10, strategy="uniform")
    map = BinnedMap.of(s, y, bins=10, cut="equal_width", smoothing=0)
    np.testing.assert_allclose(map(np.arange(10) / 10 + 0.05), share, rtol=1e-13)


def test_equal_frequencies_hold_as_many_rows() -> None:
    s, y = drawn(1000)
    map = BinnedMap.of(s, y, bins=8)
    assert map.weight[0].tolist() == [125.0] * 8
    assert map.positive[0].sum() == y.sum()


def test_a_weight_counts_as_so_many_rows() -> None:
    s, y = drawn(90)
    w = np.arange(90) % 4
    for cut in ("equal_width", "equal_frequency"):
        weighted, copied = BinnedMap.of(s, y, w, cut=cut), BinnedMap.of(s.repeat(w), y.repeat(w), cut=cut)
        assert weighted(s).tolist() == copied(s).tolist()


@pytest.mark.parametrize("cut", ["equal_width", "equal_frequency"])
def test_merged_shards_give_the_map_of_the_whole(cut: str) -> None:
    s, y = drawn(400)
    merged = BinnedMap.estimate(rank_scores(s[300:], y[300:]) + rank_scores(s[:300], y[:300]), cut=cut)
    assert merged(s).tolist() == BinnedMap.of(s, y, cut=cut)(s).tolist()


def test_equal_scores_are_never_parted() -> None:
    map = BinnedMap.of([1.0] * 8 + [2.0, 3.0], [0, 1] * 5, bins=5)
    assert map.weight[0].tolist() == [8.0, 2.0]
    assert BinnedMap.of([4.0] * 3, [0, 0, 1], bins=3, cut="equal_width", smoothing=0)([4.0])[0] == 1 / 3


def test_a_score_at_a_limit_belongs_to_the_bin_above() -> None:
    map = BinnedMap.of([0.0, 1.0, 2.0], [0, 0, 1], bins=2, cut="equal_width", smoothing=0)
    assert map([np.nextafter(1.0, 0.0), 1.0, -5.0, 5.0]).tolist() == [0.0, 0.5, 0.0, 0.5]


def test_smoothing_draws_towards_the_share_of_all() -> None:
    map = BinnedMap.of([0.0, 0.0, 1.0, 10.0], [0, 1, 0, 1], bins=5, cut="equal_width", smoothing=2.0)
    assert map.weight[0].tolist() == [3.0, 0.0, 0.0, 0.0, 1.0]
    np.testing.assert_allclose(map([0.0, 5.0, 9.0]), [2 / 5, 0.5, 2 / 3], rtol=1e-15)
    bare = BinnedMap.of([0.0, 0.0, 1.0, 10.0], [0, 1, 0, 1], bins=5, cut="equal_width", smoothing=0)
    assert bare([5.0]).tolist() == [0.5]


def test_infinite_scores_have_bins_of_equal_frequency_only() -> None:
    s, y = [-np.inf, 0.0, np.inf, np.inf], [0, 1, 1, 1]
    assert BinnedMap.of(s, y, bins=4, smoothing=0)([-np.inf, 0.0, np.inf]).tolist() == [0.0, 1.0, 1.0]
    with pytest.raises(BadInput, match="scores must be finite for bins of equal width, got infinity"):
        BinnedMap.of(s, y, cut="equal_width")


def test_missing_scores_and_several_classes() -> None:
    assert np.isnan(BinnedMap.of([0.0, 1.0], [0, 1])([np.nan]))[0]
    scores = np.array([[3.0, 1.0], [1.0, 3.0], [2.0, 1.0]])
    p = BinnedMap.of(scores, [0, 1, 0], bins=3)(scores)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=1e-15)


def test_saved_and_loaded_it_maps_alike() -> None:
    s, y = drawn(50)
    map = BinnedMap.of(s, y, bins=3)
    assert from_bytes(to_bytes(map))(s).tolist() == map(s).tolist()


def test_messages() -> None:
    for bins in (0, 2.5, True, "ten"):
        with pytest.raises(BadInput, match="BinnedMap: bins must be a whole number of at least 1, got"):
            BinnedMap.of([0.0, 1.0], [0, 1], bins=bins)  # type: ignore[arg-type]
    for cut in ("quantile", None):
        with pytest.raises(BadInput, match=r"BinnedMap: cut must be one of .*'equal_frequency', 'equal_width'"):
            BinnedMap.of([0.0, 1.0], [0, 1], cut=cut)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="BinnedMap: smoothing must be a finite number of at least 0, got -1"):
        BinnedMap.of([0.0, 1.0], [0, 1], smoothing=-1)
