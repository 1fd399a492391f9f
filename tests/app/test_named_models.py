"""Models by name: what the command trains, compares and maps is what Python does with the same rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest

import suffice
from suffice import (
    CalibratedClassifier,
    Chain,
    LinearRegression,
    NaiveBayes,
    Ridge,
    TableEncoder,
    Tree,
    VotingClassifier,
)
from suffice.app.learning.model_names import build, find, read_settings
from suffice.evaluation import compare, cross_validate
from tests.app.conftest import Cli

rng = np.random.default_rng(8)
N = 80
FRAME = pd.DataFrame(
    {
        "a": rng.normal(size=N).round(3),
        "b": rng.poisson(3, N),
        "c": rng.choice(["u", "v", "w"], N),
        "y": np.where(np.arange(N) % 3 == 0, "yes", "no"),
    }
)
FRAME["t"] = (FRAME.a * 2 + (FRAME.c == "u") + 0.1 * rng.normal(size=N)).round(4)
FEATURES = ["a", "b", "c"]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    FRAME.to_csv(tmp_path / "rows.csv", index=False)
    return tmp_path / "rows.csv"


def asked(cli: Cli, *words: Any) -> Any:
    result = cli(*words, "--format", "json")
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_names_need_neither_case_nor_dashes() -> None:
    assert find("naive-bayes") is find("NAIVEBAYES") is NaiveBayes
    assert repr(build("tableencoder+ridge", {"ridge__alpha": "2"})) == "Chain(TableEncoder(), Ridge(alpha=2))"


def test_values_are_read_by_what_they_say() -> None:
    assert build("Tree", {"max_depth": "none"}).max_depth is None
    assert build("Ridge", {"fit_intercept": "False"}).fit_intercept is False
    assert build("MLPClassifier", {"hidden_layer_sizes": "[4,2]"}).hidden_layer_sizes == [4, 2]
    assert build("Tree", {"criterion": "entropy"}).criterion == "entropy"
    assert read_settings(["a=b=c,d"]) == {"a": "b=c,d"}
    members = build("VotingClassifier", {"estimators": "NaiveBayes+Tree"})
    assert isinstance(members, VotingClassifier)
    assert [name for name, _ in members.estimators] == ["naivebayes", "tree"]
    inner = build("OneVsRestClassifier", {"estimator": "TableEncoder+RidgeClassifier"}).estimator
    assert isinstance(inner, Chain)


MODELS = {
    "LinearRegression": (LinearRegression(), "t"),
    "TableEncoder+Ridge": (Chain(TableEncoder(), Ridge()), "t"),
    "Tree": (Tree(), "y"),
    "NaiveBayes": (NaiveBayes(), "y"),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_trained_model_is_the_one_of_python(cli: Cli, rows: Path, name: str) -> None:
    model, target = MODELS[name]
    other = "y" if target == "t" else "t"
    asked(cli, "train", rows, "--target", target, "--ignore", other, "--model", name, "--out", "m")
    model.fit(FRAME[FEATURES], FRAME[target])
    loaded = suffice.load("m")
    verb = "predict" if target == "t" else "predict_proba"
    np.testing.assert_allclose(getattr(loaded, verb)(FRAME[FEATURES]), getattr(model, verb)(FRAME[FEATURES]), rtol=1e-9)


def test_the_scores_are_of_the_rows_that_were_held_out(cli: Cli, rows: Path) -> None:
    """Whichever way a model is trained, it is tested on the same rows by a model of the others."""
    held = suffice.evaluation.selection.hold_out.held_numbers(np.arange(N), 0.2, 0)
    for name, model in (("Tree", Tree()), ("NaiveBayes", NaiveBayes()), ("Decide", suffice.Decide(NaiveBayes()))):
        told = asked(cli, "train", rows, "--target", "y", "--ignore", "t", "--model", name)
        model.fit(FRAME[FEATURES][~held], FRAME.y[~held])
        accuracy = float((model.predict(FRAME[FEATURES][held]) == FRAME.y[held]).mean())
        assert told["held_out"] == held.sum()
        assert told["scores"][0]["value"] == pytest.approx(accuracy, abs=1e-12)


def test_a_quantity_trains_a_regressor_and_few_whole_numbers_are_classes(cli: Cli, rows: Path) -> None:
    told = asked(cli, "train", rows, "--target", "t", "--out", "m")
    assert told["kind"] == "Ridge"
    assert [line["score"] for line in told["scores"]][:2] == ["R2", "root mean squared error"]
    assert suffice.load("m")._fitted.adds
    assert "classes" in asked(cli, "train", rows, "--target", "b")
    assert asked(cli, "train", rows, "--target", "b", "--kinds", "b=quantitative")["kind"] == "Ridge"


def test_missing_cells_of_a_quantity_are_left_out(cli: Cli, tmp_path: Path) -> None:
    frame = FRAME.copy()
    frame.loc[[3, 9], "t"] = np.nan
    frame.loc[[5, 6], "a"] = np.nan
    frame.to_csv(tmp_path / "gaps.csv", index=False)
    told = asked(cli, "train", "gaps.csv", "--target", "t", "--out", "m")
    assert told["learned_from"] + told["held_out"] == N - 2
    assert asked(cli, "evaluate", "m", "gaps.csv")["scored"] == N - 2


def test_calibrated_probabilities_are_those_of_python(cli: Cli, rows: Path) -> None:
    asked(cli, "train", rows, "--target", "y", "--ignore", "t", "--model", "Tree", "--set", "max_depth=2",
          "--calibrate", "logistic", "--out", "m")  # fmt: skip
    model = CalibratedClassifier(Tree(max_depth=2), map="logistic").fit(FRAME[FEATURES], FRAME.y)
    found = asked(cli, "predict", "m", rows)
    np.testing.assert_allclose([row["p(yes)"] for row in found], model.predict_proba(FRAME[FEATURES])[:, 1], rtol=1e-9)


@pytest.mark.parametrize("name", ["NaiveBayes", "Tree", "Ridge"])
def test_folds_are_those_of_cross_validation(cli: Cli, rows: Path, name: str) -> None:
    target, other = ("t", "y") if name == "Ridge" else ("y", "t")
    asked(cli, "train", rows, "--target", target, "--ignore", other, "--model", name, "--out", "m")
    told = asked(cli, "evaluate", "m", rows, "--folds", 4)
    found = cross_validate(getattr(suffice, name)(), FRAME[FEATURES], FRAME[target], cv=4)
    score = "mean_squared_error" if name == "Ridge" else "accuracy"
    np.testing.assert_allclose([line[score] for line in told["by_fold"][:4]], found.values(score), rtol=1e-9)
    assert told["learned"] == found.path


def test_compared_models_are_those_of_python(cli: Cli, rows: Path) -> None:
    words = (
        "compare",
        rows,
        "--target",
        "y",
        "--ignore",
        "t",
        "--model",
        "NaiveBayes",
        "--model",
        "Tree",
        "--folds",
        4,
    )
    told = asked(cli, *words)
    found = compare(FRAME[FEATURES], FRAME.y, [NaiveBayes(), Tree()], cv=4)
    assert [line["model"] for line in told["models"]] == [model.name for model in found.models]
    for line in told["models"]:
        assert line["accuracy"] == found.estimate(line["model"]).value
    assert [line["row"] for line in told["disagreements"]] == found.disagreements().tolist()
    assert told["pairs"][0]["p"] == pytest.approx(found.pairs[0].p, rel=1e-9)


def test_parquet_has_the_rows_of_csv(cli: Cli, rows: Path, tmp_path: Path) -> None:
    asked(cli, "train", rows, "--target", "y", "--out", "m")
    told = asked(cli, "predict", "m", rows)
    assert cli("predict", "m", rows, "--out", "p.parquet").code == 0
    assert pyarrow.parquet.read_table(tmp_path / "p.parquet").to_pylist() == told


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_are_written_whole(cli: Cli, rows: Path, tmp_path: Path, ending: str) -> None:
    asked(cli, "train", rows, "--target", "y", "--ignore", "t", "--out", "m")
    assert cli("evaluate", "m", rows, "--plot", f"e.{ending}").code == 0
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert (tmp_path / f"e.{ending}").read_bytes().startswith(start)


def test_residuals_are_drawn_of_models_that_predict_numbers(cli: Cli, rows: Path, tmp_path: Path) -> None:
    asked(cli, "train", rows, "--target", "t", "--ignore", "y", "--model", "TableEncoder+Ridge", "--out", "m")
    told = cli("evaluate", "m", rows)
    assert cli("evaluate", "m", rows, "--plot", "r.svg") == told
    text = (tmp_path / "r.svg").read_text()
    assert text.startswith("<?xml")
    points = text.partition('id="PathCollection_1"')[2].partition("</g>\n   <g id")[0].count("<use ")
    assert points == len(FRAME.t.dropna())
    refused = cli("evaluate", "m", rows, "--folds", 2, "--plot", "r.svg")
    assert (refused.code, "left out with --folds" in refused.err) == (1, True)


def test_columns_are_drawn(cli: Cli, rows: Path, tmp_path: Path) -> None:
    write_odd = "when,cost $a$ b,note,none\n2024-01-01,1.5,dry $x$ cough,\n2024-02-01,2.5,cough,\n"
    (tmp_path / "odd.csv").write_text(write_odd)
    assert cli("describe", "odd.csv", "--kinds", "note=text", "--plot", "odd.png").code == 0
    assert (tmp_path / "odd.png").read_bytes().startswith(b"\x89PNG")
    assert cli("describe", rows, "--plot", "d.svg").code == 0
    assert all(f"<!-- {name} -->" in (tmp_path / "d.svg").read_text() for name in FRAME.columns)
    (tmp_path / "nothing.csv").write_text("a,b\n,\n")
    refused = cli("describe", "nothing.csv", "--plot", "n.svg")
    assert (refused.code, "of a column with cells" in refused.err) == (1, True)


def test_compared_models_take_parameters(cli: Cli, rows: Path) -> None:
    models = ("--model", "Tree", "--model", "Forest", "--folds", 2, "--ignore", "t")
    line = ("compare", rows, "--target", "y", *models)
    told = {
        m["model"]: m["accuracy"]
        for m in asked(cli, *line, "--set", "max_depth=1", "--set", "forest__seed=1")["models"]
    }
    shallow = {"Tree": suffice.Tree(max_depth=1), "Forest": suffice.Forest(max_depth=1, seed=1)}
    found = suffice.compare(FRAME[FEATURES], FRAME.y, shallow, cv=2)
    assert told == {name: found.estimate(name).value for name in shallow}
    for given, words in (
        ("depth=3", "Tree+Forest has no parameter 'depth'"),
        ("max_depth=x", "max_depth of Tree must be"),
    ):
        refused = cli(*line, "--set", given)
        assert (refused.code, words in refused.err, refused.err.count("\n")) == (2, True, 1)
    refused = cli("compare", rows, "--target", "y", "--set", "alpha=1")
    assert (refused.code, "name some by --model" in refused.err) == (2, True)


def test_the_majority_rule_of_a_model_without_shares_is_that_of_the_rows(cli: Cli, rows: Path) -> None:
    asked(cli, "train", rows, "--target", "y", "--ignore", "t,c", "--model", "SVC", "--out", "m")
    assert asked(cli, "evaluate", "m", rows)["scores"][1]["score"] == "always no"
    FRAME[FRAME.y == "yes"].to_csv("some.csv", index=False)
    assert asked(cli, "evaluate", "m", "some.csv")["scores"][1]["score"] == "always yes"


def test_groups_and_maps_are_those_of_python(cli: Cli, rows: Path) -> None:
    words = ("--ignore", "y,t")
    found = asked(cli, "cluster", rows, *words, "--clusters", 3, "--set", "random_state=0", "--save", "g")
    model = Chain(TableEncoder(), suffice.KMeans(3, random_state=0)).fit(FRAME[FEATURES])
    assert [row["cluster"] for row in found] == model.predict(FRAME[FEATURES]).tolist()
    assert [row["cluster"] for row in asked(cli, "predict", "g", rows)] == [row["cluster"] for row in found]
    mapped = asked(cli, "transform", rows, *words, "--model", "TableEncoder+PCA", "--set", "n_components=2")
    theirs = Chain(TableEncoder(), suffice.PCA(2)).fit(FRAME[FEATURES]).transform(FRAME[FEATURES])
    np.testing.assert_allclose([[row["pca0"], row["pca1"]] for row in mapped], theirs, rtol=1e-9, atol=1e-9)
    noise = asked(cli, "cluster", rows, "--ignore", "y,t,c", "--model", "DBSCAN", "--set", "eps=0.2")
    assert [row["cluster"] for row in noise] == suffice.DBSCAN(eps=0.2).fit(FRAME[["a", "b"]]).labels_.tolist()
    assert -1 in {row["cluster"] for row in noise}
