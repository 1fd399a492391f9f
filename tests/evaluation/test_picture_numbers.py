"""The numbers behind the pictures, which need no matplotlib."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

from suffice import GaussianNB, RocCurve
from suffice.core.errors import BadInput
from suffice.decision import InformationGain, LinearMeasure
from suffice.decision.curves.isometric_lines import isometric_lines
from suffice.evaluation import (
    FeatureGrid,
    Percentiles,
    SelectionCurve,
    andrews_curves,
    boxes,
    histogram_bars,
    margins,
    pair_distances,
    read_classed,
)
from suffice.evaluation.scores.classifier_answers import answers, drawn_answers
from suffice.families import EqualWidth
from suffice.plots.numbers.number_columns import read_columns
from suffice.plots.numbers.row_curves import scaled_columns, waves
from suffice.summaries.rankings import Rankings

rng = np.random.default_rng(5)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_tables_of_every_library_keep_their_kind(library: type) -> None:
    table = library({"a": [1, 2, 3], "b": [0.5, None, 2.5]})
    columns = read_columns("me", table)
    assert columns.names == ("a", "b")
    np.testing.assert_array_equal(columns.values, [[1.0, 0.5], [2.0, np.nan], [3.0, 2.5]])
    made = columns.make(np.array([[7.0, 8.0]]))
    assert type(made) is type(table)
    np.testing.assert_array_equal(read_columns("me", made).values, [[7.0, 8.0]])


def test_names_that_are_no_text() -> None:
    table = pd.DataFrame([[1.0, 2.0]], columns=[10, 20])
    columns = read_columns("me", table)
    assert columns.names == ("10", "20")
    assert columns.make(np.zeros((2, 2))).columns.tolist() == [10, 20]


def test_the_grid_is_asked_in_its_own_order() -> None:
    grid = FeatureGrid.of("me", pd.DataFrame({"a": [0.0, 4.0], "b": [10.0, 14.0]}), 3, 0.0)
    said = grid.ask(lambda table: table["a"] + 100.0 * table["b"])
    np.testing.assert_array_equal(said, [[a + 100.0 * b for a in (0, 2, 4)] for b in (10, 12, 14)])
    many = grid.ask(lambda table: np.stack([table["a"], table["b"]], axis=1))
    assert many.shape == (3, 3, 2)
    assert grid.pair == ("a", "b")


def test_percentiles_of_shards_add() -> None:
    x = rng.normal(size=200)
    from suffice.core.shares import Shares

    parts = [Rankings.of(part[:, None], Shares.hard(np.zeros(len(part), dtype=np.int32), 1)) for part in np.split(x, 4)]
    found = Percentiles.estimate(Rankings.sum(parts), float(x.mean()))
    whole = Percentiles.of(x)
    np.testing.assert_array_equal(found.share, whole.share)
    np.testing.assert_allclose(found.quartiles, np.quantile(x, [0.25, 0.5, 0.75]), rtol=1e-12)
    assert whole.at([-np.inf, np.inf]).tolist() == [0.0, 1.0]
    assert float(whole.at(np.median(x))) == pytest.approx((x <= np.median(x)).mean())


def test_weights_that_are_not_whole_take_the_first_value_that_reaches_a_quarter() -> None:
    found = Percentiles.of([1.0, 2.0, 3.0], [0.2, 0.5, 0.3])
    assert found.quartiles.tolist() == [2.0, 2.0, 3.0]
    assert found.mean == pytest.approx(2.1, rel=1e-12)


def test_classes_are_ordered_as_classifiers_order_them() -> None:
    rows = read_classed("me", [[1.0], [2.0], [3.0]], ["b", "a", "b"])
    assert rows.labels == ("a", "b")
    assert rows.codes.tolist() == [1, 0, 1]


def test_a_class_without_cells_in_a_column_has_no_bars_and_no_box() -> None:
    rows = read_classed("me", [[1.0, 2.0], [np.nan, 3.0], [4.0, 5.0]], ["a", "b", "a"])
    first, second = histogram_bars(rows, EqualWidth(2))
    assert first.weight.tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert first.density.tolist() == [[pytest.approx(1 / 3)] * 2, [0.0, 0.0]]
    assert second.weight.sum() == 3.0
    empty = boxes(rows)[1]
    assert (empty.name, empty.label) == ("x0", "b")
    assert np.isnan(empty.median)
    assert len(empty.outside) == 0


def test_waves_are_orthogonal_with_one_length() -> None:
    t = np.linspace(-np.pi, np.pi, 4000, endpoint=False)
    inner = waves(7, t) @ waves(7, t).T * (2 * np.pi / len(t))
    np.testing.assert_allclose(inner, np.pi * np.eye(7), atol=1e-10)
    X = rng.normal(size=(5, 7))
    curves = andrews_curves(X, t)
    gaps = ((curves[:, None] - curves) ** 2).sum(axis=2) * (2 * np.pi / len(t))
    np.testing.assert_allclose(gaps, np.pi * cdist(X, X, "sqeuclidean"), atol=1e-9)


def test_scaled_columns() -> None:
    X = np.array([[1e8, 5.0, np.nan], [1e8 + 2.0, 5.0, 1.0], [1e8 + 1.0, 5.0, 3.0]])
    expected = [[0.0, 0.5, np.nan], [1.0, 0.5, 0.0], [0.5, 0.5, 1.0]]
    np.testing.assert_array_equal(scaled_columns(X), expected)


def test_distances_of_rows_that_are_drawn() -> None:
    X = rng.normal(size=(50, 3))
    every = pair_distances(X, n_rows=50)
    assert len(every) == 50 * 49 // 2
    some = pair_distances(X, n_rows=10, random_state=1)
    assert len(some) == 45
    assert np.isin(some.round(12), every.round(12)).all()
    np.testing.assert_array_equal(some, pair_distances(X, n_rows=10, random_state=1))


def test_distances_crowd_together_as_columns_grow() -> None:
    spread = []
    for d in (2, 20, 200):
        found = pair_distances(rng.uniform(size=(100, d)), random_state=0)
        spread.append(found.std() / found.mean())
    assert spread[0] > 2 * spread[1] > 4 * spread[2]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [0.1, 1.0, 1000.0])
def test_margins_count_what_is_inside(C: float, seed: int) -> None:
    y = np.array([0, 1] * 30)
    X = np.random.default_rng(seed).normal(size=(60, 2)) + 1.5 * y[:, None]
    model = SVC(C=C, gamma=0.5, tol=1e-6).fit(X, y)
    found = margins(model, X, y)
    sign = 2 * y - 1
    np.testing.assert_allclose(found.margin, sign * model.decision_function(X), rtol=1e-12)
    assert found.wrong == (model.predict(X) != y).sum()
    bound = np.zeros(60)
    bound[model.support_] = np.abs(model.dual_coef_[0])
    full = bound >= C * (1 - 1e-9)  # rows whose multiplier is C are inside the margin, all others are not
    assert (found.margin[full] <= 1 + 1e-4).all()
    assert (found.margin[~full] >= 1 - 1e-4).all()
    assert found.inside == (full & (found.margin < 0.99)).sum()  # what is nearer to it counts as on it
    assert found.support.tolist() == model.support_.tolist()


def test_answers_and_draws() -> None:
    y = np.array(["no", "yes"] * 20)
    X = rng.normal(size=(40, 2)) + 2.0 * (y == "yes")[:, None]
    model = GaussianNB().fit(X, y)
    assert (model.classes_[answers("me", model, X)] == model.predict(X)).all()
    refused = answers("me", model, X, at_least=0.9) == -1
    np.testing.assert_array_equal(refused, model.predict_proba(X).max(axis=1) < 0.9)
    shifted = answers("me", model, X, prior={"no": 0.99, "yes": 0.01})
    np.testing.assert_array_equal(model.classes_[shifted], model.predict(X, prior={"no": 0.99, "yes": 0.01}))
    far = np.array([[-50.0, -50.0], [60.0, 60.0]])
    assert drawn_answers("me", model, far, 0).tolist() == model.predict_proba(far).argmax(axis=1).tolist()


def test_isometrics_pass_through_their_thresholds() -> None:
    y = rng.integers(0, 2, 100)
    curve = RocCurve.of(rng.normal(size=100) + y, y)
    for measure in (LinearMeasure.accuracy([0.3, 0.7]), InformationGain((0.5, 0.5))):
        for line in isometric_lines(curve, measure, [-0.5, 0.5, 1.5]):
            here = np.flatnonzero(line.line_fpr == line.fpr)
            assert len(here) == 1
            assert line.line_tpr[here[0]] == pytest.approx(line.tpr, abs=1e-7)
    flat = LinearMeasure(1.0, -1.0, 0.0)  # counts false alarms alone: its isometrics are upright, no function of fpr
    assert np.isnan(isometric_lines(curve, flat)[0].line_tpr).all()


def test_the_simplest_of_nearly_equal_values() -> None:
    scores = [[0.80, 0.90], [0.86, 0.88], [0.85, 0.87], [0.5, 0.6]]
    curve = SelectionCurve.of("C", [10.0, 1.0, 0.1, 0.01], scores, larger=True)
    assert curve.best == 1
    assert curve.limit == pytest.approx(0.87 - 0.01)
    assert [curve.simplest(end) for end in ("first", "smallest", "largest")] == [1, 2, 1]


@pytest.mark.parametrize("labels", [["a", "b", "a"], ["a", "b", "a", "c"]])
def test_margins_are_of_rows_of_the_two_classes(labels: list[str]) -> None:
    X = [[0.0], [1.0], [0.2], [0.9]]
    model = SVC(kernel="linear").fit(X, ["a", "b", "a", "b"])
    with pytest.raises(BadInput, match=r"Margins: y must be one of 'a' and 'b' for each of 4 rows, got \["):
        margins(model, X, labels)
