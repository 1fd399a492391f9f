"""What can be imported, from where, and what that costs."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import pytest
from sklearn.base import BaseEstimator

import suffice
from suffice.testing import discovery

ALWAYS = {  # what users may count on: a name may come without a line here, and none of these may go
    "BasicLinearClassifier",
    "BernoulliNB",
    "BetaBernoulli",
    "Binarizer",
    "BinnedMap",
    "Calibrate",
    "CalibratedClassifier",
    "CategoricalNB",
    "Chain",
    "ClassicalMDS",
    "ComplementNB",
    "CoverageCurve",
    "Decide",
    "Decision",
    "DirichletCategorical",
    "DirichletMultinomial",
    "Discretizer",
    "ElasticNet",
    "ElasticNetCV",
    "Featureless",
    "GammaPoisson",
    "GaussianMixture",
    "GaussianNB",
    "GroupCategories",
    "HiddenCounts",
    "IncrementalPCA",
    "InverseGammaNormal",
    "InverseWishartNormal",
    "Isomap",
    "IsotonicMap",
    "JointTable",
    "KBinsDiscretizer",
    "KernelDensity",
    "KernelPerceptron",
    "KernelRegression",
    "Lasso",
    "LassoCV",
    "LeastSquaresClassifier",
    "LinearDiscriminantAnalysis",
    "LinearRegression",
    "LogisticMap",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MaxAbsScaler",
    "MinMaxScaler",
    "MDS",
    "MatrixCompletion",
    "MixedMixture",
    "ModelAverage",
    "MultinomialNB",
    "NMF",
    "NaiveBayes",
    "OneHotEncoder",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OrderCategories",
    "OrdinalEncoder",
    "PCA",
    "Perceptron",
    "PerceptronRegressor",
    "PolynomialFeatures",
    "PolynomialRegression",
    "Posterior",
    "ProductTerms",
    "QuadraticDiscriminantAnalysis",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RobustScaler",
    "RocCurve",
    "SVC",
    "Scores",
    "SixSigmaScaler",
    "StandardScaler",
    "TableEncoder",
    "TargetEncoder",
    "SelfOrganizingMap",
    "TSNE",
    "TemperatureMap",
    "Threshold",
    "TotalLeastSquares",
    "VarianceScaler",
    "TruncatedSVD",
    "bayes_factor",
    "compare_mixtures",
    "describe",
    "em",
    "estimate_prior",
    "fuse",
    "huffman_lengths",
    "load",
    "maximum_a_posteriori",
    "metropolis",
    "recalibrate",
    "shift_prior",
    "statistics",
}
PUBLIC = suffice.__all__
ROOMS = sorted(module.name for module in pkgutil.iter_modules(suffice.__path__, "suffice.") if module.ispkg)
HEAVY = "numpy", "scipy", "sklearn", "numba", "narwhals", "pandas", "polars", "pyarrow", "matplotlib"
COST = """
import importlib, sys
importlib.import_module({name!r})
print(*sorted(set({heavy!r}) & set(sys.modules)))
"""


def imported(name: str) -> set[str]:
    """The heavy packages that importing a module brings in, in a process of its own."""
    code = COST.format(name=name, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def lifted(room: str) -> list[str]:
    """The names that a room says are names of `suffice` too."""
    return sorted(getattr(importlib.import_module(room), "_TOP", ()))


def test_no_public_name_is_lost() -> None:
    assert set(PUBLIC) >= ALWAYS


def test_the_public_names_are_those_that_rooms_lift_each_by_one_room() -> None:
    assert sorted(name for room in ROOMS for name in lifted(room)) == PUBLIC
    assert sorted(dir(suffice)) == sorted([*PUBLIC, "__version__"])


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_lifts_only_names_of_its_own(room: str) -> None:
    assert set(lifted(room)) <= set(getattr(importlib.import_module(room), "__all__", ()))


def test_every_estimator_is_a_name_of_its_room() -> None:
    """By walking the package: what a user could make is what a user can import."""
    made = {cls for cls in discovery.classes() if issubclass(cls, BaseEstimator) and not cls.__name__.startswith("_")}
    bases = {base for cls in made for base in cls.__mro__[1:]}
    for cls in made - bases:
        room = ".".join(cls.__module__.split(".")[:2])
        names = importlib.import_module(room).__all__
        assert room == "suffice.estimators" or any(base.__name__ in names for base in cls.__mro__), cls


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_found_by_name_and_where_it_lives(name: str) -> None:
    thing = getattr(suffice, name)
    assert thing.__name__ == name
    assert getattr(importlib.import_module(suffice._HOMES[name]), name) is thing
    assert thing.__doc__


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'suffice' has no attribute 'GaussianBN'"):
        suffice.GaussianBN
    with pytest.raises(ImportError):
        from suffice import nothing  # noqa: F401


def test_importing_the_library_imports_nothing_else() -> None:
    assert imported("suffice") == set()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_neither_scikit_learn_nor_numba(room: str) -> None:
    assert imported(room) <= {"numpy", "scipy"}


@pytest.mark.parametrize("room", [*(f"suffice.{room}" for room in suffice._ROOMS), "suffice.core"])
def test_rooms_with_names_to_look_up_cost_nothing(room: str) -> None:
    assert imported(room) == set()


@pytest.mark.parametrize("room", [*(f"suffice.{room}" for room in suffice._ROOMS), "suffice.core"])
def test_every_name_of_such_a_room_resolves(room: str) -> None:
    module = importlib.import_module(room)
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match=f"module '{room}' has no attribute 'nothing'"):
        module.nothing
    assert module.__all__ == sorted(module._HOMES)


def test_errors_need_no_numpy() -> None:
    assert imported("suffice.core.errors") == set()


def test_every_room_says_what_it_is() -> None:
    for room in ROOMS:
        assert importlib.import_module(room).__doc__, room
