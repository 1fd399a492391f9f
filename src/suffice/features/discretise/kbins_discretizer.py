"""KBinsDiscretizer: scikit-learn's bins, from rankings that add.

z = number of inner edges that are at most x
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, Options, StrOptions

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.discretise.k_bins import KBinPlan, KBinReadings
from suffice.summaries.quantiles import CONVENTIONS


class KBinsDiscretizer(KBinReadings, OnePassTransformer):
    """Bins of equal width, of equal frequency or around means, for scikit-learn users: one pass, mergeable, forgetting.

    All rows count: there is no subsample, because the ranking that is kept is exact.

    Parameters
    ----------
    n_bins : number of bins, or one a column; at least 2
    encode : "onehot" (sparse), "onehot-dense" or "ordinal"
    strategy : "uniform", "quantile" or "kmeans"
    quantile_method : a convention of `numpy.quantile`
    dtype : numpy.float32, numpy.float64, or None: that of X
    subsample, random_state : taken for the sake of scikit-learn's interface
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    bin_edges_, n_bins_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import KBinsDiscretizer
    >>> KBinsDiscretizer(2, encode="ordinal").fit_transform([[1.0], [2.0], [3.0], [9.0]]).ravel().tolist()
    [0.0, 0.0, 1.0, 1.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_bins": [Interval(Integral, 2, None, closed="left"), "array-like"],
        "encode": [StrOptions({"onehot", "onehot-dense", "ordinal"})],
        "strategy": [StrOptions({"uniform", "quantile", "kmeans"})],
        "quantile_method": [StrOptions(set(CONVENTIONS))],
        "dtype": [Options(type, {np.float64, np.float32}), None],
        "subsample": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = NumberRows({"dtype": "numeric"})
    _not_saved = ("random_state",)

    def __init__(
        self,
        n_bins: Any = 5,
        *,
        encode: str = "onehot",
        strategy: str = "quantile",
        quantile_method: str = "averaged_inverted_cdf",
        dtype: Any = None,
        subsample: int | None = None,
        random_state: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_bins = n_bins
        self.encode = encode
        self.strategy = strategy
        self.quantile_method = quantile_method
        self.dtype = dtype
        self.subsample = subsample
        self.random_state = random_state
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> KBinPlan:
        kind = None if self.dtype is None else np.dtype(self.dtype).str
        return KBinPlan(self._owner, self._bins(), self.strategy, self.encode, self.quantile_method, kind)

    def _bins(self) -> int | tuple[int, ...]:
        if isinstance(self.n_bins, Integral):
            return int(self.n_bins)
        bins = np.asarray(self.n_bins)
        if bins.ndim != 1 or bins.dtype.kind not in "iuf":
            raise bad(
                self._owner,
                "n_bins",
                "one number a column (n_bins must be a scalar or array of shape (n_features,).)",
                self.n_bins,
            )
        odd = (bins < 2) | (bins != np.rint(bins))
        if odd.any():
            at = ", ".join(map(str, np.flatnonzero(odd)))
            rule = f"whole numbers of at least 2 (invalid at indices {at})"
            raise bad(self._owner, "n_bins", rule, self.n_bins, "Use two bins or more.")
        return tuple(bins.astype(int).tolist())

    def _parameters(self) -> dict[str, Any]:
        bins = self._bins()
        kind = None if self.dtype is None else np.dtype(self.dtype).name
        return {**super()._parameters(), "n_bins": bins if isinstance(bins, int) else list(bins), "dtype": kind}

    @classmethod
    def _made_of(cls, parameters: Any) -> KBinsDiscretizer:
        kind = parameters["dtype"]
        return cls(**{**parameters, "dtype": None if kind is None else getattr(np, kind)})

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"] if self.encode == "ordinal" else []
        return tags
