"""Running the command line inside the process: fast, and what it writes can be looked at."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from suffice.app.main import run


class Result(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Result]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    """Run a command line in an empty folder; `stdin` is what comes through a pipe."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUFFICE_DEBUG", raising=False)

    def call(*arguments: object, stdin: str | bytes = b"") -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return Result(code, *capsys.readouterr())

    return call
