"""BernoulliNB: scikit-learn's multivariate Bernoulli naive Bayes, on counts that add.

p(x | k) = prod_j theta_kj^x_j (1 - theta_kj)^(1 - x_j),     theta_kj = (N_kj + alpha) / (N_k + 2 alpha)
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.bayes.class_priors import ClassPrior
from suffice.bayes.naive.discrete import (
    COUNTS,
    PARAMETERS,
    check_alpha,
    class_log_prior,
    class_shares,
    feature_count,
    pseudo_counts,
)
from suffice.bayes.naive.drop_in import DropIn
from suffice.bayes.readings.generative import Generative
from suffice.core.block import Array
from suffice.families.counts.truncated_counts import TruncatedCounts


class BernoulliNB(Generative, DropIn):
    """Bernoulli naive Bayes for scikit-learn users: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    alpha : pseudo-count of yes and of no in every column, or one for each column
    force_alpha : keep alpha even if it is below 1e-10
    binarize : a cell above it is yes; None takes cells as 0 and 1 already
    fit_prior : count class shares; False takes them as equal
    class_prior : class shares in the order of the classes
    class_weight : label -> weight of its rows towards the share of the class, "balanced" for classes all alike
    refusal : the label that `predict` gives where it refuses
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, feature_count_, feature_log_prob_, n_features_in_, feature_names_in_ :
        as in scikit-learn

    Examples
    --------
    >>> from suffice import BernoulliNB
    >>> BernoulliNB().fit([[1, 0], [0, 1]], ["spam", "ham"]).predict([[1, 0]]).tolist()
    ['spam']
    """

    _door = COUNTS
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PARAMETERS,
        "binarize": [None, Interval(Real, 0, None, closed="left")],
    }

    class_log_prior_ = property(class_log_prior)
    feature_count_ = property(feature_count)

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
        class_weight: Any = None,
        refusal: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters."""
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.binarize = binarize
        self.class_weight = class_weight
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    _check_alpha = check_alpha

    def _class_prior(self) -> ClassPrior:
        return class_shares(self)

    def _family(self) -> TruncatedCounts:
        threshold = None if self.binarize is None else float(self.binarize)
        return TruncatedCounts(2, pseudo_counts(self), threshold=threshold)

    @property
    def feature_log_prob_(self) -> Array:
        """Log probability of yes in each column given the class (K, d)."""
        d = self._distribution
        logs: Array = d.base + d.gain
        return logs if d.bars is None else np.where(d.bars[:, : d.gain.shape[1]] > 0, -np.inf, logs)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags
