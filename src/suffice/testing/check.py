"""Holding a law: many generated cases, counted, so that a law that saw too few does not pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

LEAST = 50  # tables that every subject gets under every law, in every run


def hold(law: Callable[[Any], None], cases: st.SearchStrategy[Any], least: int = LEAST) -> None:
    """Check a law on at least so many cases; half of what the loaded profile of hypothesis asks where that is more."""
    most = max(least, settings().max_examples // 2) if least >= LEAST else least
    seen = _run(law, cases, most, tuple(Phase))
    assert seen >= least, f"only {seen} cases were tried, {least} are due"


def broken(law: Callable[[Any], None], cases: st.SearchStrategy[Any], least: int = LEAST) -> bool:
    """Whether the law fails on so many cases; nothing is made smaller, so that a planted defect costs no time."""
    try:
        _run(law, cases, least, (Phase.explicit, Phase.generate))
    except AssertionError:
        return True
    return False


def _run(law: Callable[[Any], None], cases: st.SearchStrategy[Any], most: int, phases: tuple[Phase, ...]) -> int:
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

    holds()
    return seen
