"""scikit-learn's callbacks are told of every fit, once, whatever passes it takes, from inside its searches too."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.callback import ScoringMonitor
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import suffice
from suffice.core.errors import BadInput
from suffice.estimators.glue.estimator import Estimator
from suffice.testing.discovery import public_estimators

X, Y = load_iris(return_X_y=True)
SOME = np.arange(0, 150, 2)
OURS = [cls for cls in public_estimators() if issubclass(cls, Estimator)]
GIVEN = {"Chain": (suffice.StandardScaler(), suffice.Ridge())}


class Watcher:
    """Notes what it is told; goes into estimators inside, as progress bars do."""

    max_propagation_depth = None

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []
        self.fitted: Any = None

    def setup(self, estimator: Any, context: Any) -> None:
        self.told.append(("setup", type(estimator).__name__))

    def teardown(self, estimator: Any, context: Any) -> None:
        self.told.append(("teardown", type(estimator).__name__))

    def on_fit_task_begin(self, estimator: Any, context: Any, *, X: Any = None, metadata: Any = None) -> None:
        self.told.append((f"begin {context.task_name}", type(estimator).__name__))

    def on_fit_task_end(self, estimator: Any, context: Any, *, y: Any = None, fitted_estimator: Any = None) -> None:
        self.told.append((f"end {context.task_name}", type(estimator).__name__))
        self.fitted = fitted_estimator


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("cls", OURS, ids=lambda cls: cls.__name__)
def test_a_fit_is_one_task(cls: type[Any]) -> None:
    model, watcher = cls(*GIVEN.get(cls.__name__, ())), Watcher()
    target = X[SOME, 0] if is_regressor(model) else Y[SOME] > 0
    rows = X[SOME, :1] if cls.__name__ == "KernelRegression" else np.round(4 * X[SOME])
    assert model.set_callbacks(watcher).fit(rows, target) is model
    name = type(model).__name__
    assert watcher.told == [("setup", name), ("begin fit", name), ("end fit", name), ("teardown", name)]
    assert not {"_callback_fit_ctx", "_skl_callbacks_to_teardown"} & set(vars(model))
    if hasattr(model, "predict") and (is_classifier(model) or is_regressor(model)):
        np.testing.assert_array_equal(watcher.fitted.predict(rows), model.predict(rows))


def test_searches_and_pipelines_hand_them_on() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # that an estimator takes no callbacks
        for around, fits in (
            (GridSearchCV(suffice.Ridge(), {"alpha": [1.0, 2.0]}, cv=3), 7),
            (make_pipeline(suffice.StandardScaler(), suffice.Ridge()), 1),
        ):
            watcher = Watcher()
            around.set_callbacks(watcher).fit(X, Y)
            assert watcher.told.count(("begin fit", "Ridge")) == watcher.told.count(("end fit", "Ridge")) == fits
            assert watcher.told.count(("teardown", "Ridge")) == 0  # it is that of what stands around


def test_scores_are_monitored() -> None:
    monitor = ScoringMonitor(scoring="accuracy")
    model = suffice.GaussianNB().set_callbacks(monitor).fit(X, Y)
    (told,) = monitor.get_logs().data
    assert told["accuracy"] == model.score(X, Y)


def test_chunks_are_told_and_failures_too(tmp_path: Path) -> None:
    watcher = Watcher()
    model = suffice.GaussianNB().set_callbacks(watcher)
    model.partial_fit(X[:70], Y[:70], classes=[0, 1, 2]).partial_fit(X[70:], Y[70:], sample_weight=np.ones(80))
    assert [what for what, _ in watcher.told].count("end partial_fit") == 2
    del watcher.told[:]
    with pytest.raises(BadInput):
        model.fit(X, Y[:3])
    assert [what for what, _ in watcher.told] == ["setup", "begin fit", "teardown"]
    assert model.predict(X).shape == (150,)
    model.save(tmp_path / "m")
    assert suffice.load(tmp_path / "m").predict(X[:1]).tolist() == [0]
    assert pickle.loads(pickle.dumps(clone(model).set_callbacks())).get_params() == model.get_params()
    with pytest.raises(TypeError, match="FitCallback"):
        model.set_callbacks("loud")
