"""Several labels a row: one search of neighbours answers them all, as scikit-learn's do."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.neighbors as theirs
from click.testing import CliRunner
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning
from sklearn.metrics import accuracy_score
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.utils import get_tags

import suffice
from suffice import CalibratedClassifier, KNeighborsClassifier, RadiusNeighborsClassifier
from suffice.app.main import suffice as command
from suffice.core.block import Array
from suffice.core.errors import BadFile, BadInput, BadType
from suffice.evaluation import cross_validate
from suffice.neighbours import refinement
from suffice.neighbours.near.near_rows import NearRows

RNG = np.random.default_rng(3)
N = 90
X = RNG.normal(size=(N, 3))
NOISE = RNG.normal(size=(N, 3))
Y = np.column_stack(
    [(X[:, 0] + NOISE[:, 0] > 0) * 2 - 1, np.digitize(X[:, 1] + NOISE[:, 1], [-0.5, 0.5]) * 10, X[:, 2] > 0]
)
WORDS = pd.DataFrame({"sign": Y[:, 0], "size": np.array(["low", "middle", "high"])[Y[:, 1] // 10]})
Q = RNG.normal(size=(40, 3))
FAR = np.array([[50.0, 50.0, 50.0]])


def decay(d: Any) -> Any:
    """Weights as a function, also of the arrays of arrays that scikit-learn hands over."""
    return np.array([np.exp(-one) for one in d], dtype=d.dtype)


def same(ours: Any, other: Any, rows: Array) -> None:
    """Classes, labels and probabilities are alike."""
    for a, b in zip(ours.classes_, other.classes_, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype
    np.testing.assert_array_equal(ours.predict(rows), other.predict(rows))
    assert ours.predict(rows).dtype == other.predict(rows).dtype
    told = ours.predict_proba(rows)
    assert isinstance(told, list)
    for a, b in zip(told, other.predict_proba(rows), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)
    assert ours.outputs_2d_ is other.outputs_2d_ is True


@pytest.mark.parametrize("weights", ["uniform", "distance", decay])
@pytest.mark.parametrize(("algorithm", "rows"), [("brute", np.asarray), ("kd_tree", np.asarray), ("brute", csr_array)])
def test_answers_are_those_of_scikit_learn(weights: Any, algorithm: str, rows: Any) -> None:
    given: dict[str, Any] = {"algorithm": algorithm, "weights": weights}
    ours, other = (room.KNeighborsClassifier(4, **given).fit(rows(X), Y) for room in (suffice, theirs))
    same(ours, other, rows(Q))
    np.testing.assert_array_equal(ours._y, other._y)
    ours, other = (room.RadiusNeighborsClassifier(2.5, **given).fit(rows(X), Y) for room in (suffice, theirs))
    same(ours, other, rows(Q[np.linalg.norm(Q, axis=1) < 2.0]))


def test_rows_at_the_place_of_a_query_decide_alone() -> None:
    """Where weights are one over the distance."""
    for name, size in (("KNeighborsClassifier", 6), ("RadiusNeighborsClassifier", 2.0)):
        given: dict[str, Any] = {"algorithm": "kd_tree", "weights": "distance"}
        ours, other = (getattr(room, name)(size, **given).fit(X, Y) for room in (suffice, theirs))
        same(ours, other, X)
        np.testing.assert_array_equal(ours.predict(X), Y)


@pytest.mark.parametrize("label", [-1, 7, "most_frequent", [-1, 10, 0], [7, 10, 1], (7, 8, 9)])
def test_rows_without_neighbours_are_those_of_scikit_learn(label: Any, tmp_path: Path) -> None:
    """A label for all columns or one for each, among the classes or not; also of a model from a file."""
    rows = np.vstack([FAR, Q[:3]])
    ours, other = (room.RadiusNeighborsClassifier(3.0, outlier_label=label).fit(X, Y) for room in (suffice, theirs))
    assert list(ours.outlier_label_) == list(other.outlier_label_)
    odd = {one for one, labels in zip(ours.outlier_label_, ours.classes_, strict=True) if one not in labels}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answers = ours.predict(rows)
    assert {str(one.message).split()[3] for one in told} == set(map(str, odd))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(ours, other, rows)
    assert answers[0].tolist() == list(ours.outlier_label_)
    ours.save(tmp_path / "m")
    loaded = suffice.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.predict(rows), answers)
    assert list(loaded.outlier_label_) == list(ours.outlier_label_)


def test_labels_of_rows_without_neighbours_keep_their_length_and_type() -> None:
    """Scikit-learn cuts them to the longest label of training."""
    model = RadiusNeighborsClassifier(3.0, outlier_label=[0, "nowhere"]).fit(X, WORDS)
    with pytest.warns(UserWarning, match="Outlier label 0"), pytest.warns(UserWarning, match="Outlier label nowhere"):
        assert model.predict(FAR).tolist() == [[0, "nowhere"]]
    with pytest.warns(UserWarning, match="Outlier label 0"), pytest.warns(UserWarning, match="Outlier label nowhere"):
        assert [shares.sum() for shares in model.predict_proba(FAR)] == [0.0, 0.0]


@pytest.mark.parametrize("label", ["far", ["far"], None])
def test_one_label_a_row_answers_alike_from_a_file(label: Any, tmp_path: Path) -> None:
    """No class is made up for a row that nobody is near to, in Python and at the command line."""
    y = WORDS["size"].to_numpy()
    RadiusNeighborsClassifier(3.0, outlier_label=label).fit(X, y).save(tmp_path / "m")
    loaded = suffice.load(tmp_path / "m")
    pd.DataFrame(np.vstack([FAR, Q[:1]]), columns=["x0", "x1", "x2"]).to_csv(tmp_path / "t.csv", index=False)
    done = CliRunner().invoke(command, ["predict", str(tmp_path / "m"), str(tmp_path / "t.csv")])
    if label is None:
        with pytest.raises(BadInput, match="near some row of training"):
            loaded.predict(np.vstack([Q[:1], FAR]))
        assert "near some row of training" in str(done.exception) + done.output
        return
    assert loaded.predict(FAR).tolist() == ["far"]
    assert loaded.outlier_label_ == "far"
    lines = done.output.splitlines()
    assert [line.split(",")[1] for line in lines[1:3]] == ["far", loaded.predict(Q[:1])[0]]


@pytest.mark.parametrize("model", [KNeighborsClassifier(5, smoothing=0.5), RadiusNeighborsClassifier(5.0)])
def test_each_column_is_answered_as_if_it_were_alone(model: Any) -> None:
    """Also with weights of rows, where some weigh nothing, and where each row is left out of its own vote."""
    w = RNG.integers(0, 4, N).astype(float)
    for weights in (None, w):
        both = clone(model).fit(X, Y, weights)
        for t in range(3):
            one = clone(model).fit(X, Y[:, t], weights)
            np.testing.assert_array_equal(both.predict_proba(Q)[t], one.predict_proba(Q))
            np.testing.assert_array_equal(both.predict_log_proba(Q)[t], one.predict_log_proba(Q))
            np.testing.assert_array_equal(both.predict(Q)[:, t], one.predict(Q))
            np.testing.assert_array_equal(both.predict_proba(None)[t], one.predict_proba(None))
            np.testing.assert_array_equal(both.predict(None)[:, t], one.predict(None))


def test_classes_that_weigh_nothing_are_none() -> None:
    """Column by column."""
    w = (Y[:, 1] != 20).astype(float)
    assert [list(one) for one in KNeighborsClassifier().fit(X, Y, w).classes_] == [[-1, 1], [0, 10], [0, 1]]


@pytest.mark.parametrize("model", [KNeighborsClassifier(), RadiusNeighborsClassifier(5.0)])
def test_one_search_serves_all_columns(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many labels a row has."""
    calls: list[int] = []
    for name in ("copies", "within"):
        search = getattr(NearRows, name)
        monkeypatch.setattr(NearRows, name, lambda *given, search=search: [calls.append(1), search(*given)][1])
    fitted = clone(model).fit(X, Y)
    fitted.predict(Q)
    fitted.predict_proba(Q)
    assert len(calls) == 2


