"""OneVsRestClassifier: many classes from classifiers that each know one class and the rest."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.multiclass import OneVsRestClassifier as TheirOneVsRest
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils import assert_all_finite, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d

from suffice.compose.around_plan import AroundPlan
from suffice.compose.around_readings import Claims
from suffice.compose.held import Held
from suffice.compose.many_from_two.asked_estimators import ask_of, limit_of
from suffice.compose.many_from_two.one_vs_rest_model import OneVsRestModel
from suffice.compose.member_saving import MemberSaving
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.all_or_nothing import all_or_nothing, alone
from suffice.estimators.faces.classifier import Classifier


def _offers(name: str, one_less: bool = False) -> Any:
    """Whether the base classifier has a method, so that we have it too, and whether the scheme of K - 1 allows it."""

    def check(self: Any) -> bool:
        getattr(self.estimators_[0] if hasattr(self, "estimators_") else self.estimator, name)  # says what is missing
        if self.one_less and not one_less:
            raise AttributeError(f"{type(self).__name__} has no {name} with one_less=True.")
        return True

    return check


class OneVsRestClassifier(Claims, MemberSaving, TheirOneVsRest):  # type: ignore[misc]
    """scikit-learn's one-versus-rest, with K or K - 1 classifiers, that says where its answer is ambiguous.

        answer(x) = argmax_k f_k(x)                                     with K classifiers
        answer(x) = argmax_{k<K} f_k(x) where some f_k says yes, else K  with K - 1

    Each classifier says yes above 0 (decision values) or above 0.5 (probabilities). Where exactly one says yes, the
    answer is plain. Where several do, or with K classifiers none, the largest value decides, although values of
    different classifiers need not be comparable: `ambiguous` tells where. Of equal values the first class wins.

    Parameters
    ----------
    estimator : a classifier with `decision_function` or `predict_proba`, or a regressor
    one_less : train no classifier for the last class, and answer it where all others say no
    n_jobs, verbose : as in scikit-learn

    Attributes
    ----------
    estimators_ : the K or K - 1 trained classifiers; one for two classes
    classes_, n_classes_, label_binarizer_, multilabel_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from suffice import OneVsRestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OneVsRestClassifier(LogisticRegression(), one_less=True).fit(X, y)
    >>> len(model.estimators_), model.ambiguous(X).shape
    (2, (150,))
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **TheirOneVsRest._parameter_constraints,
        "one_less": ["boolean"],
    }

    def __init__(self, estimator: Any, *, one_less: bool = False, n_jobs: Any = None, verbose: Any = 0) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        super().__init__(estimator, n_jobs=n_jobs, verbose=verbose)
        self.one_less = one_less

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Train one classifier a class, or one less.

        Parameters
        ----------
        X : table that the estimator takes
        y : one label a row, or a table of 0 and 1 with a column for each of several labels
        fit_params : for the estimator's `fit`, with metadata routing
        """
        with all_or_nothing(self):
            self._validate_params()
            if getattr(y, "dtype", None) is not None and not issparse(y):
                assert_all_finite(y, input_name="y")
            if not self.one_less:
                return self._with_all(X, y, fit_params)
            if type_of_target(y, input_name="y").startswith("multilabel"):
                remedy = "Each of several labels needs its classifier."
                raise bad(self, "one_less", "False where rows have several labels", True, remedy)
            y = column_or_1d(y, warn=True)
            labels = LabelBinarizer(sparse_output=True)
            columns = labels.fit_transform(y)
            if columns.shape[1] < 2:
                return self._with_all(X, y, fit_params)  # two classes: one classifier, as ever
            self._with_all(X, columns.tocsc()[:, :-1], fit_params)  # as if the rows of the last class had no label
            self.label_binarizer_, self.classes_ = labels, labels.classes_
            return self

    def _with_all(self, X: Any, y: Any, fit_params: dict[str, Any]) -> Self:
        with warnings.catch_warnings():
            if (
                not issparse(y) and np.asarray(y).ndim == 1
            ):  # a column without a 0 or a 1 is news among several labels, but not in a single one
                warnings.filterwarnings("ignore", "Label .* is present in all training examples")
            super().fit(X, y, **fit_params)
        return self

    @available_if(_offers("partial_fit"))  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, **partial_fit_params: Any) -> Self:
        """Learn from more rows, as in scikit-learn; not with `one_less`."""
        with alone(self):
            super().partial_fit(X, y, classes, **partial_fit_params)
        return self

    @available_if(_offers("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, each classifier's yes divided by their sum; not with `one_less`."""
        state, X = self._state(X)
        return state.map(X, state.model.proba, None)

    @available_if(_offers("decision_function", one_less=True))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Array:
        """What each classifier says (n, K); with `one_less` the last column is minus the largest of the others."""
        return Classifier.decision_function(self, X)

    def predict(self, X: Any) -> Array:
        """The class of the largest value; with `one_less` the last class where no classifier says yes."""
        check_is_fitted(self)
        return super().predict(X) if self.multilabel_ else Classifier.predict(self, X)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it: rows as its estimator takes them, one label a row with `one_less`."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        tags.target_tags.multi_output &= not self.one_less
        tags.classifier_tags.multi_label &= not self.one_less
        return tags

    def _model(self) -> OneVsRestModel:
        parts, classes = self.estimators_, tuple(self.classes_.tolist())
        asks = tuple(map(ask_of, parts))
        helds = tuple(map(Held, parts))
        return OneVsRestModel(self._owner, helds, classes, asks, limit_of(parts[0]), bool(self.multilabel_))

    def _plan(self) -> AroundPlan:
        proba = hasattr(self, "predict_proba")
        tells = ["claims", *(["scores"] if hasattr(self, "decision_function") else [])]
        face = "probabilistic" if proba else "classifier"
        if hasattr(self, "label_binarizer_") and self.multilabel_:
            face, tells = "several_labels", [*tells, *(["label_probabilities"] if proba else [])]
        return AroundPlan(self._owner, face=face, tells=tuple(tells))

    def _take_on(self, model: OneVsRestModel) -> None:
        self.estimators_ = [held.value for held in model.helds]
        self.label_binarizer_ = LabelBinarizer(sparse_output=True)
        self.label_binarizer_.fit(np.eye(len(model.classes), dtype=int) if model.several else self.classes_)
