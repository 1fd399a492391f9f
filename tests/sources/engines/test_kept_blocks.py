"""Blocks that workers keep between passes: read once where there is room, and the same model to the bit where not."""

from __future__ import annotations

import gc
import os
import time
import weakref
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as S
from suffice.core.block import Block, Coded, LateNumbers, Words
from suffice.core.errors import BadInput
from suffice.core.schema import Schema
from suffice.estimators.algebras.in_passes import InPasses
from suffice.evaluation import cross_validate
from suffice.sources import Roles, open_engine, open_rows
from suffice.sources.engines import file_source, kept_blocks
from suffice.sources.engines.kept_blocks import BlockCache, Keep, PartBlocks, PartKey, block_bytes, by_rows
from suffice.sources.engines.partition_tasks import add_answers
from suffice.sources.engines.partitioned_source import PartitionedRows
from suffice.sources.engines.read_partition import PartFiles
from suffice.sources.engines.row_hashes import row_hashes
from suffice.sources.files import arrow_files, csv_files

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(RNG.normal(size=(90, 3)) + 1e3, columns=["a", "b", "c"])
TABLE["y"] = np.where(TABLE.a + RNG.normal(size=90) > 1e3, "yes", "no")


class OneProcess:
    """An engine whose only worker is this process."""

    engine = "one process"
    ordered = True
    records = False

    def __init__(self, paths: list[str]) -> None:
        self.parts = [PartFiles((path,)) for path in paths]
        self.passes = 0

    def each(self, work: Any, task: bytes, firsts: Any = None) -> list[bytes]:
        firsts = firsts or [None] * len(self.parts)
        return [work(task, part, i, firsts[i]) for i, part in enumerate(self.parts)]

    def tree(self, work: Any, task: bytes, firsts: Any, progress: Any) -> bytes:
        self.passes += 1
        return add_answers(task, self.each(work, task, firsts))


@pytest.fixture
def cache(monkeypatch):
    found = BlockCache(1 << 20)
    monkeypatch.setattr(kept_blocks, "CACHE", found)
    monkeypatch.setattr("suffice.sources.engines.read_partition.CACHE", found)
    yield found
    found.clear()


@pytest.fixture
def reads(monkeypatch):
    """The names of files that are opened and read."""
    read: list[str] = []

    for module, name in ((arrow_files, "typed_pages"), (csv_files, "text_pages")):
        monkeypatch.setattr(f"suffice.sources.files.files.{name}", _watching(getattr(module, name), read))
    return read


def _watching(pages: Any, read: list[str]) -> Any:
    def watched(name: str, *rest: Any) -> Any:
        read.append(os.path.basename(name))
        return pages(name, *rest)

    return watched


@pytest.fixture(params=["parquet", "csv"])
def paths(request, tmp_path):
    found = [str(tmp_path / f"{i}.{request.param}") for i in range(3)]
    for i, path in enumerate(found):
        some = TABLE.iloc[30 * i : 30 * i + 30]
        some.to_parquet(path) if request.param == "parquet" else some.to_csv(path, index=False)
    return found


def fitted(paths: list[str], keep: int | None = None, make: Any = S.LogisticRegression) -> tuple[Any, int]:
    engine = OneProcess(paths)
    target = None if make is not S.LogisticRegression else "y"
    roles = Roles(target, ignore=() if target else ("y",))
    return make().fit(PartitionedRows(engine, roles, keep=keep)), engine.passes


def test_files_are_read_once_for_all_passes(cache, reads, paths):
    model, passes = fitted(paths)
    assert passes > 4
    most = 1 if paths[0].endswith("parquet") else 2  # what written columns are is known after the first
    assert sorted(reads) == sorted(most * [os.path.basename(path) for path in paths])
    assert len(cache.held) == 3
    reads.clear()
    again, _ = fitted(paths)
    assert (reads == []) == (most == 1)  # the same rows read in the same way
    none, _ = fitted(paths, keep=0)
    assert len(reads) >= 3 * passes
    for other in (again, none):
        assert np.array_equal(model.coef_, other.coef_)
        assert np.array_equal(model.intercept_, other.intercept_)


def test_random_starts_count_rows_before_their_pass(cache, paths):
    def make():
        return S.KMeans(3, n_init=1, random_state=0)

    found, passes = fitted(paths, make=make)
    assert len(cache.held) == 3
    assert passes == 1 + found.n_iter_  # rows to start from; centres
    assert np.array_equal(found.cluster_centers_, fitted(paths, 0, make)[0].cluster_centers_)


@pytest.mark.parametrize("local", [False, True])
def test_fits_without_a_fold_keep_rows_too(local, cache, reads, paths):
    def scored(keep: int) -> tuple[Any, int]:
        reads.clear()
        rows = open_rows(paths, Roles("y"), keep=keep)
        if not local:
            rows = PartitionedRows(OneProcess(paths), Roles("y"), keep=keep)
        return cross_validate(S.LogisticRegression(), rows, cv=3).values("log_loss"), len(reads)

    (kept, few), (fresh, many) = scored(1 << 20), scored(0)
    np.testing.assert_allclose(kept, fresh, atol=1e-12)
    assert few < many / 2


