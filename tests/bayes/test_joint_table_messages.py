"""Joint tables: what is refused, and the sentence that says so."""

from __future__ import annotations

import copy
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

from suffice.bayes.joint.joint_table import JointTable
from suffice.bayes.joint.table_answers import Conditional
from suffice.core.errors import BadInput

XY = JointTable.from_counts({"x": (0, 1), "y": ("u", "v")}, [[1, 2], [3, 0]])
COIN = JointTable({"x": (0, 1)}, [0.5, 0.5])
X_OF_Y = Conditional({"y": ("u", "v")}, {"x": (0, 1)}, [[0.5, 0.5], [1, 0]])
EMPTY = JointTable.from_rows({"x": []})

BAD = {
    "no variables": (lambda: JointTable({}, 1.0), "variables must be a mapping of 1 to 32 names to values, got {}"),
    "no mapping": (lambda: JointTable(["x"], [1.0]), "variables must be a mapping of 1 to 32"),
    "33 variables": (lambda: JointTable({f"v{i}": (0,) for i in range(33)}, 1.0), "a mapping of 1 to 32 names"),
    "name": (lambda: JointTable({1: (0, 1)}, [1, 0]), "the name of a variable must be a string, got 1"),
    "values are text": (
        lambda: JointTable({"x": "ab"}, [1, 0]),
        "the values of 'x' must be a sequence of at least one",
    ),
    "no values": (lambda: JointTable({"x": ()}, []), "the values of 'x' must be a sequence of at least one value, got"),
    "repeated": (lambda: JointTable({"x": (0, 0.0)}, [1, 0]), r"the values of 'x' must be distinct, got \(0, 0.0\)"),
    "unhashable": (lambda: JointTable({"x": ([0], [1])}, [1, 0]), "the values of 'x' must be hashable"),
    "missing declared": (lambda: JointTable({"x": (0, None)}, [1, 0]), "column 'x' must be without missing values"),
    "shape": (lambda: JointTable({"x": (0, 1)}, [[1, 0]]), r"table must be of shape \(2,\), got \(1, 2\)"),
    "negative": (lambda: JointTable({"x": (0, 1)}, [1.5, -0.5]), "table must be finite and not negative, got -0.5"),
    "NaN": (lambda: JointTable({"x": (0, 1)}, [1.0, math.nan]), "table must be finite and not negative, got nan"),
    "text": (lambda: JointTable({"x": (0, 1)}, ["p", "q"]), "table must be an array of numbers, got"),
    "ragged": (lambda: JointTable({"x": (0, 1)}, [[1], [0, 1]]), "table must be an array of numbers, got"),
    "sum": (
        lambda: JointTable({"x": (0, 1)}, [0.5, 0.5 + 2e-9]),
        r"table must be probabilities that sum to 1.*from_counts",
    ),
    "cells": (lambda: JointTable({"x": range(10**9)}, [1.0]), "at most 10000000 cells, got 1000000000. Use fewer"),
    "max_cells": (lambda: JointTable.from_rows({"x": range(9)}, max_cells=8), "at most 8 cells, got 9"),
    "infinite count": (
        lambda: JointTable.from_counts({"x": (0, 1)}, [math.inf, 0]),
        "counts must be finite and not neg",
    ),
    "alpha": (lambda: JointTable.from_counts({"x": (0, 1)}, [1, 0], alpha=-1), "alpha must be finite and not negative"),
    "alpha text": (lambda: JointTable.from_rows({"x": [0]}, alpha="one"), "alpha must be an array of numbers"),
    "rows": (
        lambda: JointTable.from_rows(3),
        "rows must be columns by name, a list of dicts, or a data frame in memory",
    ),
    "lazy": (lambda: JointTable.from_rows(pl.LazyFrame({"x": [1]})), "a data frame in memory, each name once, got"),
    "matrix": (lambda: JointTable.from_rows(np.eye(2)), "a data frame in memory, each name once, got"),
    "no rows": (lambda: JointTable.from_rows([]), "rows must be at least one dict, or columns by name"),
    "no dicts": (lambda: JointTable.from_rows([(1, 2)]), r"every row of a list must be a dict.*got \(1, 2\)"),
    "column text": (lambda: JointTable.from_rows({"x": "abc"}), "column 'x' must be a sequence with one value a row"),
    "column scalar": (
        lambda: JointTable.from_rows({"x": 1}),
        "column 'x' must be a sequence with one value a row, got 1",
    ),
    "column matrix": (lambda: JointTable.from_rows({"x": np.eye(2)}), "the values of 'x' must be hashable"),
    "lengths": (lambda: JointTable.from_rows({"x": [1], "y": []}), "columns of the same length, got {'x': 1, 'y': 0}"),
    "duplicate": (
        lambda: JointTable.from_rows(pd.DataFrame([[1, 2]], columns=["x", "x"])),
        "a data frame in memory, each name once, got",
    ),
    "column name": (
        lambda: JointTable.from_rows(pd.DataFrame([[1]])),
        "the name of a variable must be a string, got 0",
    ),
    "undeclared": (
        lambda: JointTable.from_rows({"x": [1, 7]}, values={"x": (0, 1)}),
        "column 'x' must be of declared values only, got 7",
    ),
    "values of nobody": (
        lambda: JointTable.from_rows({"x": [1]}, values={"z": (0,)}),
        "values must be about columns among",
    ),
    "weights shape": (
        lambda: JointTable.from_rows({"x": [1]}, weights=[1, 2]),
        r"weights must be of shape \(1,\), got",
    ),
    "weights sign": (lambda: JointTable.from_rows({"x": [1]}, weights=[-1]), "weights must be finite and not negative"),
    "weights text": (lambda: JointTable.from_rows({"x": [1]}, weights=["w"]), "weights must be an array of numbers"),
    "prior": (lambda: JointTable.from_conditionals([0.5, 0.5], X_OF_Y), "a JointTable and a Conditional"),
    "prior values": (
        lambda: JointTable.from_conditionals(JointTable({"y": ("v", "u")}, [0.5, 0.5]), X_OF_Y),
        "the prior must be over the values",
    ),
    "prior overlap": (lambda: JointTable.from_conditionals(XY, X_OF_Y), "must be new to the prior, got .'x',."),
    "undefined": (
        lambda: JointTable.from_conditionals(
            JointTable({"y": ("u", "v")}, [0.5, 0.5]),
            JointTable.from_counts({"y": ("u", "v"), "x": (0, 1)}, [[1, 1], [0, 0]]).conditional("x", "y"),
        ),
        "the likelihood must be defined wherever the prior is above 0, got {'y': 'v', 'x': 0}",
    ),
    "row sum": (
        lambda: Conditional({"y": (0,)}, {"x": (0, 1)}, [[0.5, 0.4]]),
        "every row of table must be probabilities",
    ),
    "half NaN": (
        lambda: Conditional({"y": (0,)}, {"x": (0, 1)}, [[1, math.nan]]),
        "table must be finite and not negative",
    ),
    "both sides": (lambda: Conditional({"x": (0,)}, {"x": (0,)}, [[1]]), "given and of must be without a variable in"),
    "one side": (lambda: Conditional({}, {"x": (0,)}, [1]), "variables must be a mapping of 1 to 32 names"),
    "marginal name": (lambda: XY.marginal("z"), r"a variable must be one of \('x', 'y'\), got 'z'"),
    "marginal twice": (lambda: XY.marginal("x", "x"), "names must be variables that are each named once"),
    "marginal none": (lambda: XY.marginal(), "names must be at least one variable"),
    "given all": (lambda: XY.given(x=0, y="u"), "the condition must be on fewer than all variables"),
    "given value": (lambda: XY.given(x=5), r"x must be one of \(0, 1\), got 5"),
    "given name": (lambda: XY.given(z=5), r"a variable must be one of \('x', 'y'\), got 'z'"),
    "probability value": (lambda: XY.probability(y="w"), r"y must be one of \('u', 'v'\), got 'w'"),
    "conditional overlap": (
        lambda: XY.conditional("x", given="x"),
        "of and given must be variables that are each named",
    ),
    "conditional nothing": (lambda: XY.conditional("x", given=()), "variables must be a mapping of 1 to 32"),
    "bayes overlap": (lambda: XY.bayes("x", x=1), "hypothesis and evidence must be variables that are each named once"),
    "independent overlap": (lambda: XY.independent("x", "x"), "b, a and given must be variables that are each named"),
    "independent nothing": (lambda: XY.independent("x", ()), "a and b must be at least one variable each"),
    "sample": (lambda: XY.sample(-1), "n must be a whole number of rows, 0 or more, got -1"),
    "classify target": (lambda: XY.classify("z", {"x": [0]}), "a variable must be one of"),
    "classify column": (lambda: XY.classify("y", {"x": [0], "id": [7]}), "a variable must be one of .*got 'id'"),
    "classify nothing": (lambda: XY.classify("y", {"y": ["u"]}), "rows must be columns besides the target 'y'"),
    "empty table": (lambda: EMPTY.table, "weight must be above 0 and finite to read a probability, got 0.0. Add rows"),
    "empty probability": (lambda: EMPTY.probability(), "weight must be above 0 and finite"),
    "empty mode": (lambda: EMPTY.mode(), "weight must be above 0 and finite"),
    "scale": (lambda: XY.scale(0), "factor must be above 0 and finite, got 0"),
    "sum of none": (lambda: JointTable.sum([]), "parts must be at least one table"),
    "alphas": (
        lambda: COIN + JointTable.from_counts({"x": (0, 1)}, [1, 1], alpha=1),
        "alpha must be the same in both tables, 0.0, got 1.0",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_told_in_one_sentence(case):
    """Owner, name, rule and value; what was there before is as it was."""
    call, message = BAD[case]
    before = copy.deepcopy((XY, COIN, EMPTY))
    with pytest.raises(BadInput, match=message) as caught:
        call()
    assert str(caught.value).startswith(("JointTable: ", "Conditional: "))
    assert "\n" not in str(caught.value)
    assert before == (XY, COIN, EMPTY)


def test_a_weight_beyond_float_is_told():
    """Counts whose sum overflows are no distribution of zeros."""
    table = JointTable.from_counts({"x": (0, 1)}, [1e308, 1e308])
    with np.errstate(over="ignore"), pytest.raises(BadInput, match="above 0 and finite to read a probability, got inf"):
        table.probability(x=0)
