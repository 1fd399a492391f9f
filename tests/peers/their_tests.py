"""scikit-learn's own tests, with the import replaced, run in a process of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Outcome(NamedTuple):
    """How such a run ended."""

    failed: list[str]  # names of tests, one entry for each case
    passed: int
    told: str


SOME = """
from collections import defaultdict

def pytest_collection_modifyitems(config, items):
    cases = defaultdict(list)
    for item in items:
        cases[item.originalname].append(item)
    kept = {{id(each[i * len(each) // {most}]) for each in cases.values() for i in range({most})}}
    left = [item for item in items if id(item) not in kept]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if id(item) in kept]
"""


def run_theirs(folder: Path, name: str, text: str, replaced: str, most: int | None = None, only: str = "") -> Outcome:
    """Run a test file whose text was replaced; it must have been.

    `most` cases of a test are run, spread evenly, of the tests that `only` names, as pytest's option -k does.
    """
    assert replaced != text
    (folder / name).write_text(replaced, encoding="utf-8")
    if most is not None:
        (folder / "conftest.py").write_text(SOME.format(most=most), encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "sklearn.conftest",
            "-p",
            "no:cacheprovider",
            "-q",
            "-rf",
            "-k",
            only,
            ".",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    failed = re.findall(rf"^FAILED {re.escape(name)}::(\w+)", done.stdout, re.MULTILINE)
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout[-4000:]
    return Outcome(failed, int(passed[1]), done.stdout)
