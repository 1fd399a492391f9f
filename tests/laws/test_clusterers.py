"""Every clusterer, found by its face: order, copies, translation, files, all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from suffice import DBSCAN, KMeans
from suffice.estimators.state.fitted import Found
from suffice.testing import cluster_laws
from suffice.testing.check import broken, hold
from suffice.testing.cluster_laws import ANY, EXACT, Law, Make, clusterers
from suffice.testing.found_laws import cases

MODELS = clusterers()
TABLES = 12  # for each law and model: fits are slow beside sums


def centres(d: int) -> Any:
    return np.array([np.zeros(d), np.full(d, 1.5)])


def spread(d: int) -> Any:
    return np.random.default_rng(0).normal(size=(6, d))


GIVEN: dict[str, Callable[[int], dict[str, Any]]] = {  # parameters of d columns, with which starts are given
    "AffinityPropagation": lambda d: {"random_state": 0, "max_iter": 500},
    "AgglomerativeClustering": lambda d: {"linkage": "average"},
    "BisectingKMeans": lambda d: {"n_clusters": 2, "random_state": 0},
    "DBSCAN": lambda d: {"eps": 1.0, "min_samples": 3},
    "FuzzyCMeans": lambda d: {"n_clusters": 2, "init": centres(d), "max_iter": 10},
    "KExemplars": lambda d: {"n_clusters": 2, "init": centres(d)},
    "KMeans": lambda d: {"n_clusters": 2, "init": centres(d), "tol": 0.0},
    "KMedoids": lambda d: {"n_clusters": 2},
    "KernelKMeans": lambda d: {"n_clusters": 2, "random_state": 0, "gamma": 0.5},
    "LandmarkKernelKMeans": lambda d: {"n_clusters": 2, "gamma": 0.5, "landmarks": spread(d), "init": centres(d)},
    "MiniBatchKMeans": lambda d: {"n_clusters": 2, "init": centres(d), "random_state": 0, "max_iter": 3, "n_init": 1},
}
BY_NUMBERS = {  # what they draw goes by the numbers of the rows
    "AffinityPropagation": "ties are broken by a little noise, pair by pair",
    "KernelKMeans": "labels to begin with are one a row",
    "MiniBatchKMeans": "batches are drawn",
}
EXACTLY: dict[str, Callable[[int], dict[str, Any]]] = {  # a start that is no file's business
    "BisectingKMeans": lambda d: {"n_clusters": 3, "init": lambda X, k, random_state: np.sort(_ends(X), axis=0)},
}


def _ends(X: Any) -> Any:
    return np.array([X.min(axis=0), X.max(axis=0)])


def maker(name: str, given: Any = GIVEN) -> Make:
    return lambda d: MODELS[name](**given[name](d))


def test_every_clusterer_is_given_its_start() -> None:
    assert set(GIVEN) == set(MODELS)


@pytest.mark.parametrize("law", ANY, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", MODELS)
def test_law(name: str, law: Law) -> None:
    hold(lambda case: law(maker(name), case), cases(), f"{name} {law.__name__}", least=TABLES)


@pytest.mark.parametrize("law", EXACT, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", [name for name in MODELS if name not in BY_NUMBERS])
def test_order_and_copies(name: str, law: Law) -> None:
    hold(lambda case: law(maker(name, {**GIVEN, **EXACTLY}), case), cases(), f"{name} {law.__name__}", least=TABLES)


class LosesTheLastRow(DBSCAN):
    """The last row is nobody's neighbour."""

    def _solve(self, plan: Any, source: Any) -> Found:
        w = np.ones(source.table.n) if source.w is None else source.w.copy()
        w[-1] = 0.0
        return super()._solve(plan, replace(source, w=w))


class CountsRows(DBSCAN):
    """Rows weigh the same, whatever was said."""

    def _solve(self, plan: Any, source: Any) -> Found:
        return super()._solve(plan, replace(source, w=None))


class KnowsItsPlace(KMeans):
    """The origin is a centre."""

    def predict(self, X: Any) -> Any:
        return (np.asarray(X).sum(axis=1) > 1.0).astype(np.int32)


class SwapsLabels(KMeans):
    """Predicts other numbers than it learned."""

    def predict(self, X: Any) -> Any:
        return 1 - super().predict(X)


class SavesOthers(KMeans):
    """Its centres are saved elsewhere."""

    def _saved(self) -> Any:
        value = super()._saved()
        state = value.fitted.state
        model = replace(state.model, centres=state.model.centres + 1.0)
        return replace(value, name="KMeans", fitted=replace(value.fitted, state=replace(state, model=model)))


class ForgetsItself(KMeans):
    """What was learned is gone before a fit is sure to succeed."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        self.__dict__.pop("fitted_", None)
        return super().fit(X, y, sample_weight)


class ReadsWhole(DBSCAN):
    """Files are read whole, whoever asks."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, in_memory: bool = False) -> Any:
        return super().fit(X, y, sample_weight, in_memory=True)


def k_means(cls: Any) -> Make:
    return lambda d: cls(2, init=centres(d), tol=0.0)


def dense(cls: Any) -> Make:
    return lambda d: cls(1.0, min_samples=3)


DEFECTS: list[tuple[Law, Make, Make]] = [  # a law, what breaks it, and what it was planted in
    (cluster_laws.order, dense(LosesTheLastRow), dense(DBSCAN)),
    (cluster_laws.copies, dense(CountsRows), dense(DBSCAN)),
    (cluster_laws.translation, k_means(KnowsItsPlace), k_means(KMeans)),
    (cluster_laws.own_labels, k_means(SwapsLabels), k_means(KMeans)),
    (cluster_laws.saved, k_means(SavesOthers), k_means(KMeans)),
    (cluster_laws.failing, k_means(ForgetsItself), k_means(KMeans)),
    (cluster_laws.from_files, dense(ReadsWhole), dense(DBSCAN)),
]
PLANTED = [law for law, _, _ in DEFECTS]


@pytest.mark.parametrize(("law", "defect", "sound"), DEFECTS, ids=[law.__name__ for law in PLANTED])
def test_a_planted_defect_breaks_its_law(law: Law, defect: Make, sound: Make) -> None:
    assert not broken(lambda case: law(sound, case), cases())
    assert broken(lambda case: law(defect, case), cases())
