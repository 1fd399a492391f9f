"""What a ledger costs: fits in memory and from a CSV file with one, beside the same without.

The peer is our own fit without a ledger; the ratio is below 1 by what the digests take. 16 bytes a row are kept.

What was tried, and its result (1,000,000 x 30, two shared cores, one thread):
- Keys of a column side by side (d, 6): the compiler gathers them, 157 ms. One row of keys for each step (6, d): 69 ms.
- Three multiplications a cell in place of four, one half of the digest made from the other: 61 ms; left out, as the
  halves would share their first step.
- The last mixing by NumPy, chunk by chunk: 14 ms; in a loop 3 ms.
- Tables of files lie column by column. Columns by the number of the row: the compiler multiplies one by one, 4.6 ns a
  cell; by slices of 512 rows, which it makes wide: 1.4 ns. Symbols by a loop in place of NumPy's gathering. Noting
  300,000 rows of 12 columns: 24 ms of processor time before, 11 ms after.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

import suffice
from benchmarks.measure import Line, race

N, D = 1_000_000, 30
WRITTEN = 300_000  # rows of the file


def lines() -> Iterator[Line]:
    """Memory at most 2x, CSV at most 1.15x, at most 24 bytes a row."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(N, D)), rng.integers(0, 3, N)
    kept, plain = race(
        lambda: suffice.GaussianNB(ledger="key").fit(X, y),
        lambda: suffice.GaussianNB().fit(X, y),
    )
    size = suffice.GaussianNB(ledger="key").fit(X, y).fitted_.ledger.digests.nbytes
    met = kept <= 2.0 * plain and size <= 24 * N
    yield Line(f"ledger: GaussianNB {N:,} x {D}", kept, plain, "at most 2x", met)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        table = {f"x{j}": np.round(X[:WRITTEN, j], 4) for j in range(10)}
        names = np.array(["north", "south", "east", "west"])
        csv.write_csv(pa.table({**table, "site": names[rng.integers(0, 4, WRITTEN)], "y": y[:WRITTEN]}), path)
        kept, plain = race(
            lambda: suffice.NaiveBayes(ledger="key").fit(path, target="y"),
            lambda: suffice.NaiveBayes().fit(path, target="y"),
            runs=5,
        )
    yield Line(f"ledger: NaiveBayes, CSV of {WRITTEN:,} rows", kept, plain, "at most 1.15x", kept <= 1.15 * plain)
