"""Holding a law: many generated cases, counted, so that a law that saw too few does not pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zlib import crc32

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

LEAST = 50  # tables that every subject gets under every law, in every run


def hold(law: Callable[[Any], None], cases: st.SearchStrategy[Any], name: str = "", least: int = LEAST) -> None:
    """Check a law on at least so many cases, or half of what the loaded profile of hypothesis asks where that is more.

    Parameters
    ----------
    law : raises AssertionError where it is broken
    cases : what it is checked on
    name : where the profile makes the same cases in every run, those of this name; every law should have its own
    least : number of cases, below which the law does not pass
    """
    most = max(least, settings().max_examples // 2) if least >= LEAST else least
    seen = _run(law, cases, name, most, tuple(Phase))
    assert seen >= least, f"only {seen} cases were tried, {least} are due"


def broken(law: Callable[[Any], None], cases: st.SearchStrategy[Any]) -> bool:
    """Whether the law fails; nothing is made smaller, so that a planted defect costs no time."""
    try:
        _run(law, cases, "", LEAST, (Phase.explicit, Phase.generate))
    except AssertionError:
        return True
    return False


def _run(law: Callable[[Any], None], cases: Any, name: str, most: int, phases: tuple[Phase, ...]) -> int:
    seen = 0

    @settings(
        max_examples=most,
        phases=phases,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def holds(case: Any) -> None:
        nonlocal seen
        seen += 1
        law(case)

    (seed(crc32(name.encode()))(holds) if settings().derandomize else holds)()
    return seen
