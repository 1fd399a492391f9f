"""Models of all rows at once: files are refused in one sentence that says how many rows fit, or read whole if asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from suffice import (
    SVC,
    GaussianMixture,
    KernelDensity,
    KernelPerceptron,
    KernelRegression,
    Perceptron,
    PerceptronRegressor,
)
from suffice.core.errors import BadInput

RNG = np.random.default_rng(5)
X = RNG.normal(size=(60, 2)).round(3)
FRAME = pd.DataFrame({"u": X[:, 0], "v": X[:, 1], "side": np.where(X[:, 0] > X[:, 1], "up", "down"), "t": X @ [1, 2]})
MODELS: list[tuple[Any, str | None]] = [
    (SVC(), "side"),
    (Perceptron(max_iter=20, tol=None), "side"),
    (KernelPerceptron(), "side"),
    (PerceptronRegressor(max_iter=5), "t"),
    (KernelRegression(bandwidth=0.5), "t"),
    (KernelDensity(bandwidth=0.5), None),
]


def columns(target: str | None) -> list[str]:
    return ["u", "v", *([target] if target else [])]


def fit_file(model: Any, what: Any, target: str | None, **more: Any) -> Any:
    return model.fit(what, **({"target": target} if target else {}), **more)


@pytest.mark.parametrize(("model", "target"), MODELS, ids=lambda thing: type(thing).__name__)
def test_csv_files_and_arrow_streams_read_whole(model: Any, target: str | None, tmp_path: Path) -> None:
    table = FRAME[columns(target)]
    for i in range(3):
        table[20 * i : 20 * i + 20].to_csv(tmp_path / f"part-{i}.csv", index=False)
    here = model.fit(table[["u", "v"]], None if target is None else table[target].to_numpy())
    verb = next(name for name in ("decision_function", "score_samples", "predict") if hasattr(model, name))
    expected = getattr(here, verb)(table[["u", "v"]])
    batches = pa.Table.from_pandas(table, preserve_index=False).to_batches(max_chunksize=20)
    stream = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    for what in (str(tmp_path / "part-*.csv"), stream):
        there = fit_file(model.__class__(**model.get_params()), what, target, in_memory=True)
        np.testing.assert_allclose(getattr(there, verb)(table[["u", "v"]]), expected, rtol=1e-12, atol=1e-12)
        assert there.feature_names_in_.tolist() == ["u", "v"]


@pytest.mark.parametrize(("model", "target"), MODELS, ids=lambda thing: type(thing).__name__)
def test_unasked_files_are_refused(model: Any, target: str | None, tmp_path: Path) -> None:
    FRAME[columns(target)].to_csv(tmp_path / "rows.csv", index=False)
    told = r"X must be a table in memory \(about [\d,]+ rows of 2 columns fit\), got .*in_memory=True"
    with pytest.raises(BadInput, match=f"^{type(model).__name__}: {told}"):
        fit_file(model.__class__(**model.get_params()), tmp_path / "rows.csv", target)


def test_files_must_hold_numbers(tmp_path: Path) -> None:
    FRAME[["u", "side"]].to_csv(tmp_path / "rows.csv", index=False)
    for model in (KernelDensity(), GaussianMixture()):
        more = {"in_memory": True} if isinstance(model, KernelDensity) else {}
        with pytest.raises(BadInput, match="the features must be columns of numbers, got 'side', which is categorical"):
            model.fit(tmp_path / "rows.csv", **more)
    FRAME[["u", "v"]].mask(FRAME[["u", "v"]] > 1.5).to_csv(tmp_path / "rows.csv", index=False)
    with pytest.raises(BadInput, match="KernelDensity: X must be finite, got NaN or infinity"):
        KernelDensity().fit(tmp_path / "rows.csv", in_memory=True)
    assert GaussianMixture().fit(tmp_path / "rows.csv").n_features_in_ == 2


def test_truth_values_and_counts_are_numbers(tmp_path: Path) -> None:
    table = pd.DataFrame({"yes": [True, False, True, False], "n": [1, 2, 5, 7]})
    table.to_parquet(tmp_path / "rows.parquet")
    there = KernelDensity().fit(str(tmp_path / "rows.parquet"), in_memory=True)
    here = KernelDensity().fit(table)
    np.testing.assert_array_equal(there.score_samples(table), here.score_samples(table))
