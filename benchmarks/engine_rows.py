"""The Parquet files and the models that engines are raced with."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import suffice as S
from suffice.sources import Roles, open_engine
from suffice.sources.engines.partitioned_source import PartitionedRows

ROWS = int(os.environ.get("SUFFICE_ENGINE_ROWS", 20_000_000))
COLUMNS, PARTS = 20, int(os.environ.get("SUFFICE_ENGINE_PARTS", 16))
NAMES = [f"x{j}" for j in range(COLUMNS)]


def write(folder: Path, rows: int) -> None:
    """Parquet files of numbers that are not negative, as Spark's naive Bayes wants them, and two targets."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for number in range(PARTS):
        rng = np.random.default_rng(number)
        n = rows // PARTS
        y = rng.integers(0, 2, n)
        X = np.abs(rng.normal(size=(n, COLUMNS)) + y[:, None] * np.linspace(0, 1, COLUMNS))
        cells = {name: X[:, j] for j, name in enumerate(NAMES)}
        t = X @ np.linspace(-1, 1, COLUMNS) + rng.normal(size=n)
        pq.write_table(pa.table({**cells, "y": y.astype(float), "t": t}), folder / f"{number:03}.parquet")


def models() -> dict[str, tuple[Callable[[], Any], str | None]]:
    """How each is made, and its target."""
    start = np.abs(np.random.default_rng(0).normal(size=(8, COLUMNS)))
    return {
        "GaussianNB": (S.GaussianNB, "y"),
        "LinearRegression": (S.LinearRegression, "t"),
        "LogisticRegression": (lambda: S.LogisticRegression(penalty=None), "y"),
        "KMeans": (lambda: S.KMeans(8, init=start, n_init=1, max_iter=10, tol=0.0), None),
        "GaussianMixture": (lambda: S.GaussianMixture(4, max_iter=5, tol=0.0, random_state=0), None),
    }


def rows(folder: str, engine: str, target: str | None) -> PartitionedRows:
    """Files that seem to have changed: no fit finds what workers have kept of the last one."""
    for file in Path(folder).iterdir():
        os.utime(file)
    return open_engine(folder, engine, roles=only(target))


def only(target: str | None) -> Roles:
    """One target; the other one is no feature either."""
    return Roles(target=target, ignore=tuple(name for name in ("y", "t") if name != target))
