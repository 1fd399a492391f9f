"""Nets as estimators: errors by epoch, decay, stopping, decisions, files, refusals."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from suffice import Autoassociator, LogisticNeuron, LogisticRegression, MLPClassifier, MLPRegressor, load
from suffice.core.errors import BadFile, BadInput
from suffice.neural import NetWeights, error_by_epoch
from suffice.neural.net_code import NetCode
from suffice.neural.net_models import NetClasses
from suffice.neural.net_record import NetRecord

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = load_iris(return_X_y=True)
Z = (X - X.mean(axis=0)) / X.std(axis=0)
SMALL: dict[str, Any] = {"hidden_layer_sizes": (4,), "max_iter": 5, "random_state": 0}
ALONE = """
import sys
import numpy as np
from suffice import load
model = load(sys.argv[1])
verb = model.transform if hasattr(model, "transform") else model.predict
print(verb(np.array([[5.0, 3.0, 1.5, 0.25]])).tolist())
assert not {"sklearn", "numba", "pandas"} & set(sys.modules), sorted(sys.modules)
"""


def test_weight_decay_takes_its_part_off_each_step() -> None:
    """C.M08.13: a step is -rate dE/dw - decay w; the penalty alpha of a net with steps of one row is decay / rate."""
    rate, decay = 0.2, 0.05
    plain, decayed = (
        LogisticNeuron(rate=rate, decay=part, max_iter=1, shuffle=False, random_state=0).fit(Z[:1], [0], [1.0])
        for part in (0.0, decay)
    )
    begun = np.random.RandomState(0).uniform(-0.1, 0.1, 4)
    np.testing.assert_allclose(decayed.coef_[0], plain.coef_[0] - decay * begun, rtol=1e-12)
    np.testing.assert_allclose(decayed.intercept_, plain.intercept_, rtol=1e-12)
    options = {**SMALL, "solver": "sgd", "batch_size": 1, "momentum": 0.0, "max_iter": 30, "learning_rate_init": 0.1}
    sizes = [sum((w**2).sum() for w in MLPClassifier(**options, alpha=a).fit(Z, Y).coefs_) for a in (0.0, 0.1)]
    assert sizes[1] < 0.5 * sizes[0]


def test_a_neuron_nears_logistic_regression() -> None:
    """C.M08.02, C.M08.04: the same optimum under the cross-entropy; a batch is a sum, so it is deterministic."""
    two = Y > 0
    noisy = two.copy()
    noisy[::7] = ~noisy[::7]
    neuron = LogisticNeuron(mode="batch", rate=0.005, max_iter=5000, tol=None, random_state=0).fit(Z, noisy)
    best = LogisticRegression(C=np.inf, tol=1e-10).fit(Z, noisy)
    np.testing.assert_allclose(neuron.predict_proba(Z), best.predict_proba(Z), atol=0.02)


def test_a_weight_is_so_many_moves() -> None:
    w = np.arange(len(Z)) % 3 + 0.0
    copies = np.repeat(np.arange(len(Z)), w.astype(int))
    options: dict[str, Any] = {"mode": "batch", "rate": 0.001, "max_iter": 20, "tol": None, "random_state": 0}
    weighed = LogisticNeuron(**options).fit(Z, Y, w)
    copied = LogisticNeuron(**options).fit(Z[copies], Y[copies])
    np.testing.assert_allclose(weighed.coef_, copied.coef_, rtol=1e-10)


def test_batches_without_weight_move_nothing() -> None:
    w = np.zeros(len(Z))
    w[:40] = 1.0
    net = MLPRegressor(**SMALL, batch_size=10, shuffle=False).fit(Z, Y, w)
    assert np.isfinite(net.predict(Z)).all()


def test_stopping_by_folds() -> None:
    """C.M08.12: the error of rows held out, by epoch and fold; its least tells where to stop."""
    net = MLPClassifier((6,), "tanh", solver="sgd", learning_rate_init=0.05, random_state=0)
    done: list[int] = []
    curve = error_by_epoch(net, Z, Y, epochs=15, cv=5, progress=lambda a, b: done.append(a))
    assert curve.held_out.shape == curve.training.shape == (5, 15)
    assert done == list(range(1, 76))
    assert curve.held_out.mean(axis=0)[curve.best - 1] == curve.held_out.mean(axis=0).min()
    assert curve.training[:, -1].mean() < curve.training[:, 0].mean()
    with pytest.raises(BadInput, match="one with partial_fit"):
        error_by_epoch(MLPClassifier(solver="lbfgs"), Z, Y)
    with pytest.raises(BadInput, match="at least 1"):
        error_by_epoch(net, Z, Y, epochs=0)


def test_decisions_follow_prior_and_costs() -> None:
    net = MLPClassifier((5,), solver="lbfgs", alpha=1.0, random_state=0).fit(Z, Y)
    proba = net.predict_proba(Z)
    np.testing.assert_allclose(np.exp(net.predict_log_proba(Z)), proba, rtol=1e-12)
    np.testing.assert_allclose(net.posterior(Z).prior, 1 / 3)
    assert (net.predict(Z, at_least=0.999) == None).sum() == (proba.max(axis=1) < 0.999).sum()  # noqa: E711
    dear = net.predict(Z, costs={0: {1: 1000.0, 2: 1000.0}})
    assert (dear == 0).sum() >= (net.predict(Z) == 0).sum()


def test_sparse_rows_and_float32() -> None:
    net = MLPClassifier(**SMALL).fit(Z, Y)
    same = MLPClassifier(**SMALL).fit(sp.csr_array(Z), Y)
    np.testing.assert_allclose(same.predict_proba(sp.csr_array(Z)), net.predict_proba(Z), rtol=1e-10)
    narrow = MLPRegressor(**SMALL).fit(Z.astype(np.float32), Y)
    assert narrow.predict(Z.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize(
    "model",
    [
        MLPClassifier(**SMALL),
        MLPRegressor(**SMALL),
        LogisticNeuron(max_iter=3, random_state=0),
        Autoassociator((2,), max_iter=3, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_files_without_pickle(model: Any, tmp_path: Path) -> None:
    """C.M08.09: a loaded net tells its hidden outputs too, and predicts on NumPy and SciPy alone."""
    model.fit(X, Y).save(tmp_path / "net")
    loaded = load(tmp_path / "net")
    assert loaded.loss_curve_ == model.loss_curve_
    if model.n_layers_ > 2:
        np.testing.assert_array_equal(loaded.hidden_outputs(X), model.hidden_outputs(X))
    again = loaded.estimator()
    for one in (again, model):
        one.partial_fit(X, Y)
    np.testing.assert_array_equal(again.coefs_[0], model.coefs_[0])  # the optimizer goes on where it was
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "net")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_an_autoassociator_maps_and_says_again() -> None:
    net = Autoassociator((3, 2, 3), "tanh", solver="lbfgs", random_state=0).fit(Z)
    assert net.transform(Z).shape == (150, 2)  # the narrowest layer
    np.testing.assert_allclose(net.inverse_transform(net.transform(Z)), net.reconstruct(Z), rtol=1e-12)
    assert net.get_feature_names_out().tolist() == ["autoassociator0", "autoassociator1"]
    assert ((net.reconstruct(Z) - Z) ** 2).mean() < 0.1


def test_one_class_and_classes_without_rows() -> None:
    assert MLPClassifier(**SMALL).fit(Z, np.ones(150)).predict_proba(Z[:2]).tolist() == [[1.0], [1.0]]
    net = MLPClassifier(**SMALL).partial_fit(Z[:50], Y[:50], classes=[0, 1, 2])
    assert net.classes_.tolist() == [0, 1, 2]
    np.testing.assert_allclose(net.posterior(Z).prior, np.array([51, 1, 1]) / 53)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: MLPClassifier((3, 0)).fit(Z, Y), "hidden_layer_sizes must be whole numbers of at least 1"),
        (lambda: MLPClassifier((3.5,)).fit(Z, Y), "hidden_layer_sizes must be whole numbers"),
        (lambda: MLPClassifier("wide").fit(Z, Y), "hidden_layer_sizes"),
        (lambda: MLPClassifier(activation="step").fit(Z, Y), "activation"),
        (lambda: MLPClassifier(loss="hinge").fit(Z, Y), "loss"),
        (lambda: MLPClassifier(start=0.0).fit(Z, Y), "start"),
        (lambda: MLPClassifier().partial_fit(Z, Y), "classes must be given in the first call"),
        (lambda: MLPClassifier().partial_fit(Z, Y, classes=[0, 1]), "labels must be among the classes"),
        (lambda: MLPClassifier(early_stopping=True).partial_fit(Z, Y, classes=[0, 1, 2]), "early_stopping must be"),
        (lambda: MLPClassifier().fit(Z, Y[:9]), "X and y must be of one length"),
        (lambda: MLPClassifier().fit(Z, Y, np.zeros(150)), "sample_weight must be greater than 0"),
        (lambda: MLPClassifier().fit(np.full((3, 1), np.nan), [0, 1, 0]), "NaN"),
        (lambda: MLPRegressor("poisson").fit(Z, -Y), "y must be at least 0"),
        (lambda: MLPRegressor().fit(Z, np.full(150, np.nan)), "NaN"),
        (lambda: MLPRegressor(**SMALL).fit(Z, Y).hidden_outputs(Z, 2), "layer must be a hidden layer, 1 to 1"),
        (lambda: LogisticNeuron().fit(Z, Y).hidden_outputs(Z), "a net that has a hidden layer"),
        (lambda: LogisticNeuron(mode="mini").fit(Z, Y), "mode"),
        (lambda: LogisticNeuron(decay=1.0).fit(Z, Y), "decay"),
        (lambda: LogisticNeuron().partial_fit(Z, Y), "classes must be given"),
        (lambda: Autoassociator(output="logistic").fit(Z), "X must be between 0 and 1"),
        (lambda: Autoassociator(()).fit(Z), "at least one layer"),
        (lambda: Autoassociator(**SMALL).fit(Z).inverse_transform(np.zeros((1, 3))), "rows of 4 columns"),
    ],
)
def test_refusals(call: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        call()


def test_a_warm_start_needs_the_same_net() -> None:
    net = MLPClassifier(**SMALL, warm_start=True).fit(Z, Y)
    with pytest.raises(BadInput, match="layers of"):
        net.set_params(hidden_layer_sizes=(5,)).fit(Z, Y)
    assert net.predict(Z).shape == (150,)  # nothing was lost


def test_epochs_that_ran_out_are_said() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ConvergenceWarning, match="MLPRegressor: 2 epochs passed"):
            MLPRegressor(max_iter=2).fit(Z, Y)


W = NetWeights((np.ones((2, 1)),), (np.ones(1),), "relu", "logistic")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: NetWeights((np.ones((2, 1)),), (np.ones(2),), "relu", "logistic"), "one a unit"),
        (lambda: NetWeights((np.ones((2, 1)),), (np.ones(1),), "eval", "logistic"), "activations"),
        (lambda: NetWeights((), (), "relu", "logistic"), "no weights"),
        (lambda: NetWeights((np.ones(2),), (np.ones(1),), "relu", "logistic"), "no table"),
        (
            lambda: NetWeights((np.ones((2, 3)), np.ones((2, 1))), (np.ones(3), np.ones(1)), "relu", "exp"),
            "follow one another",
        ),
        (lambda: NetClasses(W, ("a", "b", "c"), np.ones(3), NetRecord()), "3 classes"),
        (lambda: NetClasses(W, ("a", "b"), np.ones(3), NetRecord()), "seen"),
        (lambda: NetCode(W, 1, NetRecord()), "no hidden layer"),
    ],
)
def test_pieces_that_make_no_net(make: Any, told: str) -> None:
    with pytest.raises(BadFile, match=told):
        make()
