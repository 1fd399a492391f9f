"""`suffice evaluate` under other shares of classes, costs and refusal."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from suffice import load
from tests.app.conftest import Cli
from tests.app.tables import clinic_rows, write_rows


def test_the_mean_cost_is_that_of_the_answers_of_predict(cli: Cli, tmp_path: Path) -> None:
    names, rows = clinic_rows(300, 0)
    write_rows(tmp_path / "all.csv", names, rows)
    options = ("--target", "diagnosis", "--identifier", "patient", "--kinds", "notes=text")
    assert cli("train", "all.csv", *options, "--out", "m").code == 0
    costs = {"pneumonia": {"cold": 20.0, "flu": 10.0}}
    (tmp_path / "costs.json").write_text(json.dumps(costs))
    wishes = ("--prior", "uniform", "--costs", "costs.json", "--reject", "0.3")
    told = json.loads(cli("evaluate", "m", "all.csv", *wishes, "--format", "json").out)
    scores = {row["score"]: row for row in told["scores"]}
    answers = cli("predict", "m", "all.csv", *wishes, "--refusal", "none").out.splitlines()
    at = answers[0].split(",").index("prediction")
    truth = [row[names.index("diagnosis")] for row in rows]
    paid, refused = [], 0
    for true, line in zip(truth, answers[1:], strict=True):
        answer = line.split(",")[at]
        refused += answer == "none"
        paid.append(0.3 if answer == "none" else costs.get(true, {}).get(answer, float(answer != true)))
    assert scores["mean cost"]["value"] == pytest.approx(np.mean(paid), rel=1e-12)
    assert scores["refused"]["value"] == pytest.approx(refused / 300)
    assert scores["accuracy"]["rows"] == 300 - refused
    plain = json.loads(cli("evaluate", "m", "all.csv", "--format", "json").out)
    assert "mean cost" not in {row["score"] for row in plain["scores"]}
    assert load(tmp_path / "m").classes_.tolist() == ["cold", "flu", "pneumonia"]


def test_what_is_nearly_a_command_is_named(cli: Cli) -> None:
    assert "Did you mean 'evaluate'? See" in cli("evalute").err
    assert "Did you mean '--target'?" in cli("train", "x.csv", "--targt", "y").err
    assert cli("nonsense").code == 2
