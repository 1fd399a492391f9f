"""scikit-learn's own tests of voting pass with the import replaced, all of them."""

from __future__ import annotations

import re
from pathlib import Path

import sklearn.ensemble.tests.test_voting as theirs

from tests.peers.their_tests import run_theirs


def test_all_pass(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    ours = "\nfrom suffice import VotingClassifier, VotingRegressor\n"
    replaced = re.sub(
        r"^from sklearn\.ensemble import \((?:\n.*?)*?\n\)\n", lambda m: m.group(0) + ours, text, count=1, flags=re.M
    )
    done = run_theirs(tmp_path, "test_voting.py", text, replaced)
    assert done.failed == [], done.told[-4000:]
    assert done.passed >= 40
