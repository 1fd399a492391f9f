"""The closed list of classes: complete, true, and the only way from a name to a class."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from dataclasses import InitVar, dataclass, field
from enum import Enum, Flag
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import suffice
from suffice.core import registry, saved_classes
from suffice.core.errors import BadFile, BadInput
from suffice.core.registry import HOMES, find, registered, saved, saved_fields
from suffice.persistence import from_bytes, save, to_bytes
from suffice.testing.registry import LIST, homes, main, written
from tests.persistence.forged import forged
from tests.persistence.values import Sample, summary


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes registered here are forgotten afterwards."""
    monkeypatch.setattr(registry, "_classes", dict(registry._classes))


def test_every_class_of_the_package_is_listed_with_its_home() -> None:
    for module in pkgutil.walk_packages(suffice.__path__, "suffice."):
        importlib.import_module(module.name)
    ours = {name: cls.__module__ for name, cls in registered().items() if cls.__module__.split(".")[0] == "suffice"}
    assert ours == HOMES


@pytest.mark.parametrize("name", HOMES)
def test_every_home_leads_to_its_class(name: str) -> None:
    cls = find(name)
    assert cls is not None
    assert (cls.__name__, cls.__module__) == (name, HOMES[name])
    assert HOMES[name].startswith("suffice.")


def test_the_list_is_made_from_the_sources() -> None:
    assert list(HOMES) == sorted(HOMES)
    assert list(homes().items()) == list(HOMES.items()), "run: make registry"
    assert written(HOMES) == Path(saved_classes.__file__).read_text(encoding="utf-8")


SOURCE = """
from dataclasses import dataclass
from suffice.core.registry import {imported}

@{mark}
@dataclass(frozen=True)
class Kept:
    x: int = 0

class Plain:
    pass
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with one class to save, whose list is not made yet; importing it would fail."""
    root = tmp_path / "little"
    (root / "core").mkdir(parents=True)
    (root / "__init__.py").write_text("raise RuntimeError('imported')")
    (root / "core" / "kept.py").write_text(SOURCE.format(imported="saved", mark="saved"))
    return root


def test_the_list_is_written_without_importing_and_then_agrees(package: Path) -> None:
    told = main(["--check"], package)
    assert told is not None
    assert told.endswith("Run: make registry")
    assert "\n" not in told
    assert main([], package) is None
    assert '"Kept": "little.core.kept"' in (package / LIST).read_text()
    assert main(["--check"], package) is None


def test_a_list_that_is_not_of_today_fails(package: Path) -> None:
    main([], package)
    (package / "core" / "more.py").write_text(SOURCE.format(imported="saved as s", mark="s").replace("Kept", "More"))
    assert main(["--check"], package) is not None
    main([], package)
    assert homes(package) == {"Kept": "little.core.kept", "More": "little.core.more"}
    (package / "core" / "kept.py").unlink()
    assert main(["--check"], package) is not None


def test_a_mark_of_another_name_or_origin_lists_nothing(package: Path) -> None:
    (package / "core" / "kept.py").write_text(
        SOURCE.replace("suffice.core.registry", "elsewhere").format(imported="saved", mark="saved")
    )
    assert homes(package) == {}


def test_two_classes_of_one_name_are_refused_by_the_list(package: Path) -> None:
    (package / "core" / "twice.py").write_text((package / "core" / "kept.py").read_text())
    with pytest.raises(SystemExit, match=r"got Kept in little\.core\.kept and in little\.core\.twice\. Rename one"):
        homes(package)


