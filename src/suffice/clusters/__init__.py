"""Groups of rows without labels: centres, medoids, hierarchies, dense regions, messages; and how good they are."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "AffinityPropagation": "suffice.clusters.affinity_propagation",
    "DBSCAN": "suffice.clusters.dbscan",
    "AgglomerativeClustering": "suffice.clusters.hierarchies.agglomerative_clustering",
    "BisectingKMeans": "suffice.clusters.centres.bisecting_k_means",
    "FeatureAgglomeration": "suffice.clusters.hierarchies.feature_agglomeration",
    "InfeasibleLinks": "suffice.clusters.hierarchies.link_constraints",
    "KMeans": "suffice.clusters.centres.k_means",
    "LINKAGES": "suffice.clusters.hierarchies.linkages",
    "LinkConstraints": "suffice.clusters.hierarchies.link_constraints",
    "MergeTree": "suffice.clusters.hierarchies.merge_tree",
    "MiniBatchKMeans": "suffice.clusters.centres.mini_batch_k_means",
    "propagate": "suffice.clusters.affinity_messages",
    "linkage_between": "suffice.clusters.hierarchies.linkages",
    "linkage_tree": "suffice.clusters.hierarchies.merging",
    "ward_increase": "suffice.clusters.hierarchies.linkages",
}

_TOP = {  # names of `suffice` too: the estimators
    "AffinityPropagation",
    "AgglomerativeClustering",
    "DBSCAN",
    "BisectingKMeans",
    "FeatureAgglomeration",
    "KMeans",
    "MiniBatchKMeans",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
