"""Models that keep their rows and ask which are near: votes of neighbours, window densities, kernel regression."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "KNeighborsClassifier": "suffice.neighbours.k_neighbors_classifier",
    "KNeighborsRegressor": "suffice.neighbours.k_neighbors_regressor",
    "KernelDensity": "suffice.neighbours.kernel_density",
    "KernelRegression": "suffice.neighbours.kernel_regression",
    "NearestCentroid": "suffice.neighbours.nearest_centroid",
    "NearestNeighbors": "suffice.neighbours.nearest_neighbors",
    "RadiusNeighborsClassifier": "suffice.neighbours.radius_neighbors_classifier",
    "RadiusNeighborsRegressor": "suffice.neighbours.radius_neighbors_regressor",
}

_TOP = _HOMES.keys()  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
