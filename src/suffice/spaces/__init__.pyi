"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.spaces.distances.angular import Angle as Angle
from suffice.spaces.distances.distance import Axioms as Axioms
from suffice.spaces.search.ball_tree import BallTreeSearch as BallTreeSearch
from suffice.spaces.distances.board_distance import BoardDistance as BoardDistance
from suffice.spaces.search.brute_search import BruteSearch as BruteSearch
from suffice.spaces.distances.minkowski import Chebyshev as Chebyshev
from suffice.spaces.distances.angular import Cosine as Cosine
from suffice.spaces.distances.named_distances import DISTANCES as DISTANCES
from suffice.spaces.distances.distance import Distance as Distance
from suffice.spaces.distances.given_distances import DistanceFunction as DistanceFunction
from suffice.spaces.distances.edit_distance import EditDistance as EditDistance
from suffice.spaces.distances.elliptical import Elliptical as Elliptical
from suffice.spaces.distances.distance import Embedded as Embedded
from suffice.spaces.distances.minkowski import Euclidean as Euclidean
from suffice.spaces.given_kernels import GivenKernel as GivenKernel
from suffice.spaces.distances.matching import Hamming as Hamming
from suffice.spaces.named_kernels import KERNELS as KERNELS
from suffice.spaces.search.tree_search import KdTreeSearch as KdTreeSearch
from suffice.spaces.kernels import Kernel as Kernel
from suffice.spaces.distances.given_distances import KernelCosine as KernelCosine
from suffice.spaces.distances.given_distances import KernelDistance as KernelDistance
from suffice.spaces.given_kernels import KernelFunction as KernelFunction
from suffice.spaces.landmark_map import LandmarkMap as LandmarkMap
from suffice.spaces.kernels import LinearKernel as LinearKernel
from suffice.spaces.distances.elliptical import Mahalanobis as Mahalanobis
from suffice.spaces.distances.minkowski import Manhattan as Manhattan
from suffice.spaces.distances.metric_axioms import MetricCheck as MetricCheck
from suffice.spaces.distances.minkowski import Minkowski as Minkowski
from suffice.spaces.distances.mixed_kinds import MixedDistance as MixedDistance
from suffice.spaces.distances.library_distances import NamedDistance as NamedDistance
from suffice.spaces.search.found_neighbours import Nearest as Nearest
from suffice.spaces.kernels import PolynomialKernel as PolynomialKernel
from suffice.spaces.distances.given_distances import Precomputed as Precomputed
from suffice.spaces.distances.present_cells import PresentEuclidean as PresentEuclidean
from suffice.spaces.kernels import RbfKernel as RbfKernel
from suffice.spaces.search.found_neighbours import Search as Search
from suffice.spaces.kernels import SigmoidKernel as SigmoidKernel
from suffice.spaces.distances.minkowski import SquaredEuclidean as SquaredEuclidean
from suffice.spaces.search.found_neighbours import Within as Within
from suffice.spaces.distances.named_distances import as_distance as as_distance
from suffice.spaces.distances.metric_axioms import check_metric as check_metric
from suffice.spaces.exemplars import coordinate_median as coordinate_median
from suffice.spaces.exemplars import geometric_median as geometric_median
from suffice.spaces.exemplars import mean_point as mean_point
from suffice.spaces.exemplars import medoid as medoid
from suffice.spaces.feature_maps import monomial_map as monomial_map
from suffice.spaces.search.search_choice import neighbour_search as neighbour_search
from suffice.spaces.feature_maps import quadratic_map as quadratic_map
from suffice.spaces.named_kernels import read_gamma as read_gamma
from suffice.spaces.named_kernels import read_kernel as read_kernel
from suffice.spaces.euclidean import squared_distances as squared_distances
from suffice.spaces.exemplars import total_distances as total_distances

__all__ = [
    "Angle",
    "Axioms",
    "BallTreeSearch",
    "BoardDistance",
    "BruteSearch",
    "Chebyshev",
    "Cosine",
    "DISTANCES",
    "Distance",
    "DistanceFunction",
    "EditDistance",
    "Elliptical",
    "Embedded",
    "Euclidean",
    "GivenKernel",
    "Hamming",
    "KERNELS",
    "KdTreeSearch",
    "Kernel",
    "KernelCosine",
    "KernelDistance",
    "KernelFunction",
    "LandmarkMap",
    "LinearKernel",
    "Mahalanobis",
    "Manhattan",
    "MetricCheck",
    "Minkowski",
    "MixedDistance",
    "NamedDistance",
    "Nearest",
    "PolynomialKernel",
    "Precomputed",
    "PresentEuclidean",
    "RbfKernel",
    "Search",
    "SigmoidKernel",
    "SquaredEuclidean",
    "Within",
    "as_distance",
    "check_metric",
    "coordinate_median",
    "geometric_median",
    "mean_point",
    "medoid",
    "monomial_map",
    "neighbour_search",
    "quadratic_map",
    "read_gamma",
    "read_kernel",
    "squared_distances",
    "total_distances",
]
