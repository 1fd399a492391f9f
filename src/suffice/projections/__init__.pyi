"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.projections.factors.boolean_factors import BooleanFactors as BooleanFactors
from suffice.projections.maps.classical_mds import ClassicalMDS as ClassicalMDS
from suffice.projections.factors.completion import Completed as Completed
from suffice.projections.components.incremental_pca import IncrementalPCA as IncrementalPCA
from suffice.projections.maps.isomap import Isomap as Isomap
from suffice.projections.components.latent_semantic_index import LatentSemanticIndex as LatentSemanticIndex
from suffice.projections.components.linear_map import LinearMap as LinearMap
from suffice.projections.components.low_rank import LowRank as LowRank
from suffice.projections.maps.mds import MDS as MDS
from suffice.projections.factors.matrix_completion import MatrixCompletion as MatrixCompletion
from suffice.projections.factors.nmf import NMF as NMF
from suffice.projections.components.pca import PCA as PCA
from suffice.projections.grids.self_organizing_map import SelfOrganizingMap as SelfOrganizingMap
from suffice.projections.maps.map_quality import Shepard as Shepard
from suffice.projections.maps.tsne import TSNE as TSNE
from suffice.projections.components.truncated_svd import TruncatedSVD as TruncatedSVD
from suffice.projections.grids.unit_grid import UnitGrid as UnitGrid
from suffice.projections.factors.boolean_factors import boolean_factors as boolean_factors
from suffice.projections.factors.boolean_factors import boolean_product as boolean_product
from suffice.projections.components.component_counts import broken_stick as broken_stick
from suffice.projections.components.component_selection import choose_components as choose_components
from suffice.projections.factors.rank_selection import choose_rank as choose_rank
from suffice.projections.maps.classical_scaling import classical_scaling as classical_scaling
from suffice.projections.factors.completion import complete_entries as complete_entries
from suffice.projections.maps.neighbour_probabilities import conditional_probabilities as conditional_probabilities
from suffice.projections.maps.map_quality import continuity as continuity
from suffice.projections.components.principal_axes import greatest_directions as greatest_directions
from suffice.projections.maps.neighbour_probabilities import joint_probabilities as joint_probabilities
from suffice.projections.maps.neighbour_probabilities import kullback_leibler as kullback_leibler
from suffice.projections.components.low_rank import low_rank as low_rank
from suffice.projections.maps.neighbour_probabilities import map_probabilities as map_probabilities
from suffice.projections.components.principal_axes import principal_axes as principal_axes
from suffice.projections.maps.map_quality import shepard as shepard
from suffice.projections.factors.completion import soft_impute as soft_impute
from suffice.projections.maps.map_quality import stress as stress
from suffice.projections.maps.map_quality import trustworthiness as trustworthiness
from suffice.projections.factors.weighted_topics import weighted_topics as weighted_topics

__all__ = [
    "BooleanFactors",
    "ClassicalMDS",
    "Completed",
    "IncrementalPCA",
    "Isomap",
    "LatentSemanticIndex",
    "LinearMap",
    "LowRank",
    "MDS",
    "MatrixCompletion",
    "NMF",
    "PCA",
    "SelfOrganizingMap",
    "Shepard",
    "TSNE",
    "TruncatedSVD",
    "UnitGrid",
    "boolean_factors",
    "boolean_product",
    "broken_stick",
    "choose_components",
    "choose_rank",
    "classical_scaling",
    "complete_entries",
    "conditional_probabilities",
    "continuity",
    "greatest_directions",
    "joint_probabilities",
    "kullback_leibler",
    "low_rank",
    "map_probabilities",
    "principal_axes",
    "shepard",
    "soft_impute",
    "stress",
    "trustworthiness",
    "weighted_topics",
]
