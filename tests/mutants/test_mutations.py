"""Mutants are what they say: one place of a file is another, live functions have it, and what became of it is kept."""

from __future__ import annotations

import ast
import importlib.util
import runpy
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from tests.mutants import cold
from tests.mutants.live import exchange
from tests.mutants.mutations import Mutant, compiled, mutants, mutated, worded
from tests.mutants.report import fate, report
from tests.mutants.store import Outcome, Reach, Store

SOURCE = '''"""A module."""
from dataclasses import dataclass

LIMIT = 3


@dataclass(frozen=True)
class Thing:
    size: int | None = 2

    def most(self, a, b=0):
        """A text with 1 + 2."""
        if a < b or not a:
            a += 1
        return max(a, b) - divmod(a, b + 1)[0]


def refused(x):
    raise bad("owner", 1 + 2, f"{x + 1}")
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "src" / "suffice" / "decision" / "thing.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    return path


def found(root: Path, file: Path) -> list[Mutant]:
    return [worded(root, one) for one in mutants(root, file)]


def test_every_kind_of_change_and_none_where_nothing_is_decided(tmp_path: Path, file: Path) -> None:
    said = {(one.kind, one.before, one.after.replace("(not a)", "not a")) for one in found(tmp_path, file)}
    assert said == {
        ("constant", "3", "4"),  # LIMIT
        ("constant", "2", "3"),  # a default of a field
        ("constant", "0", "1"),  # a default, and a place
        ("constant", "1", "2"),
        ("boolean", "if a < b or not a:", "if not (a < b or not a):"),
        ("boolean", "a < b or not a", "a < b and not a"),
        ("boolean", "not a", "a"),
        ("comparison", "a < b", "a <= b"),
        ("comparison", "a < b", "a >= b"),
        ("arithmetic", "a += 1", "a -= 1"),
        ("deletion", "a += 1", "pass"),
        ("return", "return max(a, b) - divmod(a, b + 1)[0]", "return None"),
        ("arithmetic", "max(a, b) - divmod(a, b + 1)[0]", "max(a, b) + divmod(a, b + 1)[0]"),
        ("name", "max(a, b)", "min(a, b)"),
        ("arithmetic", "b + 1", "b - 1"),
        ("arguments", "divmod(a, b + 1)", "divmod(b + 1, a)"),
        ("deletion", "raise bad('owner', 1 + 2, f'{x + 1}')", "pass"),
    }


def test_each_is_one_other_program_and_keeps_its_name_where_its_function_moves(tmp_path: Path, file: Path) -> None:
    before = found(tmp_path, file)
    programs = {ast.dump(mutated(SOURCE, one)) for one in before}
    assert len(programs) == len(before) == len({one.id for one in before})
    assert ast.dump(ast.parse(SOURCE)) not in programs
    file.write_text(SOURCE.replace("LIMIT = 3\n", "LIMIT = 3\nOTHER = None\n\n"))
    after = found(tmp_path, file)
    assert {one.id for one in before if one.function} == {one.id for one in after if one.function}
    file.write_text(SOURCE.replace("a += 1", "a += 2"))
    assert not {one.id for one in found(tmp_path, file)} & {one.id for one in before if one.function == "Thing.most"}


def test_live_functions_take_the_mutant_on(tmp_path: Path, file: Path) -> None:
    spec = importlib.util.spec_from_file_location("mutated_thing", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutated_thing"] = module
    spec.loader.exec_module(module)
    most = module.Thing().most
    assert most(5, 1) == 3
    told = {one.after: one for one in found(tmp_path, file)}
    assert exchange(tmp_path, told["max(a, b) + divmod(a, b + 1)[0]"]) == 1
    assert most(5, 1) == 7
    assert exchange(tmp_path, told["4"]) == 0  # outside of functions nothing is live
    del sys.modules["mutated_thing"]


def test_constants_are_imported_with_the_mutant(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SourceFileLoader, "get_code", SourceFileLoader.get_code)  # is put back
    monkeypatch.setattr(cold, "ROOT", tmp_path)
    cold.install(next(one for one in found(tmp_path, file) if one.after == "4"))
    assert runpy.run_path(str(file))["LIMIT"] == 3  # what is not imported is as it was
    loader = SourceFileLoader("mutated_constant", str(file))
    space: dict[str, object] = {}
    exec(loader.get_code("mutated_constant"), {"__name__": "builtins"}, space)
    assert space["LIMIT"] == 4


def test_a_loop_is_known(tmp_path: Path, file: Path) -> None:
    file.write_text("@loop\ndef fast(x):\n    return x + 1\n\n\ndef slow(x):\n    return x + 1\n")
    assert {(one.function, compiled(tmp_path, one)) for one in found(tmp_path, file)} == {
        ("fast", True),
        ("slow", False),
    }


def test_outcomes_are_kept_and_counted(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some = found(tmp_path, file)[:5]
    paths = (tmp_path / "results.csv", tmp_path / "reach.jsonl")
    store = Store(*paths)
    place = f"{some[0].file}:{some[0].function}"
    store.add_reach([Reach("t::slow", 9.0, True, frozenset([place])), Reach("t::bad", 0.1, False, frozenset([place]))])
    for one, status in zip(some, ("killed", "survived", "too long", "survived"), strict=False):
        store.add(one, Outcome(status, "t", 1, len(store.outcomes)))
    again = Store(*paths)
    assert again.outcomes == store.outcomes
    assert again.reach == store.reach
    proven = {some[0].id: "no proof, as a test kills it", some[1].id: "a proof"}
    assert [fate(again, one, proven) for one in some] == ["killed", "equivalent", "killed", "undecided", "not run"]
    assert fate(again, some[1], {}) == "undecided"  # as a test was not tried
    assert report(again, some) == 1
    assert report(again, [some[0], some[2]]) == 0
    assert "100.0%" in capsys.readouterr().out


def test_tests_that_reach_it_are_asked_and_the_quick_ones_first(tmp_path: Path, file: Path) -> None:
    mutant = next(one for one in found(tmp_path, file) if one.function)
    place = f"{mutant.file}:{mutant.function}"
    store = Store(tmp_path / "results.csv", tmp_path / "reach.jsonl")
    store.add_reach(
        [
            Reach("tests/a.py::slow", 9.0, True, frozenset([place])),
            Reach("tests/a.py::quick", 1.0, True, frozenset([place])),
            Reach("tests/a.py::fails anyway", 0.1, False, frozenset([place])),
            Reach("tests/a.py::elsewhere", 0.1, True, frozenset()),
        ]
    )
    assert store.tests_of(mutant, list(store.reach), 20.0) == (["tests/a.py::quick", "tests/a.py::slow"], 10.0, 0)
    assert store.tests_of(mutant, list(store.reach), 5.0) == (["tests/a.py::quick"], 1.0, 1)
