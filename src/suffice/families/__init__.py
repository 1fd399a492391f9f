"""p(x | component): families, the priors they add before estimating, and what is read from the posterior."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Bernoulli": "suffice.families.categorical",
    "Beta": "suffice.families.pseudo_counts",
    "Binomial": "suffice.families.binomial",
    "ByColumn": "suffice.families.pseudo_counts",
    "Categorical": "suffice.families.categorical",
    "Complement": "suffice.families.complement",
    "DiagonalNormal": "suffice.families.normal",
    "Dirichlet": "suffice.families.pseudo_counts",
    "Distribution": "suffice.families.family",
    "Family": "suffice.families.family",
    "Gamma": "suffice.families.rate_priors",
    "Geometric": "suffice.families.geometric",
    "Group": "suffice.families.product",
    "IntegerCodes": "suffice.families.integer_codes",
    "MEstimate": "suffice.families.pseudo_counts",
    "Multinomial": "suffice.families.multinomial",
    "NormalInverseGamma": "suffice.families.variance_priors",
    "Poisson": "suffice.families.poisson",
    "Product": "suffice.families.product",
    "Reading": "suffice.families.family",
    "TruncatedCounts": "suffice.families.truncated_counts",
    "VarianceFloor": "suffice.families.variance_priors",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
