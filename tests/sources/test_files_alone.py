"""Text files need nothing but the standard library and NumPy; what needs pyarrow says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

ALONE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"pyarrow", "pandas", "polars", "narwhals", "numba", "sklearn", "scipy"}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
from suffice.core.errors import BadInput
from suffice.sources import Format, Roles, open_rows

rows = open_rows(sys.argv[1], Roles(target="ill"), format=Format(block=1 << 22))
blocks = [chunk.table.parts(chunk.schema, slice(None)) for chunk in rows.chunks()]
print(rows.report.rows, {len(block) for block in blocks}, rows.report.column("age").kind.value)
for what, engine in ((sys.argv[2], None), (sys.argv[1], "pyarrow")):
    try:
        list(open_rows(what, engine=engine).chunks())
    except BadInput as error:
        print(error)
"""


def test_without_pyarrow(tmp_path: Path) -> None:
    path, typed = tmp_path / "t.csv", tmp_path / "t.parquet"
    path.write_text("age,site,ill\n" + "31,north,yes\n44,,no\n" * 120_000)
    pyarrow.parquet.write_table(pa.table({"a": [1]}), typed)
    said = run(ALONE, path, typed)
    assert said[0] == "240000 {2} count"
    assert said[1].endswith(
        "the file must be CSV where pyarrow is not installed, got 'parquet'. Install suffice[table]."
    )
    assert said[2] == (
        "open_rows: engine must be installed, got 'pyarrow'. Install suffice[table], or leave the engine out."
    )


SMALL = """
import sys
from suffice.sources import open_rows

list(open_rows(sys.argv[1]).chunks())
print(sorted({"pyarrow", "pandas", "polars", "narwhals", "numba", "sklearn", "scipy"} & set(sys.modules)))
"""


def test_a_small_file_loads_no_library(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,site\n" + "31,north\n" * 100)
    assert run(SMALL, path) == ["[]"]


LARGE = SMALL.replace("open_rows(sys.argv[1])", "open_rows(sys.argv[1], format=Format(block=1 << 18))")
LARGE = LARGE.replace("import open_rows", "import Format, open_rows")


def test_a_large_file_is_read_by_pyarrow(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,site\n" + "31,north\n" * 600_000)
    assert run(LARGE, path) == ["['pyarrow']"]


def run(program: str, *arguments: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
