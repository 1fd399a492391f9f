"""SVC: what it shares with scikit-learn's, and what it does better: digits, offsets, weights, hard margins."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC as TheirSVC

import suffice
from suffice import SVC, CalibratedClassifier, Decide
from suffice.core.errors import BadFile, BadInput
from suffice.spaces import LinearKernel, RbfKernel

IRIS = load_iris(return_X_y=True)
RNG = np.random.default_rng(7)
CLOUDS = RNG.normal(size=(120, 3))
SIDES = np.where(CLOUDS[:, 0] + 0.6 * RNG.normal(size=120) > 0.1, "right", "left")
KERNELS = ["linear", "poly", "rbf", "sigmoid"]
DEFINITE = ["linear", "poly", "rbf"]  # with the sigmoid, which is not definite, a problem may have several optima
SINGLE = 5e-5  # scikit-learn's solver keeps kernel values in single precision: its answers have so many digits


def both(X: Any, y: Any, w: Any = None, **options: Any) -> tuple[SVC, TheirSVC]:
    options = {"tol": 1e-9, **options}
    return SVC(**options).fit(X, y, w), TheirSVC(**options).fit(X, y, w)


@pytest.mark.parametrize("kernel", DEFINITE)
@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
def test_two_classes_as_scikit_learn(kernel: str, C: float) -> None:
    ours, theirs = both(CLOUDS, SIDES, kernel=kernel, C=C)
    assert ours.support_.tolist() == theirs.support_.tolist()
    assert ours.n_support_.tolist() == theirs.n_support_.tolist()
    near = {"rtol": SINGLE, "atol": SINGLE}
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, **near)
    np.testing.assert_allclose(ours.decision_function(CLOUDS), theirs.decision_function(CLOUDS), **near)
    assert (ours.predict(CLOUDS) == theirs.predict(CLOUDS)).all()
    for name in ("support_", "n_support_", "dual_coef_", "intercept_", "support_vectors_", "n_iter_", "class_weight_"):
        a, b = getattr(ours, name), getattr(theirs, name)
        assert (a.dtype, a.shape) == (b.dtype, b.shape), name
    assert (ours.shape_fit_, ours.fit_status_, ours.n_features_in_) == ((120, 3), 0, 3)
    assert ours.kkt_gap_.max() <= 1e-9


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("shape", ["ovr", "ovo"])
def test_three_classes_as_scikit_learn(kernel: str, shape: str) -> None:
    X, y = IRIS
    ours, theirs = both(X, y, kernel=kernel, decision_function_shape=shape)
    assert ours.support_.tolist() == theirs.support_.tolist()
    near = {"rtol": SINGLE, "atol": SINGLE}
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, **near)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), **near)
    assert (ours.predict(X) == theirs.predict(X)).all()
    if kernel == "linear":
        np.testing.assert_allclose(ours.coef_, theirs.coef_, **near)
        assert not ours.coef_.flags.writeable


@pytest.mark.parametrize("kernel", DEFINITE)
def test_the_optimum_is_no_worse_than_theirs(kernel: str) -> None:
    """Both answers judged by the same objective in double precision."""
    X, y = IRIS[0][50:], IRIS[1][50:]
    ours, theirs = both(X, y, kernel=kernel, gamma=0.2, C=5.0)
    values = []
    for model in (ours, theirs):
        K = ours.kernel_.between(X[model.support_])
        beta = model.dual_coef_[0]
        values.append(np.abs(beta).sum() - 0.5 * beta @ K @ beta)
    assert values[0] == pytest.approx(ours.dual_objective_[0], rel=1e-10)  # of kernel values up to 1e5
    assert values[0] >= values[1] - 1e-6
    beta = np.zeros(len(X))
    beta[ours.support_] = ours.dual_coef_[0]
    margins = np.where(y == 2, 1.0, -1.0) * ours.decision_function(X)
    primal = np.abs(beta).sum() - values[0] + 5.0 * np.maximum(0.0, 1.0 - margins).sum()
    assert primal == pytest.approx(values[0], rel=1e-9)  # no gap between the two problems


def test_the_sigmoid_kernel() -> None:
    ours, theirs = both(CLOUDS, SIDES, kernel="sigmoid", C=0.1)
    np.testing.assert_allclose(ours.decision_function(CLOUDS), theirs.decision_function(CLOUDS), atol=SINGLE)
    assert SVC(kernel="sigmoid", C=30.0).fit(CLOUDS, SIDES).kkt_gap_[0] <= 1e-3


def test_ten_classes_as_scikit_learn() -> None:
    X, y = load_digits(return_X_y=True)
    ours, theirs = both(X[::3], y[::3], break_ties=True)
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.999
    assert ours.decision_function(X).shape == (len(X), 10)
    assert ours.dual_coef_.shape == theirs.dual_coef_.shape


def test_ties_of_votes() -> None:
    """Three classes, one vote each: the first class, or with break_ties the one with the largest score."""
    angles = np.array([0.5, 2.6, 4.7])
    X = np.column_stack([np.cos(angles), np.sin(angles)])
    plain = SVC(kernel="linear").fit(X, [0, 1, 2])
    broken = SVC(kernel="linear", break_ties=True).fit(X, [0, 1, 2])
    theirs = TheirSVC(kernel="linear", break_ties=True).fit(X, [0, 1, 2])
    new = RNG.normal(size=(500, 2)) * 0.3
    assert (broken.predict(new) == broken.decision_function(new).argmax(axis=1)).all()
    assert (broken.predict(new) == theirs.predict(new)).all()
    assert (plain.predict(new) == TheirSVC(kernel="linear").fit(X, [0, 1, 2]).predict(new)).all()


def test_row_weights_multiply_C() -> None:
    w = RNG.uniform(0.2, 3.0, size=120)
    ours, theirs = both(CLOUDS, SIDES, w, kernel="linear")
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-5)


@pytest.mark.parametrize("kernel", DEFINITE)
def test_weight_w_counts_as_w_copies(kernel: str) -> None:
    w = RNG.integers(0, 4, size=120)
    options: dict[str, Any] = {"kernel": kernel, "tol": 1e-10}
    weighed = SVC(**options).fit(CLOUDS, SIDES, w)
    copies = SVC(**options).fit(np.repeat(CLOUDS, w, axis=0), np.repeat(SIDES, w))
    np.testing.assert_allclose(weighed.decision_function(CLOUDS), copies.decision_function(CLOUDS), atol=1e-7)
    assert not set(weighed.support_) & set(np.flatnonzero(w == 0))


@pytest.mark.parametrize("weights", ["balanced", {"left": 3.0}])
def test_class_weights(weights: Any) -> None:
    ours, theirs = both(CLOUDS[:70], SIDES[:70], kernel="linear", class_weight=weights)
    np.testing.assert_allclose(ours.class_weight_, theirs.class_weight_, rtol=1e-14)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)


def test_a_class_whose_rows_weigh_nothing_is_not_there() -> None:
    X, y = IRIS
    model = SVC().fit(X, y, (y != 1).astype(float))
    assert model.classes_.tolist() == [0, 2]
    assert set(model.predict(X)) == {0, 2}


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_an_offset_of_1e8_changes_nothing_but_the_threshold(kernel: str) -> None:
    moved = CLOUDS + 1e8
    kept = moved - 1e8
    far, near = (SVC(kernel=kernel, gamma=0.5, tol=1e-9).fit(rows, SIDES) for rows in (moved, kept))
    np.testing.assert_allclose(far.decision_function(moved), near.decision_function(kept), atol=1e-9)
    assert far.support_.tolist() == near.support_.tolist()


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_scaling_all_columns_changes_nothing_for_a_gamma_to_scale(scale: float) -> None:
    near, far = SVC(tol=1e-9).fit(CLOUDS, SIDES), SVC(tol=1e-9).fit(CLOUDS * scale, SIDES)
    np.testing.assert_allclose(far.decision_function(CLOUDS * scale), near.decision_function(CLOUDS), atol=1e-8)
    hard = [[0.0, 0.0], [1.0, 1.0], [2.0, 3.0]]
    small = SVC(kernel="linear", C=np.inf).fit(np.array(hard) * scale, [0, 0, 1])
    np.testing.assert_allclose(
        small.coef_ * scale, SVC(kernel="linear", C=np.inf).fit(hard, [0, 0, 1]).coef_, rtol=1e-9
    )


def test_constant_columns_and_equal_rows() -> None:
    X = np.column_stack([np.repeat([[0.0], [1.0], [0.5]], 4, axis=0), np.full(12, 3.0)])
    y = np.repeat([0, 1, 0], 4)
    y[8] = 1  # the same row in both classes
    for kernel in KERNELS:
        model = SVC(kernel=kernel).fit(X, y)
        assert np.isfinite(model.decision_function(X)).all()
    flat = SVC(kernel="linear").fit(np.ones((4, 2)), [0, 0, 1, 1])
    assert flat.coef_.tolist() == [[0.0, 0.0]]
    assert np.isinf(flat.margin_width_).all()


def test_two_rows() -> None:
    model = SVC(kernel="linear", C=np.inf).fit([[0.0], [2.0]], ["a", "b"])
    assert model.decision_function([[0.0], [1.0], [2.0]]).tolist() == pytest.approx([-1, 0, 1], abs=1e-12)
    assert model.predict([[0.0], [2.0]]).tolist() == ["a", "b"]


def test_a_hard_margin_is_that_of_a_large_C() -> None:
    X, y = IRIS
    rows = X[y < 2]
    hard, soft = (SVC(kernel="linear", C=C, tol=1e-9).fit(rows, y[y < 2]) for C in (np.inf, 1e6))
    np.testing.assert_allclose(hard.coef_, soft.coef_, atol=1e-6)
    assert np.abs(hard.decision_function(rows)).min() == pytest.approx(1.0, abs=1e-8)
    rbf = SVC(C=np.inf, gamma=5.0).fit(CLOUDS, SIDES)  # distinct rows are separable in the space of an rbf kernel
    assert (rbf.predict(CLOUDS) == SIDES).all()


@pytest.mark.parametrize("kernel", ["linear", "poly"])
def test_overlapping_classes_have_no_hard_margin(kernel: str) -> None:
    with pytest.raises(BadInput) as caught:
        SVC(kernel=kernel, degree=2, C=np.inf).fit(CLOUDS, SIDES)
    assert str(caught.value) == (
        "SVC: the classes must be separable by the kernel where C is infinite, got rows that no such margin tells "
        "apart. Use a finite C."
    )


def test_given_kernel_values() -> None:
    K = RbfKernel(0.4).between(CLOUDS)
    ours, theirs = both(K, SIDES, kernel="precomputed")
    np.testing.assert_allclose(ours.decision_function(K[:9]), theirs.decision_function(K[:9]), atol=1e-5)
    assert ours.support_vectors_.shape == (0, 0)
    w = np.ones(120)
    w[:50] = 0
    weighed = SVC(kernel="precomputed", tol=1e-9).fit(K, SIDES, w)
    rows = SVC(gamma=0.4, tol=1e-9).fit(CLOUDS[50:], SIDES[50:])
    np.testing.assert_allclose(weighed.decision_function(K), rows.decision_function(CLOUDS), atol=1e-8)
    assert len(cross_val_score(SVC(kernel="precomputed"), K, SIDES, cv=3)) == 3  # takes rows and columns


def test_a_function_and_a_kernel_value() -> None:
    asked = SVC(gamma=0.4, tol=1e-9).fit(CLOUDS, SIDES).decision_function(CLOUDS)
    for kernel in (RbfKernel(0.4), lambda A, B: RbfKernel(0.4).between(A, B)):
        found = SVC(kernel=kernel, tol=1e-9).fit(CLOUDS, SIDES).decision_function(CLOUDS)
        np.testing.assert_allclose(found, asked, atol=1e-8)
    assert SVC(kernel=LinearKernel()).fit(CLOUDS, SIDES).coef_.shape == (1, 3)


def test_few_steps() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.warns(
        ConvergenceWarning, match=r"SVC: the margin was still .* from its optimum after max_iter=10 steps"
    ):
        model = SVC(max_iter=10, kernel="linear").fit(X, y)
    assert (model.fit_status_, model.n_iter_.tolist()) == (1, [10])
    assert model.kkt_gap_[0] > 1e-3


def test_columns_of_unlike_scale() -> None:
    """Steps on pairs alone would be millions; the equations of the free rows end them."""
    X, y = load_wine(return_X_y=True)
    ours = SVC(kernel="linear", C=100.0).fit(X, y)
    theirs = TheirSVC(kernel="linear", C=100.0).fit(X, y)
    assert ours.kkt_gap_.max() <= 1e-6
    assert 10 * ours.n_iter_.sum() < theirs.n_iter_.sum()
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.98


def test_a_failed_fit_changes_nothing() -> None:
    model = SVC().fit(CLOUDS, SIDES)
    before = dict(vars(model))
    with pytest.raises(BadInput):
        model.fit(CLOUDS[:3], ["a", "a", "a"])
    assert vars(model) == before


def test_clone_and_pipeline() -> None:
    model = make_pipeline(StandardScaler(), SVC(C=3.0)).fit(*IRIS)
    assert model.score(*IRIS) > 0.95
    assert clone(SVC(C=3.0, kernel=RbfKernel(2.0))).get_params()["kernel"] == RbfKernel(2.0)


def test_probabilities_come_from_wrapping_it() -> None:
    assert not hasattr(SVC(), "predict_proba")
    wrapped = CalibratedClassifier(SVC()).fit(*IRIS)
    assert wrapped.predict_proba(IRIS[0]).shape == (150, 3)
    assert Decide(CalibratedClassifier(SVC())).fit(*IRIS).predict(IRIS[0], reject=0.2).shape == (150,)


@pytest.mark.parametrize("kernel", [*KERNELS, "precomputed"])
def test_files(kernel: str, tmp_path: Any) -> None:
    X, y = (IRIS[0], np.array(["a", "b", "c"])[IRIS[1]])
    X = X @ X.T if kernel == "precomputed" else X
    model = SVC(kernel=kernel, decision_function_shape="ovo").fit(X, y)
    model.save(tmp_path / "svc.suffice")
    loaded = suffice.load(tmp_path / "svc.suffice")
    assert (loaded.predict(X) == model.predict(X)).all()
    assert (loaded.decision_function(X) == model.decision_function(X)).all()
    assert loaded.classes_.tolist() == ["a", "b", "c"]
    loaded.save(tmp_path / "again.suffice")
    assert (suffice.load(tmp_path / "again.suffice").predict(X) == model.predict(X)).all()


def test_a_loaded_model_needs_neither_scikit_learn_nor_numba(tmp_path: Any) -> None:
    SVC().fit(*IRIS).save(tmp_path / "svc.suffice")
    code = (
        "import sys, numpy, suffice; "
        f"model = suffice.load({str(tmp_path / 'svc.suffice')!r}); "
        "print(model.predict(numpy.array([[5.0, 3.4, 1.5, 0.2]])), 'sklearn' in sys.modules, 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["[0]", "False", "False"], done.stderr


def test_files_that_make_no_machine(tmp_path: Any) -> None:
    from dataclasses import replace

    machine = SVC().fit(*IRIS).fitted_.model
    for change in ({"kernel": None}, {"coef": np.zeros((2, 2))}, {"shape": "ovi"}, {"classes": (1, 2)}):
        with pytest.raises(BadFile):
            replace(machine, **change)


def test_a_large_table_within_a_small_cache() -> None:
    """More rows than a working set, kept kernel rows fewer than support vectors: the same machine."""
    X, y = make_classification(1500, 10, n_informative=6, random_state=0, flip_y=0.05)
    roomy, tight = (SVC(C=20.0, cache_size=size, tol=1e-6).fit(X, y) for size in (200, 1))
    theirs = TheirSVC(C=20.0, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(roomy.decision_function(X), tight.decision_function(X), atol=1e-5)
    np.testing.assert_allclose(roomy.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert roomy.kkt_gap_[0] <= 1e-6
    assert roomy.dual_objective_[0] == pytest.approx(tight.dual_objective_[0], rel=1e-9)


def test_a_large_table_and_a_linear_kernel() -> None:
    X, y = make_classification(3000, 8, n_informative=6, random_state=0, flip_y=0.05)
    ours = SVC(kernel="linear", tol=1e-6).fit(X, y)
    theirs = TheirSVC(kernel="linear", tol=1e-6).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=SINGLE, atol=SINGLE)
    assert ours.kkt_gap_[0] <= 1e-6
