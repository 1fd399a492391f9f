"""Which tests are likely to notice a mutant, by the names written in them: for tests that were never mapped."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.mutants.drawing import ROOT
from tests.mutants.mutations import Mutant


def likely(test: str, mutant: Mutant) -> float:
    """The less, the likelier a test notices the mutant; 0 for hardly ever."""
    file, _, rest = test.partition("::")
    if file == mutant.file:
        return 0.02  # an example in a docstring
    if not file.startswith("tests/"):
        return 0.0
    if any(f"[{name}]" in rest for name in _names(mutant.file)):  # a test by discovery, of this class
        return 0.02
    whole, functions = _texts(file)
    own = functions.get(rest.partition("[")[0], "")
    outer = mutant.function.partition(".")[0]
    if len(outer) > 3 and outer in own:
        return 0.03
    if any(name in own for name in _names(mutant.file)):
        return 0.06
    if len(outer) > 3 and outer in whole:
        return 0.1
    if mutant.file.removeprefix("src/").removesuffix(".py").replace("/", ".") in whole:
        return 0.15
    if Path(mutant.file).stem.replace("_", "") in whole.replace("_", "").lower():
        return 0.3
    return 1.0 if f"tests/{mutant.room}/" in test else 0.0


@cache
def _texts(file: str) -> tuple[str, dict[str, str]]:
    """A file of tests, and each of its functions."""
    text = (ROOT / file).read_text()
    found = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return text, {node.name: ast.get_source_segment(text, node) or "" for node in found}


@cache
def _names(file: str) -> tuple[str, ...]:
    """What a file defines for others."""
    body = ast.parse((ROOT / file).read_text()).body
    names = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return tuple(name for name in names if len(name) > 3 and not name.startswith("_"))
