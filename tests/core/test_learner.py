"""Learning: one pass, one pass for all folds, pass after pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from suffice.bayes.learner import Bayes
from suffice.core.block import Array, Block, Coded, Words
from suffice.core.errors import BadInput
from suffice.core.folds import DrawnFolds, RowFolds
from suffice.core.kinds import Kind
from suffice.core.learner import Always, iterate, learn, learn_folds
from suffice.core.schema import Column, Schema
from suffice.core.shares import Shares
from suffice.core.summary import Summary
from suffice.families.counts.categorical import Categorical
from suffice.families.counts.multinomial import Multinomial
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.product import Group, Product
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.table import open_table
from suffice.summaries.moments import Moments

BAYES = Bayes(Product((Group(0, DiagonalNormal()), Group(1, Categorical()), Group(2, Multinomial()))))


PLAN = Always(BAYES)


@dataclass(frozen=True)
class Cut:
    """A source of one block, cut into runs of so many rows."""

    block: Block
    step: int
    numbered: bool = True  # whether blocks say where they start

    def _blocks(self) -> list[Block]:
        starts = range(0, max(self.block.n, 1), self.step)
        runs = [(a, self.block.take(np.arange(a, min(a + self.step, self.block.n)))) for a in starts]
        return [run._replace(start=a if self.numbered else 0, apart=None) for a, run in runs]

    rereadable = True

    @property
    def schema(self) -> Schema:
        return Schema(())

    def read_as(self, schema: Schema) -> Cut:
        return self

    def reduce(self, open: Callable[[Schema], Callable[[Block], Summary]], lift: Any) -> tuple[Schema, Summary]:
        summarize = open(self.schema)
        parts = [summarize(block) for block in self._blocks()]
        return self.schema, type(parts[0]).sum(parts)

    def map(self, predict: Callable[[Block], Array]) -> Array:
        return np.concatenate([predict(block) for block in self._blocks()])


def mixed(n: int = 60, seed: int = 0) -> Block:
    """Numbers far from 0, symbols and words, some missing; a class that is rare; weights."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, 2)) < 0.1, np.nan, rng.normal(1e8, 1.0, (n, 2)))
    symbols = Coded(rng.integers(-1, 3, (n, 1)).astype(np.int32), (("red", "green", "blue"),))
    words = Words(csr_array(rng.poisson(0.5, (n, 4)).astype(float)), ("a", "b", "c", "d"), rng.random(n) < 0.1)
    y = np.where(np.arange(n) == n - 1, 2, rng.integers(0, 2, n)).astype(np.int32)
    return Block((X, symbols, words), Coded(y[:, None], (("no", "yes", "rare"),)), rng.integers(0, 3, n).astype(float))


@pytest.mark.parametrize("step", [1, 7, 60, 1000])
def test_folds_add_up_to_the_whole_and_leave_what_the_others_have_learned(step: int) -> None:
    block = mixed()
    folds = np.random.default_rng(1).integers(0, 5, block.n)
    parts = learn_folds(PLAN, Cut(block, step), RowFolds(folds)).parts
    assert len(parts) == 5
    whole = learn(PLAN, Cut(block, 60)).summary
    model = BAYES.estimate(whole)
    total = type(whole).sum(parts)
    assert np.array_equal(total.tally.rows, whole.tally.rows)
    np.testing.assert_allclose(BAYES.estimate(total).log_joint(block), model.log_joint(block), rtol=0, atol=1e-10)
    for fold, part in enumerate(parts):
        rest = BAYES.summarize(block.take(np.flatnonzero(folds != fold)))
        left = total - part
        assert left.labels == rest.labels
        np.testing.assert_array_equal(left.tally.rows, rest.tally.rows)
        a, b = (BAYES.estimate(s).log_posterior(block) for s in (left, rest))
        np.testing.assert_allclose(np.exp(a), np.exp(b), rtol=0, atol=1e-12)


