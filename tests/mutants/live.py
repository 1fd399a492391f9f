"""A mutant in a running process: the code of live functions is exchanged, so that nothing is imported again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

from suffice.numerics import loop as loops
from tests.mutants.mutations import Mutant, compiled, mutated

Place = tuple[str, int]


def exchange(root: Path, mutant: Mutant) -> int:
    """Put the mutant into this process; the number of functions whose code is another now."""
    path = str(root / mutant.file)
    tree = mutated(Path(path).read_text(), mutant)
    old = dict(_codes(compile(Path(path).read_text(), path, "exec")))
    new = {place: code for place, code in _codes(compile(tree, path, "exec")) if old.get(place) != code}
    changed = 0
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == path:
            code = new.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            if code is not None and code.co_freevars == function.__code__.co_freevars:
                function.__code__ = code
                changed += 1
    if changed and compiled(root, mutant):
        _compile_anew()
    return changed


def _codes(code: CodeType) -> Iterator[tuple[Place, CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield (inner.co_qualname, inner.co_firstlineno), inner
            yield from _codes(inner)


def _compile_anew() -> None:
    """Loops without their cache: it knows files, and the file has not changed."""
    plain = loops._compile
    loops._compile = lambda function, cached=True: plain(function, cached=False)
    for one in gc.get_objects():
        if isinstance(one, loops.Loop):
            one._compiled = None
