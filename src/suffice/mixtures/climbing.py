"""Several starts, the best end: what all mixtures share when they learn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from suffice.core.learner import Passes, Source, iterate
from suffice.mixtures.learner import Mixture, MixtureModel


def climb(
    learner: Mixture,
    source: Source,
    starts: Iterable[MixtureModel],
    *,
    max_iter: int,
    tol: float,
    tell: Callable[[str], Any] | None = None,
) -> Passes[MixtureModel]:
    """Passes from each start; of all runs the one of the largest log-likelihood, the first of equals.

    Parameters
    ----------
    learner : of the mixture
    source : the rows
    starts : models to begin with
    max_iter : largest number of passes from each start; 0 gives the first start back
    tol : a change of the mean log-likelihood below it settles a run
    tell : is told how each run went
    """
    best: Passes[MixtureModel] | None = None
    for i, start in enumerate(starts):
        if max_iter == 0:
            return Passes(start, 0, False)
        run = iterate(learner, source, start, max_iter=max_iter, tol=tol)
        if tell is not None:
            end = "settled" if run.settled else "did not settle"
            tell(f"Start {i}: {end} after {run.passes} passes at a mean log-likelihood of {run.model.trace[-1]:.6g}")
        if best is None or run.model.trace[-1] > best.model.trace[-1]:
            best = run
    assert best is not None
    return best
