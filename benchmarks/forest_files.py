"""A forest in passes over a file of 1 GB, at flat memory: the peak beside the size of the file.

The file is a block of rows written again and again, 20 columns of numbers and a class, next to a file an eighth as
large; both are deleted. The bar is that the peak over the large file is at most 1.25 times that over the small one.
What grows with the rows is time alone. What is kept are sums by bin of the nodes of a level (at most 256 MB of them a
pass; more nodes take more passes), 20,000 rows that bins are made of, and blocks of 2 MB of text with their cells in
each thread. Summaries of more than 8 MB are added as they come; sixteen of them once waited for one another.

Measured: 10 trees to depth 3 over 139 MB (1.0 million rows) 80 MB, over 1,032 MB (7.4 million rows) 70 MB more than
before the fit.
`python -m benchmarks forest_files`, or with another size in megabytes `python -m benchmarks.forest_files 200`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import suffice
from benchmarks.measure import HEAD, Line, peak_growth
from benchmarks.trees import table

MEGABYTE = 1 << 20


def write(path: Path, megabytes: int) -> float:
    """Write the file; its size in megabytes."""
    X, y = table(100_000, 20)
    rows = "\n".join(
        ",".join((*(f"{cell:.4g}" for cell in row), f"c{k}")) for row, k in zip(X.tolist(), y.tolist(), strict=True)
    ).encode()
    names = ",".join((*(f"x{j}" for j in range(X.shape[1])), "class")).encode()
    with path.open("wb") as file:
        file.write(names + b"\n")
        while file.tell() < megabytes * MEGABYTE:
            file.write(rows + b"\n")
    return path.stat().st_size / MEGABYTE


def measured(path: Path) -> tuple[float, float, int]:
    """Seconds, megabytes of peak growth, and passes."""
    forest = suffice.Forest(10, max_depth=3, bins=64)
    start = perf_counter()
    growth = peak_growth(lambda: forest.fit(path, target="class"))
    return perf_counter() - start, growth, int(forest.fitted_.state.passes)


def lines(megabytes: int = 1024) -> Iterator[Line]:
    """The small file, then the large one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        small = write(path, megabytes // 8)
        measured(path)  # loops are compiled, and what is loaded once is loaded
        first, few, passes = measured(path)
        size = write(path, megabytes)
        seconds, growth, _ = measured(path)
    yield Line(f"forest in {passes} passes, {small:.0f} MB", first, first, "", True, few, small)
    yield Line(f"forest in {passes} passes, {size:.0f} MB", seconds, first, "flat", growth <= 1.25 * few, growth, size)


if __name__ == "__main__":
    print(HEAD)
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 1024):
        print(line)
