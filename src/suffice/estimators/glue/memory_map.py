"""Maps of rows in memory, for scikit-learn's users: `fit_transform`, and `place` for other rows."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.utils.metadata_routing import UNUSED

from suffice.core.block import Array
from suffice.estimators.algebras.in_memory import InMemory
from suffice.estimators.faces.placement import Placement
from suffice.estimators.glue.estimator import Estimator


class MemoryMap(InMemory, Placement, Estimator):
    """A map that is made of a table in memory. A subclass supplies `_plan` and `_solve`."""

    __metadata_request__fit: ClassVar[dict[str, Any]] = {"in_memory": UNUSED}

    def fit(self, X: Any, y: Any = None, *, in_memory: bool = False) -> Self:
        """Make a map of these rows.

        Parameters
        ----------
        X : rows of numbers, none missing; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : not used
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, None, None, None, in_memory)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """The map of these rows (n, k).

        Parameters
        ----------
        X, y : as for `fit`
        """
        return self.fit(X, y).embedding_
