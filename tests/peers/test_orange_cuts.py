"""Cuts by description length equal Orange's EntropyMDL on ten data sets (`benchmarks/orange_cuts.py` writes them)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import datasets

from suffice import Discretizer

HERE = Path(__file__).parent
CUTS: dict[str, list[list[float]]] = json.loads((HERE / "orange_cuts.json").read_text())


def table_of(name: str) -> tuple[Any, Any]:
    if name == "diabetes":
        X, y = datasets.load_diabetes(return_X_y=True, scaled=False)
        return X, y > np.median(y)
    if hasattr(datasets, f"load_{name}"):
        return getattr(datasets, f"load_{name}")(return_X_y=True)  # type: ignore[no-any-return]
    with np.load(HERE / "orange_tables.npz") as stored:
        return stored[f"{name}_X"], stored[f"{name}_y"]


@pytest.mark.parametrize("name", CUTS)
def test_cuts_equal_those_of_orange(name: str) -> None:
    X, y = table_of(name)
    ours = Discretizer("mdl").fit(X, y).cuts_
    assert len(CUTS[name]) == len(ours) == X.shape[1]
    for mine, theirs in zip(ours, CUTS[name], strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-14)


def test_there_is_something_to_compare() -> None:
    assert len(CUTS) == 10
    assert all(any(cuts) for cuts in CUTS.values())
    assert sum(len(cut) for cuts in CUTS.values() for cut in cuts) > 150
