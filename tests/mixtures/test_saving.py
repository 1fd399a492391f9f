"""Mixtures as files: numbers and a description, read without scikit-learn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import GaussianMixture, MixedMixture, load
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
