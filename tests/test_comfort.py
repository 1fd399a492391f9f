"""What editors, checkers and people who mistype are told."""

from __future__ import annotations

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
    assert {*project["project"]["optional-dependencies"]} <= {"table", "plot", "excel", "all", "dev"}
