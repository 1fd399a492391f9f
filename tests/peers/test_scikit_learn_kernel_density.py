"""scikit-learn's own tests of KernelDensity pass with the import replaced, less a named list with reasons."""

from __future__ import annotations

from pathlib import Path

import sklearn.neighbors.tests.test_kde as theirs

from tests.peers.their_tests import run_theirs

FAILING = {
    "test_kernel_density_sampling": "wants draws from four of the windows to be refused; ours are drawn",
    "test_kde_algorithm_metric_choice": "wants metrics in which no window integrates to 1",
    "test_kde_sample_weights": "the same, after the Euclidean metric has passed",
}


def test_only_the_named_tests_fail(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = text.replace(
        "from sklearn.neighbors import KDTree, KernelDensity, NearestNeighbors",
        "from sklearn.neighbors import KDTree, NearestNeighbors\nfrom suffice import KernelDensity",
    )
    done = run_theirs(tmp_path, "test_kde.py", text, replaced)
    assert set(done.failed) == set(FAILING), done.told[-4000:]
    assert len(done.failed) == 2 + 8, done.failed  # three metrics with three trees, one of which refuses one itself
    assert done.passed >= 40
    assert "DID NOT RAISE" in done.told  # the draws
    assert "metric must be euclidean" in done.told
