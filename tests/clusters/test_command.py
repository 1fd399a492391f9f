"""The command tells of saved clusterers, and predicts clusters."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import suffice
from suffice.app.main import suffice as cli

X = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.5, 9.0, 9.5]})
MODELS = {
    "AgglomerativeClustering": lambda: suffice.AgglomerativeClustering(2),
    "DBSCAN": lambda: suffice.DBSCAN(eps=2.0, min_samples=2),
    "FuzzyCMeans": lambda: suffice.FuzzyCMeans(2, random_state=0),
    "KMeans": lambda: suffice.KMeans(2, random_state=0),
    "KMedoids": lambda: suffice.KMedoids(2),
}


@pytest.mark.parametrize("name", MODELS)
def test_clusters_at_the_command(name: str, tmp_path: Path) -> None:
    model = MODELS[name]().fit(X)
    model.save(tmp_path / "m")
    with (tmp_path / "rows.csv").open("w", newline="") as file:
        csv.writer(file).writerows([list(X.columns), *X.to_numpy().tolist()])
    told = CliRunner().invoke(cli, ["info", str(tmp_path / "m"), "--format", "json"], catch_exceptions=False)
    assert json.loads(told.output)["kind"] == name
    ask = ["predict", str(tmp_path / "m"), str(tmp_path / "rows.csv"), "--format", "json"]
    rows = json.loads(CliRunner().invoke(cli, ask, catch_exceptions=False).output)
    assert [row["cluster"] for row in rows] == model.labels_.tolist()
    np.testing.assert_allclose([row["closeness"] for row in rows], model.score_samples(X), atol=1e-12)
    refused = CliRunner().invoke(cli, [*ask, "--reject", "0.1"])
    assert refused.exit_code != 0
