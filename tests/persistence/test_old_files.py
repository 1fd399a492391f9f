"""Files of the time before all models shared one form: they are read, answer as they did, and are saved anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import load
from suffice.core.registry import registered
from suffice.estimators.state.loaded_faces import LoadedClassifier, LoadedDensity, LoadedRegressor
from suffice.estimators.state.old_files import OldModel

OLD = Path(__file__).parent / "old"
ANSWERS: dict[str, dict[str, Any]] = json.loads((OLD / "answers.json").read_text(encoding="utf-8"))
ROWS = np.array([[0.5, -1.0], [-0.25, 0.75], [1.5, 1.5]])
VISITS = {
    "age": [20.0, 21.0, None, 70.0, 71.0],
    "site": ["n", "n", "s", "s", None],
    "ill": [True, True, False, None, False],
}
FACES = {"perceptron_regressor": LoadedRegressor, "gaussian_mixture": LoadedDensity, "mixed_mixture": LoadedDensity}


def table(name: str, named: bool = False) -> Any:
    if name == "mixed_mixture":
        return VISITS
    return pd.DataFrame(ROWS, columns=["u", "v"]) if named else ROWS


@pytest.mark.parametrize("name", ANSWERS)
def test_an_old_file_answers_as_it_did(name: str, tmp_path: Path) -> None:
    model = load(OLD / f"{name}.suffice")
    assert type(model) is FACES.get(name, LoadedClassifier)
    model.save(tmp_path / "anew")
    for each in (model, load(tmp_path / "anew")):
        for verb, told in ANSWERS[name].items():
            given, now = np.array(told), np.asarray(getattr(each, verb)(table(name)))
            if given.dtype.kind == "f":
                np.testing.assert_allclose(now, given, rtol=1e-12, atol=1e-14)
            else:
                assert now.tolist() == told


@pytest.mark.parametrize("name", ANSWERS)
def test_an_old_file_becomes_its_estimator(name: str) -> None:
    model = load(OLD / f"{name}.suffice")
    estimator = model.estimator()
    rows = table(name, named="feature_names_in_" in vars(estimator))
    for verb in ANSWERS[name]:
        assert np.array_equal(getattr(estimator, verb)(rows), getattr(model, verb)(rows))


def test_every_older_form_has_a_file() -> None:
    older = {name for name, cls in registered().items() if issubclass(cls, OldModel)}
    kept = b"".join((OLD / f"{name}.suffice").read_bytes() for name in ANSWERS)
    assert older
    assert {name for name in older if name.encode() in kept} == older
