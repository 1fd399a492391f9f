"""From one command to the next: a model answers rows whose columns come in another order, or lack some."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.app.conftest import Cli

rng = np.random.default_rng(3)
N = 60
FRAME = pd.DataFrame(
    {
        "age": rng.normal(40, 10, N).round(1),
        "n": rng.poisson(3, N),
        "dose": rng.gamma(2, size=N).round(2),
        "ok": rng.choice([True, False], N),
        "id": [f"c{i}" for i in range(N)],
    }
)
FRAME["ill"] = np.where(FRAME.age + rng.normal(size=N) * 5 > 40, "p", "q")
FRAME["t"] = (FRAME.age * 2 + rng.normal(size=N)).round(3)
MEMBERS = {"VotingClassifier": "NaiveBayes+Tree", "StackingClassifier": "NaiveBayes+Tree"}
CLASSIFIERS = (
    "GaussianNB", "BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB", "NaiveBayes", "OneVsOneClassifier",
    "OneVsRestClassifier", "BaggingClassifier", "VotingClassifier", "StackingClassifier", "RandomForestClassifier",
    "KNeighborsClassifier", "SVC", "LinearDiscriminantAnalysis", "Decide", "Tree", "LogisticRegression",
)  # fmt: skip
REGRESSORS = ("BaggingRegressor", "KNeighborsRegressor", "RandomForestRegressor", "Ridge", "RegressionTree")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    FRAME.to_csv(tmp_path / "rows.csv", index=False)
    FRAME[FRAME.columns[::-1]].to_csv(tmp_path / "turned.csv", index=False)
    FRAME.drop(columns="age").to_csv(tmp_path / "lacking.csv", index=False)
    return tmp_path / "rows.csv"


def asked(cli: Cli, *words: Any) -> Any:
    result = cli(*words, "--format", "json")
    assert result.code == 0, result.err
    return json.loads(result.out)


def trained(cli: Cli, name: str, target: str, *more: Any) -> Any:
    given = ["--set", f"estimators={MEMBERS[name]}"] if name in MEMBERS else []
    given += ["--set", "estimator=LogisticRegression"] if name.startswith("OneVs") else []
    other = "t" if target == "ill" else "ill"
    words = ("--target", target, "--ignore", other, "--identifier", "id", "--model", name, "--out", "m")
    return asked(cli, "train", "rows.csv", *words, *given, *more)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*CLASSIFIERS, *REGRESSORS])
def test_columns_in_another_order_get_the_same_answers(cli: Cli, rows: Path, name: str) -> None:
    target = "ill" if name in CLASSIFIERS else "t"
    trained(cli, name, target)
    found, turned = (asked(cli, "predict", "m", file) for file in ("rows.csv", "turned.csv"))
    assert found == turned
    scores, others = (asked(cli, "evaluate", "m", file)["scores"] for file in ("rows.csv", "turned.csv"))
    assert scores == others
    if target == "ill":
        right = [row["prediction"] == label for row, label in zip(found, FRAME.ill, strict=True)]
        assert scores[0]["value"] == pytest.approx(np.mean(right), abs=1e-12)
    refused = cli("predict", "m", "lacking.csv")
    assert (refused.code, "'age' among them" in refused.err) == (1, True), refused


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["OneVsOneClassifier", "BaggingClassifier", "GaussianNB"])
def test_models_of_python_know_their_columns_in_files(cli: Cli, rows: Path, name: str) -> None:
    import suffice

    given = (suffice.LogisticRegression(),) if name.startswith("OneVs") else ()
    X = FRAME[["dose", "n", "age"]]
    model = getattr(suffice, name)(*given).fit(X, FRAME.ill)
    model.save("m")
    assert [row["prediction"] for row in asked(cli, "predict", "m", "rows.csv")] == model.predict(X).tolist()


@pytest.mark.parametrize("name", ["Tree", "LogisticRegression", "LinearDiscriminantAnalysis"])
def test_identifiers_are_never_learned_from_in_folds(cli: Cli, rows: Path, name: str) -> None:
    trained(cli, name, "ill")
    told = asked(cli, "evaluate", "m", "rows.csv", "--folds", 3)
    FRAME.drop(columns="id").to_csv("bare.csv", index=False)
    words = ("--target", "ill", "--ignore", "t", "--model", name, "--out", "m")
    asked(cli, "train", "bare.csv", *words)
    assert asked(cli, "evaluate", "m", "bare.csv", "--folds", 3)["scores"] == told["scores"]


def test_identifiers_do_not_hinder_calibrating(cli: Cli, rows: Path) -> None:
    assert trained(cli, "Tree", "ill", "--calibrate", "logistic")["held_out"] > 0


def test_rows_with_identifiers_are_forgotten(cli: Cli, rows: Path) -> None:
    """Also by a model that takes columns for what they show."""
    for name in ("LinearDiscriminantAnalysis", "MultinomialNB"):
        trained(cli, name, "ill")
        FRAME[:1].to_csv("gone.csv", index=False)
        assert asked(cli, "forget", "m", "gone.csv", "--out", "less")["rows"] == N - 1


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
def test_models_of_counts_tell_what_they_learned(cli: Cli, rows: Path, name: str) -> None:
    trained(cli, name, "ill")
    told = asked(cli, "info", "m", "--tables")["tables"]["words"]
    assert all(any(column in row["parameter"] for row in told) for column in ("age", "n", "dose", "ok"))
    if name != "ComplementNB":
        assert list(asked(cli, "sample", "m", "--rows", 2)[0]) == ["age", "n", "dose", "ok", "ill"]


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
def test_models_of_counts_refuse_missing_cells(cli: Cli, rows: Path, name: str) -> None:
    trained(cli, name, "ill")
    gaps = FRAME.copy()
    gaps.loc[3, "age"] = np.nan
    gaps.to_csv("gaps.csv", index=False)
    for verb in ("predict", "evaluate"):
        refused = cli(verb, "m", "gaps.csv")
        assert (refused.code, "X must be finite" in refused.err) == (1, True), refused


@pytest.mark.parametrize("last", ["Decide", "ModelAverage", "CalibratedClassifier"])
def test_chains_may_end_in_what_takes_rows_in_memory(cli: Cli, rows: Path, last: str) -> None:
    trained(cli, f"TableEncoder+{last}", "ill")
    assert asked(cli, "predict", "m", "rows.csv") == asked(cli, "predict", "m", "turned.csv")
    assert asked(cli, "evaluate", "m", "rows.csv", "--folds", 2)["scored"] == N


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", ["SVC", "MLPClassifier", "Perceptron", "LogisticNeuron", "KNeighborsClassifier", "Ridge"]
)
def test_truth_values_are_the_same_numbers_in_every_format(cli: Cli, rows: Path, name: str) -> None:
    FRAME.to_parquet("rows.parquet")
    FRAME.to_json("rows.jsonl", orient="records", lines=True)
    seeded = ("--set", "random_state=0") if name in ("MLPClassifier", "Perceptron", "LogisticNeuron") else ()
    trained(cli, name, "t" if name == "Ridge" else "ill", *seeded)
    found = asked(cli, "predict", "m", "rows.parquet")
    assert found == asked(cli, "predict", "m", "rows.csv") == asked(cli, "predict", "m", "rows.jsonl")
    if name == "SVC":
        import suffice

        answers = suffice.load("m").predict(FRAME[["age", "n", "dose", "ok"]])
        assert [row["prediction"] for row in found] == answers.tolist()


@pytest.mark.filterwarnings("ignore")
def test_what_cannot_be_is_told_in_one_sentence(cli: Cli, rows: Path) -> None:
    asked(cli, "train", "rows.csv", "--target", "ill", "--ignore", "t", "--identifier", "id", "--out", "m")
    asked(cli, "transform", "rows.csv", "--ignore", "ill,t,id", "--model", "StandardScaler", "--save", "p")
    FRAME[:1].to_csv("one.csv", index=False)
    for line, said in (
        (("predict", "p", "rows.csv"), "'p' must be a model that predicts, but it holds a StandardScaler"),
        (("compare", "rows.csv", "--target", "nope", "--model", "Ridge"), "the target column must be one of"),
        (("train", "rows.csv", "--target", "nope", "--model", "BaggingRegressor"), "the target column must be one of"),
        (("evaluate", "m", "one.csv", "--folds", 2), "the rows must be enough for every fold to leave some"),
    ):
        refused = cli(*line)
        assert (refused.code, said in refused.err, refused.err.count("\n")) == (1, True, 1), refused


def test_tables_of_zeros_and_ones_name_words_and_levels(cli: Cli, rows: Path) -> None:
    pd.DataFrame({"age": [0, 1] * 20, "b": [1, 1, 0, 0] * 10, "y": list("pq") * 20}).to_csv("ones.csv", index=False)
    asked(cli, "train", "ones.csv", "--target", "y", "--model", "BernoulliNB", "--out", "m")
    told = asked(cli, "info", "m", "--tables")["tables"]["words"]
    assert {row["parameter"] for row in told} == {"age=1", "b=1"}


def test_held_out_rows_without_neighbours_are_counted(cli: Cli, rows: Path) -> None:
    asks = ("train", "rows.csv", "--target", "t", "--ignore", "ill,id", "--model", "RadiusNeighborsRegressor")
    refused = cli(*asks, "--set", "radius=0.001")
    assert refused.code == 1
    assert "radius must be one within which every row that is scored has a neighbour, got" in refused.err
