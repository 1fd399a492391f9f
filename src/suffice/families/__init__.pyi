"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.families.beliefs.belief import Belief as Belief
from suffice.families.counts.categorical import Bernoulli as Bernoulli
from suffice.families.counts.pseudo_counts import Beta as Beta
from suffice.families.beliefs.beta_bernoulli import BetaBernoulli as BetaBernoulli
from suffice.families.counts.binomial import Binomial as Binomial
from suffice.families.counts.pseudo_counts import ByColumn as ByColumn
from suffice.families.counts.categorical import Categorical as Categorical
from suffice.families.counts.complement import Complement as Complement
from suffice.families.normals.conic import Conic as Conic
from suffice.families.beliefs.conjugate import Conjugate as Conjugate
from suffice.families.windows.windows import CosineWindow as CosineWindow
from suffice.families.normals.normal import DiagonalNormal as DiagonalNormal
from suffice.families.counts.pseudo_counts import Dirichlet as Dirichlet
from suffice.families.beliefs.dirichlet_categorical import DirichletCategorical as DirichletCategorical
from suffice.families.beliefs.dirichlet_categorical import DirichletMultinomial as DirichletMultinomial
from suffice.families.family import Distribution as Distribution
from suffice.families.windows.windows import EpanechnikovWindow as EpanechnikovWindow
from suffice.families.windows.histogram import EqualFrequency as EqualFrequency
from suffice.families.windows.histogram import EqualWidth as EqualWidth
from suffice.families.windows.windows import ExponentialWindow as ExponentialWindow
from suffice.families.family import Family as Family
from suffice.families.windows.ranked import FixedWidth as FixedWidth
from suffice.families.normals.full_normal import FullNormal as FullNormal
from suffice.families.counts.rate_priors import Gamma as Gamma
from suffice.families.beliefs.gamma_poisson import GammaPoisson as GammaPoisson
from suffice.families.normals.gaussian import Gaussian as Gaussian
from suffice.families.windows.windows import GaussianWindow as GaussianWindow
from suffice.families.counts.geometric import Geometric as Geometric
from suffice.families.product import Group as Group
from suffice.families.windows.histogram import Histogram as Histogram
from suffice.families.counts.integer_codes import IntegerCodes as IntegerCodes
from suffice.families.beliefs.inverse_gamma_normal import InverseGammaNormal as InverseGammaNormal
from suffice.families.beliefs.inverse_wishart_normal import InverseWishartNormal as InverseWishartNormal
from suffice.families.normals.variance_priors import KnownVariance as KnownVariance
from suffice.families.windows.bandwidths import LeaveOneOut as LeaveOneOut
from suffice.families.windows.windows import LinearWindow as LinearWindow
from suffice.families.counts.pseudo_counts import MEstimate as MEstimate
from suffice.families.counts.multinomial import Multinomial as Multinomial
from suffice.families.normals.variance_priors import NormalInverseGamma as NormalInverseGamma
from suffice.families.normals.covariance_priors import NormalInverseWishart as NormalInverseWishart
from suffice.families.counts.poisson import Poisson as Poisson
from suffice.families.product import Product as Product
from suffice.families.family import Reading as Reading
from suffice.families.windows.bandwidths import Scott as Scott
from suffice.families.windows.sheather_jones import SheatherJones as SheatherJones
from suffice.families.windows.bandwidths import Silverman as Silverman
from suffice.families.beliefs.parameter_ranges import Simplex as Simplex
from suffice.families.normals.spherical_normal import SphericalNormal as SphericalNormal
from suffice.families.normals.tied_normal import TiedNormal as TiedNormal
from suffice.families.windows.windows import TophatWindow as TophatWindow
from suffice.families.counts.truncated_counts import TruncatedCounts as TruncatedCounts
from suffice.families.normals.two_normals import TwoNormals as TwoNormals
from suffice.families.normals.variance_priors import VarianceFloor as VarianceFloor
from suffice.families.normals.covariance_priors import VarianceRidge as VarianceRidge
from suffice.families.windows.window_density import WindowDensity as WindowDensity
from suffice.families.beliefs.conjugate import bayes_factor as bayes_factor
from suffice.families.windows.windows import check_window as check_window
from suffice.families.beliefs.code_lengths import entropy as entropy
from suffice.families.beliefs.code_lengths import huffman_lengths as huffman_lengths
from suffice.families.beliefs.code_lengths import information as information
from suffice.families.beliefs.likelihood import likelihood_of as likelihood_of

__all__ = [
    "Belief",
    "Bernoulli",
    "Beta",
    "BetaBernoulli",
    "Binomial",
    "ByColumn",
    "Categorical",
    "Complement",
    "Conic",
    "Conjugate",
    "CosineWindow",
    "DiagonalNormal",
    "Dirichlet",
    "DirichletCategorical",
    "DirichletMultinomial",
    "Distribution",
    "EpanechnikovWindow",
    "EqualFrequency",
    "EqualWidth",
    "ExponentialWindow",
    "Family",
    "FixedWidth",
    "FullNormal",
    "Gamma",
    "GammaPoisson",
    "Gaussian",
    "GaussianWindow",
    "Geometric",
    "Group",
    "Histogram",
    "IntegerCodes",
    "InverseGammaNormal",
    "InverseWishartNormal",
    "KnownVariance",
    "LeaveOneOut",
    "LinearWindow",
    "MEstimate",
    "Multinomial",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "Poisson",
    "Product",
    "Reading",
    "Scott",
    "SheatherJones",
    "Silverman",
    "Simplex",
    "SphericalNormal",
    "TiedNormal",
    "TophatWindow",
    "TruncatedCounts",
    "TwoNormals",
    "VarianceFloor",
    "VarianceRidge",
    "WindowDensity",
    "bayes_factor",
    "check_window",
    "entropy",
    "huffman_lengths",
    "information",
    "likelihood_of",
]
