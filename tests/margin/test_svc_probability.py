"""SVC(probability=True): Platt's curves over held-out values, pairs coupled; answers go by votes unless asked."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss
from sklearn.svm import SVC as TheirSVC

import suffice
from suffice import SVC, Chain, Decide, LogisticMap, StandardScaler
from suffice.app.main import suffice as cli
from suffice.core.block import Coded
from suffice.core.errors import BadFile, BadInput
from suffice.core.folds import DrawnFolds

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
TWO = make_classification(300, n_informative=4, flip_y=0.1, random_state=0)


def proba(rows: Any, y: Any, asked: Any = None, w: Any = None, **options: Any) -> Any:
    return SVC(probability=True, **options).fit(rows, y, w).predict_proba(rows if asked is None else asked)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("K", [2, 4])
def test_it_is_as_good_as_libsvm(K: int) -> None:
    """The folds differ, and so do the curves: by little."""
    rows, y = make_classification(600, n_informative=5, n_classes=K, flip_y=0.1, random_state=0)
    ours, theirs = (cls(probability=True, random_state=0).fit(rows[:400], y[:400]) for cls in (SVC, TheirSVC))
    said, theirs_said = (model.predict_proba(rows[400:]) for model in (ours, theirs))
    assert abs(log_loss(y[400:], said) - log_loss(y[400:], theirs_said)) < 0.02
    assert np.abs(said - theirs_said).mean() < 0.02
    assert (ours.predict(rows[400:]) == theirs.predict(rows[400:])).mean() > 0.98


def test_its_curve_is_that_of_rows_held_out() -> None:
    """By hand: five machines, each of four folds, and Platt's curve through what they say of the fifth."""
    rows, y = TWO
    folds = DrawnFolds(5).of_labels(Coded(y[:, None], ((0, 1),)))
    values = np.empty(len(y))
    for fold in range(5):
        gamma = 1 / (rows.shape[1] * rows.var())  # of all rows, as libsvm takes it
        values[folds == fold] = (
            SVC(gamma=gamma).fit(rows[folds != fold], y[folds != fold]).decision_function(rows[folds == fold])
        )
    curve = LogisticMap.of(values, y)
    model = SVC(probability=True).fit(rows, y)
    np.testing.assert_allclose(model.predict_proba(rows), curve.proba(model.decision_function(rows)), rtol=1e-9)


def test_answers_go_by_votes_unless_something_is_asked() -> None:
    model, plain = SVC(probability=True).fit(X, Y), SVC().fit(X, Y)
    assert (model.predict(X) == plain.predict(X)).all()
    assert (model.decision_function(X) == plain.decision_function(X)).all()
    wishes: dict[str, Any] = {"prior": {0: 0.2, 1: 0.1, 2: 0.7}, "reject": 0.1}
    said = model.predict(X, **wishes)
    assert (said == Decide(model).predict(X, **wishes)).all()
    assert {*said.tolist()} == {0, 1, 2, None}
    assert model.posterior(X).prior.tolist() == pytest.approx([1 / 3] * 3)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X), rtol=1e-14)


def test_what_was_not_asked_for_is_not_there() -> None:
    plain = SVC().fit(X, Y)
    for verb in ("predict_proba", "predict_log_proba", "posterior"):
        assert not hasattr(plain, verb)
        assert hasattr(SVC(probability=True), verb)
    assert not hasattr(SVC(probability="deprecated"), "predict_proba")  # scikit-learn's default
    with pytest.raises(AttributeError, match=r"no predict_proba. Train it with probability=True, or wrap it"):
        plain.predict_proba(X)
    with pytest.raises(BadInput, match="probability must be True where predict is told reject, got False"):
        plain.predict(X, reject=0.1)
    plain.probability = True
    for ask in (plain.predict_proba, plain.predict_log_proba, lambda rows: plain.predict(rows, prior="uniform")):
        with pytest.raises(NotFittedError, match="predict_proba is not available when fitted with probability=False"):
            ask(X)
    assert clone(plain).get_params()["probability"] is True


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "product"])
def test_sparse_and_given_kernels_say_the_same(kernel: str) -> None:
    options: Any = {"kernel": (lambda a, b: a @ b.T) if kernel == "product" else kernel}
    expected = proba(X, NAMES, **options)
    for form in (sparse.csr_array, sparse.csc_matrix):
        np.testing.assert_allclose(proba(form(X), NAMES, form(X), **options), expected, atol=1e-9)
    if kernel == "linear":
        np.testing.assert_allclose(proba(X @ X.T, NAMES, kernel="precomputed"), expected, atol=1e-9)
    wide = sparse.random_array((60, 1500), density=0.02, rng=np.random.default_rng(0), format="csr")
    y = np.asarray(wide[:, :700].sum(axis=1) > wide[:, 700:].sum(axis=1)).ravel()
    assert proba(wide, y, wide, kernel="linear").shape == (60, 2)


