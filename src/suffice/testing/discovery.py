"""Discovery: everything in the package that a law speaks about, found by walking it, so that no class is forgotten."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Any

import suffice
from suffice.core.summary import Summary
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.faces.classifier import Classifier
from suffice.estimators.faces.regressor import Regressor
from suffice.estimators.faces.transformer import Transformer


def modules(package: ModuleType = suffice) -> list[ModuleType]:
    """Every module of a package, imported; but not what is run when imported, nor the laws themselves."""
    names = [found.name for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
    apart = f"{suffice.__name__}.testing"
    return [import_module(name) for name in names if not (name.endswith("__main__") or name.startswith(apart))]


def classes(package: ModuleType = suffice) -> list[type[Any]]:
    """Every class that a module of the package defines, by name."""
    found = {
        cls
        for module in modules(package)
        for cls in vars(module).values()
        if inspect.isclass(cls) and cls.__module__ == module.__name__
    }
    return sorted(found, key=lambda cls: (cls.__name__, cls.__module__))


def summaries(package: ModuleType = suffice) -> list[type[Summary]]:
    """Every kind of summary that can be made."""
    return [cls for cls in classes(package) if issubclass(cls, Summary) and not inspect.isabstract(cls)]


def learners(package: ModuleType = suffice) -> list[type[Any]]:
    """Everything that summarizes rows in one pass and estimates from the sum: families, products, learners.

    What learns in passes (`settled`) sums relative to a model: its laws are those of its room.
    """
    found = [cls for cls in classes(package) if _has(cls, "summarize", "estimate") and not _has(cls, "settled")]
    return [cls for cls in found if not _protocol(cls)]


def families(package: ModuleType = suffice) -> list[type[Any]]:
    """The learners that describe the cells of one part of a block."""
    return [cls for cls in learners(package) if hasattr(cls, "storage")]


def densities(package: ModuleType = suffice) -> list[type[Any]]:
    """The families whose probabilities add to 1: all that do not say otherwise."""
    return [cls for cls in families(package) if getattr(cls, "normalized", True)]


def estimators(package: ModuleType = suffice) -> list[type[Any]]:
    """The one-pass models that tell the joint density, or score, of a row and every class."""
    return [cls for cls in one_pass(package) if _has(cls, "predict_joint_log_proba")]


def regressors(package: ModuleType = suffice) -> list[type[Any]]:
    """The one-pass models that predict numbers; those whose `fit` chooses a penalty first have tests of their own."""
    return [cls for cls in one_pass(package) if issubclass(cls, Regressor) and not getattr(cls, "_chooses", False)]


def scorers(package: ModuleType = suffice) -> list[type[Any]]:
    """The one-pass classifiers by linear scores, which have no density."""
    return [cls for cls in one_pass(package) if issubclass(cls, Classifier) and not getattr(cls, "_chooses", False)]


def transformers(package: ModuleType = suffice) -> list[type[Any]]:
    """The one-pass transformers."""
    return [cls for cls in one_pass(package) if issubclass(cls, Transformer) and not getattr(cls, "_chooses", False)]


def one_pass(package: ModuleType = suffice) -> list[type[Any]]:
    """Every one-pass model with a `fit` of its own that a user can make: public, or not the base of another."""
    found = [cls for cls in classes(package) if issubclass(cls, OnePass) and _has(cls, "fit")]
    bases = {base for cls in found for base in cls.__mro__[1:]}
    return [cls for cls in found if cls.__name__ in package.__all__ or cls not in bases]


def public_estimators(package: ModuleType = suffice) -> list[type[Any]]:
    """Every estimator that a user imports from the package."""
    from sklearn.base import BaseEstimator

    named = (getattr(package, name) for name in package.__all__)
    return [cls for cls in named if inspect.isclass(cls) and issubclass(cls, BaseEstimator)]


def _has(cls: type[Any], *names: str) -> bool:
    return all(callable(getattr(cls, name, None)) for name in names)


def _protocol(cls: type[Any]) -> bool:
    return bool(getattr(cls, "_is_protocol", False))
