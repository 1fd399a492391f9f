"""IncrementalPCA: principal components batch by batch, exact whatever the batches are."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

from sklearn.utils._param_validation import Interval

from suffice.core.block import Array
from suffice.core.learner import Learned, Source, learn
from suffice.estimators.state.fitted import Plan
from suffice.projections.components.pca import PCA
from suffice.projections.components.principal_plan import column_variances


class IncrementalPCA(PCA):
    """As `PCA`, with the names of scikit-learn's estimator; the components are those of all rows at once.

    Parameters
    ----------
    n_components : how many; None for all
    whiten : whether components are divided by their deviation
    copy, batch_size : taken for the sake of scikit-learn's interface; rows are read in blocks anyway
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    components_, explained_variance_, explained_variance_ratio_, singular_values_, mean_, var_, noise_variance_,
    n_components_, n_samples_seen_, batch_size_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import IncrementalPCA
    >>> pca = IncrementalPCA(1).partial_fit([[0.0, 0.0], [3.0, 4.0]]).partial_fit([[6.0, 8.0]])
    >>> pca.components_.round(6).tolist(), pca.n_samples_seen_
    ([[0.6, 0.8]], 3)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "whiten": ["boolean"],
        "copy": ["boolean"],
        "batch_size": [Interval(Integral, 1, None, closed="left"), None],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    svd_solver = "covariance_eigh"  # the moments are always kept

    def __init__(
        self,
        n_components: int | None = None,
        *,
        whiten: bool = False,
        copy: bool = True,
        batch_size: int | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_components = n_components
        self.whiten = whiten
        self.copy = copy
        self.batch_size = batch_size
        self.threads = threads
        self.ledger = ledger

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        check_input : taken for the sake of scikit-learn's interface; rows are always checked
        """
        super().partial_fit(X, y, sample_weight)
        return self

    def _learn(self, plan: Plan, source: Source) -> tuple[Plan, Learned]:
        return plan, learn(plan, source)

    @property
    def n_samples_seen_(self) -> Any:
        """Number of rows, or their weight."""
        return self.n_samples_

    @property
    def batch_size_(self) -> int:
        """Rows that scikit-learn would take at a time."""
        return int(self.batch_size or 5 * self.n_features_in_)

    @property
    def var_(self) -> Array:
        """Variance of each column, over n (d,)."""
        return column_variances(self._state()[0].summary)
