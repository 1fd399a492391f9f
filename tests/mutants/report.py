"""The figures: drawn, killed, equivalent, survived, not run."""

from __future__ import annotations

from collections import Counter

from tests.mutants.drawing import ROOMS
from tests.mutants.mutations import Mutant
from tests.mutants.store import DEAD, Store, said

ENOUGH = 0.9
FATES = ("killed", "equivalent", "survived", "undecided", "not run")


def fate(store: Store, mutant: Mutant, proven: dict[str, str]) -> str:
    """What a mutant counts as. A test that kills it refutes any proof; it survived once all tests were tried."""
    outcome = store.outcomes.get(mutant.id)
    if outcome is not None and outcome.status in DEAD:
        return "killed"
    if mutant.id in proven:
        return "equivalent"
    if outcome is None or outcome.status not in ("survived", "no test"):
        return "not run"
    return "undecided" if outcome.left else "survived"


def report(store: Store, known: list[Mutant]) -> int:
    """Print a line a room, and the survivors; 0 if enough were killed of those that can be."""
    proven, reasons = said("equivalents"), said("survivors")
    fates = {one.id: fate(store, one, proven) for one in known}
    heads = (f"{name:>12}" for name in ("drawn", *FATES, "share"))
    print(f"{'room':10}" + "".join(heads))
    for room in (*ROOMS, "all"):
        some = Counter(fates[one.id] for one in known if room in (one.room, "all"))
        share = some["killed"] / max(some["killed"] + some["survived"], 1)
        counts = "".join(f"{some[name]:12}" for name in FATES)
        print(f"{room:10}{some.total():12}{counts}{share:12.1%}")
    for one in known:
        if fates[one.id] in ("survived", "undecided"):
            print(f"{one.id} {fates[one.id]} {one.file}:{one.line} {one.kind}: {one.before} -> {one.after}")
            print(f"    {reasons.get(one.id, 'no reason is known')}")
    return 0 if share >= ENOUGH and not some["not run"] + some["undecided"] else 1
