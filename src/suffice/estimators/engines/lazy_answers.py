"""Methods that answer rows on an engine with the engine's own collection, which is computed when asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from suffice.core.errors import Said, bad
from suffice.core.saving import value_bytes
from suffice.estimators.algebras.in_memory import InMemory
from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.algebras.sequential import Sequential
from suffice.estimators.engines.answer_partition import AnswerPartition
from suffice.estimators.engines.partition_scores import score_partitions
from suffice.sources.engines.open_engine import engine_of, open_engine
from suffice.sources.engines.partitioned_source import PartitionedRows
from suffice.sources.engines.read_partition import ReadPartition
from suffice.sources.engines.wire_format import pack

ALGEBRAS = (OnePass, InPasses, InMemory, Sequential)  # which open their rows as sources
ANSWERS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "score_samples")


def on_engine(X: Any) -> bool:
    """Whether rows lie on an engine."""
    return isinstance(X, PartitionedRows) or engine_of(X) is not None


def answer_engines(cls: type[Any]) -> None:
    """Have the methods of a class of estimators answer rows on engines too; others go the way they went."""
    for name in (*ANSWERS, "score"):
        found = inspect.getattr_static(cls, name, None)
        if inspect.isfunction(found) and not hasattr(found, "answers_engines"):
            setattr(cls, name, _asked(found, name))
        elif inspect.isfunction(getattr(found, "fn", None)) and not hasattr(found.fn, "answers_engines"):
            from sklearn.utils.metaestimators import available_if

            setattr(cls, name, available_if(found.check)(_asked(found.fn, name)))  # there, where a condition holds
    fit = inspect.getattr_static(cls, "fit", None)
    if inspect.isfunction(fit) and not hasattr(fit, "answers_engines") and not issubclass(cls, ALGEBRAS):
        cls.fit = _refusing(fit)


def _refusing(fit: Callable[..., Any]) -> Callable[..., Any]:
    """What goes through rows in its own way does not gather those of an engine unasked."""

    @wraps(fit)
    def fitted(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if on_engine(X) and not getattr(self, "_hands_on", False):
            remedy = "Use an estimator of one pass or in passes, or gather the rows yourself."
            raise bad(type(self).__name__, "X", "a table in memory", Said("rows on an engine"), remedy)
        return fit(self, X, *args, **kwargs)

    fitted.answers_engines = True  # type: ignore[attr-defined]
    return fitted


def _asked(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    @wraps(method)
    def asked(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if not on_engine(X):
            return method(self, X, *args, **kwargs)
        if name == "score":
            return score_partitions(self, X, *args, **kwargs)
        given = inspect.signature(method).bind(self, X, *args, **kwargs).arguments
        return lazy_answers(self, name, X, {key: value for key, value in given.items() if key not in ("self", "X")})

    asked.answers_engines = True  # type: ignore[attr-defined]
    return asked


def lazy_answers(model: Any, name: str, X: Any, options: Mapping[str, Any]) -> Any:
    """What a fitted model says of each row, as a collection of the engine that the rows lie on.

    Parameters
    ----------
    model : an estimator, or a model from a file
    name : the method
    X : rows on an engine
    options : more arguments of the method
    """
    rows = X if isinstance(X, PartitionedRows) else open_engine(X)
    read = ReadPartition(rows.roles, rows.kinds, rows.format, rows.analyzer)
    answer = AnswerPartition(name, value_bytes(model._saved()), pack(dict(options)), pack(read))
    return rows.partitions.answers(answer, answer.form)
