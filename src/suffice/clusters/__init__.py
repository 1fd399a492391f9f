"""Groups of rows without labels: centres, medoids, hierarchies, dense regions, messages; and how good they are."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "BisectingKMeans": "suffice.clusters.centres.bisecting_k_means",
    "KMeans": "suffice.clusters.centres.k_means",
    "MiniBatchKMeans": "suffice.clusters.centres.mini_batch_k_means",
}

_APART: frozenset[str] = frozenset()  # functions and values: names of the room alone
_TOP = [name for name in _HOMES if name not in _APART]  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
