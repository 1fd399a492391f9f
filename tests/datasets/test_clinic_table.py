"""The clinic as a table: kinds, the three libraries, reproducible bits, and sentences for bad arguments."""

from __future__ import annotations

import datetime
import math
import subprocess
import sys

import numpy as np
import pyarrow
import pytest

from suffice.core.errors import BadInput
from suffice.datasets import make_clinic
from suffice.datasets.population import CLASSES
from tests.datasets.cells import KINDS, unseen


@pytest.fixture(scope="module")
def small():
    """A few patients with notes and many missing cells."""
    return make_clinic(300, 11, missing=0.3)


def test_kinds_and_columns(small):
    assert dict(small.kinds) == KINDS
    assert list(small.data) == list(KINDS)
    assert dict(small.orders) == {"severity": ("mild", "moderate", "severe")}
    assert small.classes == CLASSES
    assert repr(small) == "Clinic(300 rows, 17 columns)"
    types = {"boolean": bool, "categorical": str, "ordinal": str, "text": str}
    for name, kind in KINDS.items():
        column = small.data[name]
        if kind in types:
            assert {type(cell) for cell in column} == {types[kind], type(None)}
        else:
            assert column.dtype.kind == {"identifier": "i", "date": "M"}.get(kind, "f")
    assert all(3 <= len(note.split()) <= 8 for note in small.data["notes"] if note is not None)
    assert len(set(small.data["patient"].tolist())) == 300
    ages = small.data["age"]
    assert np.nanmin(ages) > 18
    assert np.nanmax(ages) < 95


def test_nothing_can_be_changed(small):
    with pytest.raises(AttributeError):
        small.target = None
    with pytest.raises(TypeError):
        small.data["age"] = None
    for array in (small.target, small.prior, small.posterior, *small.data.values()):
        with pytest.raises(ValueError, match="read-only"):
            array[:1] = array[1:2]


def plain(table):
    """A table of any library as names and Python values, None where missing, dates as dates."""
    columns = table.to_pydict() if isinstance(table, pyarrow.Table) else {c: table[c].to_list() for c in table.columns}
    value = {True: lambda cell: None, False: lambda cell: cell.date() if hasattr(cell, "date") else cell}

    def lost(cell):
        return cell is None or type(cell).__name__ in ("NAType", "NaTType") or cell != cell

    return {name: [value[bool(lost(cell))](cell) for cell in cells] for name, cells in columns.items()}


@pytest.mark.parametrize(("n", "missing"), [(300, 0.3), (40, 0.0), (3, 0.97), (0, 0.05)])
def test_the_three_tables_are_equal(n, missing):
    clinic = make_clinic(n, 8, missing=missing)
    pandas, polars, arrow = (plain(clinic.frame(backend, target=True)) for backend in ("pandas", "polars", "pyarrow"))
    assert list(pandas) == [*KINDS, "diagnosis"]
    assert pandas == polars == arrow
    for name in KINDS:
        gone = unseen(clinic.data[name])
        assert pandas[name] == [
            None if lost else cell for lost, cell in zip(gone, clinic.data[name].tolist(), strict=True)
        ]
    assert pandas["diagnosis"] == clinic.target.tolist()
    assert {type(cell) for cell in polars["visits"] if cell is not None} <= {int}
    assert {type(cell) for cell in arrow["admitted"] if cell is not None} <= {datetime.date}


@pytest.mark.parametrize("n", [0, 1, 200])
def test_the_types_of_a_table_do_not_depend_on_its_cells(n):
    """Shards of one table agree, whatever happens to be missing in one of them."""
    clinic, whole = make_clinic(n, 8, missing=0.9), make_clinic(500, 1, missing=0.0)
    assert clinic.frame().dtypes.to_dict() == whole.frame().dtypes.to_dict()
    assert clinic.frame("polars").schema == whole.frame("polars").schema
    assert clinic.frame("pyarrow").schema == whole.frame("pyarrow").schema


def test_types_of_pandas_and_polars():
    pandas, polars = make_clinic(50, 1).frame(), make_clinic(50, 1).frame("polars")
    names = {name: str(dtype) for name, dtype in pandas.dtypes.items()}
    assert names["cough"] == "boolean"
    assert names["visits"] == "Int64"
    assert names["age"] == "float64"
    assert names["admitted"].startswith("datetime64")
    assert pandas["severity"].cat.ordered
    assert list(pandas["severity"].cat.categories) == ["mild", "moderate", "severe"]
    assert polars.schema["severity"].categories.to_list() == ["mild", "moderate", "severe"]
    assert "diagnosis" not in pandas.columns


