"""Expectation-maximisation: hidden counts, mixtures of normals, mixtures of columns of every kind."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Ascent": "suffice.mixtures.expectation",
    "Comparison": "suffice.mixtures.comparison",
    "GaussianMixture": "suffice.mixtures.gaussian_mixture",
    "HiddenCounts": "suffice.mixtures.hidden_counts",
    "KnownShares": "suffice.mixtures.known_shares",
    "LinearCells": "suffice.mixtures.linear_cells",
    "MixedMixture": "suffice.mixtures.mixed_mixture",
    "Mixture": "suffice.mixtures.learner",
    "MixtureModel": "suffice.mixtures.learner",
    "compare_mixtures": "suffice.mixtures.comparison",
    "em": "suffice.mixtures.expectation",
}

_TOP = _HOMES.keys() - {"Ascent", "Comparison", "Mixture", "MixtureModel"}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
