"""Which classes may be written to files: a closed list, so that a file can never name code to run.

A file holds names such as `Tally`. A name leads to a class by this list alone; nothing in a file is ever imported.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from enum import Enum
from importlib import import_module
from types import MappingProxyType
from typing import Any, TypeVar

HOMES: dict[str, str] = {
    "Absent": "suffice.features.indicators",
    "Analyzer": "suffice.sources.analyzer",
    "AroundPlan": "suffice.meta.around_plan",
    "Ascent": "suffice.mixtures.expectation",
    "Bags": "suffice.families.bag",
    "Bayes": "suffice.bayes.learner",
    "BayesModel": "suffice.bayes.learner",
    "Bernoulli": "suffice.families.categorical",
    "Beta": "suffice.families.pseudo_counts",
    "BetaBernoulli": "suffice.families.beta_bernoulli",
    "BetaBinomials": "suffice.families.binomial",
    "BetaGeometrics": "suffice.families.geometric",
    "BinnedMap": "suffice.decision.binned_map",
    "Binomial": "suffice.families.binomial",
    "Binomials": "suffice.families.binomial",
    "ByClass": "suffice.core.by_class",
    "ByColumn": "suffice.families.pseudo_counts",
    "ByTerm": "suffice.linear.terms",
    "Calibrated": "suffice.meta.calibrating",
    "CalibratedModel": "suffice.meta.calibrating",
    "Categorical": "suffice.families.categorical",
    "Categories": "suffice.families.categorical",
    "ChainModel": "suffice.meta.chain_model",
    "ChainPlan": "suffice.meta.chain_plan",
    "ClassScorer": "suffice.meta.responses",
    "Column": "suffice.core.schema",
    "Complement": "suffice.families.complement",
    "CosineWindow": "suffice.families.windows",
    "Counts": "suffice.summaries.counts",
    "DecidedModel": "suffice.meta.decided_model",
    "Declared": "suffice.estimators.declared",
    "Densities": "suffice.meta.densities",
    "Design": "suffice.linear.design",
    "DiagonalNormal": "suffice.families.normal",
    "Dirichlet": "suffice.families.pseudo_counts",
    "DirichletCategorical": "suffice.families.dirichlet_categorical",
    "DirichletMultinomial": "suffice.families.dirichlet_categorical",
    "DirichletMultinomials": "suffice.families.dirichlet_multinomial",
    "DiscriminantPlan": "suffice.bayes.discriminant_plan",
    "DualPlan": "suffice.margin.plans",
    "DualScores": "suffice.margin.dual_scores",
    "DualSearch": "suffice.margin.dual_scores",
    "Encoding": "suffice.families.encoding",
    "EpanechnikovWindow": "suffice.families.windows",
    "EqualFrequency": "suffice.families.histogram",
    "EqualPrior": "suffice.bayes.class_priors",
    "EqualWidth": "suffice.families.histogram",
    "ExponentialWindow": "suffice.families.windows",
    "Factor": "suffice.linear.terms",
    "Factors": "suffice.families.product",
    "Fitted": "suffice.estimators.old_files",
    "FittedModel": "suffice.estimators.fitted",
    "FittedPasses": "suffice.estimators.old_files",
    "FittedTargets": "suffice.estimators.old_files",
    "FixedPlan": "suffice.bayes.fixed_plan",
    "FixedWidth": "suffice.families.ranked",
    "Found": "suffice.estimators.fitted",
    "FullMoments": "suffice.summaries.full_moments",
    "FullNormal": "suffice.families.full_normal",
    "Gamma": "suffice.families.rate_priors",
    "GammaPoisson": "suffice.families.gamma_poisson",
    "GaussianPlan": "suffice.mixtures.gaussian_plan",
    "GaussianWindow": "suffice.families.windows",
    "Geometric": "suffice.families.geometric",
    "Geometrics": "suffice.families.geometric",
    "GivenCovariances": "suffice.bayes.estimated_covariances",
    "GivenKernel": "suffice.spaces.given_kernels",
    "GivenPrior": "suffice.bayes.class_priors",
    "GivenShrinkage": "suffice.families.shrinkage",
    "Group": "suffice.families.product",
    "Held": "suffice.meta.held",
    "HiddenCounts": "suffice.mixtures.hidden_counts",
    "Histogram": "suffice.families.histogram",
    "Histograms": "suffice.families.histogram",
    "IndicatorPlan": "suffice.features.indicators",
    "IntegerCodes": "suffice.families.integer_codes",
    "InverseGammaNormal": "suffice.families.inverse_gamma_normal",
    "InverseOfEach": "suffice.bayes.discriminant_needs",
    "InverseWishartNormal": "suffice.families.inverse_wishart_normal",
    "IsotonicMap": "suffice.decision.isotonic_map",
    "JointNormals": "suffice.families.joint_normals",
    "KernelScores": "suffice.margin.old_files",
    "Kind": "suffice.core.kinds",
    "KnownVariance": "suffice.families.variance_priors",
    "LearnedPrior": "suffice.bayes.class_priors",
    "LeastSquares": "suffice.linear.solvers",
    "LeastSquaresSummary": "suffice.summaries.least_squares",
    "LeaveOneOut": "suffice.families.bandwidths",
    "LedoitWolfShrinkage": "suffice.families.shrinkage",
    "LinePlan": "suffice.margin.plans",
    "LinearCells": "suffice.mixtures.linear_cells",
    "LinearFunction": "suffice.margin.linear_function",
    "LinearKernel": "suffice.spaces.kernels",
    "LinearPlan": "suffice.linear.plan",
    "LinearScores": "suffice.margin.linear_scores",
    "LinearWindow": "suffice.families.windows",
    "LogisticMap": "suffice.decision.logistic_map",
    "LogisticModel": "suffice.linear.logistic",
    "LogisticPlan": "suffice.linear.logistic_plan",
    "MEstimate": "suffice.families.pseudo_counts",
    "MachinePlan": "suffice.margin.plans",
    "MachineSearch": "suffice.margin.support_vectors",
    "Metric": "suffice.linear.score_rules",
    "MixedPlan": "suffice.mixtures.mixed_plan",
    "MixtureModel": "suffice.mixtures.learner",
    "Moments": "suffice.summaries.moments",
    "MoreThanClasses": "suffice.bayes.discriminant_needs",
    "Multinomial": "suffice.families.multinomial",
    "NadarayaWatson": "suffice.neighbours.smoothers",
    "NaivePlan": "suffice.bayes.plan",
    "NearestMean": "suffice.linear.score_rules",
    "NegativeBinomials": "suffice.families.poisson",
    "NoPrior": "suffice.bayes.class_priors",
    "NormalClassesModel": "suffice.bayes.discriminant_learner",
    "NormalInverseGamma": "suffice.families.variance_priors",
    "NormalInverseWishart": "suffice.families.covariance_priors",
    "Normals": "suffice.families.normal",
    "OracleShrinkage": "suffice.families.shrinkage",
    "OrderedPrior": "suffice.bayes.class_priors",
    "Origin": "suffice.estimators.origin",
    "Orthogonal": "suffice.linear.solvers",
    "Outliers": "suffice.decision.outliers",
    "Pair": "suffice.core.pairs",
    "PairedErrors": "suffice.evaluation.paired_errors",
    "PatternMoments": "suffice.summaries.pattern_moments",
    "PerceptronPlan": "suffice.margin.plans",
    "Poisson": "suffice.families.poisson",
    "Poissons": "suffice.families.poisson",
    "PolynomialKernel": "suffice.spaces.kernels",
    "Positive": "suffice.linear.solvers",
    "PriestleyChao": "suffice.neighbours.smoothers",
    "Product": "suffice.families.product",
    "QuarticMoments": "suffice.summaries.quartic_moments",
    "Ranked": "suffice.families.ranked",
    "Rankings": "suffice.summaries.rankings",
    "RbfKernel": "suffice.spaces.kernels",
    "Reading": "suffice.families.family",
    "Regressed": "suffice.linear.score_rules",
    "RegressionScores": "suffice.evaluation.regression_scores",
    "SavedLine": "suffice.margin.old_files",
    "SavedMixture": "suffice.mixtures.old_files",
    "SavedModel": "suffice.estimators.loaded",
    "SavedScores": "suffice.margin.old_files",
    "ScalingPlan": "suffice.features.scaling",
    "Schema": "suffice.core.schema",
    "ScorePlan": "suffice.linear.score_plan",
    "Scores": "suffice.evaluation.scores",
    "Scott": "suffice.families.bandwidths",
    "SheatherJones": "suffice.families.sheather_jones",
    "Shrunken": "suffice.linear.solvers",
    "SigmoidKernel": "suffice.spaces.kernels",
    "Silverman": "suffice.families.bandwidths",
    "Slopes": "suffice.linear.slopes",
    "SmoothedRows": "suffice.neighbours.smoothed_rows",
    "SmoothingPlan": "suffice.neighbours.smoothed_rows",
    "Sparse": "suffice.linear.sparse",
    "SphericalNormal": "suffice.families.spherical_normal",
    "StartRows": "suffice.summaries.start_rows",
    "Storage": "suffice.core.kinds",
    "Students": "suffice.families.student",
    "SupportVectors": "suffice.margin.support_vectors",
    "Tally": "suffice.core.tally",
    "TemperatureMap": "suffice.decision.temperature_map",
    "TiedNormal": "suffice.families.tied_normal",
    "Together": "suffice.core.summary",
    "TophatWindow": "suffice.families.windows",
    "TriangularFactor": "suffice.summaries.triangular",
    "TruncatedCounts": "suffice.families.truncated_counts",
    "VarianceFloor": "suffice.families.variance_priors",
    "VarianceRidge": "suffice.families.covariance_priors",
    "VectorMachine": "suffice.margin.old_files",
    "WindowDensities": "suffice.families.window_density",
    "WindowDensity": "suffice.families.window_density",
    "WindowPlan": "suffice.neighbours.window_rows",
    "WindowRows": "suffice.neighbours.window_rows",
    "WithinAll": "suffice.families.discriminant_readings",
    "WithinEach": "suffice.families.discriminant_readings",
}  # where each class lives, so that a file can be read before its class was ever imported

_classes: dict[str, type[Any]] = {}

C = TypeVar("C", bound=type[Any])


def saved(cls: C) -> C:
    """Let values of a class be saved, under its name; goes above `@dataclass`.

    The class is a frozen dataclass, a NamedTuple or an Enum, and its saved fields suffice to call it.
    A field is left out of the file by `field(init=False)` or `field(default=..., metadata={"saved": False})`.
    """
    name = cls.__name__
    if not name[:1].isupper():
        raise TypeError(f"saved: a class must begin with a capital letter, got {name!r}.")  # as kinds of values do not
    if not issubclass(cls, Enum):
        _check_fields(cls)
    known = _classes.get(name)
    owner = (known.__module__, known.__qualname__) if known else (HOMES.get(name, cls.__module__), cls.__qualname__)
    if owner != (cls.__module__, cls.__qualname__):  # the same class again, from a reloaded module, is welcome
        raise TypeError(f"saved: a name must belong to one class, got {name!r} in {owner[0]} and in {cls.__module__}.")
    _classes[name] = cls
    return cls


def registered() -> Mapping[str, type[Any]]:
    """The classes known so far, by name."""
    return MappingProxyType(_classes)


def find(name: str) -> type[Any] | None:
    """The class of that name, its module imported if need be; None if the list has no such name."""
    if name not in _classes and name in HOMES:
        import_module(HOMES[name])
    return _classes.get(name)


def saved_fields(cls: type[Any]) -> tuple[str, ...]:
    """Names of the fields of a registered dataclass or NamedTuple that go into a file."""
    if not dataclasses.is_dataclass(cls):
        return tuple(cls._fields)
    return tuple(f.name for f in dataclasses.fields(cls) if f.init and f.metadata.get("saved", True))


def needed_fields(cls: type[Any]) -> tuple[str, ...]:
    """Those that a file must have: a field that came to a class later has a default, so that older files stay good."""
    if not dataclasses.is_dataclass(cls):
        return tuple(name for name in cls._fields if name not in cls._field_defaults)
    given = {f.name for f in dataclasses.fields(cls) if (f.default, f.default_factory) != (dataclasses.MISSING,) * 2}
    return tuple(name for name in saved_fields(cls) if name not in given)


def _check_fields(cls: type[Any]) -> None:
    """A class that could be written but not built again is refused here, not when its file is read."""
    record = issubclass(cls, tuple) and "_fields" in vars(cls)
    frozen = "__dataclass_params__" in vars(cls) and cls.__dataclass_params__.frozen
    if not (record or frozen):
        raise TypeError(f"saved: {cls.__name__} must be a frozen dataclass, a NamedTuple or an Enum.")
    parameters = inspect.signature(cls).parameters
    needed = {name for name, parameter in parameters.items() if parameter.default is parameter.empty}
    if not needed <= set(saved_fields(cls)) <= set(parameters):
        raise TypeError(f"saved: {cls.__name__} must be callable with its saved fields; give the others a default.")
