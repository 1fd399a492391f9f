"""What is known so far: which tests reach which functions (under build/), and what became of each mutant (kept)."""

from __future__ import annotations

import csv
import json
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tests.mutants.drawing import ROOT
from tests.mutants.guessing import likely
from tests.mutants.mutations import Mutant, compiled

HERE = Path(__file__).parent
GUESSED = 0.06  # seconds of a test that was never timed
DEAD = ("killed", "too long", "crashed")


@dataclass(frozen=True)
class Reach:
    """A test: how long it takes, and which functions of the rooms it calls."""

    test: str
    seconds: float
    passed: bool
    functions: frozenset[str]


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant."""

    status: str  # killed, too long, crashed: dead; survived; no test; stuck, not live: not known
    by: str  # the test that was running when it ended
    tried: int  # tests
    left: int  # tests that reach its function and were not tried, as they take too long


class Store:
    """Files that can be taken up again."""

    def __init__(
        self, results: Path = HERE / "results.csv", reach: Path = ROOT / "build" / "mutants" / "reach.jsonl"
    ) -> None:
        """Read what is there."""
        self.results_file, self.reach_file = results, reach
        self.reach: dict[str, Reach] = {}
        self.outcomes: dict[str, Outcome] = {}
        if reach.exists():
            for line in reach.read_text().splitlines():
                told = json.loads(line)
                self.reach[told["test"]] = Reach(**{**told, "functions": frozenset(told["functions"])})
        self.rows: dict[str, dict[str, str]] = {}
        if results.exists():
            with results.open(newline="") as lines:
                for row in csv.DictReader(lines):
                    self.rows[row["id"]] = row
                    self.outcomes[row["id"]] = Outcome(row["status"], row["by"], int(row["tried"]), int(row["left"]))

    def add_reach(self, more: Iterable[Reach]) -> None:
        """Keep what tests reach."""
        self.reach_file.parent.mkdir(parents=True, exist_ok=True)
        with self.reach_file.open("a") as out:
            for one in more:
                self.reach[one.test] = one
                out.write(json.dumps({**asdict(one), "functions": sorted(one.functions)}) + "\n")

    def tests_of(self, mutant: Mutant, items: Iterable[str], spend: float) -> tuple[list[str], float, int]:
        """Tests that reach the mutant, the likeliest and quickest first, as many as take `spend` seconds together.

        Also these seconds, and how many tests are left out. Of a test that was not mapped yet it is guessed from its
        file whether it reaches the mutant: by the names that are written there.
        """
        stem = Path(mutant.file).stem.strip("_")
        costs: dict[str, tuple[float, float]] = {}
        tries: Counter[str] = Counter()
        for name in items:
            one = self.reach.get(name)
            if one is None:
                factor = likely(name, mutant)
                if factor:
                    tries[name.partition("[")[0]] += 1  # other tests come before other cases of the same
                    costs[name] = (GUESSED, GUESSED * factor * tries[name.partition("[")[0]])
            elif one.passed and self._reaches(one, mutant):
                factor = 0.1 if stem in name else 0.5 if mutant.room in name else 1.0
                costs[name] = (one.seconds, one.seconds * factor)
        chosen: list[str] = []
        total = 0.0
        for name in sorted(costs, key=lambda name: costs[name][1]):
            if not chosen or total + costs[name][0] <= spend:
                chosen.append(name)
                total += costs[name][0]
        return chosen, total, len(costs) - len(chosen)

    def _reaches(self, one: Reach, mutant: Mutant) -> bool:
        if mutant.function and not compiled(ROOT, mutant):  # no tracer sees what loops call
            return f"{mutant.file}:{mutant.function}" in one.functions
        return any(name.startswith(f"{mutant.file}:") for name in one.functions)

    def add(self, mutant: Mutant, outcome: Outcome) -> None:
        """Keep what became of a mutant."""
        said = {name: getattr(mutant, name) for name in ("id", "file", "line", "function", "kind", "before", "after")}
        self.rows[mutant.id] = {key: str(value) for key, value in {**said, **asdict(outcome)}.items()}
        self.outcomes[mutant.id] = outcome
        self.write(self.rows)

    def write(self, rows: Iterable[str]) -> None:
        """The results of these mutants, as a file."""
        names = ["id", "file", "line", "function", "kind", "before", "after", *(each.name for each in fields(Outcome))]
        partial = self.results_file.with_suffix(".part")
        with partial.open("w", newline="") as out:
            table = csv.DictWriter(out, names, lineterminator="\n")
            table.writeheader()
            table.writerows(self.rows[name] for name in sorted(rows, key=lambda name: (self.rows[name]["file"], name)))
        partial.replace(self.results_file)


def said(name: str) -> dict[str, str]:
    """Mutants with a sentence each: `equivalents` with a proof, `survivors` with a reason."""
    path = HERE / f"{name}.toml"
    return {str(key): str(value) for key, value in tomllib.loads(path.read_text()).items()} if path.exists() else {}
