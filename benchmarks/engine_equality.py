"""All models of the tests from 1, 7 and 64 partitions of an engine, against those of rows in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import suffice as S


def equal(engines: Sequence[str] = ("dask", "spark")) -> int:
    """Every model of the tests, from 1, 7 and 64 partitions, against memory; how many differed."""
    return sum(EQUAL[engine]() for engine in engines)


def _equal_on_dask() -> int:
    from distributed import Client, LocalCluster

    from tests.sources.engines.test_dask import frame

    with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        return _differing("Dask", frame)


def _equal_on_spark() -> int:
    from tests.sources.engines.test_spark import frame, session

    spark = session("local-cluster[2,1,1024]")
    try:
        # bootstraps go by the numbers of rows, which rows of Spark have not
        whole = {"Forest": lambda: S.Forest(2, max_depth=1, bootstrap=False)}
        return _differing("Spark", lambda rows, k: frame(spark, rows, k), whole)
    finally:
        spark.stop()


EQUAL = {"dask": _equal_on_dask, "spark": _equal_on_spark}


def _differing(engine: str, frame: Callable[[Any, int], Any], other: Any = None) -> int:
    from tests.sources.engines import engine_models as models

    bad = 0
    for name, case in models.CASES.items():
        case = case._replace(make=(other or {}).get(name, case.make))
        expected = models.in_memory(case)
        for k in (1, 7, 64):
            try:
                models.assert_same(case, models.on_engine(case, frame(models.ROWS[models.columns(case)], k)), expected)
                told = "equal"
            except AssertionError as error:
                bad, told = bad + 1, f"DIFFERS: {error}"
            print(f"{engine:6} {name:26} {k:3} {told}", flush=True)
    print(f"{engine}: {bad} of {3 * len(models.CASES)} differ", flush=True)
    return bad
