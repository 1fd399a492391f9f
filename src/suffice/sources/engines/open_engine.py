"""One door to engines: a collection of Dask or Spark, or files whose partitions their workers read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from suffice.core.errors import Said, bad
from suffice.sources.engines.partitioned_source import PartitionedRows, Progress
from suffice.sources.engines.read_partition import TARGET, WEIGHT, PartFiles
from suffice.sources.files.files import find_files
from suffice.sources.files.roles import Roles
from suffice.sources.files.text_format import Format
from suffice.sources.tables.analyzer import Analyzer
from suffice.sources.tables.table import engine_of

ENGINES = ("dask", "spark")


def open_engine(
    what: Any,
    engine: str | None = None,
    *,
    target: Any = None,
    weight: Any = None,
    y: Any = None,
    w: Any = None,
    roles: Roles | None = None,
    kinds: Mapping[Any, Any] | None = None,
    format: Format | None = None,
    analyzer: Analyzer | None = None,
    progress: Progress | None = None,
    keep: int | None = None,
) -> PartitionedRows:
    """Rows that lie on an engine, for `fit`, `partial_fit`, `forget`, `cross_validate` and `grid_search`.

    Parameters
    ----------
    what : a Dask DataFrame, Bag, Array or list of delayed tables; a Spark DataFrame; or a folder, a pattern or a list
        of Parquet and CSV files, one partition each, which workers read where they are
    engine : "dask" or "spark", where `what` are files
    target, weight : names of columns that are no features; other roles are said by `roles`
    y, w : targets and weights that are divided as `what` is
    roles, kinds, format, analyzer : as for `open_rows`
    progress : called as progress(done, all) whenever a partition is done; `print_progress` prints a line
    keep : bytes that a worker may take to keep what it has read of files from one pass to the next; None is a quarter
        of its memory, 0 nothing. Of a Spark DataFrame only whether it is 0 counts: Spark keeps its rows as it can
    """
    if roles is not None and (target is not None or weight is not None):
        raise bad("open_engine", "target and weight", "None beside roles", target or weight, "Name them in the roles.")
    roles = roles or Roles(target=target, weight=weight)
    if y is not None or w is not None:
        given = Roles(target=TARGET if y is not None else None, weight=WEIGHT if w is not None else None)
        roles = Roles(given.target or roles.target, given.weight or roles.weight, None, roles.ignore, roles.identifier)
    if keep is not None and not (isinstance(keep, int) and keep >= 0):
        raise bad("open_engine", "keep", "None or a number of bytes, at least 0", keep, "Use 0 to keep nothing.")
    partitions = _partitions(what, engine, y, w)
    read = (kinds or {}, format or Format(), analyzer or Analyzer())
    return PartitionedRows(partitions, roles, *read, progress, keep=keep)


def _partitions(what: Any, engine: str | None, y: Any, w: Any) -> Any:
    if engine is not None and engine not in ENGINES:
        raise bad("open_engine", "engine", " or ".join(map(repr, ENGINES)), engine, "Files need one of them.")
    found = engine_of(what)
    if found is None:
        what = _files(what, engine)
    if "spark" in (found, engine):
        from suffice.sources.engines.spark import open_spark

        return open_spark(what, y, w)
    from suffice.sources.engines.dask import open_dask

    return open_dask(what, y, w)


def _files(what: Any, engine: str | None) -> PartFiles:
    listed = what if isinstance(what, (list, tuple)) else [what]
    if not listed or not all(isinstance(one, (str, os.PathLike)) for one in listed):
        rule = "a collection of Dask or Spark, or files"
        raise bad("open_engine", "what", rule, Said(type(what).__name__), "Pass where the rows are.")
    if engine is None:
        raise bad("open_engine", "engine", " or ".join(map(repr, ENGINES)), None, "Say who reads the files.")
    return PartFiles(tuple(os.path.abspath(str(path)) for path in find_files(listed)))
