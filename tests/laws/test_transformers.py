"""Every one-pass transformer is under law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice import OneHotEncoder, SelectKBest, SelectPercentile, StandardScaler
from suffice.testing.check import broken, hold
from suffice.testing.rows import reach
from suffice.testing.tables import LABELS, NUMBERS, numbers, rows, symbols
from suffice.testing.transformer_laws import LAWS, Subject, copies, forgetting, order, whole

TEXTS = {name: labels for name, labels in LABELS.items() if all(isinstance(label, str) for label in labels)}
CELLS = {name: column for name, column in NUMBERS.items() if name not in ("huge", "tiny")}


def cells(part: Any) -> Any:
    """Symbols as a table of objects."""
    out = np.empty(part.codes.shape, dtype=object)
    for j, labels in enumerate(part.labels):
        column = np.array([*labels, None], dtype=object)
        out[:, j] = column[part.codes[:, j]]
    return out


def scales(model: Any, X: Any) -> list[tuple[Any, Any]]:
    apart = reach(X) + 1e-6 * np.nanmax(np.abs(X), axis=0, initial=0.0)
    return [(model.mean_, apart), (model.var_, model.var_ + 1e-12 * apart**2)]


def categories(model: Any, X: Any) -> list[tuple[Any, Any]]:
    return [([str(some.tolist()) for some in model.categories_], None)]


def label(X: Any) -> Any:
    """A class that a row has by itself, so that shards and orders know it too."""
    return np.where(np.nansum(np.sign(X), axis=1) > 0, "up", "down")


def labelled(base: type[Any], **given: Any) -> Any:
    """A selector whose labels follow from its rows."""

    class Labelled(base):  # type: ignore[misc]
        def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
            return super().fit(X, label(X), sample_weight)

        def forget(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
            return super().forget(X, label(X), sample_weight)

    Labelled.__init__ = base.__init__  # type: ignore[method-assign]
    return lambda: Labelled(**given)


def counted(model: Any, X: Any) -> list[tuple[Any, Any]]:
    """What a selector has kept, which its scores are read from."""
    kept = model.fitted_.state
    part = kept.summary.parts[0]
    if not hasattr(part, "values"):
        weight = part.weight.value
        return [([kept.labels], None), (weight, 1.0 + weight)]
    return [([kept.labels, [v.tolist() for v in part.values]], None), (part.weight, 1.0 + part.weight)]


MODELS = [
    Subject("SelectKBest", labelled(SelectKBest, k=1), lambda part: part, counted),
    Subject("SelectPercentile", labelled(SelectPercentile, score_func="gain_ratio"), lambda part: part, counted),
    Subject("StandardScaler", StandardScaler, lambda part: part, scales),
    Subject("OneHotEncoder", OneHotEncoder, cells, categories),
]
TABLES = {
    "SelectKBest": rows(numbers(CELLS, missing=False)),
    "SelectPercentile": rows(numbers(CELLS, missing=False)),
    "StandardScaler": rows(numbers(CELLS)),
    "OneHotEncoder": rows(symbols(TEXTS)),
}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("subject", MODELS, ids=lambda subject: subject.name)
def test_law(subject: Subject, law: Any) -> None:
    hold(lambda rows: law(subject, rows), TABLES[subject.name], f"{subject.name} {law.__name__}")


class Forgetful(StandardScaler):
    """Planted: only its own rows count."""

    def merge(self, *others: Any) -> Any:
        return self


class Clinging(StandardScaler):
    """Planted: nothing is taken away."""

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
        return self


class FirstTwice(StandardScaler):
    """Planted: the first row counts twice."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
        w = np.ones(len(X)) if sample_weight is None else np.array(sample_weight, dtype=float)
        w[:1] *= 2.0
        return super().fit(X, y, w)


class Unweighed(StandardScaler):
    """Planted: weights are not looked at, but for rows of weight 0."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
        return super().fit(X, y, None if sample_weight is None else (np.asarray(sample_weight) > 0).astype(float))


DEFECTS = [(Forgetful, whole), (FirstTwice, order), (Unweighed, copies), (Clinging, forgetting)]
PLANTED = [law for _, law in DEFECTS]  # what tests/laws/test_complete.py counts


@pytest.mark.parametrize(("defect", "law"), DEFECTS)
def test_planted_defects_are_found(defect: Any, law: Any) -> None:
    subject = Subject("planted", defect, lambda part: part, scales)
    assert broken(lambda rows: law(subject, rows), TABLES["StandardScaler"])
