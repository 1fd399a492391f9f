"""scikit-learn's own tests, with the import replaced, run in a process of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Outcome(NamedTuple):
    """How such a run ended."""

    failed: list[str]  # names of tests, one entry for each case
    passed: int
    told: str


SOME = """
from collections import defaultdict

MOST, WITHOUT = {most}, {without}

def pytest_collection_modifyitems(config, items):
    cases = defaultdict(list)
    for item in items:
        if not any(part in item.name for part in WITHOUT.get(item.path.name, ())):
            cases[item.path.name, item.originalname].append(item)
    most = MOST or len(items)
    kept = {{id(each[i * len(each) // most]) for each in cases.values() for i in range(most)}}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
    items[:] = [item for item in items if id(item) in kept]
"""


def run_theirs(folder: Path, name: str, text: str, replaced: str, most: int | None = None, only: str = "") -> Outcome:
    """Run a test file whose text was replaced; it must have been.

    `most` cases of a test are run, spread evenly, of the tests that `only` names, as pytest's option -k does.
    """
    assert replaced != text
    (folder / name).write_text(replaced, encoding="utf-8")
    return run_folder(folder, most, only=only)


def run_folder(
    folder: Path, most: int | None, without: Mapping[str, tuple[str, ...]] | None = None, only: str = ""
) -> Outcome:
    """Run the test files of a folder in one process, without tests whose name has a part named for their file."""
    if most is not None:
        (folder / "conftest.py").write_text(SOME.format(most=most, without=dict(without or {})), encoding="utf-8")
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
    failed = re.findall(r"^FAILED \w+\.py::(\w+)", done.stdout, re.MULTILINE)
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout[-4000:]
    return Outcome(failed, int(passed[1]), done.stdout)
