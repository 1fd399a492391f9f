"""What scikit-learn's discrete naive Bayes classes share: alpha, class priors and how they are given."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.bayes.class_priors import ClassPrior, EqualPrior
from suffice.bayes.drop_in import DropInNB
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.families.pseudo_counts import ByColumn, Dirichlet, PseudoCounts

ALPHA_MIN = 1e-10


class DiscreteNB(DropInNB):
    """Counts with `alpha` pseudo-counts each."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **DropInNB._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
        "fit_prior": ["boolean"],
        "class_prior": ["array-like", None],
        "force_alpha": ["boolean"],
    }

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters."""
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.refusal = refusal
        self.threads = threads

    def _check_alpha(self) -> Any:
        """alpha, raised to 1e-10 where it is smaller and not forced."""
        alpha = float(self.alpha) if isinstance(self.alpha, Real) else self._read_alphas()
        if np.min(alpha) < ALPHA_MIN and not self.force_alpha:
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {ALPHA_MIN:.1e}. Use "
                "`force_alpha=True` to keep alpha unchanged.",
                stacklevel=2,
            )
            return np.maximum(alpha, ALPHA_MIN)
        return alpha

    def _read_alphas(self) -> Array:
        """One pseudo-count for each column."""
        d = self.n_features_in_
        try:
            alphas = np.asarray(self.alpha, dtype=np.float64)
        except (TypeError, ValueError):
            raise bad(self._owner, "alpha", "a number or one for each column", self.alpha, "Correct it.") from None
        if alphas.shape != (d,):
            note = (
                f"When alpha is an array, it should contains `n_features`. Got {alphas.size} elements instead of {d}."
            )
            raise bad(
                self._owner, "alpha", f"one number for each of {d} columns ({note})", Said(f"shape {alphas.shape}")
            )
        if not (np.isfinite(alphas) & (alphas >= 0)).all():
            rule = "finite and at least 0 (All values in alpha must be greater than 0.)"
            raise bad(self._owner, "alpha", rule, self.alpha, "Use 0 for maximum likelihood.")
        return alphas

    def _pseudo_counts(self) -> PseudoCounts:
        alpha = self._check_alpha()
        return ByColumn(tuple(alpha.tolist())) if np.ndim(alpha) else Dirichlet(float(alpha))

    def _given_shares(self) -> Any:
        return self.class_prior

    def _class_prior(self) -> ClassPrior:
        return EqualPrior() if self.class_prior is None and not self.fit_prior else super()._class_prior()

    def _array_rules(self, learning: bool) -> dict[str, Any]:
        return {"accept_sparse": "csr", "ensure_all_finite": not learning}

    @property
    def class_log_prior_(self) -> Array:
        """Log share of each class (K,)."""
        log_prior: Array = self._state()[0].model.log_prior
        return log_prior

    @property
    def feature_count_(self) -> Array:
        """Weight of each column and class (K, d)."""
        counts: Array = self._part.parts[1].weight
        return counts

    @property
    def feature_log_prob_(self) -> Any:
        """Log probability of each column given the class (K, d)."""
        return self._distribution.gain

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True
        return tags
