"""Discretizer and Threshold: optimal bins, shards, weights, missing cells, files, many classes."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice
from suffice import Discretizer, Threshold, load
from suffice.core.errors import BadInput
from suffice.features.discretise import class_blocks
from suffice.features.discretise.agglomerative_merging import merge_neighbours, ward
from suffice.features.discretise.class_shares import SCORES, bin_chi_square, split_gain
from suffice.features.discretise.optimal_bins import best_bins, bins_cost, optimal_bins
from suffice.features.discretise.recursive_partitioning import STOPS, recursive_partitioning
from suffice.features.discretise.strategies import STRATEGIES
from suffice.numerics import loop

RNG = np.random.default_rng(0)
N = 400
Y = RNG.integers(0, 3, N)
X = np.column_stack([RNG.normal(size=N) + Y, np.round(RNG.normal(size=N) * 3 - Y), RNG.exponential(size=N) + 1e8])
LABELS = np.array(["low", "mid", "high"])[Y]


@pytest.mark.parametrize("squares", [True, False])
@pytest.mark.parametrize("bins", [2, 3, 4])
def test_bins_are_optimal(bins: int, squares: bool) -> None:
    """No other bins cost less, by trying all."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        values = np.unique(rng.normal(size=11)) + 1e6
        weight = rng.integers(1, 4, len(values)).astype(float)
        start = optimal_bins(values, weight, bins, squares)
        costs = [
            bins_cost(values, weight, np.array([0, *cuts]), squares)
            for cuts in combinations(range(1, len(values)), bins - 1)
        ]
        assert bins_cost(values, weight, start, squares) == pytest.approx(min(costs), rel=1e-8)


def test_the_loop_is_its_twin() -> None:
    x = np.sort(RNG.normal(size=60))
    w, s, q = (np.concatenate([[0.0], np.cumsum(some)]) for some in (np.ones(60), x, x * x))
    for squares in (True, False):
        both = []
        for run in (best_bins, best_bins.plain):
            cost, last = np.empty((4, 60)), np.zeros((4, 60), dtype=np.int64)
            run(x, w, s, q, cost, last, squares)
            both.append(cost[:, 4:])
        np.testing.assert_allclose(*both, rtol=1e-12)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_64_shards_give_identical_cuts(strategy: str) -> None:
    whole = Discretizer(strategy, stop="constant", max_bins=9).fit(X, LABELS)
    order = RNG.permutation(N)
    first, *rest = (
        Discretizer(strategy, stop="constant", max_bins=9).fit(X[some], LABELS[some])
        for some in np.array_split(order, 64)
    )
    merged = first.merge(*rest)
    for a, b in zip(whole.cuts_, merged.cuts_, strict=True):
        assert np.array_equal(a, b)
    left = merged.forget(X[:50], LABELS[:50])
    for a, b in zip(
        left.cuts_, Discretizer(strategy, stop="constant", max_bins=9).fit(X[50:], LABELS[50:]).cuts_, strict=True
    ):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_weights_are_copies(strategy: str) -> None:
    w = RNG.integers(0, 3, N)
    weighed = Discretizer(strategy).fit(X, LABELS, sample_weight=w)
    copied = Discretizer(strategy).fit(np.repeat(X, w, axis=0), np.repeat(LABELS, w))
    for a, b in zip(weighed.cuts_, copied.cuts_, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_files_give_the_same(tmp_path: Path) -> None:
    table = pd.DataFrame(X, columns=list("abc")).assign(y=LABELS)
    table.to_csv(tmp_path / "x.csv", index=False)
    mine = Discretizer().fit(str(tmp_path / "x.csv"), target="y")
    memory = Discretizer().fit(table[["a", "b", "c"]], LABELS)
    for a, b in zip(mine.cuts_, memory.cuts_, strict=True):
        assert np.array_equal(a, b)


def test_missing_cells() -> None:
    x = np.array([[1.0], [2.0], [np.nan], [8.0], [9.0]])
    y = [0, 0, 1, 1, 1]
    own = Discretizer("chimerge", p=0.2).fit(x, y)
    assert own.cuts_[0].tolist() == [5.0]
    assert own.transform(x).ravel().tolist() == [0.0, 0.0, 2.0, 1.0, 1.0]
    kept = Discretizer("chimerge", p=0.2, missing="propagate").fit(x, y).transform(x).ravel()
    assert np.isnan(kept[2])
    spread = Discretizer("chimerge", p=0.2, missing="spread", encode="onehot").fit(x, y)
    assert spread.transform(x)[2].tolist() == [0.5, 0.5]
    assert spread.get_feature_names_out().tolist() == ["x0_0", "x0_1"]
    assert spread.inverse_transform(np.eye(2)).ravel().tolist() == [3.0, 7.0]
    empty = Discretizer().fit(np.array([[np.nan], [np.nan]]), [0, 1])
    assert empty.n_bins_.tolist() == [1]


def test_it_is_saved_and_learns_on(tmp_path: Path) -> None:
    model = Discretizer("mdl").fit(X[:200], LABELS[:200])
    model.save(tmp_path / "d")
    loaded = load(tmp_path / "d").partial_fit(X[200:], LABELS[200:])
    for a, b in zip(loaded.cuts_, Discretizer("mdl").fit(X, LABELS).cuts_, strict=True):
        assert np.array_equal(a, b)


def test_merging_is_that_of_all_pairs() -> None:
    """The heap gives what scoring every pair at every step gives."""
    counts = RNG.integers(1, 9, (25, 3)).astype(float)
    bins = [row for row in counts]
    starts = list(range(25))
    while len(bins) > 1:
        scores = [float(bin_chi_square(a, b)) for a, b in pairwise(bins)]
        at = int(np.argmin(scores))
        if scores[at] >= 8.0:
            break
        bins[at : at + 2] = [bins[at] + bins[at + 1]]
        del starts[at + 1]
    assert merge_neighbours(counts, bin_chi_square, limit=8.0).tolist() == starts
    assert len(merge_neighbours(counts[:, :2], ward, least=4)) == 4
    assert len(merge_neighbours(counts, bin_chi_square, limit=0.0, most=6)) == 6


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Discretizer("odd").fit(X, Y), "one of"),
        (lambda: Discretizer(n_bins=0).fit(X, Y), "at least 1"),
        (lambda: Discretizer(max_bins=1.5).fit(X, Y), "at least 1"),
        (lambda: Discretizer(objective="odd").fit(X, Y), "one of"),
        (lambda: Discretizer(stop="odd").fit(X, Y), "one of"),
        (lambda: Discretizer("chimerge", p=1.0).fit(X, Y), "between 0 and 1"),
        (lambda: Discretizer(encode="odd").fit(X, Y), "one of"),
        (lambda: Discretizer(missing="odd").fit(X, Y), "one of"),
        (lambda: Discretizer(missing="spread").fit(X, Y), "'onehot' where missing"),
        (lambda: Discretizer().fit(X), "a label for each row"),
        (lambda: Discretizer().fit(X, Y[1:]), "of one length"),
        (lambda: Discretizer().fit(X, Y, sample_weight=[-1.0] * N), "at least 0"),
        (lambda: Threshold("odd").fit(X), "a finite number or one of"),
        (lambda: Threshold(np.inf).fit(X), "a finite number or one of"),
        (lambda: Threshold("gini").fit(X), "a label for each row"),
        (lambda: Threshold().fit(X).merge(Discretizer().fit(X, Y)), "of its own kind"),
        (lambda: Discretizer().fit(X, Y).transform(X[:, :1]), "features"),
        (lambda: Discretizer().fit(X, Y).inverse_transform(X[:, :1]), "rows of 3 columns"),
    ],
)
def test_what_is_refused(call: Any, says: str) -> None:
    with pytest.raises((BadInput, TypeError, ValueError), match=says):
        call()


