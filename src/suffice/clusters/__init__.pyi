"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.clusters.affinity_propagation import AffinityPropagation as AffinityPropagation
from suffice.clusters.hierarchies.agglomerative_clustering import AgglomerativeClustering as AgglomerativeClustering
from suffice.clusters.centres.bisecting_k_means import BisectingKMeans as BisectingKMeans
from suffice.clusters.validation.how_many import ClusterCurve as ClusterCurve
from suffice.clusters.dbscan import DBSCAN as DBSCAN
from suffice.clusters.hierarchies.divisive import DividedTree as DividedTree
from suffice.clusters.centres.exemplar_centres import EXEMPLARS as EXEMPLARS
from suffice.clusters.hierarchies.feature_agglomeration import FeatureAgglomeration as FeatureAgglomeration
from suffice.clusters.centres.fuzzy_c_means import FuzzyCMeans as FuzzyCMeans
from suffice.clusters.hierarchies.link_constraints import InfeasibleLinks as InfeasibleLinks
from suffice.clusters.centres.k_exemplars import KExemplars as KExemplars
from suffice.clusters.centres.k_means import KMeans as KMeans
from suffice.clusters.medoids.k_medoids import KMedoids as KMedoids
from suffice.clusters.centres.kernel_k_means import KernelKMeans as KernelKMeans
from suffice.clusters.hierarchies.linkages import LINKAGES as LINKAGES
from suffice.clusters.validation.label_table import LabelTable as LabelTable
from suffice.clusters.centres.landmark_kernel_k_means import LandmarkKernelKMeans as LandmarkKernelKMeans
from suffice.clusters.hierarchies.link_constraints import LinkConstraints as LinkConstraints
from suffice.clusters.hierarchies.merge_tree import MergeTree as MergeTree
from suffice.clusters.centres.mini_batch_k_means import MiniBatchKMeans as MiniBatchKMeans
from suffice.clusters.validation.label_table import PairCounts as PairCounts
from suffice.clusters.centres.palette import Palette as Palette
from suffice.clusters.centres.fuzzy_partition import PartitionCheck as PartitionCheck
from suffice.clusters.centres.centre_starts import STARTS as STARTS
from suffice.clusters.centres.scatter import ScatterParts as ScatterParts
from suffice.clusters.validation.compactness import SeparationCheck as SeparationCheck
from suffice.clusters.validation.silhouettes import Silhouettes as Silhouettes
from suffice.clusters.validation.label_table import adjusted_rand as adjusted_rand
from suffice.clusters.validation.compactness import calinski_harabasz as calinski_harabasz
from suffice.clusters.centres.fuzzy_partition import check_partition as check_partition
from suffice.clusters.validation.compactness import check_separated as check_separated
from suffice.clusters.validation.how_many import choose_clusters as choose_clusters
from suffice.clusters.validation.compactness import cohesion as cohesion
from suffice.clusters.validation.compactness import davies_bouldin as davies_bouldin
from suffice.clusters.centres.fuzzy_partition import defuzzify as defuzzify
from suffice.clusters.hierarchies.divisive import divide as divide
from suffice.clusters.validation.how_many import gap_statistic as gap_statistic
from suffice.clusters.centres.scatter import is_stationary as is_stationary
from suffice.clusters.centres.kernel_k_means import kernel_step as kernel_step
from suffice.clusters.hierarchies.linkages import linkage_between as linkage_between
from suffice.clusters.hierarchies.merging import linkage_tree as linkage_tree
from suffice.clusters.centres.fuzzy_partition import partition_coefficient as partition_coefficient
from suffice.clusters.centres.fuzzy_partition import partition_entropy as partition_entropy
from suffice.clusters.centres.kernel_k_means import printed_step as printed_step
from suffice.clusters.affinity_messages import propagate as propagate
from suffice.clusters.centres.palette import quantise_image as quantise_image
from suffice.clusters.centres.scatter import scatter_matrix as scatter_matrix
from suffice.clusters.centres.scatter import scatter_parts as scatter_parts
from suffice.clusters.validation.compactness import separation as separation
from suffice.clusters.validation.silhouettes import silhouettes as silhouettes
from suffice.clusters.validation.how_many import stability as stability
from suffice.clusters.centres.scatter import stationary_partitions as stationary_partitions
from suffice.clusters.validation.compactness import sum_of_squares as sum_of_squares
from suffice.clusters.medoids.swapping import swap_gains as swap_gains
from suffice.clusters.hierarchies.linkages import ward_increase as ward_increase

__all__ = [
    "AffinityPropagation",
    "AgglomerativeClustering",
    "BisectingKMeans",
    "ClusterCurve",
    "DBSCAN",
    "DividedTree",
    "EXEMPLARS",
    "FeatureAgglomeration",
    "FuzzyCMeans",
    "InfeasibleLinks",
    "KExemplars",
    "KMeans",
    "KMedoids",
    "KernelKMeans",
    "LINKAGES",
    "LabelTable",
    "LandmarkKernelKMeans",
    "LinkConstraints",
    "MergeTree",
    "MiniBatchKMeans",
    "PairCounts",
    "Palette",
    "PartitionCheck",
    "STARTS",
    "ScatterParts",
    "SeparationCheck",
    "Silhouettes",
    "adjusted_rand",
    "calinski_harabasz",
    "check_partition",
    "check_separated",
    "choose_clusters",
    "cohesion",
    "davies_bouldin",
    "defuzzify",
    "divide",
    "gap_statistic",
    "is_stationary",
    "kernel_step",
    "linkage_between",
    "linkage_tree",
    "partition_coefficient",
    "partition_entropy",
    "printed_step",
    "propagate",
    "quantise_image",
    "scatter_matrix",
    "scatter_parts",
    "separation",
    "silhouettes",
    "stability",
    "stationary_partitions",
    "sum_of_squares",
    "swap_gains",
    "ward_increase",
]