# ------------------------------------------------------------------------------------------------------ reproducibility


def same_columns(a, b, rows=None):
    """Bit for bit, missing cells included."""
    for name in set(a.data) & set(b.data):
        x, y = a.data[name][:rows], b.data[name][:rows]
        assert x.dtype == y.dtype
        assert (unseen(x) == unseen(y)).all()
        assert (x[~unseen(x)] == y[~unseen(y)]).all()
    assert (a.target[:rows] == b.target[:rows]).all()


def test_the_same_seed_gives_the_same_bits():
    a, b, c = make_clinic(500, 3), make_clinic(500, np.int64(3)), make_clinic(500, 4)
    same_columns(a, b)
    assert a.posterior.tobytes() == b.posterior.tobytes()
    assert not (a.posterior == c.posterior).any()
    assert not (make_clinic(20).posterior == make_clinic(20).posterior).any()


def test_a_longer_table_begins_with_the_shorter_one():
    long, short = make_clinic(1000, 3), make_clinic(137, 3)
    same_columns(long, short, 137)
    np.testing.assert_allclose(long.posterior[:137], short.posterior, rtol=0, atol=1e-12)


def test_notes_do_not_disturb_the_other_columns():
    with_notes, without = make_clinic(200, 3), make_clinic(200, 3, text=False)
    same_columns(with_notes, without)
    assert set(with_notes.data) - set(without.data) == {"notes"}
    assert set(with_notes.kinds) - set(without.kinds) == {"notes"}


def test_a_generator_moves_on():
    rng = np.random.default_rng(5)
    a, b = make_clinic(50, rng), make_clinic(50, rng)
    assert not (a.posterior == b.posterior).any()
    same_columns(a, make_clinic(50, np.random.default_rng(5)))


def test_needs_numpy_alone():
    """Neither scikit-learn nor a table library is imported before a table is asked for."""
    code = (
        "import sys; from suffice.datasets import make_clinic; make_clinic(5, 0).bayes_risk(); "
        "print([m for m in ('sklearn', 'scipy', 'pandas', 'polars', 'pyarrow', 'narwhals') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ------------------------------------------------------------------------------------------------------------ bad input

PRIOR_RULE = r"prior must be 3 probabilities that sum to 1, for \('cold', 'flu', 'pneumonia'\), got "


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"n": -1}, "n must be a non-negative integer, got -1."),
        ({"n": 2.5}, "n must be a non-negative integer, got 2.5."),
        ({"n": "many"}, "n must be a non-negative integer, got 'many'."),
        ({"n": True}, "n must be a non-negative integer, got True."),
        ({"missing": 1.0}, "missing must be a share from 0 to below 1, got 1.0."),
        ({"missing": -0.1}, "missing must be a share from 0 to below 1, got -0.1."),
        ({"missing": math.nan}, "missing must be a share from 0 to below 1, got nan."),
        ({"missing": None}, "missing must be a share from 0 to below 1, got None."),
        ({"prior": [0.5, 0.5]}, PRIOR_RULE),
        ({"prior": [0.5, 0.5, 0.5]}, PRIOR_RULE),
        ({"prior": [1.5, -0.5, 0.0]}, PRIOR_RULE),
        ({"prior": [math.nan, 0.5, 0.5]}, PRIOR_RULE),
        ({"prior": "even"}, PRIOR_RULE),
        ({"prior": [[0.6, 0.3, 0.1]]}, PRIOR_RULE),
        ({"prior": {"cold": 0.5, "flu": 0.5}}, "prior must be a mapping with the keys"),
        ({"prior": {"cold": 0.5, "flu": 0.3, "measles": 0.2}}, "prior must be a mapping with the keys"),
        ({"random_state": "lucky"}, "random_state must be None, a non-negative integer or a numpy Generator"),
        ({"random_state": -3}, "random_state must be None, a non-negative integer or a numpy Generator"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(BadInput, match=r"^make_clinic: " + message):
        make_clinic(**{"n": 5, **call})


def test_bad_backend():
    with pytest.raises(BadInput, match=r"^Clinic: backend must be one of pandas, polars, pyarrow, got 'excel'"):
        make_clinic(5, 0).frame("excel")
