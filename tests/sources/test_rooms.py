"""The names of the room, imported when asked for; no table library and no scikit-learn until then."""

from __future__ import annotations

import subprocess
import sys

import pytest

from suffice import sources


def test_every_name_leads_to_what_it_says():
    assert sources.__all__ == sorted(sources.__all__)
    for name in sources.__all__:
        assert getattr(sources, name).__name__ == name


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match=r"^module 'suffice.sources' has no attribute 'Dask'$"):
        sources.Dask


HEAVY = ("sklearn", "pandas", "polars", "pyarrow", "narwhals", "scipy", "numba")


def test_reading_arrays_and_lists_imports_no_table_library():
    code = f"""
import sys, numpy as np
from suffice.sources import MemorySource, code_labels, open_table
for X in (np.zeros((3, 2)), [[1, "a"], [2, None]], {{"x": [1.5, None], "s": ["a", "b"]}}):
    table = open_table(X)
    table.parts(table.infer(), slice(0, table.n))
code_labels(["a", "b"])
print([name for name in {HEAVY} if name in sys.modules])
"""
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
