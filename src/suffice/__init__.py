"""Machine learning from summaries that add, ending in decisions."""

from __future__ import annotations

from suffice.core.lazy import lazily

__version__ = "0.1.0"

_HOMES = {
    "BasicLinearClassifier": "suffice.linear",
    "BernoulliNB": "suffice.bayes",
    "BetaBernoulli": "suffice.families",
    "BinnedMap": "suffice.decision",
    "CalibratedClassifier": "suffice.meta",
    "CategoricalNB": "suffice.bayes",
    "Chain": "suffice.meta",
    "ComplementNB": "suffice.bayes",
    "CoverageCurve": "suffice.decision",
    "Decide": "suffice.meta",
    "Decision": "suffice.decision",
    "DirichletCategorical": "suffice.families",
    "DirichletMultinomial": "suffice.families",
    "ElasticNet": "suffice.linear",
    "ElasticNetCV": "suffice.linear",
    "GammaPoisson": "suffice.families",
    "GaussianMixture": "suffice.mixtures",
    "GaussianNB": "suffice.bayes",
    "HiddenCounts": "suffice.mixtures",
    "InverseGammaNormal": "suffice.families",
    "InverseWishartNormal": "suffice.families",
    "IsotonicMap": "suffice.decision",
    "JointTable": "suffice.bayes",
    "KernelDensity": "suffice.neighbours",
    "KernelPerceptron": "suffice.margin",
    "KernelRegression": "suffice.neighbours",
    "Lasso": "suffice.linear",
    "LassoCV": "suffice.linear",
    "LeastSquaresClassifier": "suffice.linear",
    "LinearDiscriminantAnalysis": "suffice.bayes",
    "LinearRegression": "suffice.linear",
    "LogisticMap": "suffice.decision",
    "LogisticRegression": "suffice.linear",
    "LogisticRegressionCV": "suffice.linear",
    "MixedMixture": "suffice.mixtures",
    "ModelAverage": "suffice.bayes",
    "MultinomialNB": "suffice.bayes",
    "NaiveBayes": "suffice.bayes",
    "OneHotEncoder": "suffice.features",
    "OneVsOneClassifier": "suffice.meta",
    "OneVsRestClassifier": "suffice.meta",
    "Perceptron": "suffice.margin",
    "PerceptronRegressor": "suffice.margin",
    "PolynomialRegression": "suffice.linear",
    "Posterior": "suffice.decision",
    "QuadraticDiscriminantAnalysis": "suffice.bayes",
    "Ridge": "suffice.linear",
    "RidgeCV": "suffice.linear",
    "RidgeClassifier": "suffice.linear",
    "RocCurve": "suffice.decision",
    "SVC": "suffice.margin",
    "Scores": "suffice.evaluation",
    "StandardScaler": "suffice.features",
    "TemperatureMap": "suffice.decision",
    "TotalLeastSquares": "suffice.linear",
    "bayes_factor": "suffice.families",
    "compare_mixtures": "suffice.mixtures",
    "em": "suffice.mixtures",
    "estimate_prior": "suffice.decision",
    "fuse": "suffice.decision",
    "huffman_lengths": "suffice.families",
    "load": "suffice.estimators.loaded",
    "maximum_a_posteriori": "suffice.bayes",
    "metropolis": "suffice.bayes",
    "recalibrate": "suffice.decision",
    "shift_prior": "suffice.decision",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
