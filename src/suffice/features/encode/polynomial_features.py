"""PolynomialFeatures, ProductTerms and Binarizer: columns made of others, whatever the rows.

z = x_1^a x_2^b ...,     z = 1 if x > threshold, else 0
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.errors import bad
from suffice.core.sparse import is_sparse
from suffice.estimators.boundary.doors import ArrayOrSparseRows, NumberRows
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.estimators.glue.unfitted import state_of
from suffice.estimators.state.fitted import FittedModel
from suffice.features.encode.products import (
    SEVEN,
    SIXTEEN,
    AbovePlan,
    GivenTerms,
    ProductPlan,
    ProductReadings,
    UpToDegree,
)

THREADS = [Interval(Integral, 1, None, closed="left"), None]
LISTS = {"seven": SEVEN, "sixteen": SIXTEEN}


class PolynomialFeatures(ProductReadings, OnePassTransformer):
    """All products of columns up to a degree, for scikit-learn users.

    Parameters
    ----------
    degree : largest degree, or (smallest, largest)
    interaction_only : whether no column may occur twice in a product
    include_bias : whether the first column is 1
    order : order of the result in memory
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    powers_, n_output_features_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import PolynomialFeatures
    >>> PolynomialFeatures(2).fit_transform([[2.0, 3.0]]).tolist()
    [[1.0, 2.0, 3.0, 4.0, 6.0, 9.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "degree": [Interval(Integral, 0, None, closed="left"), "array-like"],
        "interaction_only": ["boolean"],
        "include_bias": ["boolean"],
        "order": [StrOptions({"C", "F"})],
        "ledger": "no_validation",
        "threads": THREADS,
    }
    _door = ArrayOrSparseRows({"dtype": ["float64", "float32"], "accept_sparse": "csr"})

    def __init__(
        self,
        degree: Any = 2,
        *,
        interaction_only: bool = False,
        include_bias: bool = True,
        order: str = "C",
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.degree = degree
        self.interaction_only = interaction_only
        self.include_bias = include_bias
        self.order = order
        self.threads = threads
        self.ledger = ledger

    def transform(self, X: Any) -> Any:
        """Products of columns (n, terms), in the order in memory that was asked for.

        Parameters
        ----------
        X : table
        """
        rows = Transformer.transform(self, X)
        return rows if is_sparse(rows) else np.asarray(rows, order=self.order)  # type: ignore[call-overload]

    def _plan(self) -> ProductPlan:
        how = UpToDegree(*self._degrees(), bool(self.interaction_only), bool(self.include_bias))
        if how.most == 0 and not how.bias:
            both = "degree" if isinstance(self.degree, Integral) else "both min_degree and max_degree"
            told = f"Setting {both} to zero and include_bias to False would result in an empty output array."
            rule = f"above 0 where include_bias is False ({told})"
            raise bad(self._owner, "degree", rule, self.degree, "Use include_bias=True.")
        return ProductPlan(self._owner, how, self.order)

    def _degrees(self) -> tuple[int, int]:
        if isinstance(self.degree, Integral):
            return 0, int(self.degree)
        try:
            low, high = self.degree
            fine = isinstance(low, Integral) and isinstance(high, Integral) and 0 <= int(low) <= int(high)
        except (TypeError, ValueError):
            fine = False
        if not fine:
            rule = "a non-negative int or tuple (min_degree, max_degree) with 0 <= min_degree <= max_degree \
(degree=(min_degree, max_degree) must be such)"
            raise bad(self._owner, "degree", rule, self.degree)
        return int(low), int(high)

    def _parameters(self) -> dict[str, Any]:
        degree = self.degree if isinstance(self.degree, Integral) else list(self.degree)
        return {**super()._parameters(), "degree": degree}

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class ProductTerms(ProductReadings, OnePassTransformer):
    """Powers and products of columns in a given order, so that the first m columns are a nested model.

    Parameters
    ----------
    terms : one tuple of exponents a product, as long as there are columns; "seven" (x1, x2, x1^3, x2^3, x1 x2, x1^2,
        x2^2) or "sixteen" (up to the fifth power) for two columns; or a degree d: x, x^2, ..., x^d of one column
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Examples
    --------
    >>> from suffice import ProductTerms
    >>> ProductTerms([(1, 0), (0, 1), (1, 1)]).fit_transform([[2.0, 3.0]]).tolist()
    [[2.0, 3.0, 6.0]]
    >>> ProductTerms(3).fit_transform([[2.0]]).tolist()
    [[2.0, 4.0, 8.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "terms": "no_validation",
        "ledger": "no_validation",
        "threads": THREADS,
    }
    _door = NumberRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})

    def __init__(self, terms: Any = None, *, threads: int | None = None, ledger: Any = None) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.terms = terms
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> ProductPlan:
        if self.terms is None:
            return ProductPlan(self._owner, UpToDegree(1, 2, bias=False))
        return ProductPlan(self._owner, GivenTerms(self._terms()))

    def _terms(self) -> tuple[tuple[int, ...], ...]:
        terms = self.terms
        if isinstance(terms, str):
            if terms not in LISTS:
                raise bad(self._owner, "terms", f"exponents, a degree, or one of {tuple(LISTS)}", terms)
            return LISTS[terms]
        if isinstance(terms, Integral) and not isinstance(terms, bool):
            if terms < 1:
                raise bad(self._owner, "terms", "a degree of at least 1", terms)
            return tuple((i,) for i in range(1, int(terms) + 1))
        try:
            found = tuple(tuple(int(p) for p in term) for term in terms)
            fine = bool(found) and all(p >= 0 for term in found for p in term)
            fine = fine and all(float(p) == int(p) for term in terms for p in term)
        except (TypeError, ValueError):
            fine = False
        if not fine:
            raise bad(self._owner, "terms", "tuples of whole exponents of at least 0", terms)
        return found

    def _parameters(self) -> dict[str, Any]:
        plain = self.terms is None or isinstance(self.terms, (str, Integral))
        return {**super()._parameters(), "terms": self.terms if plain else [list(term) for term in self._terms()]}

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class Binarizer(OnePassTransformer):
    """Cells above a given threshold as 1, others as 0, for scikit-learn users.

    Parameters
    ----------
    threshold : cells above it are 1; `Threshold` finds one
    copy : taken for the sake of scikit-learn's interface; X is never changed
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Examples
    --------
    >>> from suffice import Binarizer
    >>> Binarizer(threshold=1.0).fit_transform([[1.0, 2.0]]).tolist()
    [[0.0, 1.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "threshold": [Real],
        "copy": ["boolean"],
        "ledger": "no_validation",
        "threads": THREADS,
    }
    _door = ArrayOrSparseRows({"dtype": ["float64", "float32"], "accept_sparse": "csr"})

    def __init__(
        self, *, threshold: float = 0.0, copy: bool = True, threads: int | None = None, ledger: Any = None
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.threshold = threshold
        self.copy = copy
        self.threads = threads
        self.ledger = ledger

    transform = Transformer._transform_copy

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        return super()._state(X) if X is None or self.__sklearn_is_fitted__() else state_of(self, X)

    def _plan(self) -> AbovePlan:
        if np.isnan(self.threshold):
            raise bad(self._owner, "threshold", "a number", self.threshold)
        return AbovePlan(self._owner, float(self.threshold))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
