"""Projections and maps: principal components, factorisations, completion, scaling, Isomap, t-SNE, self-organising map."""

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
    "TruncatedSVD": "suffice.projections.components.truncated_svd",
    "boolean_factors": "suffice.projections.factors.boolean_factors",
    "boolean_product": "suffice.projections.factors.boolean_factors",
    "broken_stick": "suffice.projections.components.component_counts",
    "choose_rank": "suffice.projections.factors.rank_selection",
    "complete_entries": "suffice.projections.factors.completion",
    "greatest_directions": "suffice.projections.components.principal_axes",
    "low_rank": "suffice.projections.components.low_rank",
    "principal_axes": "suffice.projections.components.principal_axes",
    "soft_impute": "suffice.projections.factors.completion",
    "weighted_topics": "suffice.projections.factors.weighted_topics",
}

_TOP = {
    "ClassicalMDS",
    "IncrementalPCA",
    "Isomap",
    "MDS",
    "MatrixCompletion",
    "NMF",
    "PCA",
    "TruncatedSVD",
}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
