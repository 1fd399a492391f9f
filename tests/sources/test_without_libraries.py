"""Tables of one library are read where the others are not installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDING = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
from suffice.sources import code_labels, open_table

columns = {"site": ["north", None, "south"], "age": [1, None, 3], "ill": [True, None, False]}
columns["note"] = ["a word", "", None]
"""
READING = """
table = open_table(X)
numbers, symbols, words = table.parts(table.infer().declare("x", {"note": "text"}), slice(0, 3))
site = [symbols.labels[0][code] if code >= 0 else None for code in symbols.codes[:, 0].tolist()]
assert site == columns["site"], site
assert numbers[[0, 2], 0].tolist() == [1.0, 3.0]
assert words.labels == ("word",)
assert code_labels(y).labels[0] == ("b", "a")
print("read")
"""
CASES = {
    "polars": "import polars as pl; X = pl.DataFrame(columns); y = pl.Series(['b', 'a'])",
    "pandas": "import pandas as pd; X = pd.DataFrame(columns); y = pd.Series(['b', 'a'])",
    "pyarrow": "import pyarrow as pa; X = pa.table(columns); y = pa.chunked_array([['b', 'a']])",
    "nothing": "X = columns; y = ['b', 'a']",
}


@pytest.mark.parametrize("library", CASES)
def test_one_library_suffices(library):
    hidden = {"polars", "pandas", "pyarrow", "sklearn"} - {library} | ({"narwhals"} if library == "nothing" else set())
    code = f"HIDDEN = {hidden}\n{HIDING}\n{CASES[library]}\n{READING}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "read", done.stderr


def test_a_stream_of_arrow_needs_pyarrow():
    code = f"""HIDDEN = ('pyarrow',)
{HIDING}
from suffice.core.errors import BadInput

class Capsule:
    def __arrow_c_stream__(self, requested_schema=None):
        raise AssertionError

try:
    open_table(Capsule())
except BadInput as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        "X: the table must be of a library that is installed, got 'Capsule'. Install pyarrow."
    ), done.stderr
