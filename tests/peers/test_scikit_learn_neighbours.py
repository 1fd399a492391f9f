"""scikit-learn's own tests of neighbours and centroids pass with the import replaced, less a list with reasons."""

from __future__ import annotations

from pathlib import Path

import sklearn.neighbors

from tests.peers.their_tests import run_theirs

FOLDER = Path(sklearn.neighbors.__file__).parent / "tests"
NEGATIVE = "gives Mahalanobis an inverse covariance with negative eigenvalues, which is refused"
FAILING = {
    "test_kneighbors_brute_backend": NEGATIVE,
    "test_radius_neighbors_brute_backend": NEGATIVE,
    "test_auto_algorithm": "reads a private attribute; ours takes trees only where there are rows enough",
    "test_neighbors_metrics": "wants weights of columns refused by a k-d tree, which ours searches",
    "test_predict_sparse_ball_kd_tree": "wants sparse queries of a tree refused; ours are answered",
    "test_sparse_metric_callable": "wants a function of two sparse rows; ours are dense",
}
NAMES = (
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "NearestNeighbors",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
)
BEGIN = "rng = np.random.RandomState"
QUICKER = {  # fewer rows and sizes of the same
    "(1000, 5, 100)": "(150, 5, 100)",
    "(1000, 5, 100, 1)": "(150, 5, 100, 1)",
    "[(1, 100), (50, 500), (100, 1000)]": "[(50, 500)]",
}
MIXIN = "issubclass(NeighborsMixinSubclass, KNeighborsMixin)"  # a private class of theirs


def test_only_the_named_tests_of_neighbours_fail(tmp_path: Path) -> None:
    text = (FOLDER / "test_neighbors.py").read_text(encoding="utf-8")
    ours = "import suffice\n" + "".join(f"neighbors.{name} = {name} = suffice.{name}\n" for name in NAMES)
    replaced = text.replace(BEGIN, ours + BEGIN, 1).replace(MIXIN, '"KNeighbors" in NeighborsMixinSubclass.__name__')
    for slow, quick in QUICKER.items():
        assert slow in replaced
        replaced = replaced.replace(slow, quick)
    done = run_theirs(tmp_path, "test_neighbors.py", text, replaced)
    assert set(done.failed) == set(FAILING), done.told[-4000:]
    assert len(done.failed) == 9, done.failed
    assert done.passed >= 440


CONSTANT = "wants columns that do not vary refused; a shard of one row is a model that adds"


def test_only_the_named_tests_of_centroids_fail(tmp_path: Path) -> None:
    text = (FOLDER / "test_nearest_centroid.py").read_text(encoding="utf-8")
    replaced = text.replace("from sklearn.neighbors import NearestCentroid", "from suffice import NearestCentroid")
    done = run_theirs(tmp_path, "test_nearest_centroid.py", text, replaced)
    assert set(done.failed) == {"test_features_zero_var", "test_error_zero_variances"}, CONSTANT
    assert len(done.failed) == 4
    assert done.passed >= 15
