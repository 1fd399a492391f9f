"""Expectation-maximisation for any model with hidden values.

    theta' = argmax_theta E[log p(X, Z | theta) | X, theta_old]

Each step raises log p(X | theta), with the log of a prior where the steps have one, or leaves it: that is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Generic, TypeVar

import numpy as np

from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.saving import save_value

ROUNDING = 2.0**-36  # of the log-likelihood: falls up to this are those of float64, not of the steps

Theta = TypeVar("Theta")
Hidden = TypeVar("Hidden")


@saved
@dataclass(frozen=True)
class Ascent(Generic[Theta, Hidden]):
    """Where expectation-maximisation arrived."""

    model: Theta
    hidden: Hidden  # what the model expects of the hidden values
    trace: tuple[float, ...]  # penalised log-likelihood of every model met, the last that of `model`
    settled: bool  # False: `max_iter` ended it
    restarts: tuple[Ascent[Theta, Hidden], ...] = ()  # the runs from the other starts, in their order

    @property
    def steps(self) -> int:
        """How many models were met after the first."""
        return len(self.trace) - 1

    @property
    def log_likelihood(self) -> float:
        """Penalised log-likelihood of the model."""
        return self.trace[-1]

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file: numbers and a description, never code. `suffice.load` reads it."""
        save_value(self, path)


def em(
    e_step: Callable[[Theta], tuple[Hidden, float]],
    m_step: Callable[[Hidden], Theta],
    starts: Iterable[Any],
    *,
    hidden: bool = False,
    tol: float = 1e-9,
    max_iter: int = 1000,
) -> Ascent[Theta, Hidden]:
    """Expectation-maximisation from one or several starts; the likeliest run is the answer.

    A run settles where the log-likelihood rises by no more than `tol`: at a stationary point, which may be a local one.
    A fall beyond rounding is an error of the steps and is raised.

    Parameters
    ----------
    e_step : parameters -> what they expect of the hidden values, and their log-likelihood (log prior included)
    m_step : expected hidden values -> the parameters that maximise the expected log-likelihood (log prior included)
    starts : parameters to begin with, one run each
    hidden : whether the starts are hidden values instead
    tol : least rise of the log-likelihood that is worth another step
    max_iter : largest number of steps of a run

    Examples
    --------
    Two coins, one chosen for each of three series of ten throws; nobody saw which:

    >>> import numpy as np
    >>> from suffice import em
    >>> heads = np.array([9, 1, 8])
    >>> def expect(p):
    ...     logs = heads[:, None] * np.log(p) + (10 - heads[:, None]) * np.log1p(-p) - np.log(2)
    ...     total = np.logaddexp.reduce(logs, axis=1)
    ...     return np.exp(logs - total[:, None]), total.sum()
    >>> def maximise(shares):
    ...     return (shares * heads[:, None]).sum(axis=0) / (10 * shares.sum(axis=0))
    >>> em(expect, maximise, [np.array([0.6, 0.5])]).model.round(3)
    array([0.85, 0.1 ])

    References
    ----------
    A. P. Dempster, N. M. Laird and D. B. Rubin, Maximum likelihood from incomplete data via the EM algorithm (1977).
    """
    if not (np.isfinite(tol) and tol >= 0):
        raise bad("em", "tol", "finite and at least 0", tol, "Use 0 to go on until nothing changes.")
    if not max_iter >= 1:
        raise bad("em", "max_iter", "at least 1", max_iter, "It is the largest number of steps of a run.")
    runs = [_climb(e_step, m_step, m_step(start) if hidden else start, tol, max_iter) for start in starts]
    if not runs:
        raise bad("em", "starts", "at least one", Said("none"), "Pass a list with a start in it.")
    best = max(range(len(runs)), key=lambda i: runs[i].log_likelihood)
    return replace(runs[best], restarts=tuple(run for i, run in enumerate(runs) if i != best))


def _climb(
    e_step: Callable[..., Any], m_step: Callable[..., Any], theta: Any, tol: float, most: int
) -> Ascent[Any, Any]:
    """One run."""
    expected, height = e_step(theta)
    trace = [check_height("em", float(height))]
    for _ in range(most):
        theta = m_step(expected)
        expected, height = e_step(theta)
        trace.append(check_height("em", float(height)))
        check_rise("em", trace)
        if trace[-1] - trace[-2] <= tol:
            return Ascent(theta, expected, tuple(trace), True)
    return Ascent(theta, expected, tuple(trace), False)


def check_height(owner: str, height: float) -> float:
    """A log-likelihood, refused where it is no number; -inf is one: the start may be impossible."""
    if np.isnan(height) or height == np.inf:
        raise bad(owner, "the log-likelihood", "a number", height, "Guard against collapse by a prior.")
    return height


def check_rise(owner: str, trace: Iterable[float]) -> None:
    """Refuse a fall beyond rounding at the end of a trace."""
    *_, before, after = trace
    if before - after > ROUNDING * (1.0 + abs(before)):
        raise bad(
            owner,
            "the penalised log-likelihood",
            "at least that of the step before",
            Said(f"a fall from {before:.12g} to {after:.12g}"),
            "Check that the M-step maximises what the E-step reports.",
        )
