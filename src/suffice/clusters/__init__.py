"""Groups of rows without labels: centres, medoids, hierarchies, dense regions, messages; and how good they are."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "AffinityPropagation": "suffice.clusters.affinity_propagation",
    "AgglomerativeClustering": "suffice.clusters.hierarchies.agglomerative_clustering",
    "BisectingKMeans": "suffice.clusters.centres.bisecting_k_means",
    "DBSCAN": "suffice.clusters.dbscan",
    "FeatureAgglomeration": "suffice.clusters.hierarchies.feature_agglomeration",
    "FuzzyCMeans": "suffice.clusters.centres.fuzzy_c_means",
    "InfeasibleLinks": "suffice.clusters.hierarchies.link_constraints",
    "KMeans": "suffice.clusters.centres.k_means",
    "KMedoids": "suffice.clusters.medoids.k_medoids",
    "KernelKMeans": "suffice.clusters.centres.kernel_k_means",
    "LINKAGES": "suffice.clusters.hierarchies.linkages",
    "LinkConstraints": "suffice.clusters.hierarchies.link_constraints",
    "MergeTree": "suffice.clusters.hierarchies.merge_tree",
    "MiniBatchKMeans": "suffice.clusters.centres.mini_batch_k_means",
    "PartitionCheck": "suffice.clusters.centres.fuzzy_partition",
    "check_partition": "suffice.clusters.centres.fuzzy_partition",
    "defuzzify": "suffice.clusters.centres.fuzzy_partition",
    "linkage_between": "suffice.clusters.hierarchies.linkages",
    "linkage_tree": "suffice.clusters.hierarchies.merging",
    "partition_coefficient": "suffice.clusters.centres.fuzzy_partition",
    "partition_entropy": "suffice.clusters.centres.fuzzy_partition",
    "propagate": "suffice.clusters.affinity_messages",
    "ward_increase": "suffice.clusters.hierarchies.linkages",
}

_TOP = {  # names of `suffice` too: the estimators
    "AffinityPropagation",
    "AgglomerativeClustering",
    "BisectingKMeans",
    "DBSCAN",
    "FeatureAgglomeration",
    "FuzzyCMeans",
    "KMeans",
    "KMedoids",
    "KernelKMeans",
    "MiniBatchKMeans",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
