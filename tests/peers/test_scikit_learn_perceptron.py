"""scikit-learn's own tests of Perceptron pass with the import replaced."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import sklearn.linear_model.tests.test_perceptron as theirs


def test_all_of_them_pass(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = text.replace("from sklearn.linear_model import Perceptron", "from suffice import Perceptron")
    assert replaced != text
    (tmp_path / "test_perceptron.py").write_text(replaced, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "sklearn.conftest", "-p", "no:cacheprovider", "-q", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 6  # type: ignore[index]
