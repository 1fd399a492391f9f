"""Levels and classes that no file holds: `save` refuses them by the column that they came from. No scikit-learn."""

from __future__ import annotations

from typing import Any

from suffice.core.errors import BadInput, Said, bad, shown
from suffice.core.kinds import Storage
from suffice.estimators.design.table_design import TableDesign
from suffice.estimators.state.fitted import FittedModel
from suffice.persistence.dismantle import Unsavable


def of_its_column(estimator: Any, error: Unsavable) -> BadInput:
    """The error, where it is about a level or a class, by what users know; else as it is, of a place in the value."""
    value = error.value
    if callable(value) or (not isinstance(value, bytes) and not type(value).__module__.startswith("pandas")):
        return error
    names = list(map(repr, _symbols(estimator.fitted_)))
    if any(value is label or value == label for label in _classes(estimator)):
        name, whose = "y", "classes"
    elif names:
        name, whose = f"column {names[0]}" if len(names) == 1 else f"columns {', '.join(names)}", "levels"
    else:
        return error
    rule = f"of {whose} that a file can hold: texts, numbers, truth values or dates"
    came = Said(f"{shown(value)}, which is of class {type(value).__name__}")
    return bad(estimator._owner, name, rule, came, "Turn them into texts before training, such as by astype(str).")


def _symbols(fitted: FittedModel) -> list[Any]:
    """The columns of symbols, of the table as it came: some plans make numbers of them."""
    plan: Any = fitted.plan
    design: Any = getattr(plan, "design", None)
    if hasattr(getattr(plan, "codes", None), "levels"):
        return list(plan.codes.levels)
    schema = design.schema if isinstance(design, TableDesign) else fitted.schema
    return [column.name for column in schema.columns if column.kind.storage is Storage.SYMBOLS]


def _classes(estimator: Any) -> list[Any]:
    found = getattr(estimator, "classes_", None)
    return [] if found is None or isinstance(found, list) else list(found.tolist())
