"""NaiveBayes on a table of mixed kinds: the whole fit against the least that pandas needs to touch the same columns.

The yardstick is `frame[numbers].sum()` plus `astype("category")` of the strings. Peak memory is beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

import suffice
from benchmarks.measure import Line, peak_growth, race


def table(n: int = 1_000_000, missing: float = 0.05) -> tuple[pd.DataFrame, np.ndarray]:
    """10 numeric, 5 string and 5 Boolean columns with missing cells."""
    rng = np.random.default_rng(0)
    columns: dict[str, object] = {}
    for j in range(10):
        columns[f"number{j}"] = np.where(rng.random(n) < missing, np.nan, rng.normal(size=n))
    names = np.array([f"value {i}" for i in range(12)], dtype=object)
    for j in range(5):
        cells = names[rng.integers(0, len(names), n)]
        cells[rng.random(n) < missing] = None
        columns[f"string{j}"] = pd.Series(cells, dtype="str")
    for j in range(5):
        cells = pd.Series(rng.random(n) < 0.4, dtype="boolean")
        cells[rng.random(n) < missing] = pd.NA
        columns[f"flag{j}"] = cells
    return pd.DataFrame(columns), rng.integers(0, 5, n)


def lines() -> Iterator[Line]:
    """One case."""
    frame, y = table()
    numbers = [name for name in frame if name.startswith("number")]
    strings = [name for name in frame if name.startswith("string")]
    ours = suffice.NaiveBayes()

    def touch() -> None:
        frame[numbers].sum()
        for name in strings:
            frame[name].astype("category")

    fit, least = race(lambda: ours.fit(frame, y), touch, runs=3)
    growth, size = peak_growth(lambda: ours.fit(frame, y)), frame.memory_usage(deep=True).sum() / 2**20
    yield Line(
        "NaiveBayes fit 1000000 x 20 mixed, pandas", fit, least, "at most 3 times", fit <= 3 * least, growth, size
    )
