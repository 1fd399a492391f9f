"""The engine that a command runs on: workers of its own, which end with it, or those of a scheduler."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import click

from suffice.app.learning.option_errors import usage
from suffice.app.terminal.pipes import STDIN
from suffice.core.errors import BadInput, Said, bad
from suffice.numerics.threads import processors

SCHEDULER = "--scheduler"
PATIENCE = 10.0  # seconds that a scheduler may take to answer
NEEDS = {"dask": "distributed", "spark": "pyspark"}  # packages
PORTS = {"dask": ("tcp://", "tls://"), "spark": ("spark://",)}  # addresses that say a host and a port
OTHER_MASTERS = ("yarn", "k8s://", "local")  # that only Spark itself knows how to reach


@dataclass(frozen=True)
class EngineSession:
    """Who reads the parts: an engine, with so many workers of its own or those of a scheduler."""

    engine: str  # "dask" or "spark"
    workers: int | None = None
    scheduler: str | None = None

    @classmethod
    def of(cls, engine: str | None, workers: int | None, scheduler: str | None) -> EngineSession | None:
        """From the options of a command; None where rows are read here."""
        for option, given in (("--workers", workers), (SCHEDULER, scheduler)):
            if engine is None and given is not None:
                raise usage(option, "it is for rows that an engine reads; say --engine dask or --engine spark.")
        if engine is None:
            return None
        if workers is not None and scheduler is not None:
            raise usage("--workers", "a scheduler has its own workers; leave --workers or --scheduler out.")
        return cls(engine, workers, scheduler)

    def start(self) -> None:
        """Begin, until the command ends."""
        context = click.get_current_context()
        if __name__ not in context.meta:
            context.meta[__name__] = True
            context.with_resource(_answering(self))

    def check(self, files: Sequence[str]) -> None:
        """Refuse what cannot begin, before anything is tried that waits for minutes."""
        if STDIN in files:
            raise usage("--engine", "workers read files, and standard input is none; write it to a folder of parts.")
        package = NEEDS[self.engine]
        if find_spec(package) is None:
            remedy = f"Install it: pip install 'suffice[{self.engine}]'."
            raise bad("", "--engine", f"left out where {package} is not installed", Said(repr(self.engine)), remedy)
        if self.engine == "spark" and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
            raise bad("", "--engine", "'dask' where there is no Java", Said("'spark'"), "Install Java 17 or newer.")
        if self.scheduler is not None:
            self._check_address(self.scheduler)

    def _check_address(self, address: str) -> None:
        starts = PORTS[self.engine]
        if self.engine == "spark" and address.startswith(OTHER_MASTERS):
            return
        start = next((start for start in starts if address.startswith(start)), None)
        host, _, port = ("", "", "") if start is None else address.removeprefix(start).rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65536:
            raise usage(SCHEDULER, f"{address!r} is no address; write it like {starts[0]}host:8786.")
        try:
            socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
        except OSError as error:
            raise nobody(address, error) from None

    @property
    def several(self) -> int:
        """How many workers of its own."""
        return self.workers or processors()


def nobody(address: str, error: BaseException) -> BadInput:
    """The refusal of an address at which nobody, or somebody else, answers."""
    said = str(getattr(error, "strerror", None) or error).partition("\n")[0].rstrip(".") or type(error).__name__
    got = Said(f"{address!r}, where nobody answers ({said})")
    return bad("", SCHEDULER, "the address of a scheduler that runs", got, "Start it, or correct the address.")


def _started(session: EngineSession) -> Any:
    """The engine, until what is returned is left."""
    if session.engine == "dask":
        from suffice.sources.engines.dask import started_dask as started
    else:
        from suffice.sources.engines.spark import started_spark as started  # type: ignore[assignment]
    return started(session.several, session.scheduler, PATIENCE)


@contextmanager
def _answering(session: EngineSession) -> Iterator[None]:
    """The engine; what fails before it runs is that nobody answers, or somebody who speaks another language."""
    running = _started(session)
    try:
        running.__enter__()
    except Exception as error:
        raise nobody(session.scheduler or "local", error) from None
    try:
        yield
    finally:
        running.__exit__(None, None, None)
