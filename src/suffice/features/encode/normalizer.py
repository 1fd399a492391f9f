"""Normalizer: each row divided by its length, whatever the other rows.

z = x / |x|,     |x| = sum |x_j|,  sqrt(sum x_j^2)  or  max |x_j|
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval, StrOptions

from suffice.estimators.boundary.doors import ArrayOrSparseRows
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.estimators.glue.unfitted import state_of
from suffice.estimators.state.fitted import FittedModel
from suffice.features.encode.row_norms import NORMS
from suffice.features.encode.unit_rows import UnitRowsPlan


class Normalizer(OnePassTransformer):
    """Rows of length 1, for scikit-learn users; sparse rows stay sparse.

    Parameters
    ----------
    norm : "l1", "l2" or "max"; rows of zeros stay as they are
    copy : taken for the sake of scikit-learn's interface; X is never changed
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Examples
    --------
    >>> from suffice import Normalizer
    >>> Normalizer().fit_transform([[3.0, 4.0], [0.0, 0.0]]).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "norm": [StrOptions(set(NORMS))],
        "copy": ["boolean"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = ArrayOrSparseRows({"dtype": ["float64", "float32"], "accept_sparse": "csr"})

    def __init__(self, norm: str = "l2", *, copy: bool = True, threads: int | None = None, ledger: Any = None) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.norm = norm
        self.copy = copy
        self.threads = threads
        self.ledger = ledger

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Rows of length 1 (n, d).

        Parameters
        ----------
        X : table
        copy : taken for the sake of scikit-learn's interface; X is never changed
        """
        return Transformer.transform(self, X)

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        return super()._state(X) if X is None or self.__sklearn_is_fitted__() else state_of(self, X)

    def _plan(self) -> UnitRowsPlan:
        return UnitRowsPlan(self._owner, self.norm)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