def test_the_number_of_neighbours_is_chosen_by_rows_that_are_all_right() -> None:
    """As a loop of rows left out finds it."""
    model = KNeighborsClassifier("leave-one-out", candidates=[1, 4, 9]).fit(X, Y[:, :2])
    for k, error in zip(model.candidates_, model.errors_, strict=True):
        told = cross_val_predict(theirs.KNeighborsClassifier(k), X, Y[:, :2], cv=LeaveOneOut())
        assert error == np.mean((told != Y[:, :2]).any(axis=1))
    assert model.n_neighbors_ == model.candidates_[np.flatnonzero(model.errors_ == model.errors_.min())[-1]]


def test_score_is_the_share_of_rows_whose_labels_are_all_right() -> None:
    """As scikit-learn's of tables of 0 and 1; words beside numbers may come as lists."""
    two, w = (Y > 0).astype(int), RNG.random(N)
    model, other = (room.KNeighborsClassifier(7).fit(X, two) for room in (suffice, theirs))
    assert abs(model.score(X, two, w) - other.score(X, two, w)) < 1e-12
    assert model.score(None, two) == accuracy_score(two, other.predict(None))
    lists = WORDS.to_numpy().tolist()
    assert KNeighborsClassifier(1).fit(X, lists).score(X, lists) == 1.0
    assert KNeighborsClassifier(1).fit(X, WORDS).score(X, WORDS) == 1.0


