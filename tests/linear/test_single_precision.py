"""Answers to float32 rows: of scikit-learn's types, computed in double precision and rounded once."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
import sklearn.linear_model as peer
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.model_selection import cross_val_predict as their_cross_val_predict
from sklearn.pipeline import make_pipeline

import suffice as S
from suffice.core.saving import value_bytes
from suffice.estimators.engines.answer_partition import AnswerPartition
from suffice.evaluation import cross_val_predict
from suffice.sources.engines.read_partition import ReadPartition
from suffice.sources.engines.wire_format import pack

rng = np.random.default_rng(0)
SINGLE = rng.normal(size=(60, 3)).astype(np.float32)
DOUBLE = SINGLE.astype(np.float64)
y = DOUBLE @ [1.0, 2.0, 3.0] + 0.1 * rng.normal(size=60)
TARGETS: dict[str, Any] = {
    "number": y,
    "single": y.astype(np.float32),
    "numbers": np.column_stack([y, DOUBLE[:, 0]]),
    "two": (y > 0).astype(int),
    "three": np.digitize(y, [-1.0, 1.0]),
    "labels": np.column_stack([y > 0, DOUBLE[:, 0] > 0]).astype(int),
}
MODELS = {
    "LinearRegression": ("number", "single", "numbers"),
    "Ridge": ("number", "single", "numbers"),
    "RidgeCV": ("number", "single", "numbers"),
    "Lasso": ("number", "single", "numbers"),
    "ElasticNet": ("number", "single", "numbers"),
    "LassoCV": ("number", "single"),
    "ElasticNetCV": ("number", "single"),
    "LogisticRegression": ("two", "three"),
    "LogisticRegressionCV": ("two",),
    "RidgeClassifier": ("two", "three", "labels"),
}
VERBS = ("predict", "decision_function", "predict_proba", "predict_log_proba")


def table(cells: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(cells, columns=list("abc"))


FORMS: dict[str, Any] = {
    "single": SINGLE,
    "double": DOUBLE,
    "sparse single": sp.csr_array(SINGLE),
    "sparse double": sp.csr_array(DOUBLE),
    "columns": sp.csc_matrix(SINGLE),
    "table": table(SINGLE),
    "table of doubles": table(DOUBLE),
    "table of both": table(SINGLE).astype({"b": np.float64}),
    "list": DOUBLE.tolist(),
    "whole numbers": (SINGLE * 100).astype(np.int32),
}
SWAPPED, HALF = SINGLE.astype(SINGLE.dtype.newbyteorder()), SINGLE.astype(np.float16)
ASKED = {**FORMS, "half": HALF, "swapped": SWAPPED}
ODD = {("RidgeCV", "table")}  # scikit-learn's gives float64, where all its others give float32


def numbers(model: Any, asked: Any) -> dict[str, Any]:
    """What it answers by each verb, but labels."""
    found = {verb: np.asarray(getattr(model, verb)(asked)) for verb in VERBS if hasattr(model, verb)}
    return {verb: answer for verb, answer in found.items() if answer.dtype.kind == "f"}


def types(model: Any, asked: Any) -> dict[str, str]:
    return {verb: answer.dtype.str for verb, answer in numbers(model, asked).items()}


@pytest.mark.filterwarnings("ignore")  # of penalties, of names of columns
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", MODELS)
def test_types_are_those_of_scikit_learn(name: str, form: str) -> None:
    if (name, form) in ODD:
        form = "single"
    for target in MODELS[name]:
        ours, theirs = (getattr(room, name)().fit(FORMS[form], TARGETS[target]) for room in (S, peer))
        assert (ours.coef_.dtype, np.asarray(ours.intercept_).dtype) == (theirs.coef_.dtype, theirs.intercept_.dtype)
        for asked, rows in ASKED.items():
            assert types(ours, rows) == types(theirs, rows), (target, asked)


@pytest.mark.parametrize("name", [*MODELS, "PolynomialRegression", "LeastSquaresClassifier", "TotalLeastSquares"])
def test_answers_are_rounded_once(name: str) -> None:
    """All digits of float32 are those of the answer in double precision, also of rows in many blocks."""
    target = TARGETS[MODELS.get(name, ("two",) if "Classifier" in name else ("number",))[-1]]
    model = getattr(S, name)().fit(SINGLE, target)
    many = np.tile(SINGLE, (700, 1))
    for rows in (SINGLE, many, sp.csr_array(SINGLE)):
        whole, rounded = numbers(model, rows.astype(np.float64)), numbers(model, rows)
        assert whole.keys() == rounded.keys()
        for verb, answer in whole.items():
            assert answer.dtype == np.float64
            kind = np.float64 if name == "LogisticRegressionCV" else np.float32
            np.testing.assert_array_equal(rounded[verb], answer.astype(kind), strict=True)


@pytest.mark.parametrize("form", ["half", "swapped"])
@pytest.mark.parametrize("name", ["LinearRegression", "Ridge", "RidgeCV", "RidgeClassifier", "LogisticRegression"])
def test_other_floats_make_models_in_double_precision(name: str, form: str) -> None:
    model = getattr(S, name)().fit(ASKED[form], TARGETS[MODELS[name][0]])
    assert model.coef_.dtype == np.float64
    assert set(types(model, SINGLE).values()) == {"<f8"}


def test_tables_of_other_libraries_are_answered_in_double_precision() -> None:
    mapping = {name: SINGLE[:, j] for j, name in enumerate("abc")}
    for rows in (mapping, pl.DataFrame(mapping), table(SINGLE).astype("Float32")):
        assert S.Ridge().fit(rows, y).predict(rows).dtype == np.float64
        assert S.Ridge().fit(table(SINGLE), y).predict(rows).dtype == np.float64
    assert S.Ridge().fit(table(SINGLE).rename(columns={"a": "dtype", "b": "X"}), y).coef_.dtype == np.float32
    both = table(SINGLE).astype({"a": np.float64}).rename(columns={"b": "X"})
    assert S.Ridge().fit(both, y).coef_.dtype == np.float64  # whatever the type of a column of this name


@pytest.mark.filterwarnings("ignore")  # of names of columns
@pytest.mark.parametrize("name", ["Ridge", "LogisticRegression", "LogisticRegressionCV", "RidgeClassifier"])
def test_models_from_files_answer_in_the_same_type(name: str, tmp_path: Path) -> None:
    model = getattr(S, name)().fit(SINGLE, TARGETS[MODELS[name][0]])
    model.save(tmp_path / "m.model")
    loaded = S.load(tmp_path / "m.model")
    for other in (loaded, loaded.estimator()):
        assert other.coef_.dtype == model.coef_.dtype
        for rows in (SINGLE, DOUBLE, sp.csr_array(SINGLE), table(SINGLE)):
            found, expected = numbers(other, rows), numbers(model, rows)
            assert found.keys() == expected.keys()
            for verb in found:
                np.testing.assert_array_equal(found[verb], expected[verb], strict=True)


def test_models_that_learn_on_and_merge_keep_their_type() -> None:
    model = S.Ridge().partial_fit(SINGLE[:30], y[:30]).partial_fit(SINGLE[30:], y[30:])
    merged = S.Ridge().fit(SINGLE[:30], y[:30]) + S.Ridge().fit(SINGLE[30:], y[30:])
    assert (model.predict(SINGLE).dtype, merged.predict(SINGLE).dtype) == (np.float32, np.float32)


def test_decisions_are_made_in_double_precision() -> None:
    model = S.LogisticRegression().fit(SINGLE, TARGETS["two"])
    assert model.posterior(SINGLE).proba.dtype == np.float64
    np.testing.assert_array_equal(model.posterior(SINGLE).proba, model.predict_proba(DOUBLE))
    np.testing.assert_array_equal(model.predict(SINGLE, prior="uniform"), model.predict(DOUBLE, prior="uniform"))


def test_workers_answer_in_double_precision() -> None:
    """Partitions without rows do too, and all partitions must be of one type."""
    for model, verb in ((S.Ridge().fit(SINGLE, y), "predict"), (S.LogisticRegression().fit(SINGLE, y > 0), VERBS[2])):
        asked = AnswerPartition(verb, value_bytes(model._saved()), pack({}), pack(ReadPartition()))
        found, nothing = (np.asarray(asked(rows)) for rows in (SINGLE, SINGLE[:0]))
        np.testing.assert_array_equal(found, getattr(model, verb)(DOUBLE), strict=True)
        assert nothing.dtype == found.dtype
    stack = S.StackingRegressor([("a", S.Ridge()), ("b", S.Lasso(0.1))], final_estimator=S.Ridge()).fit(SINGLE, y)
    asked = AnswerPartition("predict", value_bytes(stack._saved()), pack({}), pack(ReadPartition()))
    assert (asked(SINGLE).dtype, asked(SINGLE[:0]).dtype) == (np.float64, np.float64)
    spread = S.KMeans(3, n_init=1, random_state=0).fit(SINGLE)
    asked = AnswerPartition("transform", value_bytes(spread._saved()), pack({}), pack(ReadPartition()))
    np.testing.assert_array_equal(np.asarray(asked(SINGLE)), spread.transform(SINGLE), strict=True)


def test_folds_answer_as_their_models_do() -> None:
    for predict in (cross_val_predict, their_cross_val_predict):
        for model, target, verb in ((S.Ridge(), y, "predict"), (S.LogisticRegression(), y > 0, "predict_proba")):
            found, expected = (predict(model, rows, target, cv=3, method=verb) for rows in (SINGLE, DOUBLE))
            assert (found.dtype, expected.dtype) == (np.float32, np.float64)
            np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_class_that_a_fold_lacks_has_the_least_score_of_the_type() -> None:
    labels = np.where(np.arange(60) < 20, "c", np.where(y > 0, "a", "b"))
    tested = np.split(np.arange(60), 3)[::-1]  # the last fold has all rows of a class
    folds = [(np.setdiff1d(np.arange(60), rows), rows) for rows in tested]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # such as of a cast that overflows
        found = cross_val_predict(S.RidgeClassifier(), SINGLE, labels, cv=folds, method="decision_function")
    assert found.dtype == np.float32
    assert (found[:20, 2] == np.finfo(np.float32).min).all()


@pytest.mark.filterwarnings("ignore")  # of names of columns
def test_what_is_around_linear_models_works(tmp_path: Path) -> None:
    """What is around them answers as it did, in double precision; what scikit-learn has around them, in its own."""
    two, model = y > 0, S.LogisticRegression()
    around: tuple[Any, ...] = (
        S.Chain(S.StandardScaler(), model),
        S.CalibratedClassifier(model, cv=3),
        S.OneVsRestClassifier(model),
        S.VotingClassifier([("a", model), ("b", S.GaussianNB())], voting="soft"),
        S.BaggingClassifier(model, n_estimators=3, random_state=0),
    )
    for outer in around:
        found, expected = (outer.fit(rows, two).predict_proba(rows) for rows in (SINGLE, DOUBLE))
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    ridges: tuple[Any, ...] = (
        S.Chain(S.StandardScaler(), S.Ridge()),
        S.BaggingRegressor(S.Ridge(), n_estimators=3, random_state=0),
        S.VotingRegressor([("a", S.Ridge()), ("b", S.Lasso(0.1))]),
    )
    for outer in (*ridges, S.VotingClassifier([("a", model)], voting="soft").fit(SINGLE, two)):
        verb = "predict" if outer in ridges else "predict_proba"
        outer.fit(SINGLE, y if outer in ridges else two).save(tmp_path / "m.model")
        loaded = S.load(tmp_path / "m.model")
        np.testing.assert_array_equal(getattr(loaded, verb)(SINGLE), getattr(outer, verb)(SINGLE), strict=True)
    for outer in ridges:
        found, expected = (outer.fit(rows, y).predict(rows) for rows in (SINGLE, DOUBLE))
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    scores = S.OneVsRestClassifier(S.RidgeClassifier()).fit(SINGLE, TARGETS["three"]).decision_function(SINGLE)
    assert scores.dtype == np.float64
    assert make_pipeline(S.StandardScaler(), S.Ridge()).fit(SINGLE, y).predict(SINGLE).dtype == np.float32
    assert VotingRegressor([("a", S.Ridge())]).fit(SINGLE, y).predict(SINGLE).shape == (60,)
    assert VotingClassifier([("a", model)], voting="soft").fit(SINGLE, two).predict_proba(SINGLE).shape == (60, 2)
