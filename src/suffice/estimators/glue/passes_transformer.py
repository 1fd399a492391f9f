"""Transformers that are found in passes, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import TransformerMixin

from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.estimator import Estimator


class PassesTransformer(InPasses, Transformer, TransformerMixin, Estimator):  # type: ignore[misc]
    """A transformer that is found in passes. A subclass supplies `_plan` and `_pass_over`."""

    transform = Transformer.transform  # set_output wraps what a class itself defines

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from these rows, in passes.

        Parameters
        ----------
        X : table of numbers; or files, a pattern, rows made by `open_rows` that can be read again
        y : not used
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        """
        self._fit(X, None, sample_weight, None)
        return self

    @property
    def _n_features_out(self) -> int:
        return len(self.get_feature_names_out())
