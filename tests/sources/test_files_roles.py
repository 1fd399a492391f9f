"""Targets, weights and groups in text files: what labels are, and which rows are learned from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import MLPRegressor, NaiveBayes, RegressionTree, Ridge
from suffice.core.errors import BadInput
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows
from suffice.sources.files.text_format import Format


@pytest.fixture(params=["csv", "pyarrow"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_target_missing_in_some_rows(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y\n1,a\n2,\n3,b\n4,NA\n5,a\n")
    for block in (4, 1 << 20):
        rows = open_rows(path, Roles(target="y"), format=Format(block=block), engine=engine)
        model = NaiveBayes().learn(rows)
        same = NaiveBayes().fit({"x": [1, 3, 5]}, ["a", "b", "a"])
        assert model.summary_.tally.rows.tolist() == same.summary_.tally.rows.tolist() == [2, 1]
        np.testing.assert_allclose(model.predict_proba({"x": [2.5]}), same.predict_proba({"x": [2.5]}), atol=1e-12)
        assert rows.report.unlabelled == 2
        assert rows.report.column("y").missing == 2


def test_targets_are_what_they_are_written_as(engine: str, tmp_path: Path) -> None:
    cases = {
        "0\n1\n": (0, 1),
        "-1\n1\n": (-1, 1),
        "1.0\n2.0\n": (1.0, 2.0),
        "True\nfalse\n": (True, False),
        "yes\nno\n": ("yes", "no"),
        "a\n1\n": ("a", "1"),
        "12345678901234567890\n1\n": (12345678901234567890, 1),
    }
    for text, labels in cases.items():
        path = tmp_path / "t.csv"
        path.write_text("x,y\n" + "".join(f"1,{line}\n" for line in text.split()))
        (chunk,) = open_rows(path, Roles(target="y"), engine=engine).chunks()
        assert chunk.y is not None
        assert [(type(label), label) for label in chunk.y.labels[0]] == [(type(label), label) for label in labels]


def test_a_target_stays_what_it_is(engine: str, tmp_path: Path) -> None:
    """A word among whole numbers is bad, and its row is not learned from."""
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "1,0\n2,1\n" * 500 + "3,other\n3,1.0\n")
    for block in (50, 1 << 20):
        rows = open_rows(path, Roles(target="y"), format=Format(block=block), engine=engine)
        model = NaiveBayes().learn(rows)
        assert model.classes_.tolist() == [0, 1]
        assert model.summary_.tally.rows.tolist() == [500, 501]
        column = rows.report.column("y")
        assert (column.bad, column.first_bad, column.text, rows.report.unlabelled) == (1, 1000, "other", 1)


def test_declared_targets(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y\n1,0\n2,1\n3,1.5\n")
    (chunk,) = open_rows(path, Roles(target="y"), {"y": "categorical"}).chunks()
    assert chunk.y is not None
    assert chunk.y.labels == (("0", "1", "1.5"),)
    (chunk,) = open_rows(path, Roles(target="y"), {"y": "boolean"}, Format(limit=0.5)).chunks()
    assert chunk.y is not None
    assert chunk.y.codes.ravel().tolist() == [0, 1, -1]
    assert chunk.y.labels == ((False, True),)
    assert chunk.keep is not None
    assert chunk.keep.tolist() == [True, True, False]


def test_weights_and_groups(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y,w,who\n1,a,2,p\n2,b,0.5,\n3,,NA,q\n4,a,1,p,9\n5,b,1,q\n")
    roles = Roles(target="y", weight="w", group="who")
    (chunk,) = open_rows(path, roles, format=Format(limit=0.5), engine=engine).chunks()
    assert chunk.w is not None
    assert chunk.w.tolist() == [2, 0.5, 0, 0, 1]  # no target, cells that cannot be told apart: nothing to weigh
    assert chunk.group is not None
    assert chunk.group.codes.ravel().tolist() == [0, -1, 1, -1, 1]
    assert chunk.group.labels == (("p", "q"),)
    assert chunk.schema.names == ("x",)


@pytest.mark.parametrize("make", [Ridge, MLPRegressor, RegressionTree, NaiveBayes])
def test_a_target_that_is_no_column_is_named(make: type[Any], tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("dose,weight\n1,2.5\n2,3.5\n3,5\n")
    with pytest.raises(BadInput, match=r"the target column must be one of the columns .* Did you mean 'weight'\?"):
        make().fit(str(path), target="wieght")
    table = pd.read_csv(path)
    with pytest.raises(BadInput, match=r"the target column must be one of the columns .* Did you mean 'weight'\?"):
        make().fit(table, target="wieght")
    with pytest.raises(BadInput, match=r"target must be the name of one column, got \['dose', 'weight'\]"):
        make().fit(table, target=["dose", "weight"])
