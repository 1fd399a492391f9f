"""scikit-learn's own tests of GaussianMixture pass with the import replaced, less a named list with reasons."""

from __future__ import annotations

from pathlib import Path

import sklearn.mixture.tests.test_gaussian_mixture as theirs

from tests.peers.their_tests import run_theirs

FAILING = {
    "test_gaussian_mixture_precisions_init": "calls GaussianMixture._set_parameters and _initialize, private members",
    "test_gaussian_mixture_all_init_does_not_estimate_gaussian_parameters": "counts calls of a private function",
    "test_gaussian_mixture_setting_best_params": "a component collapsed onto one row: rounding leaves scikit-learn a "
    "variance just above 0, ours is exactly 0 and is refused",
}


def test_only_the_named_tests_fail(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = text.replace("from sklearn.mixture import GaussianMixture\n", "from suffice import GaussianMixture\n")
    done = run_theirs(tmp_path, "test_gaussian_mixture.py", text, replaced)
    assert set(done.failed) == set(FAILING), done.told[-4000:]
    assert len(done.failed) == 6, done.failed  # the first for each of the four shapes of covariance
    assert done.passed >= 50
