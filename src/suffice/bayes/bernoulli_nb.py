"""BernoulliNB: scikit-learn's multivariate Bernoulli naive Bayes, on counts that add.

p(x | k) = prod_j theta_kj^x_j (1 - theta_kj)^(1 - x_j),     theta_kj = (N_kj + alpha) / (N_k + 2 alpha)
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.bayes.discrete_nb import DiscreteNB
from suffice.bayes.generative import Generative
from suffice.core.block import Array
from suffice.families.truncated_counts import TruncatedCounts


class BernoulliNB(Generative, DiscreteNB):
    """Bernoulli naive Bayes for scikit-learn users: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    alpha : pseudo-count of yes and of no in every column, or one for each column
    force_alpha : keep alpha even if it is below 1e-10
    binarize : a cell above it is yes; None takes cells as 0 and 1 already
    fit_prior : count class shares; False takes them as equal
    class_prior : class shares in the order of the classes
    refusal : the label that `predict` gives where it refuses
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

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **DiscreteNB._parameter_constraints,
        "binarize": [None, Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters."""
        shared = {"alpha": alpha, "force_alpha": force_alpha, "fit_prior": fit_prior, "class_prior": class_prior}
        super().__init__(**shared, refusal=refusal, threads=threads)
        self.binarize = binarize

    def _family(self) -> TruncatedCounts:
        threshold = None if self.binarize is None else float(self.binarize)
        return TruncatedCounts(2, self._pseudo_counts(), threshold=threshold)

    @property
    def feature_log_prob_(self) -> Array:
        """Log probability of yes in each column given the class (K, d)."""
        d = self._distribution
        logs: Array = d.base + d.gain
        return logs if d.bars is None else np.where(d.bars[:, : d.gain.shape[1]] > 0, -np.inf, logs)
