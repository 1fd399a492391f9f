"""A plugin of pytest: tests are collected once, and run in forks, with a mutant or to learn which functions they reach.

A fork costs milliseconds, where a new process imports for seconds. What a fork does is limited in processor time, as
the machine may be busy; one that neither ends nor works is stuck and says nothing about the mutant.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.cold import run_cold
from tests.mutants.drawing import ROOMS, ROOT
from tests.mutants.live import exchange
from tests.mutants.mutations import Mutant
from tests.mutants.store import DEAD, Outcome, Reach, Store

STUCK = 900.0  # seconds
PREFIX = str(ROOT / "src" / "suffice") + os.sep


class Forks:
    """Takes the place of pytest's loop over tests."""

    def __init__(self, store: Store, todo: list[Mutant] | None, spend: float, until: float) -> None:
        """Mutants to try, or None to map tests; seconds of tests a mutant; when to stop."""
        self.store, self.todo, self.spend, self.until = store, todo, spend, until
        self.failed = ""

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Failing examples are not made smaller: that they fail is enough."""
        from hypothesis import Phase, settings  # pytest rewrites it when it loads it first

        known = settings.get_profile("ci")
        settings.register_profile("mutants", known, phases=[Phase.explicit, Phase.generate], print_blob=False)
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the first failure."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running tests here."""
        items = {item.nodeid: item for item in session.items}
        if self.todo is None:
            self._map(items)
        else:
            for mutant in self.todo:
                if time.time() > self.until:
                    break
                self._try(mutant, items)
        return True

    def _map(self, items: dict[str, pytest.Item]) -> None:
        """Each file of tests in a fork of its own."""
        files: dict[str, list[pytest.Item]] = defaultdict(list)
        for name, item in items.items():
            if name not in self.store.reach:
                files[name.partition("::")[0]].append(item)
        for file, some in files.items():
            if time.time() > self.until:
                break
            told, status = in_fork(lambda out, some=some: self._reaching(some, out), 1800)
            print(
                f"{file}: {len(told)} of {len(some)} tests, {sum(one['seconds'] for one in told):.1f} s, {status}",
                flush=True,
            )
            self.store.add_reach(Reach(**{**one, "functions": frozenset(one["functions"])}) for one in told)

    def _reaching(self, items: list[pytest.Item], out: Any) -> int:
        names: dict[Any, str] = {}
        met: set[str] = set()

        def trace(frame: Any, event: str, argument: Any) -> None:
            code = frame.f_code
            name = names.get(code)
            if name is None:
                file = code.co_filename
                mine = file.startswith(PREFIX) and file[len(PREFIX) :].partition(os.sep)[0] in ROOMS
                name = names[code] = f"src/suffice/{file[len(PREFIX) :]}:{_outer(code.co_qualname)}" if mine else ""
            if name:
                met.add(name)

        for i, item in enumerate(items):
            met.clear()
            self.failed = ""
            start = time.process_time()
            sys.settrace(trace)
            threading.settrace(trace)
            _run(item, items[i + 1] if i + 1 < len(items) else None)
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]
            seconds = time.process_time() - start
            told = {
                "test": item.nodeid,
                "seconds": round(seconds, 4),
                "passed": not self.failed,
                "functions": sorted(met),
            }
            out.write(json.dumps(told) + "\n")
            out.flush()
        return 0

    def _try(self, mutant: Mutant, items: dict[str, pytest.Item]) -> None:
        chosen, seconds, left = self.store.tests_of(mutant, items, self.spend)
        tests = [items[name] for name in chosen]
        if not tests:
            self.store.add(mutant, Outcome("no test", "", 0, left))
            return
        told, status = in_fork(lambda out: self._killing(mutant, tests, out), 60 + 6 * seconds)
        by = told[-1]["test"] if told else ""
        if status == "not live":
            status, by = run_cold(mutant, chosen, 90 + 6 * seconds)
        if status in DEAD and by in items and not self._passes(items[by]):
            self._try(mutant, items)  # it fails without any mutant, and is not asked again
            return
        print(f"{mutant.id} {mutant.file}:{mutant.line} {mutant.kind}: {status} {by}", flush=True)
        self.store.add(mutant, Outcome(status, by if status != "survived" else "", len(tests), left))

    def _passes(self, item: pytest.Item) -> bool:
        """Whether a test passes in a fork without a mutant; what it reaches is learned by the way."""
        if item.nodeid not in self.store.reach:
            told, _ = in_fork(lambda out: self._reaching([item], out), 600)
            known = told or [{"test": item.nodeid, "seconds": 600.0, "passed": False, "functions": []}]
            self.store.add_reach(Reach(**{**one, "functions": frozenset(one["functions"])}) for one in known)
        return self.store.reach[item.nodeid].passed

    def _killing(self, mutant: Mutant, tests: list[pytest.Item], out: Any) -> int:
        if not exchange(ROOT, mutant):
            return 2
        for i, item in enumerate(tests):
            out.write(json.dumps({"test": item.nodeid}) + "\n")
            out.flush()
            _run(item, tests[i + 1] if i + 1 < len(tests) else None)
            if self.failed:
                return 1
        return 0


def _run(item: pytest.Item, following: pytest.Item | None) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _outer(qualname: str) -> str:
    """The outermost function."""
    return qualname.partition(".<locals>")[0]


ENDS = {0: "survived", 1: "killed", 2: "not live"}


def in_fork(work: Callable[[Any], int], seconds: float) -> tuple[list[dict[str, Any]], str]:
    """What the fork wrote, line by line, and how it ended."""
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"suffice-mutant-{os.getpid()}"
    path.write_text("")
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        _child(work, path, seconds)
    status = _waited(pid)
    told = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]
    path.unlink()
    if status is None:
        return told, "stuck"
    if os.WIFSIGNALED(status):
        return told, "too long" if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else "crashed"
    return told, ENDS.get(os.WEXITSTATUS(status), "crashed")


def _child(work: Callable[[Any], int], path: Path, seconds: float) -> None:
    code = 3
    try:
        now = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (now + int(seconds), now + int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        with path.open("a") as out:
            code = work(out)
    except BaseException:  # whatever a mutant raises outside of tests is noticed
        code = 1
    finally:
        os._exit(code)


def _waited(pid: int) -> int | None:
    begun = time.monotonic()
    while time.monotonic() - begun < STUCK:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def paths_of(rooms: Iterable[str]) -> list[str]:
    """Tests and examples of rooms."""
    return [path for room in rooms for path in (f"tests/{room}", f"src/suffice/{room}")]
