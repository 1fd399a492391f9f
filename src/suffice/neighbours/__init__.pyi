"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.neighbours.high_dimension import DistanceSpread as DistanceSpread
from suffice.neighbours.k_neighbors_classifier import KNeighborsClassifier as KNeighborsClassifier
from suffice.neighbours.k_neighbors_regressor import KNeighborsRegressor as KNeighborsRegressor
from suffice.neighbours.kernel_density import KernelDensity as KernelDensity
from suffice.neighbours.kernel_regression import KernelRegression as KernelRegression
from suffice.neighbours.nearest_centroid import NearestCentroid as NearestCentroid
from suffice.neighbours.nearest_neighbors import NearestNeighbors as NearestNeighbors
from suffice.neighbours.radius_neighbors_classifier import RadiusNeighborsClassifier as RadiusNeighborsClassifier
from suffice.neighbours.radius_neighbors_regressor import RadiusNeighborsRegressor as RadiusNeighborsRegressor
from suffice.neighbours.high_dimension import distance_spread as distance_spread
from suffice.neighbours.voronoi_cells import exemplar_cells as exemplar_cells
from suffice.neighbours.high_dimension import nearest_neighbour_bound as nearest_neighbour_bound
from suffice.neighbours.voronoi_cells import refinement as refinement
from suffice.neighbours.high_dimension import shell_share as shell_share
from suffice.neighbours.voronoi_cells import voronoi_neighbours as voronoi_neighbours

__all__ = [
    "DistanceSpread",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KernelDensity",
    "KernelRegression",
    "NearestCentroid",
    "NearestNeighbors",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "distance_spread",
    "exemplar_cells",
    "nearest_neighbour_bound",
    "refinement",
    "shell_share",
    "voronoi_neighbours",
]
