"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.mixtures.expectation import Ascent as Ascent
from suffice.mixtures.comparison import Comparison as Comparison
from suffice.mixtures.gaussian_mixture import GaussianMixture as GaussianMixture
from suffice.mixtures.hidden_counts import HiddenCounts as HiddenCounts
from suffice.mixtures.known_shares import KnownShares as KnownShares
from suffice.mixtures.linear_cells import LinearCells as LinearCells
from suffice.mixtures.mixed_mixture import MixedMixture as MixedMixture
from suffice.mixtures.learner import Mixture as Mixture
from suffice.mixtures.learner import MixtureModel as MixtureModel
from suffice.mixtures.comparison import compare_mixtures as compare_mixtures
from suffice.mixtures.expectation import em as em

__all__ = [
    "Ascent",
    "Comparison",
    "GaussianMixture",
    "HiddenCounts",
    "KnownShares",
    "LinearCells",
    "MixedMixture",
    "Mixture",
    "MixtureModel",
    "compare_mixtures",
    "em",
]
