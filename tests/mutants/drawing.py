"""Which mutants are tried: drawn by a seed, the same number from each room."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.mutants.mutations import Mutant, mutants, worded

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("decision", "summaries", "families", "bayes", "linear")
SEED, A_ROOM = 14, 60


def drawn(seed: int = SEED, a_room: int = A_ROOM) -> list[Mutant]:
    """The mutants of least hash(seed, id) of each room: a change in a room exchanges the mutants it touches only."""
    found: list[Mutant] = []
    for room in ROOMS:
        files = sorted((ROOT / "src" / "suffice" / room).rglob("*.py"))
        known = {one.id: one for file in files if file.name != "__init__.py" for one in mutants(ROOT, file)}
        order = sorted(known, key=lambda name: hashlib.blake2b(f"{seed} {name}".encode(), digest_size=8).digest())
        found += [worded(ROOT, known[name]) for name in order[:a_room]]
    return found
