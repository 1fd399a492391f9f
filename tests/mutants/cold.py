"""A plugin of pytest for mutants outside of functions, such as defaults: a new process imports the file with them."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import asdict
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

from tests.mutants.drawing import ROOT
from tests.mutants.mutations import Mutant, mutated

NAME = "SUFFICE_MUTANT"


def run_cold(mutant: Mutant, tests: list[str], seconds: float) -> tuple[str, str]:
    """How the tests end in a process of their own, and the test that failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-p", __name__]
    command += ["--assert=plain", *tests]  # else pytest reads files whose examples it runs by a loader of its own
    limit = int(seconds)
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, NAME: json.dumps(asdict(mutant))},
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)),
    )
    failed = [line.split()[1] for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if done.returncode < 0:
        return "too long", ""
    return ("survived", "") if done.returncode == 0 else ("killed", failed[0] if failed else tests[0])


def install(mutant: Mutant) -> None:
    """Have the file of the mutant imported with it."""
    path, plain = str(ROOT / mutant.file), SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, name: str) -> Any:
        if self.path != path:
            return plain(self, name)
        return compile(mutated(Path(path).read_text(), mutant), path, "exec")

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


if NAME in os.environ:
    install(Mutant(**json.loads(os.environ[NAME])))
