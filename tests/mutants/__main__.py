"""Mutation testing: `python -m tests.mutants map`, `run`, `report`. What is done is kept: it can be taken up again."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter

import pytest

from tests.mutants.drawing import A_ROOM, ROOMS, ROOT, SEED, drawn
from tests.mutants.mutations import Mutant, compiled
from tests.mutants.report import report
from tests.mutants.store import DEAD, Store, said


def main() -> int:
    """One command."""
    asked = _asked()
    print(f"seed {asked.seed}, {asked.a_room} mutants a room", flush=True)
    if asked.command == "report":
        return report(Store(), drawn(asked.seed, asked.a_room))
    os.chdir(ROOT)
    store = Store()
    todo = None if asked.command == "map" else _todo(store, drawn(asked.seed, asked.a_room), asked)
    if todo is not None:
        print(f"{len(todo)} mutants to try", flush=True)
    until = time.time() + 60 * asked.minutes
    from tests.mutants.session import Forks, paths_of

    paths = asked.paths or [*paths_of(ROOMS), "tests/laws", "tests/worked", "tests/peers/test_defaults.py"]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no", "-W", "ignore::DeprecationWarning"]
    code = pytest.main([*paths, *options], plugins=[Forks(store, todo, asked.spend, until)])
    print(Counter(outcome.status for outcome in store.outcomes.values()))
    return int(code)


def _todo(store: Store, known: list[Mutant], asked: argparse.Namespace) -> list[Mutant]:
    """Mutants whose fate is not known; with --again also those that survived, and any that are named."""
    if asked.only:
        return [one for one in known if one.id.startswith(tuple(asked.only))]
    proven = said("equivalents")
    found = [one for one in known if one.id not in proven]
    done = (*DEAD, *(() if asked.again else ("survived", "no test", "not live", "stuck")))
    left = [one for one in found if one.id not in store.outcomes or store.outcomes[one.id].status not in done]
    by_room = [[one for one in left if one.room == room] for room in ROOMS]
    longest = max(map(len, by_room), default=0)
    evenly = [some[i] for i in range(longest) for some in by_room if i < len(some)]
    return sorted(evenly, key=lambda one: compiled(ROOT, one))  # loops last: each is compiled anew


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("command", choices=["map", "run", "report"])
    parser.add_argument("paths", nargs="*", help="tests to map or to run; the tests of the rooms if none are named")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--a-room", type=int, default=A_ROOM)
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so many")
    parser.add_argument("--spend", type=float, default=40.0, help="seconds of tests for each mutant")
    parser.add_argument("--again", action="store_true", help="survivors too")
    parser.add_argument("--only", nargs="*", default=[], help="these mutants, by the beginning of their id")
    return parser.parse_intermixed_args()


if __name__ == "__main__":
    sys.exit(main())
