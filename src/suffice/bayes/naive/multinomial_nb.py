"""MultinomialNB: scikit-learn's multinomial naive Bayes, on counts that add.

p(x | k) ~ prod_j theta_kj^x_j,     theta_kj = (N_kj + alpha) / (N_k + alpha d)
"""

from __future__ import annotations

from typing import Any, ClassVar

from suffice.bayes.class_priors import ClassPrior
from suffice.bayes.naive.discrete import (
    COUNTS,
    PARAMETERS,
    check_alpha,
    class_log_prior,
    class_shares,
    feature_count,
    feature_log_prob,
    pseudo_counts,
)
from suffice.bayes.naive.drop_in import DropIn
from suffice.bayes.readings.generative import Generative
from suffice.families.counts.multinomial import Multinomial


class MultinomialNB(Generative, DropIn):
    """Multinomial naive Bayes for scikit-learn users: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    alpha : pseudo-count of every column, or one for each
    force_alpha : keep alpha even if it is below 1e-10
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
    >>> from suffice import MultinomialNB
    >>> MultinomialNB().fit([[3, 0], [0, 2]], ["spam", "ham"]).predict([[1, 0]]).tolist()
    ['spam']
    """

    _door = COUNTS
    _parameter_constraints: ClassVar[dict[str, Any]] = PARAMETERS

    class_log_prior_ = property(class_log_prior)
    feature_count_ = property(feature_count)
    feature_log_prob_ = property(feature_log_prob)

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
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
        self.class_weight = class_weight
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    _check_alpha = check_alpha

    def _class_prior(self) -> ClassPrior:
        return class_shares(self)

    def _family(self) -> Multinomial:
        return Multinomial(pseudo_counts(self), ways=False)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.input_tags.positive_only = True
        return tags
