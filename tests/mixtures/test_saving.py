"""Mixtures as files: numbers and a description, read without scikit-learn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import GaussianMixture, HiddenCounts, MixedMixture, load
from suffice.mixtures import LinearCells
from tests.mixtures.blobs import blobs


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_a_gaussian_mixture_comes_back(kind: str, tmp_path: Path) -> None:
    X = blobs(100, 2, 2)
    for rows in (X, pd.DataFrame(X, columns=["a", "b"])):
        model = GaussianMixture(2, covariance_type=kind, prior=1.0, random_state=0).fit(rows)
        model.save(tmp_path / "mixture.suffice")
        back: Any = load(tmp_path / "mixture.suffice")
        assert back.name == "GaussianMixture"
        assert np.array_equal(back.predict_proba(rows), model.predict_proba(rows))
        assert np.array_equal(back.score_samples(rows), model.score_samples(rows))
        assert np.array_equal(back.predict(rows), model.predict(rows))


def test_a_mixed_mixture_comes_back(tmp_path: Path) -> None:
    table = {
        "age": [20.0, 21.0, None, 70.0, 71.0],
        "site": ["n", "n", "s", "s", None],
        "ill": [True, True, False, None, False],
    }
    model = MixedMixture(2, random_state=0).fit(table)
    model.save(tmp_path / "mixture.suffice")
    back: Any = load(tmp_path / "mixture.suffice")
    assert np.array_equal(back.predict_proba(table), model.predict_proba(table))


def test_predicting_needs_no_scikit_learn(tmp_path: Path) -> None:
    GaussianMixture(2, random_state=0).fit(blobs(100, 2, 2)).save(tmp_path / "mixture.suffice")
    program = (
        "import sys, numpy as np; from suffice import load\n"
        f"model = load({str(tmp_path / 'mixture.suffice')!r})\n"
        "assert model.predict_proba(np.zeros((3, 2))).shape == (3, 2)\n"
        "assert 'sklearn' not in sys.modules and 'numba' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_forged_pieces_are_refused() -> None:
    from suffice.core.errors import BadFile
    from suffice.core.schema import Schema
    from suffice.mixtures.old_files import SavedMixture

    with pytest.raises(BadFile, match="its model is no MixtureModel"):
        SavedMixture("GaussianMixture", 3, Schema(()))  # type: ignore[arg-type]


def test_hidden_counts_come_back(tmp_path: Path) -> None:
    cells = LinearCells((0.5, 0.0, 0.0, 0.5), (0.0, 1.0, 2.0, -3.0))
    model = HiddenCounts(cells, seen=[(0, 1), (2,), (3,)], low=0.0, high=1 / 6)
    model.save(tmp_path / "counts.suffice")
    back: Any = load(tmp_path / "counts.suffice")
    assert back == model
    answer = model.learn([20, 10, 10], starts=[0.1])
    assert back.learn([20, 10, 10], starts=[0.1]).model == answer.model
    answer.save(tmp_path / "answer.suffice")
    again: Any = load(tmp_path / "answer.suffice")
    assert (again.model, again.trace, again.settled) == (answer.model, answer.trace, answer.settled)
    assert np.array_equal(again.hidden, answer.hidden)
    several = LinearCells((0.2, 0.8, 0.0), ((1.0, 0.0), (-1.0, -1.0), (0.0, 1.0)))
    assert several([0.1, 0.2]) == pytest.approx([0.3, 0.5, 0.2])


def test_a_function_of_cells_is_not_saved(tmp_path: Path) -> None:
    model = HiddenCounts(lambda b: (0.5, b, 0.5 - b), seen=[(0, 1), (2,)], high=0.5)
    with pytest.raises(ValueError, match="HiddenCounts: cells must be a value such as LinearCells to be saved"):
        model.save(tmp_path / "counts.suffice")
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="LinearCells: slopes must be one for each of 2 cells"):
        LinearCells((0.5, 0.5), (1.0,))


def test_a_loaded_mixture_tells_what_its_estimator_tells(tmp_path: Path) -> None:
    X = blobs(80, 2, 2).astype(np.float32)
    model = GaussianMixture(2, covariance_type="tied", prior=1.0, random_state=0).fit(X)
    model.save(tmp_path / "mixture.suffice")
    back: Any = load(tmp_path / "mixture.suffice")
    for other in (back, back.estimator()):
        assert other.score_samples(X).dtype == np.float32
        for name in ("weights_", "means_", "covariances_", "precisions_", "lower_bound_", "n_iter_", "converged_"):
            assert np.array_equal(getattr(other, name), getattr(model, name)), name
        assert other.bic(X) == model.bic(X)
        assert np.array_equal(other.sample(4)[0], model.sample(4)[0])
    assert back.estimator().get_params()["covariance_type"] == "tied"
    mixed = MixedMixture(2, random_state=0).fit({"a": [1.0, 2.0, 8.0, 9.0], "b": ["x", "x", "y", None]})
    mixed.save(tmp_path / "mixture.suffice")
    back = load(tmp_path / "mixture.suffice")
    assert back.schema_ == mixed.schema_
    assert back.profiles().keys() == mixed.profiles().keys()
    assert back.sample(3)[0].keys() == mixed.sample(3)[0].keys()
