"""How many tables hypothesis makes, and from which seed: `pytest --hypothesis-profile=explore` looks further."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from suffice.numerics import loop

loop.LEARNS = False  # which route a test takes is said by the test, not by how long others have waited

# The first call of a loop compiles it, and the cores may be shared: time says nothing about a property.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)

# The gate must not fail by chance on a change that is innocent, so it makes the same tables every time.
settings.register_profile("ci", UNTIMED, derandomize=True, max_examples=100)
settings.register_profile("explore", UNTIMED, max_examples=1000)
settings.load_profile("ci")

_begun: dict[Any, list[tuple[np.random.Generator, Any]]] = {}  # generators of a module, as importing it left them


def pytest_collection_finish(session: pytest.Session) -> None:
    """Remember where the generators of test modules are."""
    for module in {item.module for item in session.items if isinstance(item, pytest.Function)}:
        here = [value for value in vars(module).values() if isinstance(value, np.random.Generator)]
        _begun[module] = [(generator, generator.bit_generator.state) for generator in here]


def _begin_anew(item: pytest.Item) -> None:
    for generator, state in _begun.get(getattr(item, "module", None), ()):
        generator.bit_generator.state = state


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fixtures draw the same numbers, whichever tests ran before them in this process."""
    _begin_anew(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """And so do tests: how they are divided among processes is a matter of chance."""
    _begin_anew(item)


NO_JAVA = "there is no Java"
_skipped: list[str] = []


def pytest_runtest_logreport(report: Any) -> None:
    """Remember that tests of Spark were skipped: they are the only ones that may be."""
    if report.skipped and NO_JAVA in str(report.longrepr):
        _skipped.append(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Say it in the last line of the run."""
    if _skipped and not hasattr(config, "workerinput"):
        print(f"\nRows on Spark were not tested, as {NO_JAVA}: {len(_skipped)} tests.")