def test_folds_of_a_table_in_memory_with_threads() -> None:
    rng = np.random.default_rng(2)
    n = 50_000
    X, y = rng.normal(size=(n, 2)), rng.integers(0, 3, n).astype(np.int32)
    schema = Schema((Column("x0", Kind.QUANTITATIVE), Column("x1", Kind.QUANTITATIVE)))
    source = MemorySource(open_table(X), schema, Coded(y[:, None], ((0, 1, 2),)), threads=2)
    learner = Bayes(Product((Group(0, DiagonalNormal()),)))
    folds = rng.integers(0, 4, n)
    for fold, part in enumerate(learn_folds(Always(learner), source, RowFolds(folds)).parts):
        mine = Moments.of(X[folds == fold], Shares.hard(y[folds == fold], 3))
        assert np.array_equal(part.summary.parts[0].rows, mine.rows)
        np.testing.assert_allclose(part.summary.parts[0].variance, mine.variance, rtol=1e-14)


def test_every_row_its_own_fold() -> None:
    block = mixed(12)
    parts = learn_folds(PLAN, Cut(block, 5), RowFolds(np.arange(12))).parts
    assert [int(part.tally.rows.sum()) for part in parts] == (block.w > 0).astype(int).tolist()


def test_a_fold_may_be_empty() -> None:
    parts = learn_folds(PLAN, Cut(mixed(6), 4), RowFolds([0, 0, 2, 2, 2, 0])).parts
    assert [part.labels for part in parts].count(()) == 1
    assert parts[1].labels == ()


@pytest.mark.parametrize("folds", [[0] * 59, [0] * 61, [], [-1] * 60, [0.5] * 60, [[0]] * 60, ["a"] * 60, None])
def test_folds_that_do_not_fit(folds: object) -> None:
    with pytest.raises(BadInput, match=r"learn_folds: folds must be (as many as there are rows|one whole number)"):
        learn_folds(PLAN, Cut(mixed(), 20), RowFolds(folds))


def test_a_source_that_does_not_number_its_blocks_is_found_out() -> None:
    with pytest.raises(BadInput, match="as many as there are rows"):
        learn_folds(PLAN, Cut(mixed(), 20, numbered=False), RowFolds(np.repeat([0, 1, 2], 20)))


@dataclass(frozen=True)
class Lloyd:
    """k-means, a pass at a time: rows go to the nearest centre, centres to the mean of their rows."""

    def summarize(self, block: Block, model: Array | None = None) -> Moments:
        assert model is not None
        X = block.parts[0]
        nearest = np.square(X[:, None, :] - model).sum(axis=2).argmin(axis=1)
        return Moments.of(X, Shares.hard(nearest.astype(np.int32), len(model), block.w))

    def estimate(self, summary: Moments, model: Array | None = None) -> Array:
        assert model is not None
        return np.where(summary.rows > 0, summary.mean.value, model)

    def settled(self, old: Array, new: Array, tol: float) -> bool:
        return float(np.abs(new - old).max()) <= tol


def heaps() -> Block:
    rng = np.random.default_rng(3)
    return Block((np.concatenate([rng.normal(c, 0.1, (50, 2)) for c in (0.0, 5.0, 1e3)]),))


START = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])


@pytest.mark.parametrize("step", [1, 13, 150])
def test_passes_until_it_settles(step: int) -> None:
    block = heaps()
    found = iterate(Lloyd(), Cut(block, step), START, max_iter=50, tol=0.0)
    assert found.settled
    assert 2 <= found.passes < 50
    again = Lloyd().estimate(learn(Always(Lloyd()), Cut(block, 150), found.model).summary, found.model)
    np.testing.assert_array_equal(found.model, again)
    assert found.model.shape == (3, 2)


