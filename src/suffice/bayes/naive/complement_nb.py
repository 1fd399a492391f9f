"""ComplementNB: scikit-learn's complement naive Bayes, on counts that add.

score of k = sum_j x_j w_kj,     w_kj = -log of the share of column j in all other classes
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from suffice.bayes.class_priors import NoPrior
from suffice.bayes.naive.discrete import (
    COUNTS,
    PARAMETERS,
    check_alpha,
    class_shares,
    feature_count,
    feature_log_prob,
    pseudo_counts,
)
from suffice.bayes.naive.drop_in import DropIn
from suffice.bayes.readings.feature_evidence import Evidence
from suffice.core.block import Array
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.origin import Origin
from suffice.families.counts.complement import Complement


class ComplementNB(Evidence, DropIn):
    """Complement naive Bayes for scikit-learn users: one pass, exact, mergeable, forgetting.

    Its scores are no densities and take no class shares; their softmax is the posterior, under equal shares.

    Parameters
    ----------
    alpha : pseudo-count of every column, or one for each
    force_alpha : keep alpha even if it is below 1e-10
    fit_prior, class_prior : checked and shown, but not used: the scores take no class shares
    norm : divide the weights of a class by their sum
    refusal : the label that `predict` gives where it refuses
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, feature_count_, feature_all_, feature_log_prob_, n_features_in_,
    feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import ComplementNB
    >>> ComplementNB().fit([[3, 0], [0, 2]], ["spam", "ham"]).predict([[1, 0]]).tolist()
    ['spam']
    """

    _door = COUNTS
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **{name: rule for name, rule in PARAMETERS.items() if name != "class_weight"},  # it takes no class shares
        "norm": ["boolean"],
    }

    feature_count_ = property(feature_count)
    feature_log_prob_ = property(feature_log_prob)

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
        refusal: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters."""
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    def _family(self) -> Complement:
        return Complement(pseudo_counts(self), bool(self.norm))

    _check_alpha = check_alpha

    def _class_prior(self) -> NoPrior:
        return NoPrior()

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        self._shares(fitted)  # not used, but checked, as in scikit-learn
        return super()._adopt(fitted, origin)

    def _shares(self, fitted: FittedModel) -> Array:
        """Shares as other models would use them."""
        rows = fitted.declared.over(fitted.summary)
        shares: Array = class_shares(self).estimate(rows.labels, rows.tally.weight.value)
        return shares

    @property
    def class_log_prior_(self) -> Array:
        """Log share of each class (K,)."""
        with np.errstate(divide="ignore"):
            log_prior: Array = np.log(self._shares(self._state()[0]))
        return log_prior

    @property
    def feature_all_(self) -> Array:
        """Weight of each column (d,)."""
        total: Array = self.feature_count_.sum(axis=0)
        return total

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.input_tags.positive_only = True
        return tags
