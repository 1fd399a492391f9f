"""scikit-learn's own tests of Perceptron pass with the import replaced."""

from __future__ import annotations

from pathlib import Path

import sklearn.linear_model.tests.test_perceptron as theirs

from tests.peers.their_tests import run_theirs


def test_all_of_them_pass(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = text.replace("from sklearn.linear_model import Perceptron", "from suffice import Perceptron")
    done = run_theirs(tmp_path, "test_perceptron.py", text, replaced)
    assert not done.failed, done.told[-4000:]
    assert done.passed >= 6
