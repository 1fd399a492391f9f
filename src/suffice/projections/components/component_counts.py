"""How many components to keep: by share, by the broken stick, by Minka's evidence, by held-out likelihood."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import gammaln

from suffice.core.block import Array
from suffice.core.errors import Said, bad

Spectrum = Array  # (r,) falling variances


def broken_stick(d: int) -> Array:
    """Expected sizes of the pieces of a stick broken at random into d, the largest first (d,); they sum to 1.

    >>> broken_stick(2).tolist()
    [0.75, 0.25]
    """
    return np.cumsum(1.0 / np.arange(d, 0, -1))[::-1] / d


def by_share(variances: Spectrum, share: float) -> int:
    """The fewest components that hold more than a share of the variance."""
    total = variances.sum()
    held = np.cumsum(variances / total) if total > 0 else np.ones(len(variances))
    return int(np.searchsorted(held, share, side="right")) + 1 if len(variances) else 0


def by_broken_stick(variances: Spectrum) -> int:
    """The leading components that hold more than the pieces of a broken stick do."""
    total = variances.sum()
    if not total > 0:
        return 0
    more = variances / total > broken_stick(len(variances))
    return int(np.argmin(more)) if not more.all() else len(more)


def by_evidence(variances: Spectrum, n: float) -> int:
    """Where Minka's approximate evidence of probabilistic principal components is largest."""
    d = len(variances)
    logs = [log_evidence(variances, k, n) for k in range(1, d)]
    return int(np.argmax(logs)) + 1 if logs else d


def log_evidence(variances: Spectrum, k: int, n: float) -> float:
    """Minka's Laplace approximation of log p(rows | k components), but for what all k share.

    References
    ----------
    T. Minka, Automatic choice of dimensionality for PCA (2000).
    """
    d, least = (
        len(variances),
        16 * len(variances) * np.finfo(float).eps * float(variances[0]),
    )  # rounding of the largest
    if variances[k - 1] <= least:
        return -np.inf
    i = np.arange(1, k + 1)
    log_axes = -k * np.log(2.0) + (gammaln((d - i + 1) / 2) - np.log(np.pi) * (d - i + 1) / 2).sum()
    noise = max(float(variances[k:].sum() / (d - k)), least)
    free = d * k - k * (k + 1) / 2
    hat = np.where(np.arange(d) < k, variances, noise)
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = np.log(variances[:k, None] - variances[None, :]) + np.log(1.0 / hat[None, :] - 1.0 / hat[:k, None])
    later = np.arange(d)[None, :] > np.arange(k)[:, None]
    curvature = float(np.where(later, gaps + np.log(n), 0.0).sum())
    return float(
        log_axes
        - n / 2 * np.log(variances[:k]).sum()
        - n * (d - k) / 2 * np.log(noise)
        + (free + k) / 2 * np.log(2 * np.pi)
        - curvature / 2
        - k / 2 * np.log(n)
    )


NAMED: dict[str, Callable[[Spectrum, float], int]] = {
    "mle": by_evidence,
    "broken-stick": lambda variances, n: by_broken_stick(variances),
}


def count_components(owner: str, asked: Any, variances: Spectrum, n: float, d: int) -> int:
    """The number of components that was asked for, by number, share or rule.

    Parameters
    ----------
    owner : who asks
    asked : None for all, a whole number, a share below 1, or one of NAMED
    variances : falling, min(rows, d) of them
    n : number of rows
    d : number of columns
    """
    most = len(variances)
    if asked is None:
        return most
    if isinstance(asked, str):
        if asked == "mle" and n < d:
            told = "n_components='mle' is only supported if n_samples >= n_features"
            rule = f"a number where columns are more than rows ({told})"
            raise bad(owner, "n_components", rule, asked, "Give a number or a share.")
        return NAMED[asked](variances, n)
    if isinstance(asked, float) and 0.0 < asked < 1.0:
        return min(by_share(variances, asked), most)
    if not 0 <= asked <= most:
        rule = (
            f"from 0 to {most} (n_components={asked} must be between 0 and min(n_samples, n_features)={most} "
            "with svd_solver='full')"
        )
        raise bad(owner, "n_components", rule, Said(str(asked)), "There are no more.")
    return int(asked)
