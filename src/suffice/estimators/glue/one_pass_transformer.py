"""One-pass transformers for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import TransformerMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.boundary.targets import LabelColumn, Target
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.estimator import Estimator


class OnePassTransformer(OnePass, Transformer, TransformerMixin, Estimator):  # type: ignore[misc]
    """A transformer whose fitted state is a summary that adds. A subclass supplies `_plan`."""

    transform = Transformer.transform  # set_output wraps what a class itself defines

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : table; or files, a pattern, a stream of tables, rows made by `open_rows`, read chunk by chunk in one pass
        y : not used
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        """
        self._fit(X, None, sample_weight, None)
        return self

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files or streams alone: another name for `fit(rows)`.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`
        """
        return self.fit(rows)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        """
        self._fit_or_learn_on(X, None, sample_weight)
        return self


class OnePassSupervisedTransformer(OnePass, Transformer, TransformerMixin, Estimator):  # type: ignore[misc]
    """A transformer that learns from rows with labels, whose fitted state is a summary that adds."""

    _target: Target = LabelColumn()
    transform = Transformer.transform  # set_output wraps what a class itself defines
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED}
    __metadata_request__partial_fit: ClassVar[dict[str, Any]] = {"target": UNUSED}

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : table; or files, a pattern, a stream of tables, rows made by `open_rows`, read chunk by chunk in one pass
        y : one label a row; None where the rows come from files
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        target : the column of labels, where the rows come from files
        """
        self._fit(X, y, sample_weight, target)
        return self

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files or streams alone: another name for `fit(rows)`.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`, with a target
        """
        return self.fit(rows)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight, target : as for `fit`
        """
        self._fit_or_learn_on(X, y, sample_weight, target)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
