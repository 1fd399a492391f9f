"""Projections and maps: principal components, factorisations, completion, scaling, Isomap, t-SNE, self-organising map."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "IncrementalPCA": "suffice.projections.components.incremental_pca",
    "LatentSemanticIndex": "suffice.projections.components.latent_semantic_index",
    "LinearMap": "suffice.projections.components.linear_map",
    "LowRank": "suffice.projections.components.low_rank",
    "PCA": "suffice.projections.components.pca",
    "TruncatedSVD": "suffice.projections.components.truncated_svd",
    "broken_stick": "suffice.projections.components.component_counts",
    "greatest_directions": "suffice.projections.components.principal_axes",
    "low_rank": "suffice.projections.components.low_rank",
    "principal_axes": "suffice.projections.components.principal_axes",
}

_TOP = {
    name for name, home in _HOMES.items() if name in ("IncrementalPCA", "PCA", "TruncatedSVD")
}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
