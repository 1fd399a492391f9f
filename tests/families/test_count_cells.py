"""Columns of counts refuse cells that are none, even where their sums would look like counts."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from suffice import MixedMixture, NaiveBayes
from suffice.core.errors import BadInput
from suffice.families.counts.binomial import Binomial
from suffice.families.counts.count_cells import CountCells
from suffice.families.counts.geometric import Geometric
from suffice.families.counts.poisson import Poisson
from suffice.numerics import loop
from tests.families.parts import column, hard

POISSON = "whole numbers of at least 0"
GEOMETRIC = "whole numbers of at least 1"
BINOMIAL = "whole numbers from 0 to 4"
REFUSED = [  # sums that look like counts all the same
    (Poisson(), [3.0, -1.0, 2.0], "-1.0", POISSON),
    (Poisson(), [1.0, 2.5, 0.5], "2.5", POISSON),
    (Geometric(), [4.0, 0.0, 1.0], "0.0", GEOMETRIC),
    (Geometric(), [1.0, 1.5, 2.0], "1.5", GEOMETRIC),
    (Binomial(4), [1.0, 5.0, 2.0], "5.0", BINOMIAL),
    (Binomial(4), [3.0, -1.0, 2.0], "-1.0", BINOMIAL),
    (Binomial(4), [3.0, 2.25, 2.0], "2.25", BINOMIAL),
]


@pytest.mark.parametrize(("family", "cells", "odd", "rule"), REFUSED)
def test_a_cell_that_is_no_count_is_refused(family: Any, cells: list[float], odd: str, rule: str) -> None:
    name = type(family).__name__
    with pytest.raises(BadInput, match=f"{name}: the cells of column 0 must be {rule}, got {odd} in row 1"):
        family.summarize(column(*cells), hard([0, 0, 0]))
    model = NaiveBayes(families={"n": family})
    said = re.escape(f"{name}: the cells of column 'n' must be {rule}, got {odd} in row 1. Correct the cell, mark")
    with pytest.raises(BadInput, match=said):
        model.fit({"x": [0.5, 1.5, -2.5], "n": cells}, ["a", "b", "a"])
    assert not hasattr(model, "fitted_")


@pytest.mark.parametrize(("family", "cells", "odd", "rule"), REFUSED)
def test_nothing_is_changed_where_rows_are_refused(family: Any, cells: list[float], odd: str, rule: str) -> None:
    good = {"x": [0.5, 1.5, -2.5], "n": [1.0, 2.0, 3.0]}
    model = NaiveBayes(families={"n": family}).fit(good, ["a", "b", "a"])
    before = model.predict_joint_log_proba(good)
    for verb in (model.partial_fit, model.forget):
        with pytest.raises(BadInput, match=rule):
            verb({"x": [0.5, 1.5, -2.5], "n": cells}, ["a", "b", "a"])
        np.testing.assert_array_equal(model.predict_joint_log_proba(good), before)


def test_rows_and_columns_are_those_of_the_table() -> None:
    """Beyond the first block, and among columns of other families and kinds."""
    n = 9000
    X = {"word": ["u", "v"] * (n // 2), "x": np.linspace(-1.0, 1.0, n), "n": np.ones(n), "m": np.ones(n)}
    X["m"][8123] = -3.0
    with pytest.raises(BadInput, match=r"Poisson: the cells of column 'm' must be .*, got -3\.0 in row 8123\."):
        NaiveBayes(families={"n": Poisson(), "m": Poisson()}).fit(X, [0, 1] * (n // 2))
    fitted = NaiveBayes(families={"n": Poisson(), "x": Binomial(4)}).fit({**X, "x": X["n"]}, [0, 1] * (n // 2))
    assert fitted.predict({**X, "x": X["n"]}).shape == (n,)


def test_what_nobody_claims_is_not_looked_at() -> None:
    cells = column(1.0, -4.0, np.nan, 2.0)
    kept = Poisson().summarize(cells, hard([0, -1, 0, 0]))
    assert kept.rows.tolist() == [[2]]
    y, w = ["a", "b", "a", "b"], [1.0, 0.0, 1.0, 1.0]
    assert NaiveBayes(families={"n": Poisson()}).fit({"n": cells[:, 0]}, y, w).classes_.tolist() == ["a", "b"]


def test_a_column_that_turns_out_to_be_no_counts_gets_another_family() -> None:
    """Kinds decide by whole tables: fractions make a column quantitative, which is no Poisson column."""
    model = NaiveBayes(by_kind={"count": Poisson()}).fit({"n": [1, 2, 3]}, ["a", "b", "a"])
    model.partial_fit({"n": [-1.5, 2.5, 0.0]}, ["a", "b", "a"])
    assert "sd" in str(model)


def test_mixtures_refuse_them_too() -> None:
    X = {"n": [1.0, 2.0, -1.0, 4.0] * 5}
    with pytest.raises(BadInput, match=r"Poisson: the cells of column 'n' must be .*, got -1\.0 in row 2\."):
        MixedMixture(2, families={"n": Poisson()}, random_state=0).fit(X)


@pytest.mark.parametrize("cell", [-1.0, 0.5, 5.0, np.nan, 3.0])
def test_the_loop_sees_what_its_twin_sees(cell: float) -> None:
    X = np.ones((5000, 3))
    X[4321, 2] = cell
    rule, R = CountCells("Counts", 0.0, 4.0), hard([0] * 5000)

    def said() -> str:
        try:
            rule.check(X, R)
        except BadInput as error:
            return str(error)
        return ""

    slow = said()
    with loop.whole(loop.WORTH):
        assert said() == slow
    assert (slow == "") == (cell != cell or cell == 3.0)
