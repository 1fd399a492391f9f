"""What scikit-learn's discrete naive Bayes classes share: `alpha`, class priors and readings, as functions."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.bayes.class_priors import ClassPrior, EqualPrior
from suffice.bayes.naive.given_shares import ordered_prior, read_shares
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import Arrays
from suffice.estimators.glue.one_pass_classifier import CONSTRAINTS
from suffice.families.counts.pseudo_counts import ByColumn, Dirichlet, PseudoCounts

ALPHA_MIN = 1e-10
COUNTS = Arrays({"accept_sparse": "csr", "ensure_all_finite": False}, {"accept_sparse": "csr"})  # tested as counted
PARAMETERS: dict[str, Any] = {
    **CONSTRAINTS,
    "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
    "fit_prior": ["boolean"],
    "class_prior": ["array-like", None],
    "force_alpha": ["boolean"],
    "class_weight": [Mapping, StrOptions({"balanced"}), None],
}


def pseudo_counts(model: Any) -> PseudoCounts:
    """What `alpha` asks for: one number, or one for each column."""
    alpha = model._check_alpha()
    return ByColumn(tuple(alpha.tolist())) if isinstance(alpha, np.ndarray) else Dirichlet(float(alpha))


def check_alpha(model: Any) -> Any:
    """alpha, raised to 1e-10 where it is smaller and not forced; scikit-learn's name for it is `_check_alpha`."""
    alpha = float(model.alpha) if isinstance(model.alpha, Real) else _alphas(model)
    if np.min(alpha, initial=np.inf) < ALPHA_MIN and not model.force_alpha:
        warnings.warn(
            f"alpha too small will result in numeric errors, setting alpha = {ALPHA_MIN:.1e}. Use "
            "`force_alpha=True` to keep alpha unchanged.",
            stacklevel=2,
        )
        alpha = np.maximum(alpha, ALPHA_MIN)
    return alpha


def _alphas(model: Any) -> Array:
    """One pseudo-count for each column, as many as there are once that is known."""
    owner = model._owner
    try:
        alphas = np.asarray(model.alpha, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "alpha", "a number or one for each column", model.alpha, "Correct it.") from None
    d = vars(model).get("n_features_in_", alphas.size)
    if alphas.shape != (d,):
        note = f"When alpha is an array, it should contains `n_features`. Got {alphas.size} elements instead of {d}."
        raise bad(owner, "alpha", f"one number for each of {d} columns ({note})", Said(f"shape {alphas.shape}"))
    if not (np.isfinite(alphas) & (alphas >= 0)).all():
        rule = "finite and at least 0 (All values in alpha must be greater than 0.)"
        raise bad(owner, "alpha", rule, model.alpha, "Use 0 for maximum likelihood.")
    return alphas


def class_shares(model: Any) -> ClassPrior:
    """Given, counted or equal shares."""
    if model.class_prior is None and not model.fit_prior:
        return EqualPrior()
    return ordered_prior(model._owner, read_shares(model._owner, model.class_prior))


def class_log_prior(model: Any) -> Array:
    """Log share of each class (K,)."""
    log_prior: Array = model._state()[0].model.log_prior
    return log_prior


def feature_count(model: Any) -> Array:
    """Weight of each column and class (K, d)."""
    counts: Array = model._part.parts[1].weight
    return counts


def feature_log_prob(model: Any) -> Array:
    """Log probability of each column given the class (K, d)."""
    logs: Array = model._distribution.gain
    return logs