def test_whether_it_settled_in_the_last_pass() -> None:
    needed = iterate(Lloyd(), Cut(heaps(), 150), START, max_iter=50, tol=0.0).passes
    assert iterate(Lloyd(), Cut(heaps(), 150), START, max_iter=needed, tol=0.0).settled
    model, passes, settled = iterate(Lloyd(), Cut(heaps(), 150), START, max_iter=needed - 1, tol=0.0)
    assert (passes, settled) == (needed - 1, False)
    assert model.shape == (3, 2)


def test_a_loose_tolerance_ends_sooner() -> None:
    assert iterate(Lloyd(), Cut(heaps(), 150), START, max_iter=50, tol=np.inf).passes == 1


@pytest.mark.parametrize(("options", "message"), [
    ({"max_iter": 0, "tol": 0.0}, "iterate: max_iter must be at least 1, got 0"),
    ({"max_iter": 5, "tol": -1.0}, "iterate: tol must be at least 0, got -1.0"),
    ({"max_iter": 5, "tol": np.nan}, "iterate: tol must be at least 0, got nan"),
])  # fmt: skip
def test_bad_bounds(options: dict, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        iterate(Lloyd(), Cut(heaps(), 150), START, **options)


def test_rows_of_a_block() -> None:
    block = mixed()
    some = block.take(np.array([3, 1]))
    assert some.n == 2
    np.testing.assert_array_equal(some.parts[0], block.parts[0][[3, 1]])
    np.testing.assert_array_equal(some.parts[1].codes, block.parts[1].codes[[3, 1]])
    np.testing.assert_array_equal(some.parts[2].counts.toarray(), block.parts[2].counts.toarray()[[3, 1]])
    np.testing.assert_array_equal(some.parts[2].missing, block.parts[2].missing[[3, 1]])
    np.testing.assert_array_equal(some.y.codes, block.y.codes[[3, 1]])
    np.testing.assert_array_equal(some.w, block.w[[3, 1]])
    assert Block((block.parts[2],)).n == 60
    assert Block((block.parts[1],)).take(np.array([], dtype=int)).n == 0


def labels_of(y: Array) -> Coded:
    return Coded(y[:, None].astype(np.int32), (("a", "b", "c"),))


@pytest.mark.parametrize("sort", [False, True])
def test_drawn_folds_are_stratified_exactly_whatever_the_order(sort: bool) -> None:
    rng = np.random.default_rng(0)
    y = rng.choice(3, 500, p=[0.7, 0.25, 0.05])
    y = np.sort(y) if sort else y
    folds = DrawnFolds(5, seed=3).of_labels(labels_of(y))
    for label in range(3):
        sizes = np.bincount(folds[y == label], minlength=5)
        assert sizes.max() - sizes.min() <= 1
    neighbours = np.mean(folds[1:] == folds[:-1])
    assert neighbours < 0.35  # not runs of one fold


@pytest.mark.parametrize("step", [1, 7, 500])
def test_drawn_folds_do_not_depend_on_blocks(step: int) -> None:
    y = np.random.default_rng(1).integers(0, 3, 500)
    whole, draw = DrawnFolds(4).of_labels(labels_of(y)), DrawnFolds(4)
    blocks = [Block((np.zeros((len(y[a : a + step]), 1)),), labels_of(y[a : a + step])) for a in range(0, 500, step)]
    assert np.array_equal(np.concatenate([draw(block) for block in blocks]), whole)


def test_drawn_folds_depend_on_the_seed_and_on_the_class() -> None:
    y = np.repeat([0, 1], 50)
    a, b = (DrawnFolds(5, seed).of_labels(labels_of(y)) for seed in (0, 1))
    assert not np.array_equal(a, b)
    assert not np.array_equal(a[:50], a[50:])


def test_rows_taken_from_a_block_keep_their_numbers() -> None:
    block = mixed()._replace(start=1000)
    assert block.numbers[:3].tolist() == [1000, 1001, 1002]
    some = block.take(np.array([5, 2])).take(np.array([1, 0]))
    assert some.numbers.tolist() == [1002, 1005]
