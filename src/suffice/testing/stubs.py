"""What type checkers see of lazy rooms: `__init__.pyi` beside each, made from where its names live.

`python -m suffice.testing.registry` writes them, `--check` compares. A room imports its names when they are asked for,
which checkers cannot follow: without these files any name would pass.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

HEAD = '"""Made by `make registry` from the sources: do not edit."""\n\n# ruff: noqa: I001\n\n'


def stubs(root: Path) -> dict[Path, str]:
    """The text of the stub of every lazy package, by its path."""
    found: dict[Path, str] = {}
    for path in sorted(root.rglob("__init__.py")):
        if "lazily(" not in path.read_text(encoding="utf-8"):
            continue
        name = ".".join((root.name, *path.parent.relative_to(root).parts))
        found[path.with_suffix(".pyi")] = stub(import_module(name))
    return found


def stub(package: object) -> str:
    """The text of one."""
    homes: dict[str, str] = package._HOMES  # type: ignore[attr-defined]
    lines = [f"from {home} import {name} as {name}\n" for name, home in sorted(homes.items())]
    version = "\n__version__: str\n" if hasattr(package, "__version__") else "\n"
    names = "".join(f'    "{name}",\n' for name in sorted(homes))
    return f"{HEAD}{''.join(lines)}{version}__all__ = [\n{names}]\n"


def write(root: Path) -> None:
    """Write all of them, and take away those of rooms that are lazy no more."""
    made = stubs(root)
    for path in root.rglob("__init__.pyi"):
        if path not in made:
            path.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")


def stale(root: Path) -> str | None:
    """The first that is not what it should be."""
    for path, text in stubs(root).items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            return path.relative_to(root).as_posix()
    return None
