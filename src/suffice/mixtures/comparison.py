"""Which mixture: covariances of every shape and numbers of components, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from suffice.core.errors import Said, bad
from suffice.mixtures.gaussian_mixture import GaussianMixture

CRITERIA = ("bic", "aic")


@dataclass(frozen=True)
class Candidate:
    """One mixture that was tried."""

    covariance_type: str
    n_components: int
    log_likelihood: float
    parameters: int
    aic: float
    bic: float
    model: GaussianMixture


@dataclass(frozen=True)
class Comparison:
    """All mixtures that were tried, the best first."""

    candidates: tuple[Candidate, ...]
    criterion: str

    @property
    def best(self) -> GaussianMixture:
        """The mixture of the lowest criterion."""
        return self.candidates[0].model

    def __str__(self) -> str:
        """As a table."""
        head = f"{'covariance':10} {'K':>3} {'log-likelihood':>15} {'parameters':>10} {'AIC':>13} {'BIC':>13}"
        rows = [
            f"{c.covariance_type:10} {c.n_components:3} {c.log_likelihood:15.3f} {c.parameters:10} {c.aic:13.3f} "
            f"{c.bic:13.3f}"
            for c in self.candidates
        ]
        return "\n".join([head, *rows])


def compare_mixtures(
    X: Any,
    n_components: Iterable[int] = range(1, 7),
    covariance_types: Iterable[str] = ("spherical", "diag", "tied", "full"),
    criterion: str = "bic",
    sample_weight: Any = None,
    **options: Any,
) -> Comparison:
    """Fit a Gaussian mixture of every shape and size, and rank them by an information criterion.

    Parameters
    ----------
    X : rows, as for `GaussianMixture`
    n_components : numbers of components
    covariance_types : shapes of covariance
    criterion : "bic" or "aic", which ranks; both are told
    sample_weight : one weight a row
    options : further parameters of `GaussianMixture`

    >>> import numpy as np
    >>> from suffice import compare_mixtures
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(size=(60, 2)), rng.normal(size=(60, 2)) + 8.0])
    >>> compare_mixtures(X, [1, 2, 3], ["spherical", "full"], random_state=0).candidates[0].n_components
    2
    """
    sizes, shapes = list(n_components), list(covariance_types)
    if not sizes or not shapes:
        name = "covariance_types" if sizes else "n_components"
        raise bad("compare_mixtures", name, "at least one", Said("none"), "Say what to compare.")
    if criterion not in CRITERIA:
        raise bad("compare_mixtures", "criterion", "one of bic, aic", criterion, "Lower is better for both.")
    found = [
        _tried(X, sample_weight, {**options, "covariance_type": c, "n_components": K}) for c in shapes for K in sizes
    ]
    return Comparison(tuple(sorted(found, key=lambda one: getattr(one, criterion))), criterion)


def _tried(X: Any, sample_weight: Any, parameters: Mapping[str, Any]) -> Candidate:
    model = GaussianMixture(**parameters).fit(X, sample_weight=sample_weight)
    aic, bic, size = model.aic(X, sample_weight), model.bic(X, sample_weight), model._n_parameters()
    return Candidate(model.covariance_type, model.n_components, size - aic / 2.0, size, aic, bic, model)
