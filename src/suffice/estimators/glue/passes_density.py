"""Densities that are found in passes, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import DensityMixin

from suffice.core.errors import bad
from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.faces.density import Density
from suffice.estimators.glue.estimator import Estimator
from suffice.sources.files.rows import Rows


class PassesDensity(InPasses, Density, DensityMixin, Estimator):  # type: ignore[misc]
    """A density that is found in passes. A subclass supplies `_plan` and `_pass_over`."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from these rows, in passes.

        Parameters
        ----------
        X : table, whose cells may be missing; or files, a pattern, rows made by `open_rows` that can be read again
        y : not used
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        """
        self._fit(X, None, sample_weight, None)
        return self

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files alone: another name for `fit(rows)`.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`
        """
        return self.fit(opened_rows(self._owner, rows))


def opened_rows(owner: str, rows: Any) -> Rows:
    """Rows that were opened; a table in memory is none."""
    if not isinstance(rows, Rows):
        raise bad(owner, "rows", "made by open_rows", rows, "Use fit for a table in memory.")
    return rows
