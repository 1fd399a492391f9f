"""Where rows lie: kernels, distances between them, and the search for near ones."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Angle": "suffice.spaces.distances.angular",
    "Axioms": "suffice.spaces.distances.distance",
    "BallTreeSearch": "suffice.spaces.search.ball_tree",
    "BoardDistance": "suffice.spaces.distances.board_distance",
    "BruteSearch": "suffice.spaces.search.brute_search",
    "Chebyshev": "suffice.spaces.distances.minkowski",
    "Cosine": "suffice.spaces.distances.angular",
    "DISTANCES": "suffice.spaces.distances.named_distances",
    "Distance": "suffice.spaces.distances.distance",
    "DistanceFunction": "suffice.spaces.distances.given_distances",
    "EditDistance": "suffice.spaces.distances.edit_distance",
    "Elliptical": "suffice.spaces.distances.elliptical",
    "Embedded": "suffice.spaces.distances.distance",
    "Euclidean": "suffice.spaces.distances.minkowski",
    "GivenKernel": "suffice.spaces.given_kernels",
    "Hamming": "suffice.spaces.distances.matching",
    "KERNELS": "suffice.spaces.named_kernels",
    "KdTreeSearch": "suffice.spaces.search.tree_search",
    "Kernel": "suffice.spaces.kernels",
    "KernelDistance": "suffice.spaces.distances.given_distances",
    "KernelFunction": "suffice.spaces.given_kernels",
    "LinearKernel": "suffice.spaces.kernels",
    "Mahalanobis": "suffice.spaces.distances.elliptical",
    "Manhattan": "suffice.spaces.distances.minkowski",
    "MetricCheck": "suffice.spaces.distances.metric_axioms",
    "Minkowski": "suffice.spaces.distances.minkowski",
    "MixedDistance": "suffice.spaces.distances.mixed_kinds",
    "NamedDistance": "suffice.spaces.distances.library_distances",
    "Nearest": "suffice.spaces.search.found_neighbours",
    "PolynomialKernel": "suffice.spaces.kernels",
    "Precomputed": "suffice.spaces.distances.given_distances",
    "PresentEuclidean": "suffice.spaces.distances.present_cells",
    "RbfKernel": "suffice.spaces.kernels",
    "Search": "suffice.spaces.search.found_neighbours",
    "SigmoidKernel": "suffice.spaces.kernels",
    "SquaredEuclidean": "suffice.spaces.distances.minkowski",
    "Within": "suffice.spaces.search.found_neighbours",
    "as_distance": "suffice.spaces.distances.named_distances",
    "check_metric": "suffice.spaces.distances.metric_axioms",
    "monomial_map": "suffice.spaces.feature_maps",
    "neighbour_search": "suffice.spaces.search.search_choice",
    "quadratic_map": "suffice.spaces.feature_maps",
    "read_gamma": "suffice.spaces.named_kernels",
    "read_kernel": "suffice.spaces.named_kernels",
    "squared_distances": "suffice.spaces.euclidean",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
