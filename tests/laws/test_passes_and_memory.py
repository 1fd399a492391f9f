"""Every model that is found, in passes, in memory or row after row: order, copies, files, all or nothing."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from suffice import KernelDensity, Perceptron
from suffice.estimators.algebras.sequential import Sequential
from suffice.estimators.state.fitted import Found
from suffice.neighbours.window_rows import WindowRows
from suffice.testing import found_laws
from suffice.testing.check import broken, hold
from suffice.testing.found_laws import ANY, Law, Make, cases, copies, found_models, order

MODELS = found_models()
NET: dict[str, Any] = {"hidden_layer_sizes": (3,), "max_iter": 3, "random_state": 0}
FOREST = {  # draws depend on the numbers of rows, so that order and copies change them: without draws they may not
    "n_estimators": 2,
    "bootstrap": False,
    "max_features": None,
    "random_state": 0,
}
GIVEN: dict[str, Callable[[int], dict[str, Any]]] = {  # parameters of d columns, with which starts are given
    "Autoassociator": lambda d: NET,
    "GaussianMixture": lambda d: {
        "n_components": 2,
        "means_init": np.array([np.zeros(d), np.ones(d)]),
        "weights_init": [0.5, 0.5],
        "precisions_init": np.array([np.eye(d)] * 2),
        "prior": 1.0,
        "max_iter": 10,
        "tol": 0.0,
    },
    "KernelDensity": lambda d: {"bandwidth": 0.7},
    "KernelRegression": lambda d: {"bandwidth": 0.7},
    "LogisticNeuron": lambda d: {"max_iter": 3, "random_state": 0},
    "MLPClassifier": lambda d: NET,
    "MLPRegressor": lambda d: NET,
    "MixedMixture": lambda d: {"random_state": 0, "n_init": 1, "max_iter": 5, "tol": 0.0},
    "Isomap": lambda d: {"n_neighbors": 4, "n_components": 1},
    "MDS": lambda d: {"n_components": 1, "max_iter": 20},
    "ClassicalMDS": lambda d: {"n_components": 1},
    "MatrixCompletion": lambda d: {"max_iter": 10, "tol": 0.0},
    "NMF": lambda d: {"n_components": 1, "max_iter": 20, "tol": 0.0},
    "SelfOrganizingMap": lambda d: {"rows": 2, "columns": 3, "epochs": 4},
    "RadiusNeighborsClassifier": lambda d: {"radius": 1.5, "outlier_label": "a"},
    "RadiusNeighborsRegressor": lambda d: {"radius": 50.0, "weights": "distance"},
    "Forest": lambda d: {"n_trees": 2, "bootstrap": False, "columns": None},
    "RegressionForest": lambda d: {"n_trees": 2, "bootstrap": False},
    "RandomForestClassifier": lambda d: {**FOREST},
    "RandomForestRegressor": lambda d: {**FOREST},
    "AdaBoostClassifier": lambda d: {"n_estimators": 3},
    "BoostedRules": lambda d: {"n_rules": 3},
    "SVC": lambda d: {"tol": 1e-10},
    "TSNE": lambda d: {"n_components": 1, "perplexity": 3.0, "max_iter": 8, "learning_rate": 0.1},
}


def maker(name: str) -> Make:
    given = GIVEN.get(name, lambda d: {})
    return lambda d: MODELS[name](**given(d))


def cases_for(name: str) -> Any:
    """Rows that a model takes."""
    return cases().map(lambda case: replace(case, X=np.abs(case.X))) if name == "NMF" else cases()


def weighs(name: str) -> bool:
    """Whether a model takes weights."""
    return "sample_weight" in inspect.signature(MODELS[name].fit).parameters


@pytest.mark.parametrize("law", ANY, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", MODELS)
def test_law(name: str, law: Law) -> None:
    hold(lambda case: law(maker(name), case), cases_for(name), f"{name} {law.__name__}")


START_BY_ROW = {"NMF"}  # its start is drawn row by row, so that the order of rows is felt
EXACT = [name for name, cls in MODELS.items() if not issubclass(cls, Sequential)]


@pytest.mark.parametrize("name", [name for name in EXACT if name not in START_BY_ROW])
def test_order(name: str) -> None:
    hold(lambda case: order(maker(name), case), cases_for(name), f"{name} order")


@pytest.mark.parametrize("name", [name for name in EXACT if weighs(name)])
def test_copies(name: str) -> None:
    hold(lambda case: copies(maker(name), case), cases_for(name), f"{name} copies")


class LosesARow(KernelDensity):
    """The last row has no window."""

    def _solve(self, plan: Any, source: Any) -> Found:
        found = super()._solve(plan, source)
        model: WindowRows = found.model
        w = np.ones(len(model.rows)) if model.weight is None else model.weight.copy()
        w[-1] = 0.0
        return replace(found, model=replace(model, weight=w))


class LosesWeights(KernelDensity):
    """Rows weigh the same, whatever was said."""

    def _solve(self, plan: Any, source: Any) -> Found:
        return super()._solve(plan, replace(source, w=None))


class LosesAParameter(KernelDensity):
    """Its window is saved as another."""

    def _saved(self) -> Any:
        value = super()._saved()
        state = value.fitted.state
        return replace(
            value, name="KernelDensity", fitted=replace(value.fitted, state=Found(replace(state.model, bandwidth=0.1)))
        )


class LosesItself(Perceptron):
    """What was learned is gone before a fit is sure to succeed."""

    def fit(self, X: Any, y: Any = None, *given: Any, **more: Any) -> Any:
        self.__dict__.pop("fitted_", None)
        return super().fit(X, y, *given, **more)


class ReadsUnasked(KernelDensity):
    """Files are read whole, whoever asks."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, in_memory: bool = False) -> Any:
        return super().fit(X, y, sample_weight, in_memory=True)


DEFECTS: list[tuple[Law, Any, Any]] = [  # a law, what breaks it, and what it was planted in
    (found_laws.order, LosesARow, KernelDensity),
    (found_laws.copies, LosesWeights, KernelDensity),
    (found_laws.saved, LosesAParameter, KernelDensity),
    (found_laws.failing, LosesItself, Perceptron),
    (found_laws.from_files, ReadsUnasked, KernelDensity),
]
PLANTED = [law for law, _, _ in DEFECTS]


@pytest.mark.parametrize(("law", "defect", "sound"), DEFECTS, ids=lambda thing: getattr(thing, "__name__", ""))
def test_a_planted_defect_breaks_its_law(law: Law, defect: Any, sound: Any) -> None:
    assert not broken(lambda case: law(lambda d: sound(), case), cases())
    assert broken(lambda case: law(lambda d: defect(), case), cases())