@pytest.mark.parametrize("name", ["Discretizer", "RobustScaler", "KBinsDiscretizer", "SimpleImputer"])
def test_more_distinct_values_than_the_budget_are_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"SimpleImputer": {"strategy": "median"}, "Discretizer": {"strategy": "equal_width"}}.get(name, {})
    rows = np.arange(12.0)[:, None]
    getattr(suffice, name)(**options).fit(rows)
    monkeypatch.setattr("suffice.features.column_plan.BUDGET", 11)
    with pytest.raises(BadInput, match=r"at most 11 distinct values in all columns.*got 12"):
        getattr(suffice, name)(**options).fit(rows)


@pytest.mark.parametrize("K", [2, 3, 9])
def test_the_loop_of_cuts_chooses_what_its_twin_does(K: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(K)
    for trial in range(12):
        V = int(rng.integers(1, 300))
        counts = rng.integers(0, 3, (V, K)) * (rng.random((V, K)) < 0.5)
        counts[:, 0] += trial % 2 * (counts.sum(axis=1) == 0)
        counts = counts[counts.sum(axis=1) > 0].astype(float) * (1.0 if trial % 3 else 1000.0)
        for stop in STOPS.values():
            plain = recursive_partitioning(counts, stop=stop)
            monkeypatch.setattr(class_blocks, "LISTED", 64 if trial % 4 == 0 else 1 << 20)
            class_blocks._logarithms.cache_clear()
            with loop.whole(loop.WORTH):
                assert isinstance(class_blocks.class_blocks(counts, split_gain), class_blocks.WholeBlocks)
                quick = recursive_partitioning(counts, stop=stop)
            assert [cut.after for cut in quick] == [cut.after for cut in plain]
            np.testing.assert_allclose(
                [cut.score for cut in quick], [cut.score for cut in plain], rtol=1e-12, atol=1e-15
            )
    class_blocks._logarithms.cache_clear()


@pytest.mark.parametrize("K", [2, 3, 4])
@pytest.mark.parametrize("shift", [0.0, 0.3, 3.0])
def test_parts_that_cannot_hold_the_best_cut_are_passed_over(K: int, shift: float) -> None:
    rng = np.random.default_rng(K)
    y = rng.integers(0, K, 6_000)
    x = rng.normal(size=6_000) + shift * y
    counts = np.eye(K)[y[x.argsort()]]
    counts = counts[:-500] + counts[500:] if shift == 0.3 else counts  # values that several classes have
    with loop.whole(loop.WORTH):
        blocks = class_blocks.class_blocks(counts, split_gain)
    plain = class_blocks.PlainBlocks(counts, split_gain)
    assert len(blocks) == len(plain) > 20 * class_blocks.PART or shift == 3.0
    np.testing.assert_array_equal(blocks.ends, plain.ends)
    for a, b in [(0, len(plain)), *np.sort(rng.integers(0, len(plain), (30, 2)), axis=1).tolist()]:
        if b - a > 1:
            mine, theirs = blocks.best(a, b), plain.best(a, b)
            assert mine[0] == theirs[0]
            np.testing.assert_allclose(mine[1], theirs[1], rtol=1e-12, atol=1e-14)


def test_weights_that_are_no_copies_and_other_scores_take_the_general_way() -> None:
    counts = np.array([[1.0, 0.0], [0.5, 1.0]])
    with loop.whole(loop.WORTH):
        assert isinstance(class_blocks.class_blocks(counts, split_gain), class_blocks.PlainBlocks)
        assert isinstance(class_blocks.class_blocks(np.ones((2, 2)), SCORES["gini"]), class_blocks.PlainBlocks)
