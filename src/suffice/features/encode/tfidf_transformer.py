"""TfidfTransformer: counts of words weighted by how few rows have the word, from counts that add.

z_j = tf_j idf_j / |z|,     idf_j = log((1 + n) / (1 + rows that have word j)) + 1
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval, StrOptions

from suffice.estimators.boundary.doors import ArrayOrSparseRows
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.encode.word_weights import TfidfPlan, TfidfReadings


class TfidfTransformer(TfidfReadings, OnePassTransformer):
    """Term frequency times inverse document frequency, for scikit-learn users: one pass, mergeable, forgetting.

    Parameters
    ----------
    norm : "l1", "l2", or None: rows are not divided by their length
    use_idf : whether counts are weighted; otherwise only divided
    smooth_idf : whether one more row with every word is counted, so that no weight is infinite
    sublinear_tf : whether a count c becomes 1 + log(c)
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    idf_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from suffice import TfidfTransformer
    >>> model = TfidfTransformer(norm=None).fit(csr_array([[1.0, 0.0], [2.0, 3.0]]))
    >>> model.idf_.round(4).tolist()
    [1.0, 1.4055]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "norm": [StrOptions({"l1", "l2"}), None],
        "use_idf": ["boolean"],
        "smooth_idf": ["boolean"],
        "sublinear_tf": ["boolean"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = ArrayOrSparseRows({"dtype": ["float64", "float32"], "accept_sparse": "csr"})

    def __init__(
        self,
        *,
        norm: str | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf
        self.threads = threads
        self.ledger = ledger

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Weighted counts (n, d), always sparse.

        Parameters
        ----------
        X : table of counts
        copy : taken for the sake of scikit-learn's interface; X is never changed
        """
        return Transformer.transform(self, X)

    def _plan(self) -> TfidfPlan:
        options = bool(self.use_idf), bool(self.smooth_idf), bool(self.sublinear_tf)
        return TfidfPlan(self._owner, self.norm, *options)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
