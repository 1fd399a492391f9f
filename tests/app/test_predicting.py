"""`suffice predict`: the answers of the library, streamed, in three styles."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import (
    BaggingRegressor,
    DecisionTreeClassifier,
    KNeighborsRegressor,
    MLPClassifier,
    MLPRegressor,
    NaiveBayes,
    RegressionTree,
    Ridge,
    RidgeClassifier,
    load,
)
from suffice.sources.files.text_format import Format
from tests.app.conftest import Cli
from tests.app.tables import clinic_rows, write, write_rows

COSTS = {"pneumonia": {"cold": 20.0, "flu": 10.0}, "cold": {"flu": 1.0, "pneumonia": 2.0}, "flu": {"cold": 1.0}}

SOME = [[0, 1, 1], [1, 0, 1], [20, 1, 0]]  # a missed pneumonia costs 20, other mistakes 1


class Ward:
    """A model and new patients, as files and in memory."""

    def __init__(self, folder: Path, cli: Cli) -> None:
        names, rows = clinic_rows(400, seed=1)
        write_rows(folder / "old.csv", names, rows)
        new_names, new = clinic_rows(120, seed=2)
        write_rows(folder / "new.csv", new_names[:-1], [row[:-1] for row in new])
        self.n, self.patients = len(new), [row[0] for row in new]
        self.X = {name: [row[j] for row in new] for j, name in enumerate(names[:-1])}
        options = ("--target", "diagnosis", "--kinds", "notes=text", "--identifier", "patient")
        assert cli("train", "old.csv", *options, "--out", "m.suffice").code == 0
        self.model = load(folder / "m.suffice")


@pytest.fixture
def ward(cli: Cli, tmp_path: Path) -> Ward:
    return Ward(tmp_path, cli)


def lines(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out)))


def test_rows_identifiers_answers_probabilities(cli: Cli, ward: Ward) -> None:
    result = cli("predict", "m.suffice", "new.csv")
    assert (result.code, result.err) == (0, "")
    told = lines(result.out)
    assert list(told[0]) == ["row", "patient", "prediction", "p(cold)", "p(flu)", "p(pneumonia)"]
    assert [int(line["row"]) for line in told] == list(range(ward.n))
    assert [int(line["patient"]) for line in told] == ward.patients
    assert [line["prediction"] for line in told] == ward.model.predict(ward.X).tolist()
    proba = np.array([[float(line[f"p({c})"]) for c in ("cold", "flu", "pneumonia")] for line in told])
    np.testing.assert_allclose(proba, ward.model.predict_proba(ward.X), atol=1e-12)


@pytest.mark.parametrize(
    ("options", "wish"),
    [
        (["--prior", "uniform"], {"prior": "uniform"}),
        (["--prior", "cold=0.1,flu=0.2,pneumonia=0.7"], {"prior": {"cold": 0.1, "flu": 0.2, "pneumonia": 0.7}}),
        (["--costs", "costs.json"], {"costs": COSTS}),
        (["--costs", "costs.csv"], {"costs": COSTS}),
        (["--costs", "some.csv"], {"costs": SOME}),
        (["--costs", "some.json"], {"costs": SOME}),
        (["--reject", "0.1"], {"reject": 0.1}),
        (["--at-least", "0.95"], {"at_least": 0.95}),
        (["--prior", "uniform", "--costs", "costs.json", "--reject", "0.5"],
         {"prior": "uniform", "costs": COSTS, "reject": 0.5}),
    ],
)  # fmt: skip
def test_decisions_are_those_of_the_library(cli: Cli, ward: Ward, tmp_path: Path, options: Any, wish: Any) -> None:
    (tmp_path / "costs.json").write_text(json.dumps(COSTS))
    (tmp_path / "costs.csv").write_text("true;cold;flu;pneumonia\ncold;0;1;2\nflu;1;0;1\npneumonia;20;10;0\n")
    (tmp_path / "some.json").write_text(json.dumps({"pneumonia": {"cold": 20.0}}))
    (tmp_path / "some.csv").write_text("true,cold\npneumonia,20\n")
    told = lines(cli("predict", "m.suffice", "new.csv", *options, "--refusal", "ask").out)
    ward.model.refusal = "ask"
    expected = ward.model.predict(ward.X, **wish).tolist()
    assert [line["prediction"] for line in told] == expected
    assert expected != ward.model.predict(ward.X).tolist()


def test_probabilities_are_under_the_prior_that_was_asked_for(cli: Cli, ward: Ward) -> None:
    told = lines(cli("predict", "m.suffice", "new.csv", "--prior", "uniform").out)
    proba = np.array([[float(line[f"p({c})"]) for c in ("cold", "flu", "pneumonia")] for line in told])
    np.testing.assert_allclose(proba, ward.model.posterior(ward.X).likelihood(), atol=1e-12)


def test_explanations_speak_for_the_answer(cli: Cli, ward: Ward) -> None:
    told = json.loads(cli("predict", "m.suffice", "new.csv", "--explain", "--format", "json").out)
    explained = ward.model.explain(ward.X)
    for i, line in enumerate(told):
        assert line["prediction"] == explained.target[i]
        assert line["against"] == explained.versus[i]
        values = {str(name): value for name, value in zip(explained.features, explained.contributions[i], strict=True)}
        values["(prior)"] = explained.prior[i]
        strongest = sorted(values.items(), key=lambda pair: -abs(pair[1]))[:5]
        assert [r["feature"] for r in line["because"]] == [name for name, value in strongest if value]
        assert [r["log_odds"] for r in line["because"]] == pytest.approx([v for _, v in strongest if v], abs=1e-9)


def test_explanations_of_another_prior_and_of_refusals(cli: Cli, ward: Ward) -> None:
    options = ("--prior", "cold=0.98,flu=0.01,pneumonia=0.01", "--at-least", "0.9", "--explain", "--format", "json")
    told = json.loads(cli("predict", "m.suffice", "new.csv", *options).out)
    assert any(line["prediction"] is None for line in told)
    for line in told:
        best = max(("cold", "flu", "pneumonia"), key=lambda c: line[f"p({c})"])
        assert line["prediction"] in (None, best)
        assert line["against"] != best
        odds = np.log(line[f"p({best})"]) - np.log(line[f"p({line['against']})"])
        assert odds >= 0
        prior = [r["log_odds"] for r in line["because"] if r["feature"] == "(prior)"]
        assert all(abs(abs(p) - np.log(98)) < 1e-9 or p == 0 for p in prior)


def test_the_target_and_other_columns_may_be_there_or_not(cli: Cli, ward: Ward, tmp_path: Path) -> None:
    names, rows = clinic_rows(120, seed=2)
    more = [[f"junk{i}", *reversed(row), "1e999"] for i, row in enumerate(rows)]
    write_rows(tmp_path / "more.csv", ["junk", *reversed(names), "more"], more)
    assert cli("predict", "m.suffice", "more.csv").out == cli("predict", "m.suffice", "new.csv").out


def test_identifiers_may_be_absent(cli: Cli, ward: Ward, tmp_path: Path) -> None:
    names, rows = clinic_rows(120, seed=2)
    write_rows(tmp_path / "anonymous.csv", names[1:], [row[1:] for row in rows])
    told = lines(cli("predict", "m.suffice", "anonymous.csv").out)
    assert "patient" not in told[0]
    assert [line["prediction"] for line in told] == ward.model.predict(ward.X).tolist()


def test_more_identifiers_on_demand(cli: Cli, ward: Ward) -> None:
    told = lines(cli("predict", "m.suffice", "new.csv", "--identifier", "ward,admitted").out)
    assert list(told[0])[:4] == ["row", "patient", "ward", "admitted"]
    assert [line["ward"] for line in told] == [cell or "" for cell in ward.X["ward"]]
    assert [line["prediction"] for line in told] == ward.model.predict(ward.X).tolist()


def test_chunks_do_not_show(cli: Cli, ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = json.loads(cli("predict", "m.suffice", "new.csv", "--explain", "--format", "json").out)
    monkeypatch.setattr("suffice.app.cli.reading.Format", partial(Format, block=700))
    cut = json.loads(cli("predict", "m.suffice", "new.csv", "--explain", "--format", "json").out)
    assert [list(line) for line in cut] == [list(line) for line in whole]
    for a, b in zip(cut, whole, strict=True):
        for name in a.keys() - {"because"}:
            assert a[name] == (pytest.approx(b[name], abs=1e-12) if name.startswith("p(") else b[name])
        assert [r["feature"] for r in a["because"]] == [r["feature"] for r in b["because"]]


def test_a_table_for_people(cli: Cli, ward: Ward) -> None:
    out = cli("predict", "m.suffice", "new.csv", "--format", "table").out.splitlines()
    assert out[0].split() == ["row", "patient", "prediction", "p(cold)", "p(flu)", "p(pneumonia)"]
    assert len(out) == ward.n + 1


def test_out_writes_the_same_to_a_file(cli: Cli, ward: Ward, tmp_path: Path) -> None:
    plain = cli("predict", "m.suffice", "new.csv").out
    result = cli("predict", "m.suffice", "new.csv", "--out", "answers.csv")
    assert (result.code, result.out) == (0, "")
    assert (tmp_path / "answers.csv").read_text() == plain


def test_standard_input_and_pipes(cli: Cli, ward: Ward, tmp_path: Path) -> None:
    rows = (tmp_path / "new.csv").read_bytes()
    assert cli("predict", "m.suffice", "-", stdin=rows).out == cli("predict", "m.suffice", "new.csv").out


def test_bad_cells_are_told_on_standard_error(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "t.csv", "x,y\n1,a\n2,b\n3,a\n")
    write(tmp_path / "new.csv", "x\n1\nold\n")
    assert cli("train", "t.csv", "--target", "y", "--out", "m.suffice").code == 0
    result = cli("predict", "m.suffice", "new.csv", "--limit", "0.5")
    assert result.code == 0
    assert result.err == "suffice: Bad cells in column 'x', taken as missing: 1, the first 'old' in row 1.\n"


def test_labels_written_in_any_way_are_known(cli: Cli, tmp_path: Path) -> None:
    for cells, prior in (
        (["0", "1"], "0=0.9,1=0.1"),
        (["true", "false"], "true=0.9,False=0.1"),
        (["a,b", "c=d"], '"a,b"=0.9,c=d=0.1'),
    ):
        write_rows(tmp_path / "t.csv", ["x", "y"], [[i % 5, cells[i % 2]] for i in range(20)])
        assert cli("train", "t.csv", "--target", "y", "--out", "m.suffice").code == 0
        result = cli("predict", "m.suffice", "t.csv", "--prior", prior)
        assert (result.code, result.err) == (0, "")
        assert len({line["prediction"] for line in lines(result.out)}) == 1


def test_formulas_are_made_harmless_on_demand(cli: Cli, tmp_path: Path) -> None:
    nasty = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\ttab", "-5", "+1.5e3", "plain"]
    rows = [[cell, i, "=a" if i % 2 else "b"] for i, cell in enumerate(nasty)]
    write_rows(tmp_path / "t.csv", ["id", "x", "y"], rows)
    assert cli("train", "t.csv", "--target", "y", "--identifier", "id", "--out", "m.suffice").code == 0
    told = lines(cli("predict", "m.suffice", "t.csv", "--no-formulas").out)
    assert [line["id"] for line in told] == [f"'{cell}" for cell in nasty[:5]] + nasty[5:]
    assert {line["prediction"] for line in told} <= {"'=a", "b"}
    assert [line["id"] for line in lines(cli("predict", "m.suffice", "t.csv").out)] == nasty


def test_models_saved_by_the_library_predict_too(cli: Cli, tmp_path: Path) -> None:
    from suffice import GaussianNB

    X, y = np.array([[1.0, 2.0], [2.0, 1.0], [6.0, 7.0], [7.0, 6.5]]), ["a", "a", "b", "b"]
    GaussianNB().fit(X, y).save(tmp_path / "g.suffice")
    NaiveBayes(refusal="?").fit({"u": X[:, 0], "v": X[:, 1]}, y).save(tmp_path / "n.suffice")
    write(tmp_path / "new.csv", "u,v\n1,1\n6,6\n4,4.25\n")
    for name in ("g.suffice", "n.suffice"):
        told = lines(cli("predict", name, "new.csv").out)
        assert [line["prediction"] for line in told][:2] == ["a", "b"]
    told = lines(cli("predict", "n.suffice", "new.csv", "--at-least", "0.999").out)
    assert told[2]["prediction"] == "?"


@pytest.mark.parametrize("model", ["NaiveBayes", "GaussianNB", "LogisticRegression", "Tree"])
def test_other_columns_are_refused_whatever_the_model_and_the_file(cli: Cli, tmp_path: Path, model: str) -> None:
    write(tmp_path / "t.csv", "a,y\n" + "1,u\n2,v\n" * 5)
    assert cli("train", "t.csv", "--target", "y", "--model", model, "--out", "m").code == 0
    write(tmp_path / "k.jsonl", '{"q": 1}\n{"q": 2}\n')
    write(tmp_path / "k.csv", "q\n1\n2\n")
    for name in ("k.jsonl", "k.csv"):
        refused = cli("predict", "m", name)
        assert (refused.code, refused.out) == (1, "")
        assert "the columns must be those of the training table, 'a' among them, got ['q']." in refused.err


@pytest.mark.parametrize(
    "model", [RidgeClassifier(), MLPClassifier((3,), max_iter=5, solver="sgd")], ids=["ridge", "net"]
)
@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_several_labels_a_row_have_a_column_each(model: Any, cli: Cli, tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    table = {"a": X[:, 0], "b": X[:, 1]}
    model.fit(table, (X > 0).astype(int)).save(tmp_path / "m.suffice")
    write_rows(tmp_path / "new.csv", ["a", "b"], X.tolist())
    told = lines(cli("predict", "m.suffice", "new.csv").out)
    assert [[int(line["has(0)"]), int(line["has(1)"])] for line in told] == model.predict(table).tolist()


TWO = [
    RegressionTree(max_depth=2),
    MLPRegressor(hidden_layer_sizes=(3,), max_iter=5),
    BaggingRegressor(n_estimators=2),
    KNeighborsRegressor(3),
    Ridge(),
]


@pytest.mark.parametrize("model", TWO, ids=lambda model: type(model).__name__)
@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_several_numbers_a_row_have_a_column_each(model: Any, cli: Cli, tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    model.fit(table, X @ [[1.0, 2.0], [0.0, 1.0]]).save(tmp_path / "m.suffice")
    write_rows(tmp_path / "new.csv", ["a", "b"], X.tolist())
    told = lines(cli("predict", "m.suffice", "new.csv").out)
    found = [[float(line["prediction_0"]), float(line["prediction_1"])] for line in told]
    np.testing.assert_allclose(found, model.predict(table), rtol=1e-12)
    refused = cli("evaluate", "m.suffice", "new.csv", "--target", "b")
    assert (refused.code, "one that predicts one number a row" in refused.err) == (1, True)
    one = type(model)(**model.get_params()).fit(table, X[:, 0])
    one.save(tmp_path / "one.suffice")
    assert list(lines(cli("predict", "one.suffice", "new.csv").out)[0]) == ["row", "prediction"]


def test_several_class_labels_a_row_are_refused_in_a_sentence(cli: Cli, tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    y = np.where(X > 0, "u", "v")
    DecisionTreeClassifier().fit({"a": X[:, 0], "b": X[:, 1]}, y).save(tmp_path / "m.suffice")
    write_rows(tmp_path / "t.csv", ["a", "b", "y"], [[*row, label] for row, label in zip(X, y[:, 0], strict=True)])
    for line in (("predict", "m.suffice", "t.csv"), ("evaluate", "m.suffice", "t.csv", "--target", "y")):
        refused = cli(*line)
        assert (refused.code, refused.err.count("\n")) == (1, 1)
        assert "must be one that gives one label a row, got several labels a row" in refused.err


@pytest.mark.parametrize("name", ["MLPClassifier", "SVC", "Perceptron", "LogisticNeuron"])
@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_models_whose_levels_are_columns_answer_files_as_tables(name: str, cli: Cli, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"dose": rng.normal(size=60), "site": rng.choice(["yes", "no", "odd"], size=60)})
    table.loc[::7, "dose"] = np.nan
    table["ill"] = np.where((table.dose.fillna(0.0) > 0) | (table.site == "odd"), "y", "n")
    table.to_csv(tmp_path / "t.csv", index=False)
    few = table.loc[table.site != "odd", ["site", "dose"]][:10]  # there, words look like truth values
    few.to_csv(tmp_path / "few.csv", index=False)
    assert cli("train", "t.csv", "--target", "ill", "--model", name, "--out", "m", "--test-size", "0.2").code == 0
    told = lines(cli("predict", "m", "few.csv").out)
    assert [line["prediction"] for line in told] == load(tmp_path / "m").predict(few).tolist()
    scores = json.loads(cli("evaluate", "m", "t.csv", "--format", "json").out)["scores"]
    right = np.mean(load(tmp_path / "m").predict(table[["dose", "site"]]) == table.ill)
    assert scores[0]["value"] == pytest.approx(right)
