"""Missing cells and symbols: every clusterer answers, or names the column and what to do, in one sentence."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, is_clusterer

import suffice
from suffice.core.errors import BadInput

ROWS = np.random.default_rng(0).normal(size=(40, 3))
ROWS[7, 1] = np.nan
TABLES = {
    "array": (ROWS, "x1"),
    "frame": (pd.DataFrame(ROWS, columns=["a", "b", "c"]), "b"),
    "no cell left": (pd.DataFrame({"a": np.arange(6.0), "b": np.full(6, np.nan)}), "b"),
    "symbols": (pd.DataFrame({"a": np.arange(40.0), "colour": ["red", "blue"] * 20}), "colour"),
}


def _clusterers() -> list[type[Any]]:
    """Found, so that a new one is asked too."""
    classes = (getattr(suffice, name) for name in suffice.__all__)
    estimators = (one for one in classes if inspect.isclass(one) and issubclass(one, BaseEstimator))
    made = ((one, inspect.signature(one).parameters.values()) for one in estimators)
    plain = (one for one, given in made if all(p.default is not p.empty or p.kind is p.VAR_KEYWORD for p in given))
    return [one for one in plain if is_clusterer(one())]


CLUSTERERS = _clusterers()
BY_KIND = (suffice.DBSCAN, suffice.KMedoids)  # and trees, but for Ward's linkage, the default


def test_clusterers_are_found() -> None:
    assert {"KMeans", "DBSCAN", "KMedoids", "AgglomerativeClustering"} <= {one.__name__ for one in CLUSTERERS}
    assert len(CLUSTERERS) >= 10


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("cls", CLUSTERERS, ids=lambda one: one.__name__)
def test_the_column_is_named_and_what_to_do(cls: type[Any], table: str) -> None:
    X, column = TABLES[table]
    model = cls()
    if table == "symbols" and cls in BY_KIND:
        assert len(model.fit(X).labels_) == len(X)  # measured by kind
        return
    with pytest.raises(BadInput) as caught:
        model.fit(X)
    told = str(caught.value)
    assert told.startswith(f"{cls.__name__}: column '{column}' must be ")
    assert any(word in told for word in ("Fill it in", "leave it out", "leave the row or the column out"))
    assert "\n" not in told
    assert not hasattr(model, "n_features_in_")


@pytest.mark.parametrize("cls", CLUSTERERS, ids=lambda one: one.__name__)
def test_missing_cells_of_new_rows_are_refused_too(cls: type[Any]) -> None:
    there = np.random.default_rng(1).normal(size=(40, 3))
    model = cls().fit(there)
    with pytest.raises(BadInput, match=r"column 'x1' must be present"):
        model.predict(ROWS)
