"""Numbers are read one way: models of numbers learn from files what they learn from memory, Booleans and gaps too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice
from suffice.core.errors import BadInput

TEXT = "a,b,c\n" + "".join(f"{a},{b},{c}\n" for a, b, c in zip("1572938", "TFTTFFT", "0213201", strict=True))
ROWS = np.array([[float(a), b == "T", float(c)] for a, b, c in (line.split(",") for line in TEXT.splitlines()[1:])])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(TEXT.replace("T", "true").replace("F", "false"))
    return path


NAMES = ["StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "PCA", "TruncatedSVD", "NormalImputer"]


@pytest.mark.parametrize("name", NAMES)
def test_booleans_of_files_are_0_and_1(name: str, table: Path) -> None:
    """They were missing cells in every model that takes missing cells."""
    here, there = getattr(suffice, name)().fit(ROWS), getattr(suffice, name)().fit(str(table))
    asked = {"a": ROWS[:, 0], "b": ROWS[:, 1], "c": ROWS[:, 2]}
    np.testing.assert_allclose(_answer(there, asked), _answer(here, ROWS), rtol=1e-12, atol=1e-12)


def _answer(model: Any, rows: Any) -> Any:
    named = hasattr(model, "feature_names_in_")
    return np.asarray(model.transform(pd.DataFrame(rows) if named else rows))


def test_a_mixture_reads_them_so_too(table: Path) -> None:
    here, there = (suffice.GaussianMixture(1).fit(rows) for rows in (ROWS, str(table)))
    np.testing.assert_allclose(there.means_, here.means_, rtol=1e-12)
    np.testing.assert_allclose(there.covariances_, here.covariances_, rtol=1e-9)


def test_gaps_are_taken_where_the_model_takes_them(tmp_path: Path) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("a,b\n1,true\n,false\n3,\n5,true\n")
    scaler = suffice.StandardScaler().fit(str(path))
    np.testing.assert_allclose(scaler.mean_, [3.0, 2 / 3], rtol=1e-12)
    with pytest.raises(BadInput, match="TruncatedSVD: X must be finite"):
        suffice.TruncatedSVD().fit(str(path))


def test_dates_of_files_are_days(tmp_path: Path) -> None:
    path = tmp_path / "dates.csv"
    path.write_text("day,x\n1970-01-02,1\n1970-01-04,2\n1970-01-06,4\n")
    np.testing.assert_allclose(suffice.StandardScaler().fit(str(path)).mean_, [3.0, 7 / 3], rtol=1e-12)
    assert suffice.KMeans(1, n_init=1).fit(str(path)).cluster_centers_[0, 0] == pytest.approx(3.0, rel=1e-12)