def test_weights_count_in_the_curves_too() -> None:
    rows, y = TWO
    same = proba(rows, y, w=np.full(len(y), 1.0))
    assert (same == proba(rows, y)).all()
    assert np.abs(proba(rows, y, w=1.0 + y) - proba(rows, y, class_weight={1: 2.0})).max() > 1e-3
    w = (Y != 0).astype(float)
    np.testing.assert_allclose(proba(X, NAMES, w=w), proba(X[Y != 0], NAMES[Y != 0], X), atol=1e-9)
    assert SVC(probability=True).fit(rows, y, 1.0 + y).posterior(rows).prior[1] > 0.6


@pytest.mark.parametrize("few", [1, 2, 4])
@pytest.mark.parametrize("K", [2, 3])
def test_rare_classes_have_probabilities(few: int, K: int) -> None:
    rows = np.concatenate([np.flatnonzero(Y == 0)[:few], np.flatnonzero((Y > 0) & (K > Y))])
    said = proba(X[rows], NAMES[rows], X)
    np.testing.assert_allclose(said.sum(axis=1), 1.0)
    assert ((said > 0) & (said < 1)).all()
    for pair in ([0, 50], [0, 50, 100]):
        assert proba(X[pair], NAMES[pair]).shape == (len(pair), len(pair))


def test_it_is_saved_whole(tmp_path: Any) -> None:
    model = SVC(probability=True, decision_function_shape="ovo").fit(X, NAMES)
    model.save(tmp_path / "m")
    loaded = suffice.load(tmp_path / "m")
    for asked in (loaded, loaded.estimator()):
        for verb in ("predict_proba", "predict_log_proba", "decision_function", "predict"):
            assert (getattr(asked, verb)(X) == getattr(model, verb)(X)).all()
        assert (
            asked.predict(X, prior="uniform", at_least=0.9) == model.predict(X, prior="uniform", at_least=0.9)
        ).all()
        assert (asked.dual_coef_ == model.dual_coef_).all()
    machine = model.fitted_.model
    with pytest.raises(BadFile, match="of other classes"):
        replace(machine, chances=SVC(probability=True).fit(*TWO).fitted_.model.chances)


def test_a_face_without_probabilities_makes_no_model(tmp_path: Any) -> None:
    from suffice import persistence

    value = SVC(probability=True).fit(X, Y)._saved()
    forged = replace(value, fitted=replace(value.fitted, plan=SVC().fit(X, Y).fitted_.plan))
    persistence.save(forged, tmp_path / "less")
    assert (suffice.load(tmp_path / "less").predict(X) == SVC().fit(X, Y).predict(X)).all()
    forged = replace(value, fitted=SVC().fit(X, Y).fitted_)
    forged = replace(forged, fitted=replace(forged.fitted, plan=value.fitted.plan))
    persistence.save(forged, tmp_path / "more")
    with pytest.raises(BadFile, match="no model can be made of its pieces"):
        suffice.load(tmp_path / "more")


def test_a_chain_ends_in_it() -> None:
    chain: Any = Chain(StandardScaler(), SVC(probability=True)).fit(X, NAMES)
    scaled = StandardScaler().fit(X).transform(X)
    np.testing.assert_allclose(chain.predict_proba(X), proba(scaled, NAMES), atol=1e-7)
    assert not hasattr(Chain(StandardScaler(), SVC()).fit(X, NAMES), "predict_proba")


def test_the_same_rows_give_the_same_probabilities_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first, again = proba(X, NAMES, random_state=0), proba(X, NAMES, random_state=1)
    assert (first == again).all()


def test_the_command_answers_by_votes_and_decides_when_asked(tmp_path: Any) -> None:
    rows, y = make_classification(300, n_informative=4, flip_y=0.3, weights=[0.7], random_state=1)
    model = SVC(probability=True).fit(rows, y)
    assert (model.predict(rows) != model.predict_proba(rows).argmax(axis=1)).any()
    model.save(tmp_path / "m")
    np.savetxt(tmp_path / "rows.csv", rows, delimiter=",", header=",".join(f"x{j}" for j in range(20)), comments="")
    for words, wishes in (([], {}), (["--at-least", "0.8"], {"at_least": 0.8})):
        asked = ["predict", tmp_path / "m", tmp_path / "rows.csv", *words, "--format", "json"]
        done = CliRunner().invoke(cli, [*map(str, asked)], catch_exceptions=False)
        told = json.loads(done.stdout)
        assert [row["prediction"] for row in told] == model.predict(rows, **wishes).tolist()
        np.testing.assert_allclose([row["p(1)"] for row in told], model.predict_proba(rows)[:, 1])
