"""Training from a CSV of 1 GB against pyarrow alone, and the peak memory that takes.

The yardstick is `pyarrow.csv.open_csv` with every column as text, missing cells found, and the numbers cast: what any
reader has to do that counts bad cells instead of failing on them. Ours does the same, learns, and keeps the model.
Peak memory is that of a fresh process, Python, scikit-learn, numba and pyarrow included.

What was tried, and its result (two cores, shared; processor time):
- Blocks cut by us and parsed one by one take pyarrow as long as blocks it cuts itself, and a block with ragged rows, or
  a cell larger than a block, can be read another way.
- Conversion: a cast of a whole column 15 ns a cell. A column with a bad cell is read text by text, 760 ns a cell, for
  that block only.
- Looking for 11 texts that mean missing takes a tenth of the parser's time: only those that were met are looked for.
- Letting pyarrow's CSV reader make numbers and dictionaries at once saves a tenth of parsing and conversion; left out,
  because the text would be gone where a cell is bad or a model asks for another kind.
- Blocks of 0.5, 1, 2, 4, 8 MB: 2.6, 1.9, 1.5, 1.5, 1.5 s for 0.2 GB; with 4 MB the peak is 70 MB higher.
- One thread cuts, two split and convert, one summarizes: the last takes a fifth of the whole.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

import suffice
from benchmarks.measure import Line, race
from suffice.sources import Format, Roles, open_rows

ROWS = 200_000  # made at a time
CHILD = """
import sys
import suffice
from suffice.sources import Roles, open_rows
suffice.NaiveBayes().learn(open_rows(sys.argv[1], Roles(target="class")))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:")))
"""


def rows(seed: int) -> pa.Table:
    """Six quantities, two counts, three symbols and a class; 2 % of the cells are missing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, ROWS)
    columns: dict[str, pa.Array] = {}
    for j in range(6):
        values = np.round(rng.normal(size=ROWS) * 10.0 ** (j - 2) + y, 4)
        columns[f"number{j}"] = pa.array(values, mask=rng.random(ROWS) < 0.02)
    for j in range(2):
        columns[f"count{j}"] = pa.array(rng.poisson(10 ** (j + 1), ROWS) + y, mask=rng.random(ROWS) < 0.02)
    for j, V in enumerate((5, 50, 1000)):
        names = np.array([f"value {i:03d}" for i in range(V)])
        columns[f"string{j}"] = pa.array(names[rng.integers(0, V, ROWS)], mask=rng.random(ROWS) < 0.02)
    columns["class"] = pa.array(np.array(["cold", "flu", "pneumonia"])[y])
    return pa.table(columns)


def write(path: Path, size: int) -> int:
    """A CSV of at least so many bytes; says how many rows it has."""
    n = 0
    with path.open("wb") as out:
        while out.tell() < size:
            how = csv.WriteOptions(include_header=n == 0, quoting_style="none")
            csv.write_csv(rows(n), out, how)
            n += ROWS
    return n


def pyarrow_alone(path: Path) -> int:
    """Read every column as text and cast the numbers."""
    names = path.open().readline().replace('"', "").split()[0].split(",")
    numbers = [name for name in names if name.startswith(("number", "count"))]
    strings = csv.ConvertOptions(
        column_types={name: pa.string() for name in names}, strings_can_be_null=True, null_values=[""]
    )
    n = 0
    for batch in csv.open_csv(path, csv.ReadOptions(block_size=Format().block), convert_options=strings):
        n += batch.num_rows
        for name in numbers:
            pc.cast(batch.column(name), pa.float64())
    return n


def peak(path: Path) -> float:
    """Megabytes that a process needs at most to train from a file: the median of three, which differ by some 3 %."""
    command = [sys.executable, "-c", CHILD, str(path)]
    runs = (subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(3))
    return median(float(done.stdout) for done in runs) / 1024


def lines() -> Iterator[Line]:
    """Speed, then memory."""
    with tempfile.TemporaryDirectory() as folder:
        large, small = Path(folder) / "large.csv", Path(folder) / "small.csv"
        n = write(large, 10**9)
        write(small, 2 * 10**8)
        ours, theirs = race(
            lambda: suffice.NaiveBayes().learn(open_rows(large, Roles(target="class"))),
            lambda: pyarrow_alone(large),
            runs=3,
        )
        most, less = peak(large), peak(small)
        size = large.stat().st_size / 2**20
        case = f"NaiveBayes.learn {n} x 11 CSV, pyarrow reading"
        yield Line(case, ours, theirs, ">= 0.6x", theirs >= 0.6 * ours)
        near = most <= 500 and abs(most / less - 1) <= 0.05
        yield Line(f"  peak {most:.0f} MB, {less:.0f} MB at a fifth", ours, theirs, "<= 500 MB, 5 %", near, most, size)
