"""Rows placed on a map that was made of other rows. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.estimators.holder import Holder


class Placement:
    """`place` and `embedding_`, from a model that has `place` and `embedding`.

    A map is no function of rows: what `place` says of the rows it was made of need not be where they are.
    """

    @property
    def embedding_(self: Any) -> Array:
        """The map: a place for each row it was made of (n, k)."""
        return np.asarray(self._state()[0].model.embedding)

    def place(self: Holder, X: Any) -> Array:
        """Places of other rows on the map, which stays as it is (m, k).

        Parameters
        ----------
        X : rows like those of training; distances to the rows of training where those came as distances
        """
        state, X = self._state(X)
        return np.asarray(state.map(X, state.model.place, self.threads))
