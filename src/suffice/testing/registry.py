"""The list of saved classes, made from the sources: `python -m suffice.testing.registry` writes it, `--check` compares.

The sources are read, not imported: a class is listed because its definition says `@saved`, and for no other reason.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIST = Path("core", "saved_classes.py")  # in the package
MARK = "suffice.core.registry", "saved"
HEAD = '''"""Where each saved class lives. Made by `make registry` from the sources: do not edit."""

from __future__ import annotations

HOMES: dict[str, str] = {
'''


def homes(root: Path = ROOT) -> dict[str, str]:
    """Name -> module of every class in a package whose definition is marked `@saved`, by name."""
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*.py")):
        module = ".".join((root.name, *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        for name in _marked(ast.parse(path.read_text(encoding="utf-8"))):
            if name in found:
                raise SystemExit(
                    f"registry: a saved class must have a name of its own, got {name} in {found[name]} "
                    f"and in {module}. Rename one."
                )
            found[name] = module
    return dict(sorted(found.items()))


def _marked(tree: ast.Module) -> Iterator[str]:
    """The classes that are marked, where the mark was imported, under whatever name."""
    marks = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == MARK[0]
        for alias in node.names
        if alias.name == MARK[1]
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (node.name for mark in node.decorator_list if isinstance(mark, ast.Name) and mark.id in marks)


def written(found: dict[str, str]) -> str:
    """The text of the generated file."""
    return HEAD + "".join(f'    "{name}": "{module}",\n' for name, module in found.items()) + "}\n"


def main(arguments: list[str], root: Path = ROOT) -> str | None:
    """Write the list, or say in one sentence what is wrong with it."""
    path, text = root / LIST, written(homes(root))
    if "--check" not in arguments:
        path.write_text(text, encoding="utf-8")
        return None
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return None
    return f"registry: {LIST.as_posix()} must list the classes marked @saved, got another list. Run: make registry"


def with_stubs(arguments: list[str]) -> str | None:
    """The list, and the stubs of lazy rooms."""
    from suffice.testing import stubs

    wrong = main(arguments)
    if "--check" not in arguments:
        stubs.write(ROOT)
        return wrong
    old = stubs.stale(ROOT)
    return wrong or (old and f"registry: {old} must list the names of its room, got others. Run: make registry")


if __name__ == "__main__":
    sys.exit(with_stubs(sys.argv[1:]))
