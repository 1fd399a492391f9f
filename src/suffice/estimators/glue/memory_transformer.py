"""Transformers that are found from rows in memory, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import TransformerMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.in_memory import InMemory
from suffice.estimators.boundary.targets import LabelColumn
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
        X : rows of numbers; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : not used
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, None, None, None, in_memory)
        return self

    @property
    def _n_features_out(self) -> int:
        return len(self.get_feature_names_out())


class MemorySupervisedTransformer(InMemory, Transformer, TransformerMixin, Estimator):  # type: ignore[misc]
    """A transformer that is fitted to a table with targets in memory. A subclass supplies `_plan` and `_solve`."""

    _target: Any = LabelColumn()
    transform = Transformer.transform  # set_output wraps what a class itself defines
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "in_memory": UNUSED}

    def fit(self, X: Any, y: Any = None, *, target: Any = None, in_memory: bool = False) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : table; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : one label or number a row; None where the rows come from files
        target : the column to predict, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, y, None, target, in_memory)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
