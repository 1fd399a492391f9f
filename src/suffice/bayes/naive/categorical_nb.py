"""CategoricalNB: scikit-learn's categorical naive Bayes, on counts that add.

p(x | k) = prod_j theta_kj[x_j],     theta_kj[l] = (N_kjl + alpha) / (N_k + alpha n_j)
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.bayes.class_priors import ClassPrior
from suffice.bayes.naive.discrete import PARAMETERS, check_alpha, class_log_prior, class_shares, pseudo_counts
from suffice.bayes.naive.drop_in import DropIn
from suffice.bayes.readings.generative import Generative
from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad
from suffice.estimators.boundary.doors import Arrays
from suffice.estimators.boundary.plain_arrays import is_mapping
from suffice.estimators.state.origin import column_names
from suffice.families.counts.integer_codes import IntegerCodes


class WholeNumbers(Arrays):
    """Numbers as whole ones; those beyond them, of which NumPy makes the least or the largest, are refused."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as an array; `first` sets what later ones must be like."""
        with np.errstate(invalid="ignore"):  # of which it warns
            codes = super().check(estimator, X, first=first, learning=learning)
        if getattr(getattr(X, "dtype", None), "kind", "O") in "iub":  # whole numbers as they came
            return codes
        ends = np.iinfo(codes.dtype)
        if codes.size and (codes.min() == ends.min or codes.max() == ends.max):
            raise _beyond(estimator, X, np.argwhere((codes == ends.min) | (codes == ends.max))[0].tolist())
        return codes


def _beyond(estimator: Any, X: Any, at: list[int]) -> BadInput:
    """The error of a cell that is no code, by its column and row."""
    row, j = at
    names = column_names(estimator)
    name = f"x{j}" if names is None else names[j]
    cells = [X[key][row] for key in X] if is_mapping(X) else np.asarray(X, dtype=object)[row]
    return bad(
        estimator._owner,
        f"column {name!r}",
        "of codes of at least 0, below 2^63",
        Said(f"{cells[j]} in row {row}"),
        "Codes count from 0.",
    )


class CategoricalNB(Generative, DropIn):
    """Categorical naive Bayes for scikit-learn users: one pass, exact, mergeable, forgetting.

    A code beyond those of training tells nothing; it is no error.

    Parameters
    ----------
    alpha : pseudo-count of every category
    force_alpha : keep alpha even if it is below 1e-10
    fit_prior : count class shares; False takes them as equal
    class_prior : class shares in the order of the classes
    min_categories : smallest number of categories, of all columns or of each
    class_weight : label -> weight of its rows towards the share of the class, "balanced" for classes all alike
    refusal : the label that `predict` gives where it refuses
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, category_count_, feature_log_prob_, n_categories_, n_features_in_,
    feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import CategoricalNB
    >>> CategoricalNB().fit([[0, 1], [1, 0]], ["a", "b"]).predict([[0, 7]]).tolist()
    ['a']
    """

    _door = WholeNumbers({"dtype": "int"})
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PARAMETERS,
        "min_categories": [None, "array-like", Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, None, closed="left")],
    }

    class_log_prior_ = property(class_log_prior)

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
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
        self.min_categories = min_categories
        self.class_weight = class_weight
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    _check_alpha = check_alpha

    def _class_prior(self) -> ClassPrior:
        return class_shares(self)

    def _family(self) -> IntegerCodes:
        return IntegerCodes(pseudo_counts(self), self._least())

    def _least(self) -> tuple[int, ...] | None:
        if self.min_categories is None:
            return None
        least = np.asarray(self.min_categories)
        if not np.issubdtype(least.dtype, np.signedinteger):
            rule = f"whole numbers ('min_categories' should have integral type. Got {least.dtype} instead.)"
            raise bad(self._owner, "min_categories", rule, self.min_categories, "Convert them.")
        d = vars(self).get("n_features_in_", least.size)  # unknown before the rows are read
        if least.ndim and least.shape != (d,):
            note = (
                f"'min_categories' should have shape ({d},) when an array-like is provided. Got {least.shape} instead."
            )
            raise bad(self._owner, "min_categories", f"one number, or one for each column ({note})", least.shape)
        return tuple(np.broadcast_to(least, (d,)).tolist())

    @property
    def category_count_(self) -> list[Array]:
        """Weight of each category of each column (K, n_j)."""
        weights: list[Array] = self._read_by.weights(self._part)
        return weights

    @property
    def n_categories_(self) -> Array:
        """Number of categories of each column (d,)."""
        sizes: Array = self._read_by.sizes(self._part)
        return sizes

    @property
    def feature_log_prob_(self) -> list[Array]:
        """Log probability of each category of each column given the class (K, n_j)."""
        d = self._distribution
        return [d.column(j)[:, :-1] for j in range(len(d.labels))]

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags
