"""scikit-learn's own tests of its clusterers pass with the import replaced, less a named list with reasons."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    check_set_output_transform,
    check_set_output_transform_pandas,
    check_transformer_get_feature_names_out,
    check_transformer_get_feature_names_out_pandas,
)

from suffice import BisectingKMeans, FeatureAgglomeration, KMeans, MiniBatchKMeans
from tests.peers.their_tests import run_theirs

READ_ONLY = "sets a fitted attribute; ours are read from the fitted value"
PRIVATE = "calls a private method"
FILES: dict[str, tuple[str, str, dict[str, str], int]] = {  # file: import, in its place, failing with reasons, passing
    "test_k_means": (
        "from sklearn.cluster import KMeans, MiniBatchKMeans, k_means, kmeans_plusplus",
        "from sklearn.cluster import k_means, kmeans_plusplus\nfrom suffice import KMeans, MiniBatchKMeans",
        {
            "test_predict_does_not_change_cluster_centers": READ_ONLY,
            "test_sample_weight_init": PRIVATE,
            "test_sample_weight_zero": PRIVATE,
        },
        250,
    ),
    "test_bisect_k_means": (
        "from sklearn.cluster import BisectingKMeans",
        "from suffice import BisectingKMeans",
        {},
        20,
    ),
    "test_hierarchical": (
        "from sklearn.cluster import AgglomerativeClustering, FeatureAgglomeration, ward_tree",
        "from sklearn.cluster import ward_tree\nfrom suffice import AgglomerativeClustering, FeatureAgglomeration",
        {},
        70,
    ),
    "test_feature_agglomeration": (
        "from sklearn.cluster import FeatureAgglomeration",
        "from suffice import FeatureAgglomeration",
        {},
        2,
    ),
    "test_dbscan": (
        "from sklearn.cluster import DBSCAN, dbscan",
        "from sklearn.cluster import dbscan\nfrom suffice import DBSCAN",
        {"test_weighted_dbscan": "a row of weight 0 is no row: it is no core row either"},
        30,
    ),
    "test_affinity_propagation": (
        "from sklearn.cluster import AffinityPropagation, affinity_propagation",
        "from sklearn.cluster import affinity_propagation\nfrom suffice import AffinityPropagation",
        {
            "test_affinity_propagation_convergence_warning_dense_sparse": READ_ONLY,
            "test_sparse_input_for_fit_predict": "five rows of zeros and ones, whose ties rounding breaks",
        },
        16,
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_only_the_named_tests_fail(name: str, tmp_path: Path) -> None:
    theirs, ours, failing, passing = FILES[name]
    found = find_spec(f"sklearn.cluster.tests.{name}")  # not imported: its marks are unknown here
    assert found is not None
    text = Path(str(found.origin)).read_text(encoding="utf-8")
    done = run_theirs(tmp_path, f"{name}.py", text, text.replace(theirs, ours))
    assert set(done.failed) == set(failing), done.told[-4000:]
    assert done.passed >= passing


TRANSFORMERS = [KMeans, MiniBatchKMeans, BisectingKMeans, FeatureAgglomeration]
CHECKS = [
    check_dataframe_column_names_consistency,
    check_set_output_transform,
    check_set_output_transform_pandas,
    check_transformer_get_feature_names_out,
    check_transformer_get_feature_names_out_pandas,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("cls", TRANSFORMERS, ids=lambda cls: cls.__name__)
@pytest.mark.filterwarnings("ignore:X (does not have|has) .*feature names")
def test_checks_of_transformers(cls: type[Any], check: Any) -> None:
    check(cls.__name__, cls(n_clusters=2))


def test_distances_to_centres_are_what_is_transformed() -> None:
    X = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    far = KMeans(1, init=[[3.0, 4.0]]).fit(X).transform(X)
    np.testing.assert_allclose(far.ravel(), [5.0, 0.0, 5.0], atol=1e-12)
