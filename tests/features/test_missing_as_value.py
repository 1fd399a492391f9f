"""MissingAsValue: missing cells as a value or a bin of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import Discretizer, MissingAsValue, Tree, load
from suffice.core.errors import BadInput

RNG = np.random.default_rng(0)
N = 120
TABLE = pd.DataFrame(
    {
        "x": np.where(RNG.random(N) < 0.2, np.nan, 1e8 + RNG.normal(size=N)),
        "site": [None if r < 0.1 else ("north" if r < 0.6 else "east") for r in RNG.random(N)],
        "n": RNG.poisson(3, N),
    }
)
BOTH: list[dict[str, Any]] = [
    {},
    {"value": -9},
    {"numbers": "bin", "n_bins": 4},
    {"numbers": "bin", "strategy": "kmeans"},
]


@pytest.mark.parametrize("options", BOTH)
def test_shards_files_and_forgetting(options: dict[str, Any], tmp_path: Path) -> None:
    whole = MissingAsValue(**options).fit(TABLE)
    expected = whole.transform(TABLE)
    first, *rest = (MissingAsValue(**options).fit(TABLE.iloc[i]) for i in np.array_split(RNG.permutation(N), 8))
    merged = first.merge(*rest)
    assert (merged.transform(TABLE) == expected).all()
    left = MissingAsValue(**options).fit(TABLE[40:]).transform(TABLE)
    assert (merged.forget(TABLE[:40]).transform(TABLE) == left).all()
    TABLE.to_csv(tmp_path / "t.csv", index=False)
    assert (MissingAsValue(**options).fit(str(tmp_path / "t.csv")).transform(TABLE) == expected).all()
    whole.save(tmp_path / "model")
    assert (load(tmp_path / "model").transform(TABLE) == expected).all()


def test_own_values_are_no_cells_and_present_cells_stay() -> None:
    found = MissingAsValue().fit(TABLE)
    Z, gap = found.transform(TABLE), TABLE["x"].isna()
    assert len(set(Z[gap, 0])) == 1
    assert Z[gap, 0][0] < TABLE["x"].min()
    assert (Z[~gap, 0] == TABLE["x"][~gap]).all()
    assert set(Z[TABLE["site"].isna(), 1]) == {"missing"}
    assert "own value" in str(found.report(TABLE))
    constant = MissingAsValue().fit([[1e8], [1e8], [np.nan]])
    assert constant.transform([[np.nan]])[0, 0] != 1e8
    assert MissingAsValue().fit([[1.0], [2.0]]).transform([[np.nan]])[0, 0] == 0.0  # never missing in training
    assert MissingAsValue().fit([[1.0, np.nan], [2.0, np.nan]]).transform([[np.nan, 5.0]]).shape == (1, 2)


def test_own_bins_are_those_of_the_discretiser() -> None:
    X = TABLE[["x", "n"]].to_numpy()
    mine = MissingAsValue("bin", strategy="equal_width", n_bins=3).fit(X)
    assert (mine.transform(X) == Discretizer("equal_width", n_bins=3).fit(X).transform(X)).all()
    assert "own bin: 3" in str(mine.report(X))


def test_what_is_missing_may_tell_the_class() -> None:
    y = np.where(TABLE["x"].isna(), "ill", "well")
    told = MissingAsValue().fit_transform(TABLE[["x"]])
    assert (Tree(max_depth=1).fit(told, y).predict(told) == y).all()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"numbers": "both"}, "numbers must be one of"),
        ({"numbers": 1}, "numbers must be one of"),
        ({"value": np.nan}, "value must be a finite number"),
        ({"value": "low"}, "value must be a finite number"),
        ({"value": True}, "value must be a finite number"),
        ({"symbol": 3}, "symbol must be a text"),
        ({"numbers": "bin", "strategy": "mdl"}, "Others need labels"),
        ({"numbers": "bin", "strategy": "odd"}, "strategy must be one of"),
        ({"numbers": "bin", "n_bins": 0}, "n_bins must be a whole number"),
        ({"kinds": {"age": "count"}}, "about columns of the table"),
    ],
)
def test_what_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        MissingAsValue(**options).fit(TABLE)
