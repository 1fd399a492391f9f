"""scikit-learn's own tests of discriminant analysis pass with the import replaced, less a named list with reasons."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import sklearn.tests.test_discriminant_analysis as theirs

FAILING: dict[str, str] = {}


def test_only_the_named_tests_fail(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = text.replace(
        "from sklearn.discriminant_analysis import (\n    LinearDiscriminantAnalysis,\n"
        "    QuadraticDiscriminantAnalysis,\n    _cov,\n)",
        "from suffice import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis\n"
        "from sklearn.discriminant_analysis import _cov",  # a private function that has a test of its own
    )
    assert replaced != text
    (tmp_path / "test_discriminant_analysis.py").write_text(replaced, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "sklearn.conftest", "-p", "no:cacheprovider", "-q", "-rf", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    failed = re.findall(r"^FAILED test_discriminant_analysis.py::(\w+)", done.stdout, re.MULTILINE)
    assert set(failed) == set(FAILING), done.stdout[-4000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 50, done.stdout[-4000:]  # type: ignore[index]
