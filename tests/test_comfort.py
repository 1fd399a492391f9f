"""What editors, checkers and people who mistype are told."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import suffice
from suffice import NaiveBayes
from suffice.core.errors import BadInput
from suffice.testing import registry, stubs

ROOT = Path(suffice.__file__).parent
ROOMS = [path.parent.name for path in sorted(ROOT.glob("*/__init__.pyi"))]


def test_stubs_are_those_of_the_sources() -> None:
    assert stubs.stale(ROOT) is None
    assert registry.with_stubs(["--check"]) is None
    assert len(ROOMS) > 10


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_lists_its_names(room: str) -> None:
    package = import_module(f"suffice.{room}")
    assert dir(package) == sorted(package.__all__)
    assert "Nonsense" not in (ROOT / room / "__init__.pyi").read_text()
    assert all(f"as {name}\n" in (ROOT / room / "__init__.pyi").read_text() for name in package.__all__)


def test_checkers_refuse_names_that_are_not_there(tmp_path: Path) -> None:
    """A module-level `__getattr__` would let any name pass: stubs have none."""
    for path in ROOT.rglob("__init__.pyi"):
        assert "__getattr__" not in path.read_text()


def test_a_parameter_or_column_that_is_mistyped_is_told() -> None:
    with pytest.raises(BadInput, match=r"Did you mean 'prior'\?"):
        NaiveBayes().set_params(priors="uniform")
    with pytest.raises(BadInput, match=r"Did you mean 'site'\?"):
        NaiveBayes(kinds={"sitte": "categorical"}).fit({"site": ["a", "b"]}, [0, 1])


def test_extras_are_those_that_are_used() -> None:
    project = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text())
    assert {*project["project"]["optional-dependencies"]} <= {"table", "plot", "excel", "dask", "spark", "all", "dev"}


README = (ROOT.parents[1] / "README.md").read_text(encoding="utf-8") if (ROOT.parents[1] / "README.md").exists() else ""
BLOCKED = (
    "import sys\nfor name in ('pandas', 'polars', 'pyarrow', 'matplotlib', 'openpyxl'):\n    sys.modules[name] = None\n"
)


def test_every_extra_is_named_and_its_package_imported() -> None:
    extras = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    sources = "".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py"))
    for name in {*extras} - {"all", "dev"}:
        package = re.split(r"[>\[]", extras[name][0])[0]
        assert f"{name} ({package})" in README
        assert re.search(rf"^ +(?:import|from) {package}\b", sources, re.MULTILINE), package
        assert name in extras["all"][0] or name == "spark"  # which needs Java too


def test_the_readme_installs_first_and_begins_with_an_example_that_needs_no_table_library() -> None:
    assert README.index("pip install") < README.index("```python")
    example = README.split("```python\n")[1].split("```")[0]
    done = subprocess.run([sys.executable, "-c", BLOCKED + example], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "['flu']\n"), done.stderr
