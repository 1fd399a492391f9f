"""Tables with symbols and missing cells for models of plain numbers: one design, whatever the model."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.svm import SVC as PeerSVC

import suffice
from suffice import SVC, Perceptron
from suffice.core.errors import BadInput
from suffice.estimators.design.table_design import design_of
from suffice.margin import margin_report

RNG = np.random.default_rng(0)
N = 60
WHOLE = pd.DataFrame(
    {
        "age": RNG.normal(size=N),
        "site": pd.Series(np.array(["n", "s", "w"])[np.arange(N) % 3], dtype=object),
        "ill": RNG.random(N) < 0.5,
        "dose": RNG.normal(size=N),
    }
)
GAPS = WHOLE.copy()
GAPS.loc[[3, 7], "age"] = np.nan
GAPS.loc[[5, 9], "site"] = None
NUMBERS = WHOLE["age"].to_numpy() + (WHOLE["site"] == "s").to_numpy()
LABELS = np.where(NUMBERS > 0.3, "b", "a")
NAMES = ("age", "age is missing", "site=n", "site=s", "site=w", "site is missing", "ill", "dose")
MODELS = {
    "SVC": lambda: SVC(),
    "Perceptron": lambda: Perceptron(),
    "PerceptronRegressor": lambda: suffice.PerceptronRegressor(max_iter=20),
    "KernelPerceptron": lambda: suffice.KernelPerceptron(max_iter=20),
    "MLPClassifier": lambda: suffice.MLPClassifier((3,), max_iter=5, random_state=0),
    "MLPRegressor": lambda: suffice.MLPRegressor(hidden_layer_sizes=(3,), max_iter=5, random_state=0),
    "LogisticNeuron": lambda: suffice.LogisticNeuron(max_iter=5, random_state=0),
}
pytestmark = pytest.mark.filterwarnings("ignore")


def by_hand(table: pd.DataFrame, known: pd.DataFrame = GAPS) -> np.ndarray:
    """The matrix of the design."""
    age, site = table["age"], table["site"]
    levels = [site == level for level in "nsw"]
    columns = age.fillna(known["age"].mean()), age.isna(), *levels, site.isna(), table["ill"], table["dose"]
    return np.column_stack(columns).astype(float)


def target_of(name: str) -> Any:
    return NUMBERS if name.endswith("Regressor") else LABELS


def test_the_columns_are_those_of_training() -> None:
    design = design_of("SVC", GAPS)
    assert design.names == NAMES
    np.testing.assert_allclose(design.rows(GAPS), by_hand(GAPS), rtol=1e-13)
    np.testing.assert_allclose(design.rows(pl.from_pandas(GAPS)), by_hand(GAPS), rtol=1e-13)
    strange = pd.DataFrame({"age": [None], "site": ["elsewhere"], "ill": [None], "dose": [1.0]})
    shares = GAPS["site"].value_counts() / N
    average = [GAPS["age"].mean(), 1.0, *(shares[level] for level in "nsw"), 2 / N, GAPS["ill"].mean(), 1.0]
    np.testing.assert_allclose(design.rows(strange)[0], average, rtol=1e-13)


@pytest.mark.parametrize("name", MODELS)
def test_any_model_of_numbers_takes_the_table(name: str, tmp_path: Path) -> None:
    """As by hand, from memory, from a file of rows, and from the file of the model."""
    y, model = target_of(name), MODELS[name]().fit(GAPS, target_of(name))
    known = MODELS[name]().fit(by_hand(GAPS), y).predict(by_hand(GAPS))
    np.testing.assert_array_equal(model.predict(GAPS), known)
    assert model.n_features_in_ == 4
    assert model.feature_names_in_.tolist() == list(GAPS.columns)
    GAPS.assign(y=y).to_csv(tmp_path / "rows.csv", index=False)
    read = MODELS[name]().fit(tmp_path / "rows.csv", target="y", in_memory=True)
    assert read.n_features_in_ == 4
    np.testing.assert_array_equal(read.predict(GAPS), known)
    model.save(tmp_path / "model")
    back = suffice.load(tmp_path / "model")
    np.testing.assert_array_equal(back.predict(GAPS), known)
    np.testing.assert_array_equal(back.estimator().predict(GAPS), known)


@pytest.mark.parametrize("name", MODELS)
def test_gaps_that_come_later_are_means(name: str, tmp_path: Path) -> None:
    """A fold may have no gap to learn from, and one to answer."""
    columns, y = ["age", "dose"], target_of(name)
    model = MODELS[name]().fit(WHOLE[columns], y)
    np.testing.assert_array_equal(
        model.predict(WHOLE[columns]),
        MODELS[name]().fit(WHOLE[columns].to_numpy(), y).predict(WHOLE[columns].to_numpy()),
    )
    filled = GAPS[columns].fillna(WHOLE[columns].mean())
    np.testing.assert_allclose(_numbers(model.predict(GAPS[columns])), _numbers(model.predict(filled)), rtol=1e-9)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(suffice.load(tmp_path / "model").predict(GAPS[columns]), model.predict(GAPS[columns]))


def _numbers(answers: Any) -> Any:
    return answers if answers.dtype.kind == "f" else (answers == "a").astype(float)


@pytest.mark.parametrize("name", MODELS)
def test_arrays_with_gaps_are_refused_unless_asked_for(name: str) -> None:
    X, y, model = GAPS[["age", "dose"]].to_numpy(), target_of(name), MODELS[name]()
    with pytest.raises(BadInput, match="column 'x0' must be present in every row"):
        clone(model).fit(X, y)
    with pytest.raises(BadInput, match="column 'age' must be present in every row"):
        clone(model).set_params(missing="error").fit(GAPS, y)
    asked = clone(model).set_params(missing="indicator").fit(X, y)
    assert asked.__sklearn_tags__().input_tags.allow_nan
    np.testing.assert_array_equal(
        asked.predict(X), clone(model).fit(GAPS[["age", "dose"]], y).predict(GAPS[["age", "dose"]])
    )


def test_a_row_that_weighs_nothing_brings_nothing_in() -> None:
    table = GAPS.copy()
    table.loc[0, "site"] = "elsewhere"
    w = (np.arange(N) > 0).astype(float)
    model = SVC().fit(table, LABELS, w)
    assert model.fitted_.schema.names == NAMES
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(model.predict(GAPS), SVC().fit(GAPS[1:], LABELS[1:]).predict(GAPS))


def test_the_support_vectors_are_those_of_libsvm() -> None:
    ours, theirs = SVC(tol=1e-6).fit(GAPS, LABELS), PeerSVC(tol=1e-6).fit(by_hand(GAPS), LABELS)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    np.testing.assert_allclose(ours.decision_function(GAPS), theirs.decision_function(by_hand(GAPS)), atol=1e-4)


def test_margins_of_a_table() -> None:
    ours, by = SVC().fit(GAPS, LABELS), SVC().fit(by_hand(GAPS), LABELS)
    report, known = margin_report(ours, GAPS, LABELS), margin_report(by, by_hand(GAPS), LABELS)
    np.testing.assert_array_equal(report.free, known.free)
    np.testing.assert_array_equal(report.slack, known.slack)


def test_words_in_arrays_of_objects_are_levels_too() -> None:
    rows = [[1.0, "n"], [2.0, "s"], [0.5, "n"], [3.0, "w"]]
    model = SVC().fit(rows, [0, 1, 0, 1])
    assert model.fitted_.schema.names == ("x0", "x1=n", "x1=s", "x1=w")
    np.testing.assert_array_equal(model.predict(np.array(rows, dtype=object)), [0, 1, 0, 1])
    with pytest.raises(BadInput, match="column 'x1' must be present in every row"):
        SVC().fit([[1.0, "n"], [2.0, None]], [0, 1])


def test_rows_learned_later_are_read_by_the_first_design() -> None:
    model = Perceptron(random_state=0).partial_fit(GAPS[:30], LABELS[:30], classes=["a", "b"])
    names = model.fitted_.schema.names
    later = GAPS[30:].copy()
    later.loc[31, "site"] = "elsewhere"
    model.partial_fit(later, LABELS[30:])
    assert model.fitted_.schema.names == names
    assert set(model.predict(later)) <= {"a", "b"}


def test_texts_and_other_columns_are_refused_by_name() -> None:
    with pytest.raises(BadInput, match="'ill' among them"):
        SVC().fit(GAPS, LABELS).fitted_.plan.open(GAPS.drop(columns="ill"))
    with pytest.raises(BadInput, match="SVC: column 'age' must be finite"):
        SVC().fit(GAPS.assign(age=np.where(np.arange(N) == 4, np.inf, GAPS["age"])), LABELS)
