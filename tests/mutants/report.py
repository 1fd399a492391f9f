"""The figures: drawn, killed, equivalent, survived, not run."""

from __future__ import annotations

from collections import Counter

from tests.mutants.drawing import ROOMS
from tests.mutants.mutations import Mutant
from tests.mutants.store import DEAD, Store, said

ENOUGH = 0.9


def fate(store: Store, mutant: Mutant, proven: dict[str, str]) -> str:
    """What a mutant counts as. A test that kills a mutant refutes any proof."""
    outcome = store.outcomes.get(mutant.id)
    if outcome is not None and outcome.status in DEAD:
        return "killed"
    if mutant.id in proven:
        return "equivalent"
    return "survived" if outcome is not None and outcome.status in ("survived", "no test") else "not run"


def report(store: Store, known: list[Mutant]) -> int:
    """Print a line a room, and the survivors; 0 if enough were killed of those that can be."""
    proven, reasons = said("equivalents"), said("survivors")
    fates = {one.id: fate(store, one, proven) for one in known}
    print(f"{'room':12}{'drawn':>8}{'killed':>8}{'equivalent':>12}{'survived':>10}{'not run':>9}{'share':>8}")
    for room in (*ROOMS, "all"):
        some = Counter(fates[one.id] for one in known if room in (one.room, "all"))
        share = some["killed"] / max(some["killed"] + some["survived"], 1)
        counts = f"{some['killed']:8}{some['equivalent']:12}{some['survived']:10}{some['not run']:9}{share:8.1%}"
        print(f"{room:12}{some.total():8}{counts}")
    for one in known:
        if fates[one.id] == "survived":
            print(f"{one.id} {one.file}:{one.line} {one.kind}: {one.before} -> {one.after}")
            print(f"    {reasons.get(one.id, 'no reason is known')}")
    return 0 if share >= ENOUGH and not some["not run"] else 1
