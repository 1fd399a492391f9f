"""Models that keep their rows and ask which are near: votes of neighbours, window densities, kernel regression."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "DistanceSpread": "suffice.neighbours.high_dimension",
    "KNeighborsClassifier": "suffice.neighbours.k_neighbors_classifier",
    "KNeighborsRegressor": "suffice.neighbours.k_neighbors_regressor",
    "KernelDensity": "suffice.neighbours.kernel_density",
    "KernelRegression": "suffice.neighbours.kernel_regression",
    "NearestCentroid": "suffice.neighbours.nearest_centroid",
    "NearestNeighbors": "suffice.neighbours.nearest_neighbors",
    "RadiusNeighborsClassifier": "suffice.neighbours.radius_neighbors_classifier",
    "RadiusNeighborsRegressor": "suffice.neighbours.radius_neighbors_regressor",
    "distance_spread": "suffice.neighbours.high_dimension",
    "exemplar_cells": "suffice.neighbours.voronoi_cells",
    "nearest_neighbour_bound": "suffice.neighbours.high_dimension",
    "refinement": "suffice.neighbours.voronoi_cells",
    "shell_share": "suffice.neighbours.high_dimension",
    "voronoi_neighbours": "suffice.neighbours.voronoi_cells",
}

# names of `suffice` too
_TOP = {name for name, home in _HOMES.items() if home.rpartition(".")[2] not in ("high_dimension", "voronoi_cells")}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
