"""Write the made-up clinic as a CSV file: `python examples/write_clinic.py clinic.csv [rows] [seed]`."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from suffice.datasets import make_clinic
from suffice.datasets.frames import cells_of


def main(path: str, rows: str = "20000", seed: str = "0") -> None:
    """Draw patients and write them, with their diagnosis last; a missing cell is empty."""
    clinic = make_clinic(int(rows), random_state=int(seed))
    columns = {name: cells_of(column, clinic.kinds[name]) for name, column in clinic.data.items()}
    columns["diagnosis"] = clinic.target.tolist()
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
