"""Every command on ten real tables that come with packages of PyPI: exit codes, and what was said where one is not 0.

python -m benchmarks.table_commands [TABLE...]
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from benchmarks.real_tables import TABLES, load_table
from suffice.app.main import run


def commands(target: str, without: tuple[str, ...], classes: bool) -> Iterator[str]:
    """Command lines for the file t.csv, in an order in which each finds what it needs; no name holds a space."""
    ignore = f" --ignore {','.join(without)}" if without else ""
    yield "describe t.csv --format json"
    yield "describe t.csv --plot d.svg"
    yield f"train t.csv --target {target}{ignore} --out m"
    yield f"train t.csv --target {target}{ignore} --model TableEncoder+{'LogisticRegression' if classes else 'Ridge'}"
    yield "info m --tables"
    yield "predict m t.csv --out p.csv"
    if classes:
        yield "predict m t.csv --prior uniform --at-least 0.9 --explain --format json --out p.json"
        yield "sample m --rows 3"
    yield "evaluate m t.csv --plot e.png"
    yield "evaluate m t.csv --folds 3"
    yield f"compare t.csv --target {target}{ignore} --folds 3 --plot c.svg"
    yield f"cluster t.csv --clusters 2 --ignore {target} --out g.csv --save g"
    yield f"transform t.csv --model TableEncoder+PCA --set n_components=2 --ignore {target} --out r.parquet"
    yield "merge m m --out mm"
    yield "forget mm t.csv --out m2 --receipt r.json"
    yield "verify m2 r.json"


def tried(name: str) -> dict[str, int] | None:
    """Exit codes of every command on one table; None where its package is not installed."""
    table, (_, target, without, classes) = load_table(name), TABLES[name]
    return None if table is None else codes_of(name, table, target, without, classes)


def codes_of(name: str, table: pd.DataFrame, target: str, without: tuple[str, ...], classes: bool) -> dict[str, int]:
    """Exit codes of every command on a table."""
    codes = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        table.to_csv(Path(folder) / "t.csv", index=False)
        for line in commands(target, without, classes):
            told, said = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(told), contextlib.redirect_stderr(said):
                codes[line] = run(line.split(" "))
            if codes[line]:
                print(f"{name}: {line}\n    {codes[line]} {said.getvalue().strip()}", flush=True)
    return codes


def main(names: list[str]) -> int:
    """How many commands ended in a mistake of ours, or in a sentence that was not expected."""
    os.environ.pop("SUFFICE_DEBUG", None)
    bad = 0
    for name in names or list(TABLES):
        codes = tried(name)
        if codes is None:
            print(f"{name:12} is not installed: {TABLES[name].package}", flush=True)
            continue
        failed = sum(code != 0 for code in codes.values())
        bad += failed
        print(f"{name:12} {len(codes)} commands, {failed} refused", flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
