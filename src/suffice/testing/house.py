"""How the house is built, in numbers: `python -m suffice.testing.house` prints them, and the tests hold them.

Ancestors of estimators, sizes of files and rooms, names of classes; the seams between estimators and verbs are tried in
`suffice.testing.seams`.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import suffice
from suffice.testing.discovery import public_estimators

ROOT = Path(suffice.__file__).parent
CHAIN, ABOVE, LINES, FILES = 3, 6, 400, 25  # the most there may be


class House(NamedTuple):
    """What was measured."""

    chains: dict[str, int]  # estimator -> longest chain of own ancestors
    above: dict[str, int]  # estimator -> own classes above it in the resolution order
    lines: dict[str, int]  # file -> lines
    rooms: dict[str, int]  # folder -> files, `__init__` left out
    twice: dict[str, list[str]]  # class name -> the files that define it, where there are several

    def faults(self) -> list[str]:
        """What is more than there may be."""
        return [
            *(f"{name}: a chain of {n} own ancestors" for name, n in self.chains.items() if n > CHAIN),
            *(f"{name}: {n} own classes above it" for name, n in self.above.items() if n > ABOVE),
            *(f"{file}: {n} lines" for file, n in self.lines.items() if n > LINES),
            *(f"{room}: {n} files" for room, n in self.rooms.items() if n > FILES),
            *(f"class {name}: in {', '.join(files)}" for name, files in self.twice.items()),
        ]


def measure() -> House:
    """Walk the package."""
    estimators = public_estimators()
    files = sorted(path for path in ROOT.rglob("*.py") if "__pycache__" not in path.parts)
    lines = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    rooms = Counter(str(path.parent.relative_to(ROOT)) for path in files if path.name != "__init__.py")
    return House(
        {cls.__name__: chain(cls) for cls in estimators},
        {cls.__name__: len(own(cls)) - 1 for cls in estimators},
        lines,
        dict(rooms),
        _twice(files),
    )


def own(cls: type[Any]) -> list[type[Any]]:
    """The classes of ours in the resolution order, the class itself first."""
    return [base for base in cls.__mro__ if base.__module__.split(".")[0] == suffice.__name__]


def chain(cls: type[Any]) -> int:
    """The longest way up through classes of ours."""
    bases = [base for base in cls.__bases__ if base.__module__.split(".")[0] == suffice.__name__]
    return 1 + max(map(chain, bases)) if bases else 0


def _twice(files: list[Path]) -> dict[str, list[str]]:
    """Class names without underscore that mean several things."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in files:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    return {name: where for name, where in found.items() if len(where) > 1}


def main() -> None:
    """Print what was measured."""
    house = measure()
    print(f"longest chain of own ancestors  {max(house.chains.values())} (at most {CHAIN})")
    print(f"own classes above an estimator  {max(house.above.values())} (at most {ABOVE})")
    print(f"longest file                    {max(house.lines.values())} lines (at most {LINES})")
    print(f"fullest room                    {max(house.rooms.values())} files (at most {FILES})")
    print(f"class names that mean two things  {len(house.twice)}")
    for fault in house.faults():
        print(" ", fault)


if __name__ == "__main__":
    main()
