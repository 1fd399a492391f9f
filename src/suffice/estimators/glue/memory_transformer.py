"""Transformers of all rows at once, in memory, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import TransformerMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.in_memory import InMemory
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.estimator import Estimator


class MemoryTransformer(InMemory, Transformer, TransformerMixin, Estimator):  # type: ignore[misc]
    """A transformer that is fitted to a table in memory. A subclass supplies `_plan` and `_solve`."""

    transform = Transformer.transform  # set_output wraps what a class itself defines
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"in_memory": UNUSED}

    def fit(self, X: Any, y: Any = None, *, in_memory: bool = False) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : rows of numbers, none missing; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : not used
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, None, None, None, in_memory)
        return self
