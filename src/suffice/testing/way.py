"""The way of data: `python -m suffice.testing.way` prints which files rows go through; tests hold their number.

A file is on the way if one of its functions is entered. Left out are arithmetic (numerics, double-double numbers) and
the words of errors, which a reader need not know to follow rows.
"""

from __future__ import annotations

import ast
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import suffice

ROOT = Path(suffice.__file__).parent
LEFT_OUT = ("numerics/", "core/double_double.py", "core/errors.py", "core/phrases.py", "testing/")
ABOVE_FOLDS = ("evaluation/", "estimators/folds/")  # what stands above `learn_folds`


class WayOfData(NamedTuple):
    """What rows go through: file -> functions, both in the order in which they are first entered."""

    name: str
    files: dict[str, list[str]]
    most: int  # files that there may be

    def __str__(self) -> str:
        """The number of files, then a line for each."""
        functions = sum(map(len, self.files.values()))
        lines = [f"{self.name}: {len(self.files)} files (at most {self.most}), {functions} functions entered"]
        return "\n".join([*lines, *(f"  {file:42} {first_words(file)}" for file in self.files)])


def first_words(file: str) -> str:
    """The first line of what a file says of itself."""
    told = ast.get_docstring(ast.parse((ROOT / file).read_text(encoding="utf-8"))) or ""
    return told.splitlines()[0] if told else ""


def entered(work: Callable[[], Any]) -> dict[str, list[str]]:
    """Which files of ours are entered by a call, and which of their functions."""
    seen: dict[str, dict[str, None]] = {}
    root = f"{ROOT}{os.sep}"

    def note(frame: Any, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and not code.co_name.startswith("<"):
            file = code.co_filename.removeprefix(root).replace(os.sep, "/")
            if not file.startswith(LEFT_OUT):
                seen.setdefault(file, {})[code.co_qualname] = None

    before = sys.getprofile(), threading.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before[0])
        threading.setprofile(before[1])
    return {file: list(functions) for file, functions in seen.items()}


def _rows() -> tuple[Any, Any]:
    """Numbers, symbols and counts, and classes, as tables of pandas."""
    import pandas as pd

    draw = np.random.default_rng(0)
    cells = {"a": draw.normal(size=200), "b": draw.choice(list("xyz"), 200), "c": draw.integers(0, 5, 200)}
    return pd.DataFrame(cells), pd.Series(draw.choice(["p", "q"], 200))


def decision() -> WayOfData:
    """A table of pandas, `NaiveBayes`, a decision."""
    from suffice import NaiveBayes

    X, y = _rows()
    return _way("pandas -> NaiveBayes -> decision", lambda: NaiveBayes().fit(X, y).predict(X, prior="uniform"), 45)


def training() -> WayOfData:
    """A CSV file, `suffice train`, a model file."""
    X, y = _rows()
    with tempfile.TemporaryDirectory() as folder:
        table, model = f"{folder}/rows.csv", f"{folder}/model"
        X.assign(y=y).to_csv(table, index=False)
        return _way("CSV -> suffice train", lambda: _train(table, model), 76)


def folds() -> WayOfData:
    """`cross_validate`, above `learn_folds`."""
    from suffice import NaiveBayes

    cross_validate = import_module("suffice.evaluation").cross_validate
    X, y = _rows()
    whole = _way("rows -> cross_validate, above learn_folds", lambda: cross_validate(NaiveBayes(), X, y), 6)
    return whole._replace(files={file: of for file, of in whole.files.items() if file.startswith(ABOVE_FOLDS)})


def _train(table: str, model: str) -> None:
    from click.testing import CliRunner

    command = import_module("suffice.app.main").suffice
    done = CliRunner().invoke(command, ["train", table, "--target", "y", "--out", model], catch_exceptions=False)
    assert done.exit_code == 0, done.output


def _way(name: str, work: Callable[[], Any], most: int) -> WayOfData:
    work()  # once before: imports are no part of the way
    return WayOfData(name, entered(work), most)


def main() -> None:
    """Print all three."""
    for way in (decision(), training(), folds()):
        print(f"{way}\n")


if __name__ == "__main__":
    main()
