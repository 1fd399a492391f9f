"""scikit-learn's own tests of naive Bayes pass with the import replaced, less a named list with reasons."""

from __future__ import annotations

from pathlib import Path

import sklearn.tests.test_naive_bayes as theirs

from tests.peers.their_tests import run_theirs

FAILING = {
    "test_gnb_check_update_with_no_data": "calls GaussianNB._update_mean_variance, a private member of scikit-learn's",
    "test_discretenb_provide_prior": "wants the classes of a fit that failed to be remembered: half-changed state",
}


def test_only_the_named_tests_fail(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = text.replace("from sklearn.naive_bayes import (", "from suffice import (")
    assert "sklearn.naive_bayes" not in replaced
    done = run_theirs(tmp_path, "test_naive_bayes.py", text, replaced)
    assert set(done.failed) == set(FAILING), done.told[-4000:]
    assert len(done.failed) == 5, done.failed  # one of the first, and one for each of the four discrete models
    assert done.passed >= 81
