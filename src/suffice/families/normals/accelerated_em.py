"""Expectation-maximisation in fewer steps: where two steps go on in one direction, a leap goes further along it.

With the parameters a, b = F(a), c = F(b), r = b - a and v = (c - b) - r, the leap is to a + 2 s r + s^2 v, where
s = |r| / |v| is at least 1, at which it is c. A leap is taken back unless the next step from it is shorter than the
last one was, so that at the worst one step in three is lost. Lengths are in standard deviations.

References
----------
R. Varadhan, C. Roland, Simple and globally convergent methods for accelerating the convergence of any EM algorithm
(2008).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import exact
from suffice.families.normals.joint_normals import JointNormals

MOST = 1000  # steps
FURTHEST = 1e4  # steps that a leap may be worth, about
SETTLED = 1e-10  # standard deviations that no mean, and share of a variance that no covariance, still moves by

Step = Callable[[JointNormals], JointNormals]


def settle(step: Step, start: JointNormals, within: float = SETTLED) -> JointNormals:
    """Make steps until none moves the parameters further than `within`."""
    old, new = start, step(start)
    gap, made = moved(old, new), 1
    while gap > within and made < MOST:
        after = step(new)
        further, made = moved(new, after), made + 1
        leapt = leap(old, new, after)
        old, new, gap = new, after, further
        if leapt is None or gap <= within:
            continue
        beyond = step(leapt)
        rest, made = moved(leapt, beyond), made + 1
        if rest < gap:
            old, new, gap = leapt, beyond, rest
    return new


def leap(a: JointNormals, b: JointNormals, c: JointNormals) -> JointNormals | None:
    """Where three models point to, each component by itself; None where that is no normal distribution."""
    sd, r, last = _deviations(c), _steps(a, b), _steps(b, c)
    v = last[0] - r[0], last[1] - r[1]
    s = np.clip(_lengths(r, sd) / np.maximum(_lengths(v, sd), 1e-300), 1.0, FURTHEST)
    mean = 2.0 * s[:, None] * r[0] + s[:, None] ** 2 * v[0]
    covariance = a.covariance + 2.0 * s[:, None, None] * r[1] + s[:, None, None] ** 2 * v[1]
    constant = np.eye(sd.shape[1]) * (np.diagonal(c.covariance, axis1=1, axis2=2) == 0.0)[:, None, :]
    try:
        np.linalg.cholesky(covariance / _products(sd) + constant)
    except np.linalg.LinAlgError:
        return None
    return replace(a, mean=a.mean + exact(mean), covariance=covariance)


def moved(old: JointNormals, new: JointNormals) -> float:
    """How far the parameters moved, in standard deviations."""
    sd = _deviations(new)
    step, turn = _steps(old, new)
    return float(max(np.abs(step / sd).max(initial=0.0), np.abs(turn / _products(sd)).max(initial=0.0)))


def _steps(old: JointNormals, new: JointNormals) -> tuple[Array, Array]:
    """By how much means (K, d) and covariances differ."""
    return (new.mean - old.mean).value, new.covariance - old.covariance


def _deviations(normals: JointNormals) -> Array:
    """Standard deviations, a row for each covariance; 1 of columns that do not vary."""
    sd = np.sqrt(np.diagonal(normals.covariance, axis1=1, axis2=2))
    return np.asarray(np.where(sd > 0, sd, 1.0))


def _products(sd: Array) -> Array:
    return sd[:, :, None] * sd[:, None, :]


def _lengths(step: tuple[Array, Array], sd: Array) -> Array:
    """How long a step is, for each covariance: that of all components goes with the means of all."""
    squares = ((step[0] / sd) ** 2).sum(axis=1), ((step[1] / _products(sd)) ** 2).sum(axis=(1, 2))
    means = squares[0] if len(squares[1]) == len(squares[0]) else squares[0].sum(keepdims=True)
    return np.asarray(np.sqrt(means + squares[1]))