def test_a_model_of_one_pass_keeps_nothing(cache, paths):
    S.GaussianNB().fit(PartitionedRows(OneProcess(paths), Roles("y")))
    assert not cache.held


def test_a_changed_file_is_read_again(cache, reads, paths):
    first, _ = fitted(paths)
    some = TABLE.iloc[:30].assign(a=TABLE.a.iloc[:30] * 2.0)
    some.to_parquet(paths[0]) if paths[0].endswith("parquet") else some.to_csv(paths[0], index=False)
    reads.clear()
    found, _ = fitted(paths)
    assert os.path.basename(paths[0]) in reads
    assert np.array_equal(found.coef_, fitted(paths, keep=0)[0].coef_)
    assert not np.array_equal(found.coef_, first.coef_)


def test_what_does_not_fit_is_read_again(cache, reads, paths):
    size = 30 * 3 * 8
    model, passes = fitted(paths, keep=2 * size + 4 * 30 * 2 + 500)  # cells and labels of two parts
    assert len(cache.held) == 2
    read = [reads.count(os.path.basename(path)) for path in paths]
    assert read[2] >= passes > 2 >= max(read[:2])
    assert np.array_equal(model.coef_, fitted(paths, keep=0)[0].coef_)


def test_a_lost_cache_changes_nothing(cache, paths, monkeypatch):
    expected, _ = fitted(paths)
    get = cache.get
    drawn = np.random.default_rng(1)

    def forgets(key):
        if drawn.random() < 0.3:
            cache.clear()
        return get(key)

    monkeypatch.setattr(cache, "get", forgets)
    assert np.array_equal(fitted(paths)[0].coef_, expected.coef_)


def test_rows_without_a_target_keep_their_numbers(cache, tmp_path):
    path = str(tmp_path / "gaps.parquet")
    TABLE.assign(y=TABLE.y.where(TABLE.index % 7 > 0)).to_parquet(path)
    found, expected = fitted([path])[0], fitted([path], 0)[0]
    assert np.array_equal(found.coef_, expected.coef_)
    assert cache.held


def test_tables_are_packed_and_unpacked():
    import pyarrow as pa

    from suffice.sources.engines.sent_rows import packed, unpacked

    table = pa.table({"a": [1.0, None, float("nan")], "b": ["x", None, ""], "c": pa.array([True, False, None])})
    batches = [*table.to_batches(max_chunksize=2), *table.slice(0, 0).to_batches()]
    rows = list(packed(iter(batches)))
    assert [batch.num_rows for batch in rows] == [1]
    assert rows[0].validate(full=True) is None
    (found,) = unpacked(iter(rows))
    assert found.schema == table.schema
    assert [column.to_pylist() for column in found.columns[1:]] == [column.to_pylist() for column in table.columns[1:]]
    np.testing.assert_array_equal(found["a"].to_numpy(), table["a"].to_numpy())
    assert list(packed(iter([]))) == []


def kept(n: int) -> PartBlocks:
    return PartBlocks((), None, None, None, True, n)  # type: ignore[arg-type]


def test_room_is_made_among_those_read_in_another_way():
    cache = BlockCache(100)
    for name in ("old", "older"):
        cache.put(PartKey("a", ((name, 0, 0, 0),)), kept(40), 100)
    assert cache.get(PartKey("a", (("old", 0, 0, 0),))) is not None  # the other is the longest unused
    cache.put(PartKey("b", ()), kept(50), 100)
    assert [key.reading for key in cache.held] == ["a", "b"]
    assert cache.get(PartKey("a", (("old", 0, 0, 0),))) is not None
    cache.put(PartKey("b", (("x", 0, 0, 0),)), kept(60), 100)  # 50 and 60 are more than all there is
    assert cache.size == 90
    cache.put(PartKey("b", (("x", 0, 0, 0),)), kept(50), 100)
    assert (cache.size, [key.reading for key in cache.held]) == (100, ["b", "b"])
    cache.clear()
    assert (cache.size, cache.held, cache.used) == (0, {}, {})


def test_what_nobody_asks_for_is_let_go():
    cache = BlockCache(100, idle=0.05)
    cache.put(PartKey("a", ()), kept(40), 100)
    end = time.monotonic() + 5
    while cache.held and time.monotonic() < end:
        time.sleep(0.02)
    assert (cache.size, cache.held) == (0, {})
    cache.put(PartKey("a", ()), kept(40), 100)  # and the next is watched again
    assert cache.timer is not None
    cache.timer.join()
    assert cache.timer is None


def test_blocks_are_rebased_and_measured():
    rows = np.asfortranarray(np.arange(6.0).reshape(3, 2))
    block = Block((rows, Coded(np.zeros((3, 1), np.int32), (("u",),))), Coded(np.zeros((3, 1), np.int32), (("n",),)))
    assert by_rows(block).parts[0].flags.c_contiguous
    assert block_bytes(block) == 48 + 2 * (12 + 64)
    assert block_bytes(Block((Words(np.zeros((3, 2)), range(2)),))) == 48
    assert block_bytes(Block((object(),))) > 1 << 60
    held = PartBlocks(((Schema(()), 6, [block._replace(start=7)]),), None, None, 5, True, 0)  # type: ignore[arg-type]
    assert held.read_as(None, 100).chunks[0][2][0].start == 102
    assert held.read_as(None, 5).chunks is held.chunks
    apart = held._replace(chunks=((Schema(()), 6, [block._replace(apart=np.arange(3))]),))
    assert apart.read_as(None, 100) is None
    assert PartKey.of(Keep("a"), ["/nowhere/at/all"]) is None


