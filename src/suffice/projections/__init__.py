"""Projections and maps: components, factorisations, completion, scaling, Isomap, t-SNE, self-organising map."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "BooleanFactors": "suffice.projections.factors.boolean_factors",
    "ClassicalMDS": "suffice.projections.maps.classical_mds",
    "Completed": "suffice.projections.factors.completion",
    "IncrementalPCA": "suffice.projections.components.incremental_pca",
    "Isomap": "suffice.projections.maps.isomap",
    "LatentSemanticIndex": "suffice.projections.components.latent_semantic_index",
    "LinearMap": "suffice.projections.components.linear_map",
    "LowRank": "suffice.projections.components.low_rank",
    "MDS": "suffice.projections.maps.mds",
    "MatrixCompletion": "suffice.projections.factors.matrix_completion",
    "NMF": "suffice.projections.factors.nmf",
    "PCA": "suffice.projections.components.pca",
    "SelfOrganizingMap": "suffice.projections.grids.self_organizing_map",
    "Shepard": "suffice.projections.maps.map_quality",
    "TSNE": "suffice.projections.maps.tsne",
    "TruncatedSVD": "suffice.projections.components.truncated_svd",
    "UnitGrid": "suffice.projections.grids.unit_grid",
    "boolean_factors": "suffice.projections.factors.boolean_factors",
    "boolean_product": "suffice.projections.factors.boolean_factors",
    "broken_stick": "suffice.projections.components.component_counts",
    "choose_components": "suffice.projections.components.component_selection",
    "choose_rank": "suffice.projections.factors.rank_selection",
    "classical_scaling": "suffice.projections.maps.classical_scaling",
    "complete_entries": "suffice.projections.factors.completion",
    "conditional_probabilities": "suffice.projections.maps.neighbour_probabilities",
    "continuity": "suffice.projections.maps.map_quality",
    "greatest_directions": "suffice.projections.components.principal_axes",
    "joint_probabilities": "suffice.projections.maps.neighbour_probabilities",
    "kullback_leibler": "suffice.projections.maps.neighbour_probabilities",
    "low_rank": "suffice.projections.components.low_rank",
    "map_probabilities": "suffice.projections.maps.neighbour_probabilities",
    "principal_axes": "suffice.projections.components.principal_axes",
    "shepard": "suffice.projections.maps.map_quality",
    "soft_impute": "suffice.projections.factors.completion",
    "stress": "suffice.projections.maps.map_quality",
    "trustworthiness": "suffice.projections.maps.map_quality",
    "weighted_topics": "suffice.projections.factors.weighted_topics",
}

# names of `suffice` too
_TOP = {
    "ClassicalMDS",
    "IncrementalPCA",
    "Isomap",
    "MDS",
    "MatrixCompletion",
    "NMF",
    "PCA",
    "SelfOrganizingMap",
    "TSNE",
} | {"TruncatedSVD"}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
