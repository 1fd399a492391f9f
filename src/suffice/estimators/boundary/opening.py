"""Rows on their way in: a table in memory, files or a stream, opened as a source. No scikit-learn."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial, wraps
from typing import Any, NamedTuple

from numpy import ndarray

from suffice.core.block import Coded
from suffice.core.errors import Said, SufficeError, bad
from suffice.core.learner import Source
from suffice.core.schema import Schema
from suffice.estimators.boundary.plain_arrays import as_numpy
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.holder import Holder
from suffice.estimators.state.fitted import FittedModel, Plan
from suffice.estimators.state.origin import Origin, cell_type, library
from suffice.sources.engines.file_source import FileSource
from suffice.sources.engines.memory import MemorySource
from suffice.sources.engines.open_engine import open_engine
from suffice.sources.engines.partitioned_source import PartitionedRows, PartitionedSource
from suffice.sources.engines.wrapped_sources import NotedSource
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import Rows, open_rows
from suffice.sources.tables.analyzer import PLAIN_WORDS
from suffice.sources.tables.table import Table, engine_of

ANSWERS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "score_samples", "score")


class Opened(NamedTuple):
    """A plan, a source of rows that it reads, and what is known of where they came from."""

    plan: Plan
    source: Source
    origin: Callable[[Schema], Origin]
    labels: tuple[Any, ...] = ()  # classes that were met, where the rows are in memory
    target: Any = None  # the name of the column to predict, where the rows come from files

    def noted(self, note: Any) -> Opened:
        """The same rows, shown to who takes note of them; to nobody where that is None."""
        if note is None:
            return self
        known = isinstance(self.source, (MemorySource, FileSource, PartitionedSource))
        source: Any = replace(self.source, note=note) if known else NotedSource(self.source, note)  # type: ignore[type-var]
        return self._replace(source=source)


def are_rows(X: Any, target: Any = None) -> bool:
    """Whether X is to be read from files or from a stream: rows, a path or a pattern, tables that come one by one."""
    if isinstance(X, (Rows, str, os.PathLike)) or target is not None or on_engine(X):
        return True
    return isinstance(X, Iterator) or hasattr(X, "read_next_batch") or _is_source(X)


def refuse_rows(owner: str, X: Any) -> None:
    """Refuse rows that are not in memory, where rows are asked for one by one."""
    if are_rows(X):
        remedy = "Read the rows into memory, or score models by cross_validate."
        raise bad(owner, "X", "a table in memory", Said("rows of files or on an engine"), remedy)


def _is_source(X: Any) -> bool:
    return hasattr(X, "reduce") and hasattr(X, "read_as")


def open_for(
    holder: Holder, X: Any, y: Any, sample_weight: Any, target: Any = None, before: FittedModel | None = None
) -> Opened:
    """Rows as whoever learns from them reads them.

    Parameters
    ----------
    X, y, sample_weight, target : as users hand them to `fit`
    before : what the rows will be added to or taken from
    """
    if type(X) is ndarray and target is None:  # first, as asking what else it may be is slow
        return _open_memory(holder, X, y, sample_weight, before)
    if on_engine(X):
        return _open_partitions(holder, X, y, sample_weight, target, before)
    if _is_source(X):
        return Opened(holder._plan(), X, partial(_origin_of_files, holder))
    if are_rows(X, target):
        return _open_files(holder, X, y, sample_weight, target, before)
    return _open_memory(holder, X, y, sample_weight, before)


def _open_memory(holder: Holder, X: Any, y: Any, sample_weight: Any, before: FittedModel | None) -> Opened:
    owner, way, first = holder._owner, holder._target, before is None
    if way.needed and y is None:
        way.read(owner, y)  # says what is missing
    checked = holder._check_X(X, first=first, learning=True)
    read = way.read(owner, y)
    plan = holder._plan()  # it may know the columns by now
    table = plan.open(checked)
    if read.y is not None:
        _check_lengths(owner, table, len(read.y.codes if isinstance(read.y, Coded) else read.y), way.what)
    if first and table.n == 0:
        rule = "a table with rows (Found array with 0 sample(s) while a minimum of 1 is required.)"
        raise bad(owner, "X", rule, Said("none"), "Give it rows to learn from.")
    if before is not None and before is holder._before and holder._origin.flat != read.flat:
        got = "one number a row" if read.flat else "a table"
        raise bad(owner, "y", "of the same form as before", Said(got), "Give targets as in the first fit.")
    w = read_weights(owner, sample_weight, table.n, some=first)
    schema = plan.schema(table)
    if before is not None and not schema.parts:  # all cells are missing: only the schema before can read them
        schema = before.schema.join(schema)
    width, names = holder._columns()
    origin = Origin(width, names, library(X), read.label_type, cell_type(checked), read.flat)
    labels = read.y.labels[0] if isinstance(read.y, Coded) else ()
    source = MemorySource(table, schema, read.y, w, holder.threads)
    return Opened(plan, source, lambda schema: origin, tuple(labels))


def _open_files(holder: Holder, X: Any, y: Any, sample_weight: Any, target: Any, before: FittedModel | None) -> Opened:
    owner, way, plan = holder._owner, holder._target, holder._plan()
    rows = _rows(owner, X, y, sample_weight, target)
    if way.needed and rows.roles.target is None:
        raise bad(owner, "the rows", "with a target", rows.roles, "Name it: fit(rows, target=...).")
    mine = getattr(plan, "analyzer", None) or PLAIN_WORDS
    if rows.analyzer not in (mine, PLAIN_WORDS):
        raise bad(owner, "the analyzer of the rows", "that of the model", rows.analyzer, "Give it to the model.")
    named = rows.roles.target
    number = named if way.numbers else None
    order = None if before is None else before.schema.names
    rows = rows if way.needed and number is None else rows.without_target()
    forms = {} if before is None else before.schema.forms
    source = FileSource(rows, plan, number=number, order=order, forms=forms)
    return Opened(plan, source, partial(_origin_of_files, holder), target=named)


def _open_partitions(
    holder: Holder, X: Any, y: Any, sample_weight: Any, target: Any, before: FittedModel | None
) -> Opened:
    """Rows on an engine: as those of files, read by its workers."""
    owner, way, plan = holder._owner, holder._target, holder._plan()
    rows = rows_of_engine(owner, X, y, sample_weight, target)
    named = rows.roles.target
    if way.needed and named is None:
        raise bad(owner, "the rows", "with a target", rows.roles, "Name it: fit(rows, target=...).")
    number = named if way.numbers else None
    order = None if before is None else before.schema.names
    rows = rows if way.needed and number is None else rows.without_target()
    source = PartitionedSource(rows, plan, number=number, order=order)
    return Opened(plan, source, partial(_origin_of_files, holder), target=named)


def rows_of_engine(owner: str, X: Any, y: Any, weight: Any, target: Any) -> PartitionedRows:
    """Rows on an engine, with their target and weights: columns of theirs, or collections that are divided alike."""
    if not isinstance(X, PartitionedRows):
        named = isinstance(weight, str)
        columns = {"target": target, "weight": weight if named else None}
        return open_engine(X, **columns, y=y, w=None if named else weight)
    if y is not None or weight is not None or target not in (None, X.roles.target):
        remedy = "Name them when the rows are opened."
        raise bad(owner, "y, sample_weight and target", "None for rows that are open", target, remedy)
    return X


def _origin_of_files(holder: Holder, schema: Schema) -> Origin:
    holder._meet(schema.names)
    return Origin(*holder._columns(), "mapping")


def _rows(owner: str, X: Any, y: Any, weight: Any, target: Any) -> Rows:
    if y is not None:
        raise bad(owner, "y", "None where the rows come from files", Said("labels"), "Name the column: target=...")
    if isinstance(X, Rows):
        if target is not None or weight is not None:
            remedy = "Name them in Roles when the rows are opened."
            raise bad(owner, "target and sample_weight", "None for rows that are open", target or weight, remedy)
        return X
    if weight is not None and not isinstance(weight, str):
        rule = "the name of a column where the rows come from files"
        raise bad(owner, "sample_weight", rule, weight, "Name the column of weights.")
    return open_rows(X, Roles(target=target, weight=weight))


def _check_lengths(owner: str, table: Table, n: int, what: str) -> None:
    if table.n != n:
        both = f"(Found input variables with inconsistent numbers of samples: [{table.n}, {n}])"
        raise bad(owner, "X and y", f"of one length {both}", Said(f"{table.n} and {n}"), f"Give one {what} a row.")


def on_engine(X: Any) -> bool:
    """Whether rows lie on an engine."""
    return engine_of(X) is not None or isinstance(X, PartitionedRows)


def answer_engines(cls: type[Any]) -> None:
    """Have the methods of a class answer rows on engines by collections of these; other rows go the way they went.

    A class that goes through rows in its own way, instead of opening them here, refuses to learn from them there.
    """
    for name in ANSWERS:
        found = inspect.getattr_static(cls, name, None)
        if inspect.isfunction(found) and not hasattr(found, "answers_engines"):
            setattr(cls, name, _asked(found, name))
        elif inspect.isfunction(getattr(found, "fn", None)) and not hasattr(found.fn, "answers_engines"):
            from sklearn.utils.metaestimators import available_if

            setattr(cls, name, available_if(found.check)(_asked(found.fn, name)))  # there, where a condition holds
    fit = inspect.getattr_static(cls, "fit", None)
    if inspect.isfunction(fit) and not hasattr(fit, "answers_engines") and getattr(cls, "_in_its_own_way", False):
        cls.fit = _refusing(fit)
        more = inspect.getattr_static(cls, "partial_fit", None)
        if inspect.isfunction(getattr(more, "fn", None)) and not hasattr(more.fn, "answers_engines"):
            from sklearn.utils.metaestimators import available_if

            cls.partial_fit = available_if(more.check)(_refusing(more.fn))


def _refusing(fit: Callable[..., Any]) -> Callable[..., Any]:
    """What goes through rows in its own way does not gather those of an engine unasked, and refuses in our name."""

    @wraps(fit)
    def fitted(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if on_engine(X):
            remedy = "Use an estimator of one pass or in passes, or gather the rows yourself."
            raise bad(type(self).__name__, "X", "a table in memory", Said("rows on an engine"), remedy)
        from suffice.estimators.boundary.quoted_fit import fit_in_our_name

        return fit_in_our_name(self, fit, X, args, kwargs)

    fitted.answers_engines = True  # type: ignore[attr-defined]
    return fitted


def _asked(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    @wraps(method)
    def asked(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if type(X) is ndarray or not on_engine(X):
            try:
                return method(self, as_numpy(X), *args, **kwargs)
            except (TypeError, ValueError) as error:
                if isinstance(error, SufficeError):
                    raise
                from suffice.estimators.boundary.quoted_fit import answer_in_our_name

                raise answer_in_our_name(self, X, error) from error
        if name == "score":
            from suffice.estimators.engines.partition_scores import score_partitions

            return score_partitions(self, X, *args, **kwargs)
        from suffice.estimators.engines.lazy_answers import lazy_answers

        given = inspect.signature(method).bind(self, X, *args, **kwargs).arguments
        return lazy_answers(self, name, X, {key: value for key, value in given.items() if key not in ("self", "X")})

    asked.answers_engines = True  # type: ignore[attr-defined]
    return asked
