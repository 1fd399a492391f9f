"""MultinomialNB: scikit-learn's multinomial naive Bayes, on counts that add.

p(x | k) ~ prod_j theta_kj^x_j,     theta_kj = (N_kj + alpha) / (N_k + alpha d)
"""

from __future__ import annotations

from typing import Any

from suffice.bayes.discrete_nb import DiscreteNB
from suffice.bayes.generative import Generative
from suffice.families.multinomial import Multinomial


class MultinomialNB(Generative, DiscreteNB):
    """Multinomial naive Bayes for scikit-learn users: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    alpha : pseudo-count of every column, or one for each
    force_alpha : keep alpha even if it is below 1e-10
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
    >>> from suffice import MultinomialNB
    >>> MultinomialNB().fit([[3, 0], [0, 2]], ["spam", "ham"]).predict([[1, 0]]).tolist()
    ['spam']
    """

    def _family(self) -> Multinomial:
        return Multinomial(self._pseudo_counts(), ways=False)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