def test_cells_are_kept_once_where_rows_are_known_by_what_they_hold():
    rows = np.asfortranarray(np.arange(6.0).reshape(3, 2))
    block = Block((rows,))
    kept = by_rows(block._replace(apart=LateNumbers(row_hashes, block)))
    numbers, there = row_hashes(block), weakref.ref(rows)
    del rows, block
    assert there() is None, "the cells as they lay before take as much memory again"
    np.testing.assert_array_equal(kept.numbers, numbers)


def in_passes() -> list[Any]:
    """All public estimators that learn in passes and need no parameter."""
    classes = [getattr(S, name) for name in S.__all__]
    found = [cls for cls in classes if isinstance(cls, type) and issubclass(cls, InPasses)]
    return [cls for cls in found if not any(p.default is p.empty for p in signature(cls).parameters.values())]


@pytest.mark.filterwarnings("ignore:.*max_iter")  # few passes are enough
@pytest.mark.parametrize("cls", in_passes(), ids=lambda cls: cls.__name__)
def test_fits_from_files_keep_rows_if_that_is_asked_for(cls, reads, paths):
    model = cls()
    kind = model.__sklearn_tags__().estimator_type
    target = {"classifier": "y", "regressor": "c"}.get(kind)
    roles = Roles(target, ignore=tuple({"y", "c"} - {target}) if kind in ("classifier", "regressor") else ("y",))
    given = {name: value for name, value in {"random_state": 0, "max_iter": 6}.items() if name in model.get_params()}
    rows = TABLE[[column for column in "abc" if column not in (target, *roles.ignore)]]
    found = []
    for keep in (0, 1 << 20, 500):
        reads.clear()
        model = cls(**given).fit(open_rows(paths, roles, keep=keep))
        answers = model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)
        found.append((answers, len(reads)))
    (fresh, passes), (kept, few), (unfit, again) = found
    np.testing.assert_allclose(kept, fresh, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(unfit, fresh, rtol=0.0, atol=1e-12)
    assert few == (3 if paths[0].endswith("parquet") else 6)  # what written columns are is known after the first pass
    assert again == passes > few  # what does not fit is read in each pass


@pytest.mark.parametrize("last", [S.GaussianNB, S.LogisticRegression])
def test_steps_of_a_chain_share_what_was_read(last, reads, paths):
    def chain(keep: int) -> Any:
        reads.clear()
        return S.Chain(S.KBinsDiscretizer(3), S.StandardScaler(), last()).fit(open_rows(paths, Roles("y"), keep=keep))

    expected = chain(0)
    assert len(reads) >= 9
    found = chain(1 << 20)
    np.testing.assert_allclose(
        found.predict_proba(TABLE[[*"abc"]]), expected.predict_proba(TABLE[[*"abc"]]), atol=1e-12
    )
    most = 1 if paths[0].endswith("parquet") else 2
    assert len(reads) == 3 * most


def test_columns_that_turn_out_otherwise_are_kept_as_what_they_are(tmp_path):
    path = tmp_path / "late.csv"
    TABLE.assign(c=[*TABLE.c[:80].map("{:.3f}".format), *(["odd"] * 10)]).to_csv(path, index=False)
    found, expected = (S.Tree(max_depth=3).fit(open_rows(path, Roles("y"), keep=keep)) for keep in (1 << 20, 0))
    table = pd.read_csv(path).drop(columns="y")
    np.testing.assert_array_equal(found.predict_proba(table), expected.predict_proba(table))


def test_rows_of_files_are_let_go_with_their_fit(paths, monkeypatch):
    made: list[Any] = []

    class Noted(kept_blocks.KeptBetweenPasses):
        def _hold(self, blocks: PartBlocks) -> None:
            made.append(weakref.ref(blocks.chunks[0][2][0].parts[0]))
            super()._hold(blocks)

    monkeypatch.setattr(file_source, "KeptBetweenPasses", Noted)
    S.LogisticRegression().fit(open_rows(paths, Roles("y"), keep=1 << 20))
    gc.collect()
    assert made
    assert [one() for one in made] == [None] * len(made)


@pytest.mark.parametrize("keep", [-1, 0.5, None])
def test_bytes_to_keep_are_a_whole_number(keep, paths):
    with pytest.raises(BadInput, match="open_rows: keep must be a number of bytes, at least 0, got"):
        open_rows(paths, keep=keep)


def test_keep_is_a_number_of_bytes(tmp_path):
    with pytest.raises(BadInput, match="keep must be None or a number of bytes, at least 0, got -1"):
        open_engine(tmp_path, "dask", keep=-1)
