"""Where the drop-ins differ from scikit-learn on purpose. Each docstring heads a point of docs/differences.md."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes as theirs

import suffice as ours
from suffice.core.errors import BadInput

PAGE = Path(__file__).resolve().parents[2] / "docs" / "differences.md"
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2)) * np.array([1.0, 5.0])
COUNTS = RNG.poisson(2.0, size=(60, 2))
Y = np.arange(60) % 2
DISCRETE = ["BernoulliNB", "CategoricalNB", "ComplementNB", "MultinomialNB"]


@pytest.fixture(autouse=True)
def _theirs_may_warn() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=RuntimeWarning, module="sklearn")
        yield


def test_the_page_lists_exactly_these() -> None:
    heads = re.findall(r"^\*\*(.+?)\*\*", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    tests = [thing for name, thing in globals().items() if name.startswith("test_") and thing.__doc__]
    assert sorted(test.__doc__.strip() for test in tests) == sorted(heads)


def test_epsilon() -> None:
    """Smoothing knows all rows."""

    def chunked(room: Any) -> Any:
        model = room.GaussianNB(var_smoothing=0.1).partial_fit(X[:20], Y[:20], [0, 1])
        return model.partial_fit(X[20:], Y[20:]).epsilon_

    whole = np.var(X, axis=0).max() * 0.1
    assert chunked(ours) == pytest.approx(whole, rel=1e-14)
    assert chunked(theirs) == pytest.approx(np.var(X[20:], axis=0).max() * 0.1)
    w = np.arange(60.0)
    copies = np.repeat(X, w.astype(int), axis=0)
    assert ours.GaussianNB(var_smoothing=0.1).fit(X, Y, w).epsilon_ == pytest.approx(np.var(copies, axis=0).max() * 0.1)
    assert theirs.GaussianNB(var_smoothing=0.1).fit(X, Y, w).epsilon_ == pytest.approx(whole)


def test_n_categories_of_chunks() -> None:
    """Categories do not shrink."""

    def chunked(room: Any) -> Any:
        model = room.CategoricalNB().partial_fit([[0], [6]], [0, 1], [0, 1])
        return model.partial_fit([[0], [1]], [0, 1]).n_categories_.tolist()

    assert chunked(ours) == [7]
    assert chunked(theirs) == [2]


def test_n_categories_of_weightless_rows() -> None:
    """Rows of weight 0 bring no category."""
    rows, labels, w = [[0], [1], [6]], [0, 1, 1], [1.0, 1.0, 0.0]
    assert ours.CategoricalNB().fit(rows, labels, w).n_categories_.tolist() == [2]
    assert theirs.CategoricalNB().fit(rows, labels, w).n_categories_.tolist() == [7]


@pytest.mark.parametrize(
    ("name", "parameters", "rows", "asked", "expected"),
    [
        ("CategoricalNB", {"alpha": 0.0}, [[0, 0], [1, 1], [1, 1]], [0, 1], [1 / 3, 2 / 3]),
        ("MultinomialNB", {"alpha": 0.0}, [[1, 0], [0, 1], [0, 1]], [1, 1], [1 / 3, 2 / 3]),
        ("MultinomialNB", {"alpha": 0.0}, [[1, 0], [0, 1], [0, 1]], [2, 0], [1.0, 0.0]),
        ("BernoulliNB", {"alpha": 0.0}, [[1, 0], [0, 1], [0, 1]], [1, 0], [1.0, 0.0]),
        ("GaussianNB", {}, [[0.0], [1.0], [0.5]], [1e200], [1 / 3, 2 / 3]),
        ("GaussianNB", {"var_smoothing": 0.0}, [[1.0], [1.0], [1.0]], [1.0], [1 / 3, 2 / 3]),
    ],
)
def test_no_nan(name: str, parameters: dict[str, Any], rows: Any, asked: Any, expected: list[float]) -> None:
    """No class gets nan."""
    model = getattr(ours, name)(**parameters).fit(rows, [0, 1, 1])
    np.testing.assert_allclose(model.predict_proba([asked])[0], expected, rtol=1e-12)
    assert model.predict([asked])[0] == np.argmax(expected)
    with np.errstate(all="ignore"):
        other = getattr(theirs, name)(**parameters).fit(rows, [0, 1, 1])
        assert np.isnan(other.predict_proba([asked])).any()


def test_float32() -> None:
    """Probabilities are float64."""
    single = X.astype(np.float32)
    mine, other = ours.GaussianNB().fit(single, Y), theirs.GaussianNB().fit(single, Y)
    assert (mine.theta_.dtype, other.theta_.dtype) == (np.float32, np.float32)
    assert (mine.predict_proba(single).dtype, other.predict_proba(single).dtype) == (np.float64, np.float32)


def test_nullable_integers() -> None:
    """Integers stay integers."""
    labels = pd.array(Y, dtype="Int64")
    assert ours.GaussianNB().fit(X, labels).classes_.dtype == np.int64
    assert theirs.GaussianNB().fit(X, labels).classes_.dtype == np.float64


def test_unseen_codes() -> None:
    """Unseen codes tell nothing."""
    rows, asked = [[0, 0], [1, 1]], [[9, 1]]
    model = ours.CategoricalNB().fit(rows, [0, 1])
    alone = ours.CategoricalNB().fit([[0], [1]], [0, 1])
    np.testing.assert_allclose(model.predict_proba(asked), alone.predict_proba([[1]]), rtol=1e-14)
    with pytest.raises(IndexError):
        theirs.CategoricalNB().fit(rows, [0, 1]).predict(asked)


def test_alpha_by_column() -> None:
    """One alpha for each column in BernoulliNB."""
    rows, labels = [[0, 1], [1, 0], [1, 1]], [0, 1, 1]
    model = ours.BernoulliNB(alpha=[1.0, 2.0]).fit(rows, labels)
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), [[1 / 3, 3 / 5], [3 / 4, 3 / 6]], rtol=1e-14)
    with pytest.raises(ValueError, match="broadcast"):
        theirs.BernoulliNB(alpha=[1.0, 2.0, 3.0]).fit(np.eye(3), [0, 1, 1])


def test_new_classes() -> None:
    """New classes after fit."""
    model = ours.GaussianNB().fit(X, Y).partial_fit([[1.0, 1.0]], [7])
    assert model.classes_.tolist() == [0, 1, 7]
    with pytest.raises(ValueError, match="do not exist in the initial classes"):
        theirs.GaussianNB().fit(X, Y).partial_fit([[1.0, 1.0]], [7])


@pytest.mark.parametrize("name", DISCRETE)
def test_undeclared_labels(name: str) -> None:
    """Undeclared labels are refused."""
    model = getattr(ours, name)().partial_fit(COUNTS, Y, [0, 1])
    before = model.predict_proba(COUNTS)
    with pytest.raises(BadInput, match=r"\[7\] in y do not exist in the initial classes"):
        model.partial_fit([[1, 1]], [7])
    np.testing.assert_array_equal(model.predict_proba(COUNTS), before)
    other = getattr(theirs, name)().partial_fit(COUNTS, Y, [0, 1]).partial_fit([[1, 1]], [7])
    assert other.class_count_.tolist() == [31.0, 30.0]


def test_negative_weights() -> None:
    """Negative weights are refused."""
    model = ours.GaussianNB().fit(X, Y)
    with pytest.raises(BadInput, match=r"at least 0, got -1\.0\. To take rows away, use forget"):
        model.partial_fit(X[:3], Y[:3], sample_weight=-np.ones(3))
    left = ours.GaussianNB().fit(X, Y).forget(X[:3], Y[:3])
    np.testing.assert_allclose(left.theta_, ours.GaussianNB().fit(X[3:], Y[3:]).theta_, rtol=1e-12)


@pytest.mark.parametrize("parameters", [{"class_prior": [-1.0, 2.0]}, {"alpha": [np.nan, 1.0]}])
def test_shares_and_pseudo_counts(parameters: dict[str, Any]) -> None:
    """Class shares and pseudo-counts are checked."""
    with pytest.raises(BadInput, match="at least 0"):
        ours.MultinomialNB(**parameters).fit(COUNTS, Y)
    with np.errstate(all="ignore"):
        assert np.isnan(theirs.MultinomialNB(**parameters).fit(COUNTS, Y).predict_proba(COUNTS)).any()


def test_set_params() -> None:
    """Parameters take effect at once."""
    for name, rows, parameters in (
        ("GaussianNB", X, {"priors": [0.9, 0.1], "var_smoothing": 0.5}),
        ("MultinomialNB", COUNTS, {"alpha": 3.0, "fit_prior": False}),
        ("CategoricalNB", COUNTS, {"min_categories": 30}),
    ):
        model = getattr(ours, name)().fit(rows, Y).set_params(**parameters)
        anew = getattr(ours, name)(**parameters).fit(rows, Y)
        np.testing.assert_array_equal(model.predict_proba(rows), anew.predict_proba(rows))
    still = theirs.GaussianNB().fit(X, Y)
    before = still.predict_proba(X)
    np.testing.assert_array_equal(still.set_params(priors=[0.9, 0.1]).predict_proba(X), before)
    waits = ours.BernoulliNB().fit(COUNTS, Y)
    before = waits.predict_proba(COUNTS)
    np.testing.assert_array_equal(waits.set_params(binarize=2.0).predict_proba(COUNTS), before)
    anew = ours.BernoulliNB(binarize=2.0).fit(COUNTS, Y)
    np.testing.assert_array_equal(waits.fit(COUNTS, Y).predict_proba(COUNTS), anew.predict_proba(COUNTS))


def test_read_only() -> None:
    """Attributes are read from the summary."""
    model = ours.GaussianNB().fit(X, Y)
    for attribute in ("classes_", "theta_", "var_", "class_prior_", "epsilon_"):
        with pytest.raises(AttributeError):
            setattr(model, attribute, None)
    other = theirs.GaussianNB().fit(X, Y)
    other.theta_ = other.theta_ * 0.0


def test_nothing_half_changed() -> None:
    """A call that fails changes nothing."""
    for room in (ours, theirs):
        model = room.MultinomialNB(class_prior=[0.5, 0.5]).fit(COUNTS, Y)
        with pytest.raises(ValueError, match="Number of priors"):
            model.fit(COUNTS[:3], [0, 1, 2])
        assert len(model.classes_) == (2 if room is ours else 3)


def test_complement_scores() -> None:
    """Scores are no densities."""
    model = ours.ComplementNB().fit(COUNTS, Y)
    assert not hasattr(model, "score_samples")
    assert not hasattr(model, "sample")
    assert hasattr(ours.MultinomialNB().fit(COUNTS, Y), "score_samples")


def test_other_arrays() -> None:
    """Arrays become NumPy arrays."""
    import array_api_strict

    model = ours.GaussianNB().fit(array_api_strict.asarray(X), Y)
    assert type(model.theta_) is np.ndarray
    np.testing.assert_array_equal(model.theta_, ours.GaussianNB().fit(X, Y).theta_)


def test_the_brier_score_of_several_classes_is_half_of_theirs() -> None:
    from sklearn.datasets import load_iris
    from sklearn.metrics import brier_score_loss

    from suffice import Scores

    def brier(model: Any, X: Any, y: Any) -> float:
        return float(Scores.of(y, model.predict_proba(X), model.classes_).brier.value)

    X, y = load_iris(return_X_y=True)
    model = ours.GaussianNB().fit(X, y)
    found, p = brier(model, X, y), model.predict_proba(X)
    assert found == pytest.approx(brier_score_loss(y, p) / 2, rel=1e-12)
    assert found == pytest.approx(brier_score_loss(y, p, scale_by_half=True), rel=1e-12)
    two = y < 2
    model = ours.GaussianNB().fit(X[two], y[two])
    p = model.predict_proba(X[two])
    assert brier(model, X[two], y[two]) == pytest.approx(brier_score_loss(y[two], p[:, 1]), rel=1e-12)


def test_warnings_and_types_of_linear_models_are_those_of_the_page() -> None:
    from sklearn.exceptions import ConvergenceWarning

    from suffice.linear.regression.sparse_solver import NotSettled

    assert issubclass(NotSettled, UserWarning)
    assert not issubclass(NotSettled, ConvergenceWarning)
    X = np.arange(12.0, dtype=np.float32).reshape(6, 2) ** 2
    line = ours.LinearRegression().fit(X, X[:, 0])
    assert line.predict(X).dtype == np.float32
    assert line.predict(X.astype(float)).dtype == line.predict(X.tolist()).dtype == np.float64
    assert ours.LinearRegression().fit(X.astype(np.float16), X[:, 0]).predict(X).dtype == np.float64


def test_no_tree_of_a_forest_is_log_two_beyond_one_tree() -> None:
    from suffice.compose.calibration.responses import ClassScorer

    scores = np.array([-np.inf, -np.log(49.0), 0.0, np.log(49.0), np.inf])
    assert ClassScorer("", "log_odds", (0, 1)).bounded(scores).limit == pytest.approx(np.log(98.0))
    sure = ClassScorer("", "log_odds", (0, 1)).bounded(np.array([-np.inf, np.inf]))
    assert sure.limit == pytest.approx(np.log(5.0))


@pytest.mark.parametrize("name", ["LinearRegression", "LogisticRegression", "SVC", "Perceptron", "MLPClassifier"])
@pytest.mark.filterwarnings("ignore")
def test_symbols_and_gaps(name: str) -> None:
    """Tables with symbols and gaps."""
    import sklearn.linear_model
    import sklearn.neural_network
    import sklearn.svm

    table = pd.DataFrame({"site": ["north", "south", None, "south"] * 5, "dose": [1.0, np.nan, 3.0, 2.0] * 5})
    y = np.array([0, 1, 1, 0] * 5)
    peer = next(
        getattr(room, name)
        for room in (sklearn.linear_model, sklearn.svm, sklearn.neural_network)
        if hasattr(room, name)
    )
    with pytest.raises(ValueError, match=r"could not convert|NaN"):
        peer().fit(table, y)
    assert len(getattr(ours, name)().fit(table, y).predict(table)) == 20
    rows = np.array([[1.0], [np.nan]] * 10)
    for model in (peer(), getattr(ours, name)()):
        with pytest.raises(ValueError, match="NaN"):
            model.fit(rows, y)
    assert len(getattr(ours, name)(missing="indicator").fit(rows, y).predict(rows)) == 20