@pytest.mark.parametrize(
    "model", [KNeighborsClassifier(3, weights="distance"), RadiusNeighborsClassifier(2.0, outlier_label=[1, "low"])]
)
def test_saved_and_loaded(model: Any, tmp_path: Path) -> None:
    """Answers, classes and readings come back; and the estimator itself."""
    fitted = clone(model).fit(X, WORDS)
    fitted.save(tmp_path / "model")
    loaded = suffice.load(tmp_path / "model")
    for other in (loaded, loaded.estimator()):
        np.testing.assert_array_equal(other.predict(Q), fitted.predict(Q))
        for a, b in zip(other.predict_proba(Q), fitted.predict_proba(Q), strict=True):
            np.testing.assert_array_equal(a, b)
        assert [list(one) for one in other.classes_] == [[-1, 1], ["high", "low", "middle"]]
        assert other.outputs_2d_
    assert fitted.score(X, WORDS) == loaded.score(X, WORDS) > 0.4
    done = CliRunner().invoke(command, ["predict", str(tmp_path / "model"), str(table_of(tmp_path))])
    assert "one that gives one label a row, got several labels a row" in str(done.exception) + done.output


def table_of(folder: Path) -> Path:
    """A file of rows."""
    (folder / "t.csv").write_text("x0,x1,x2\n1,2,3\n")
    return folder / "t.csv"


def test_tables_of_mixed_kinds_have_several_labels_too() -> None:
    """Symbols among the columns of X, words among those of y."""
    table = pd.DataFrame({"age": X[:, 0], "site": np.array(["n", "s"])[Y[:, 2]]})
    model = KNeighborsClassifier(1).fit(table, WORDS)
    assert model.effective_metric_ == "mixed"
    assert model.score(table, WORDS) == 1.0


def test_a_column_is_one_label_a_row() -> None:
    """As in scikit-learn, with its warning."""
    for model in (KNeighborsClassifier(), RadiusNeighborsClassifier(5.0)):
        with pytest.warns(DataConversionWarning, match="column-vector y"):
            model.fit(X, Y[:, 1:2])
        assert model.predict(Q).shape == (len(Q),)
        assert not model.outputs_2d_
        tags = get_tags(model)
        assert tags.target_tags.multi_output
        assert tags.classifier_tags.multi_label


def test_folds_of_scikit_learn_and_refinement_take_lists_of_probabilities() -> None:
    """One array a column."""
    told = cross_val_predict(KNeighborsClassifier(), X, Y, cv=3, method="predict_proba")
    assert [one.shape for one in told] == [(N, 2), (N, 3), (N, 2)]
    alike = refinement(KNeighborsClassifier(3).fit(X, np.column_stack([Y[:, 1]] * 2)), X)
    assert alike == refinement(KNeighborsClassifier(3).fit(X, Y[:, 1]), X)


KNN, RNN = KNeighborsClassifier, RadiusNeighborsClassifier
BAD: list[tuple[Any, str]] = [
    (lambda: KNN().fit(X, Y[:5]), "of one length"),
    (lambda: KNN().fit(X, np.where(Y == 10, np.nan, Y)), "labels of output 1 must be present"),
    (lambda: KNN().fit(X[:2], [[1, 2], [3]]), "as many labels in every row"),
    (lambda: KNN().fit(X, Y[:, :0]), "at least one label a row"),
    (lambda: KNN().fit(X, csr_matrix(Y)), "sparse multilabel-indicator for y is not supported"),
    (lambda: KNN().fit(X, Y).predict(Q, prior="uniform"), "one label a row to decide"),
    (lambda: KNN().fit(X, Y).posterior(Q), "one label a row to decide"),
    (lambda: KNN().fit(X, Y).score(None, Y[:, 0]), "y must be one a row of training"),
    (lambda: KNN().fit(X, Y).score(X, Y[:, 0]), "labels of shape"),
    (lambda: RNN(3.0, outlier_label=-1).fit(X, Y).predict(FAR, costs=np.ones((2, 2))), "one label a row to decide"),
    (lambda: RNN(3.0).fit(X, Y).predict(FAR), "near some row of training"),
    (lambda: RNN(outlier_label=[1, 0]).fit(X, Y), "one label, or a list of 3, one for each column of y"),
    (lambda: RNN(outlier_label=[1, 0]).fit(X, Y[:, 0]), "one label, or a list of 1"),
    (lambda: CalibratedClassifier(KNN()).fit(X, Y), "y should be a 1d array"),
    (lambda: cross_validate(KNN(), X, Y), "labels must be one column"),
]


@pytest.mark.parametrize(("work", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_tables_of_labels_get_one_sentence(work: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        work()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("label", [[0, "low"], [1, [0]], ["a", 1], [None, 3]])
def test_labels_of_rows_without_neighbours_are_of_the_type_of_their_column(label: Any) -> None:
    """An error of the type, as in scikit-learn; the estimator stays as it was."""
    model = RadiusNeighborsClassifier(5.0).fit(X, Y[:, 0])
    model.outlier_label = label
    with pytest.raises(BadType, match="outlier_label must be"):
        model.fit(X, WORDS if label == [1, [0]] else Y[:, :2])
    assert model.predict(Q).shape == (len(Q),)


def test_pieces_that_do_not_belong_together_are_no_model() -> None:
    """Of a file that was changed."""
    voters = KNeighborsClassifier().fit(X, Y)._state()[0].model
    for changed in ({"codes": voters.codes[:, :2]}, {"codes": voters.codes + 1}, {"classes": ((), ("a",), ("b",))}):
        with pytest.raises(BadFile):
            replace(voters, **changed)
