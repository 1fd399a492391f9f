"""Transformers that learn row after row, for scikit-learn's users."""

from __future__ import annotations

from sklearn.base import TransformerMixin

from suffice.estimators.algebras.sequential import Sequential
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.estimator import Estimator


class SequentialTransformer(Sequential, Transformer, TransformerMixin, Estimator):  # type: ignore[misc]
    """A transformer that visits the rows in order. A subclass supplies `_plan` and its verbs."""

    transform = Transformer.transform  # set_output wraps what a class itself defines
