"""Bad input gets one clear sentence, and nothing is changed: who refused, which argument, what must hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import suffice
from suffice import clusters
from suffice.core.errors import SufficeError

X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0], [6.0, 5.0], [5.0, 6.0]])
HOLED = np.where(np.arange(12).reshape(6, 2) == 3, np.nan, X)
LABELS = [0, 0, 0, 1, 1, 1]


class Case(NamedTuple):
    """Something that must be refused."""

    owner: str
    argument: str
    rule: str
    call: Callable[[], Any]


def fitting(owner: str, argument: str, told: str, /, rows: Any = X, w: Any = None, **parameters: Any) -> Case:
    given = {} if w is None else {"sample_weight": w}
    return Case(owner, argument, told, lambda: getattr(suffice, owner)(**parameters).fit(rows, **given))


def asking(owner: str, argument: str, rule: str, *given: Any, **named: Any) -> Case:
    return Case(owner, argument, rule, lambda: getattr(clusters, owner)(*given, **named))


CASES = [
    # parameters that scikit-learn's checks read
    fitting("KMeans", "n_clusters", "an int in the range", n_clusters=0),
    fitting("KMeans", "init", "a str among", init="best"),
    fitting("KMeans", "n_init", "a str among", n_init=0),
    fitting("KMeans", "tol", "a float in the range", tol=-1.0),
    fitting("KMeans", "algorithm", "a str among", algorithm="full"),
    fitting("MiniBatchKMeans", "batch_size", "an int in the range", batch_size=0),
    fitting("MiniBatchKMeans", "reassignment_ratio", "a float in the range", reassignment_ratio=-1),
    fitting("BisectingKMeans", "bisecting_strategy", "a str among", bisecting_strategy="any"),
    fitting("FuzzyCMeans", "m", "a float in the range", m=1.0),
    fitting("FuzzyCMeans", "max_iter", "an int in the range", max_iter=0),
    fitting("KExemplars", "distance", "a str among", distance="hamming"),
    fitting("KernelKMeans", "rule", "a str among", rule="best"),
    fitting("KernelKMeans", "kernel", "a str among", kernel="cubic"),
    fitting("KMedoids", "method", "a str among", method="clarans"),
    fitting("KMedoids", "metric", "a str among", metric="far"),
    fitting("KMedoids", "sample_size", "an int in the range", sample_size=0),
    fitting("AgglomerativeClustering", "linkage", "a str among", linkage="mean"),
    fitting("DBSCAN", "eps", "a float in the range", eps=0.0),
    fitting("DBSCAN", "min_samples", "an int in the range", min_samples=0),
    fitting("AffinityPropagation", "damping", "a float in the range", damping=0.2),
    # rows
    *(
        fitting(name, "", "NaN", rows=HOLED)
        for name in (
            "AffinityPropagation",
            "AgglomerativeClustering",
            "BisectingKMeans",
            "DBSCAN",
            "FeatureAgglomeration",
            "FuzzyCMeans",
            "KExemplars",
            "KMeans",
            "KMedoids",
            "KernelKMeans",
            "MiniBatchKMeans",
        )
    ),
    *(
        fitting(name, "X", "n_samples=6 should be >= n_clusters=7", n_clusters=7)
        for name in (
            "BisectingKMeans",
            "FuzzyCMeans",
            "KExemplars",
            "KMeans",
            "KMedoids",
            "KernelKMeans",
            "MiniBatchKMeans",
        )
    ),
    fitting("KMeans", "X", "n_samples=2 should be >= n_clusters=3", n_clusters=3, w=[1, 1, 0, 0, 0, 0]),
    fitting("KMeans", "init", "does not match the number of clusters 2", n_clusters=2, init=[[0.0, 0.0]]),
    fitting("KMeans", "init", "does not match the number of features", n_clusters=1, init=[[0.0]]),
    fitting("KMeans", "init", "finite", n_clusters=1, init=[[np.nan, 0.0]]),
    fitting("KernelKMeans", "init", "one label a row", n_clusters=2, init=[0, 1]),
    fitting("KernelKMeans", "init", "one label a row", n_clusters=2, init=[0, 1, 2, 0, 0, 0]),
    fitting("KernelKMeans", "X", "a square of kernel values", n_clusters=2, kernel="precomputed"),
    fitting("KMedoids", "X", "a square of distances", n_clusters=2, metric="precomputed"),
    fitting("DBSCAN", "X", "a square of distances", metric="precomputed"),
    fitting("AffinityPropagation", "X", "a square of similarities", affinity="precomputed"),
    fitting("AffinityPropagation", "preference", "one a row", preference=[1.0, 2.0]),
    fitting("KExemplars", "X", "of rows that have a direction", n_clusters=2, distance="cosine"),
    fitting("AgglomerativeClustering", "X", "a square of distances", metric="precomputed", linkage="average"),
    fitting("AgglomerativeClustering", "metric", "euclidean or l2 for Ward", metric="manhattan"),
    fitting("AgglomerativeClustering", "n_clusters", "at most the number of rows", n_clusters=7),
    fitting("AgglomerativeClustering", "n_clusters", "Exactly one of", distance_threshold=1.0),
    fitting("AgglomerativeClustering", "connectivity", r"of shape \(6, 6\)", connectivity=np.ones((2, 2))),
    fitting("AgglomerativeClustering", "connectivity", "None where", connectivity=np.ones((6, 6)), must_link=[(0, 1)]),
    fitting("AgglomerativeClustering", "linkage", "one of single", connectivity=np.ones((6, 6)), linkage="centroid"),
    fitting("AgglomerativeClustering", "must_link", "pairs of row numbers", must_link=[0, 1]),
    fitting("AgglomerativeClustering", "cannot_link", "numbers of the 6 rows", cannot_link=[(0, 9)]),
    fitting("AgglomerativeClustering", "cannot_link", "pairs of different rows", cannot_link=[(1, 1)]),
    fitting("AgglomerativeClustering", "X", "at least 2 rows that weigh", w=[1, 0, 0, 0, 0, 0]),
    # weights
    *(
        fitting(name, "sample_weight", "at least 0", w=[-1.0] * 6)
        for name in ("AgglomerativeClustering", "DBSCAN", "FuzzyCMeans", "KMeans", "KMedoids")
    ),
    # functions
    asking("linkage_tree", "linkage", "one of average", X, "mean"),
    asking("linkage_tree", "algorithm", "one of auto", X, "single", algorithm="fast"),
    asking("linkage_tree", "algorithm", "nearest pair", X, "centroid", algorithm="chain"),
    asking("linkage_tree", "algorithm", "another for linkages but single", X, "ward", algorithm="spanning tree"),
    asking("linkage_tree", "X", "a table of at least 2 rows", X[:1]),
    asking("linkage_tree", "X", "finite", HOLED),
    asking("linkage_tree", "sample_weight", "above 0 in every row", X, sample_weight=[0, 1, 1, 1, 1, 1]),
    asking("linkage_between", "linkage", "one of average", X, X, "far"),
    asking("linkage_between", "A and B", "tables with rows", X[:0], X),
    asking("silhouettes", "labels", "of 2 to 5 clusters", X, [0] * 6),
    asking("silhouettes", "labels", "one a row", X, [0, 1]),
    asking("silhouettes", "X", "finite", HOLED, LABELS),
    asking("silhouettes", "X", "a square of distances", X, LABELS, "precomputed"),
    asking("calinski_harabasz", "labels", "of 2 to 5 clusters", X, range(6)),
    asking("davies_bouldin", "labels", "of 2 to 5 clusters", X, [1] * 6),
    asking("cohesion", "over", "'pairs' or 'prototype'", X, LABELS, over="rows"),
    asking("separation", "over", "'pairs' where distances", np.eye(6), LABELS, over="prototype", metric="precomputed"),
    asking("adjusted_rand", "groups and clusters", "two columns of one length", [0, 1], [0, 1, 2]),
    asking("divide", "clusters", "from 1 to 6", X, 7),
    asking("divide", "helper", "'k-means', 'exhaustive'", X, 2, "best"),
    asking("choose_clusters", "by", "one of calinski", X, [2, 3], by="eye"),
    asking("choose_clusters", "clusters", "of at least 2", X, [1, 2]),
    asking("gap_statistic", "clusters", "rising", X, [3, 2]),
    asking("stability", "share", "above 0.5", lambda: suffice.KMeans(2), X, share=0.2),
    asking("quantise_image", "image", "rows and columns of numbers", [1.0, 2.0]),
    asking("quantise_image", "colours", "at least 1", np.zeros((2, 2)), 0),
    asking("check_partition", "U", "a table of memberships", [0.5, 0.5]),
    asking("stationary_partitions", "X", "of at most 14 rows", np.zeros((20, 1))),
]
SPEAKERS = {"adjusted_rand": "LabelTable"}


def test_there_are_many() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.owner} {case.argument} {case.rule}"[:60])
def test_it_is_refused_in_one_sentence(case: Case) -> None:
    with pytest.raises((SufficeError, ValueError)) as caught:
        case.call()
    told = str(caught.value)
    assert "\n" not in told.strip() or "NaN" in told, told
    assert re.search(case.rule, told), told
    assert SPEAKERS.get(case.owner, case.owner) in told, told
    assert case.argument in told, told


def test_nobody_merges_what_does_not_add() -> None:
    model = suffice.KMeans(2, random_state=0).fit(X)
    assert not hasattr(model, "merge")
    assert not hasattr(model, "partial_fit")


TREE = clusters.linkage_tree(X, "average")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: clusters.gap_statistic(HOLED, [1, 2]), "gap_statistic: X must be rows of finite numbers"),
        (lambda: clusters.gap_statistic([["a"]], [1]), "gap_statistic: X must be rows of numbers"),
        (lambda: clusters.gap_statistic(X, [1, 2], references=0), "gap_statistic: references must be"),
        (lambda: clusters.gap_statistic(X, [1.5, 2.7]), "gap_statistic: clusters must be different numbers"),
        (lambda: clusters.choose_clusters(X, "ab"), "choose_clusters: clusters must be different numbers"),
        (lambda: clusters.stability(lambda: suffice.KMeans(2), [["a"]]), "stability: X must be rows of numbers"),
        (lambda: clusters.propagate(np.ones((2, 3))), "propagate: S must be a square"),
        (lambda: clusters.propagate([[np.nan, 1.0], [1.0, 0.0]]), "propagate: S must be a square"),
        (lambda: clusters.propagate(np.eye(2), damping=1.0), "propagate: damping must be at least 0 and below 1"),
        (lambda: clusters.partition_coefficient([[np.nan, 1.0]]), "partition_coefficient: U must be"),
        (lambda: clusters.defuzzify([["a"]]), "defuzzify: X must be rows of numbers"),
        (lambda: clusters.ward_increase(X[:0], X), "ward_increase: A and B must be tables with rows"),
        (lambda: clusters.ward_increase(HOLED, X), "ward_increase: A and B must be finite"),
        (lambda: clusters.linkage_between(HOLED, X), "linkage_between: A and B must be finite"),
        (lambda: TREE.cut(1.5), "MergeTree: clusters must be from 1 to 6"),
        (lambda: TREE.cut_height(np.nan), "MergeTree: height must be a number"),
        (lambda: TREE.cophenetic_correlation(np.ones((6, 6))), "MergeTree: D must be finite distances that are not"),
    ],
)
def test_functions_refuse_what_is_no_number(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(SufficeError) as caught:
        call()
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)


def test_an_offset_costs_no_digits_of_the_rise_of_the_scatter() -> None:
    far = np.ldexp(1.0, 30)
    A, B = np.round(X * 8.0 + 0.3 * np.arange(6)[:, None]) / 8.0, X[:5] + 0.125
    assert clusters.ward_increase(A + far, B + far) == pytest.approx(clusters.ward_increase(A, B), rel=1e-13)