def test_a_class_is_found_before_it_was_imported(tmp_path: Path) -> None:
    # and neither scikit-learn nor numba is needed for it
    save(summary(), tmp_path / "summary.suffice")
    program = (
        "import sys; from suffice.persistence import load; assert 'suffice.core.tally' not in sys.modules\n"
        f"value = load({str(tmp_path / 'summary.suffice')!r})\n"
        "assert type(value).__name__ == 'ByClass' and value.labels == ('class 0', 'class 1', 'class 2')\n"
        "value = value + value - value\n"
        "heavy = {'sklearn', 'numba', 'scipy', 'pandas', 'safetensors', 'narwhals', 'pyarrow'}\n"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_no_class_of_the_list_needs_scikit_learn_or_numba() -> None:
    program = (
        "import sys; from suffice.core.registry import HOMES, find\n"
        "assert all(map(find, HOMES))\n"
        "heavy = {'sklearn', 'numba', 'pandas', 'polars', 'pyarrow'}\n"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_no_module_of_the_room_knows_a_way_to_run_what_it_reads() -> None:
    room = Path(registry.__file__).parents[1] / "persistence"
    names = set()
    for path in [*room.glob("*.py"), Path(registry.__file__)]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names |= {alias.name for alias in node.names} | {getattr(node, "module", None)}
    assert "import_module" in names  # the walk sees something
    assert not names & {"pickle", "marshal", "shelve", "joblib", "dill", "eval", "exec", "compile", "__import__"}


@pytest.mark.parametrize("name", ["os", "system", "eval", "Path", "object", "suffice.core.tally", "tally", "Summary"])
def test_a_name_that_is_not_listed_leads_nowhere(name: str) -> None:
    assert find(name) is None
    with pytest.raises(BadFile, match="unknown class"):
        from_bytes(forged({name: {}}))


@pytest.mark.usefixtures("scratch")
def test_two_classes_cannot_share_a_name() -> None:
    with pytest.raises(
        TypeError, match=r"saved: a name must belong to one class, got 'Sample' in tests.*values and in "
    ):

        @saved
        @dataclass(frozen=True)
        class Sample:
            x: int

    with pytest.raises(TypeError, match=r"one class, got 'Tally' in suffice\.core\.tally and in tests"):
        saved(NamedTuple("Tally", [("x", int)]))


@pytest.mark.usefixtures("scratch")
def test_a_class_that_is_listed_cannot_be_taken_by_another_module_before_it_is_imported() -> None:
    registry._classes.pop("Tally")
    with pytest.raises(TypeError, match=r"one class, got 'Tally' in suffice\.core\.tally and in tests"):
        saved(NamedTuple("Tally", [("x", int)]))


@dataclass
class Thawed:
    x: int


@dataclass(frozen=True)
class Forgetful:
    x: int = field(metadata={"saved": False})


@dataclass(frozen=True)
class Hungry:
    x: int
    more: InitVar[int]


class Plain:
    pass


class Heir(Sample):
    """A subclass of a registered class is another class."""


@pytest.mark.parametrize("cls", [Thawed, Plain, Heir, dict, Forgetful, Hungry, NamedTuple("small", [("x", int)])])
@pytest.mark.usefixtures("scratch")
def test_a_class_that_could_not_be_read_again_is_refused_at_once(cls: Any) -> None:
    with pytest.raises(TypeError, match=r"^saved: .* must be"):
        saved(cls)
    assert cls.__name__ not in registered()


@pytest.mark.usefixtures("scratch")
def test_the_same_class_of_a_reloaded_module_is_welcome() -> None:
    def define() -> type[Any]:
        @saved
        @dataclass(frozen=True)
        class Again:
            x: int = 0

        return Again

    first, second = define(), define()
    assert find("Again") is second is not first


def test_fields_that_go_into_a_file() -> None:
    assert saved_fields(Sample) == ("first", "second")


class Unlisted(Enum):
    ONE = 1


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize(
    ("value", "where", "what"),
    [
        (b"bytes", "value", "b'bytes', which is of class bytes."),
        (1j, "value", "1j, which is of class complex."),
        ({1, 2}, "value", "{1, 2}, which is of class set."),
        ({"a": [1, (len,)]}, r"value\['a'\]\[1\]\[0\]", "<built-in function len>, which is of class builtin_function"),
        ({5: object}, r"value\.values\[0\]", "<class 'object'>, which is of class type."),
        ({(1, b""): 5}, r"value\.keys\[0\]\[1\]", "b'', which is of class bytes."),
        (Sample(1, Sample(Plain)), r"value\.second\.first", "<class .*Plain'>, which is of class type."),
        (Thawed(1), "value", r"Thawed\(x=1\), which is of class tests.*\.Thawed\. Convert it, or mark its class with"),
        (Heir(1), "value", r"Heir\(.*, which is of class tests.*\.Heir\."),
        (Unlisted.ONE, "value", r"<Unlisted.ONE: 1>, which is of class tests.*\.Unlisted\."),
        (np.array([None]), "value", r"array\(.*, which is of class numpy.ndarray of dtype object\."),
        (np.array(["a"]), "value", "array.*, which is of class numpy.ndarray of dtype <U1"),
        (np.zeros(2, dtype=[("a", "i4")]), "value", "array.*, which is of class numpy.ndarray of dtype "),
        (np.zeros(2, dtype=np.float16), "value", "array.*, which is of class numpy.ndarray of dtype float16"),
        (np.zeros(2, dtype=complex), "value", "array.*, which is of class numpy.ndarray of dtype complex128"),
        (np.ma.masked_array([1, 2], [True, False]), "value", r"masked_array.* of class numpy\.ma\.MaskedArray"),
        ([np.datetime64("2026-01-31")], r"value\[0\]", "np.datetime64.*, which is of class numpy.datetime64 of dtype"),
        (np.str_("a"), "value", "np.str_.*, which is of class numpy.str_ of dtype <U1"),
        (type("Text", (str,), {})("a"), "value", r"'a', which is of class tests.*\.Text"),
    ],
)
def test_what_cannot_be_saved_is_named_with_its_place(value: Any, where: str, what: str) -> None:
    with pytest.raises(BadInput, match=rf"^save: {where} must be an array, number, .* registered class, got {what}"):
        to_bytes(value)


@pytest.mark.usefixtures("scratch")
def test_joined_flags_and_named_zones_cannot_be_saved() -> None:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    @saved
    class Letters(Flag):
        A = 1
        B = 2

    assert from_bytes(to_bytes(Letters.A)) is Letters.A
    with pytest.raises(BadInput, match=r"which is of class .*Letters\."):
        to_bytes(Letters.A | Letters.B)
    with pytest.raises(BadInput, match=r"class datetime\.datetime with a named time zone\."):
        to_bytes(datetime(2026, 1, 31, tzinfo=ZoneInfo("Europe/Berlin")))


def test_what_is_too_deep_too_many_or_too_long_cannot_be_saved() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(BadInput, match=r"nested at most 64 deep, got <class 'list'>\. Is it part of itself"):
        to_bytes(endless)
    with pytest.raises(BadInput, match="save: value must be a tree of at most 100000 arrays, got 100001"):
        to_bytes([np.zeros(1)] * 100_001)
    with pytest.raises(BadInput, match="save: value must be described in 16777216 bytes, not counting arrays"):
        to_bytes({"a": {"b": "x" * 2**24}})
