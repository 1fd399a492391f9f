"""Pieces of Parquet files that workers of Spark read by themselves: each group of rows once, or not at all; no Java."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from pyarrow.parquet import ParquetFile

from suffice.core.saving import bytes_value, value_bytes
from suffice.sources.engines.kept_blocks import NotKept
from suffice.sources.engines.partition_tasks import UNKEPT
from suffice.sources.engines.read_partition import NamedTables
from suffice.sources.engines.spark_scans import SAME, Piece, Scan, ScannedFrame, _begin, _of_pieces, tables_of

TYPES = {"x": SAME["double"], "s": SAME["string"]}
TABLE = pd.DataFrame({"n": range(20), "x": np.arange(20.0), "s": [*"abcd"] * 5})
TABLE.loc[3, "s"] = None


@pytest.fixture
def path(tmp_path):
    """A file of three groups of rows."""
    TABLE.to_parquet(tmp_path / "rows.parquet", row_group_size=8, index=False)
    return tmp_path / "rows.parquet"


def test_each_group_of_rows_is_read_once_wherever_files_are_cut(path):
    size, file = path.stat().st_size, ParquetFile(path)
    begins = [_begin(file, i) for i in range(3)]
    for cuts in ([0, size], [0, *begins, size], [0, 5, size], [0, size // 2, size], [0, *range(100, size, 100), size]):
        pieces = [Piece(str(path), a, b) for a, b in pairwise(cuts)]
        tables = list(tables_of(pieces, TYPES))
        assert [row for table in tables for row in table["x"].to_pylist()] == TABLE.x.tolist()
        assert [row for table in tables for row in table["s"].to_pylist()][:4] == ["a", "b", "c", None]
        alone = [len(list(tables_of([piece], TYPES))) for piece in pieces]
        assert sum(alone) == 1 if len(cuts) == 2 else sum(alone) <= 3
    assert tables[0].column_names == ["x", "s"]


@pytest.mark.parametrize("types", [{"z": SAME["double"]}, {"n": SAME["int"]}, {"s": SAME["double"]}, TYPES])
def test_what_is_not_as_spark_says_is_left_to_spark(path, types):
    where = path if types is not TYPES else path.with_name("gone.parquet")
    tables = tables_of([Piece(str(where), 0, 1 << 40)], types)
    with pytest.raises(NotKept):
        next(tables)
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(NotKept):
        next(tables_of([Piece(str(path), 0, 1 << 40)], {}))


def test_a_worker_says_which_partitions_it_cannot_read(path):
    met = []

    def work(task, part, number, first):
        met.append(part)
        return value_bytes((number, sum(table.num_rows for table in getattr(part, "tables", part))))

    parts = [(0, [Piece(str(path), 0, 1 << 40)]), (1, [Piece(str(path) + "?", 0, 9)])]
    for name in (None, "fit"):
        found = dict(_of_pieces(work, b"", TYPES, name, iter(parts)))
        assert bytes_value(found[0]) == (0, 20)
        assert bytes_value(found[1]) == (UNKEPT, 1)
    assert [type(part) is NamedTables for part in met] == [False, False, True, True]
    assert met[2].name == "fit 0"


def test_once_a_worker_lacks_something_spark_hands_rows_over(path):
    asked = []

    class Handed:
        def tree(self, *given):
            asked.append("tree")
            return b"handed"

        each = for_passes = None

    context = SimpleNamespace(parallelize=lambda some, n: pytest.fail("files are not asked for again"))
    frame = SimpleNamespace(sparkSession=SimpleNamespace(sparkContext=context))
    found = ScannedFrame(Handed(), frame)
    found.scan = Scan([[Piece(str(path), 0, 9)]], TYPES)
    assert found._is_lacking(value_bytes((UNKEPT, 0)))
    assert found.tree(None, b"", None, None) == b"handed"
    found.lacking, found.scan = False, None
    assert found.tree(None, b"", None, None) == b"handed"
    assert asked == ["tree", "tree"]
