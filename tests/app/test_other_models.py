"""Models that Python made, at the command line: each command uses them, or says in one sentence why it cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import suffice
from suffice.estimators.state.loaded import SavedModel
from suffice.persistence import load as load_value
from suffice.persistence import save
from tests.app.conftest import Cli
from tests.app.tables import write_rows

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2))
LABELS = np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0, "b", "a")
NUMBERS = 2.0 * X[:, 0] + rng.normal(size=40)
CODES = rng.integers(0, 3, size=(40, 2))
WAYS: dict[str, tuple[Any, Any]] = {
    "BasicLinearClassifier": (X, LABELS),
    "BernoulliNB": (CODES, LABELS),
    "CategoricalNB": (CODES, LABELS),
    "ElasticNet": (X, NUMBERS),
    "GaussianMixture": (X, None),
    "GaussianNB": (X, LABELS),
    "LinearDiscriminantAnalysis": (X, LABELS),
    "LinearRegression": (X, NUMBERS),
    "LogisticRegression": (X, LABELS),
    "MultinomialNB": (CODES, LABELS),
    "Perceptron": (X, LABELS),
    "QuadraticDiscriminantAnalysis": (X, LABELS),
    "Ridge": (X, NUMBERS),
    "RidgeClassifier": (X, LABELS),
    "SVC": (X, LABELS),
}
COMMANDS = (
    "info m",
    "info m --tables --format json",
    "predict m t.csv",
    "predict m t.csv --explain --format json",
    "evaluate m t.csv --target y",
    "forget m t.csv --target y --out new",
    "merge m m --out new",
)


@pytest.mark.parametrize("name", WAYS)
def test_every_command_uses_it_or_says_why_not(cli: Cli, tmp_path: Path, name: str) -> None:
    getattr(suffice, name)().fit(*WAYS[name]).save(tmp_path / "m")
    write_rows(tmp_path / "t.csv", ["x0", "x1", "y"], [[*row, label] for row, label in zip(X, LABELS, strict=True)])
    for line in COMMANDS:
        result = cli(*line.split())
        assert result.code in (0, 1), (line, result.err)
        assert (result.err == "") == (result.code == 0)
        assert result.err.count("\n") == result.code
        if result.code == 0 and "json" in line:
            json.loads(result.out, parse_constant=pytest.fail)


def test_info_tells_of_any_model_that_adds(cli: Cli, tmp_path: Path) -> None:
    suffice.Ridge().fit(X, NUMBERS).save(tmp_path / "m")
    told = json.loads(cli("info", "m", "--tables", "--format", "json").out)
    assert told["kind"] == "Ridge"
    assert [line["column"] for line in told["columns"]] == ["x0", "x1"]
    assert told["notes"] == ["A Ridge has no tables; load it in Python to see more."]


@pytest.mark.parametrize("name", ["KNeighborsClassifier", "SVC", "LinearDiscriminantAnalysis"])
def test_info_tells_columns_as_users_give_them(cli: Cli, tmp_path: Path, name: str) -> None:
    table = {"size": X[:, 0].tolist(), "site": ["n" if x > 0 else "s" for x in X[:, 1]]}
    getattr(suffice, name)().fit(table, LABELS).save(tmp_path / "m")
    told = json.loads(cli("info", "m", "--format", "json").out)["columns"]
    assert [(line["column"], line["kind"]) for line in told] == [("size", "quantitative"), ("site", "categorical")]


def test_a_logistic_regression_is_evaluated(cli: Cli, tmp_path: Path) -> None:
    model = suffice.LogisticRegression().fit(X, LABELS)
    model.save(tmp_path / "m")
    write_rows(tmp_path / "t.csv", ["x0", "x1", "y"], [[*row, label] for row, label in zip(X, LABELS, strict=True)])
    told = json.loads(cli("evaluate", "m", "t.csv", "--target", "y", "--format", "json").out)
    found = {line["score"]: line["value"] for line in told["scores"]}
    assert found["accuracy"] == pytest.approx(np.mean(model.predict(X) == LABELS), rel=1e-12)
    labels, counts = np.unique(LABELS, return_counts=True)
    assert found[f"always {labels[counts.argmax()]}"] == pytest.approx(counts.max() / 40, rel=1e-12)


def test_pieces_that_make_no_model_are_refused(cli: Cli, tmp_path: Path) -> None:
    suffice.GaussianNB().fit(X, LABELS).save(tmp_path / "gauss")
    suffice.Ridge().fit(X, NUMBERS).save(tmp_path / "ridge")
    gauss, ridge = load_value(tmp_path / "gauss"), load_value(tmp_path / "ridge")
    object.__setattr__(gauss.fitted, "plan", ridge.fitted.plan)
    save(SavedModel("GaussianNB", gauss.fitted, gauss.origin), tmp_path / "m")
    for line in COMMANDS[:3]:
        result = cli(*line.split())
        assert result.code == 1
        assert result.err.startswith(
            "suffice: 'm' must be a whole model file, but no model can be made of its pieces ("
        )
