"""One table in many forms: every estimator, found by discovery, says of each what it says of plain arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import is_classifier, is_regressor

import suffice
from suffice.core.errors import BadInput, SufficeError
from tests.test_seams import ALL, LABELS, NUMBERS, ONE_COLUMN, X, answers, target_for

pytestmark = pytest.mark.filterwarnings("ignore")  # what a table is warned of is not the question here

N = 45
GAP = 4  # the cell that is masked, of all of them
ROWS_BY_NUMBER = {
    "BaggingClassifier",
    "BaggingRegressor",
    "OneVsOneClassifier",
    "StackingClassifier",
    "StackingRegressor",
}
TABLE_OF_TARGETS = ["Chain"]
TABLE_OF_TARGETS += ["KNeighborsRegressor", "KernelRegression", "LinearRegression", "PolynomialRegression"]
TABLE_OF_TARGETS += ["RadiusNeighborsRegressor", "RegressionTree", "TotalLeastSquares", "RegressionForest"]


def rows(name: str) -> Any:
    some: Any = X[:N, :1] if name in ONE_COLUMN else X[:N]
    return some.astype(np.float64)


def named(table: Any) -> dict[str, Any]:
    return {f"c{j}": column for j, column in enumerate(table.T)}


FORMS: dict[str, Callable[[Any], Any]] = {
    "a mapping of lists": lambda table: {name: column.tolist() for name, column in named(table).items()},
    "a masked array, nothing masked": np.ma.array,
    "a record batch": lambda table: pa.RecordBatch.from_pydict(named(table)),
    "columns that are numbered": lambda table: pd.DataFrame(table, columns=range(5, 5 + table.shape[1])),
    "an index of its own": lambda table: pd.DataFrame(table, index=np.arange(N)[::-1] * 3),
    "nullable floats": lambda table: pd.DataFrame(table).astype("Float64"),
}
TARGETS: dict[str, Callable[[Any], Any]] = {
    "a column": lambda y: y[:, None],
    "a frame": lambda y: pd.DataFrame({"y": y}),
    "a series of polars": lambda y: pl.Series(y.tolist()),
    "an array of Arrow": lambda y: pa.array(y.tolist()),
}


def said(name: str, table: Any, y: Any) -> Any:
    model = ALL[name]()
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    model.fit(table, y)
    for kept in ("labels_", "embedding_"):
        if hasattr(model, kept):
            return getattr(model, kept)
    return model.kneighbors(table)[0] if name == "NearestNeighbors" else answers(model, table)


@pytest.mark.parametrize("name", sorted(ALL))
def test_the_form_of_a_table_makes_no_difference(name: str) -> None:
    """Nor does the form of a target."""
    table, model = rows(name), ALL[name]()
    y = target_for(model)
    y = None if y is None else y[:N]
    plain = said(name, table, y)
    for form, change in FORMS.items():
        if form == "a mapping of lists" and name in ROWS_BY_NUMBER:
            with pytest.raises(BadInput, match="got a mapping of columns"):
                said(name, change(table), y)
            continue
        _same(plain, said(name, change(table), y), form)
    if is_classifier(model) or is_regressor(model):
        for form, change in TARGETS.items():
            other = said(name, table, change(y))
            table_of_one = name in TABLE_OF_TARGETS and form in ("a column", "a frame")
            _same(plain[:, None] if table_of_one else plain, other, form)


@pytest.mark.parametrize("name", sorted(ALL))
def test_masked_cells_are_missing_cells(name: str) -> None:
    """The number behind a mask is never used; what cannot be without the cell says which it is."""
    table, model = rows(name), ALL[name]()
    y = target_for(model)
    y = None if y is None else y[:N]
    hidden = np.arange(table.size).reshape(table.shape) == GAP
    outcomes = []
    for form in (np.where(hidden, np.nan, table), np.ma.array(np.where(hidden, 1e6, table), mask=hidden)):
        try:
            outcomes.append(said(name, form, y))
        except SufficeError as error:
            outcomes.append(str(error))
    if any(isinstance(each, str) for each in outcomes):
        assert all(isinstance(each, str) for each in outcomes), outcomes
        assert outcomes[0] == outcomes[1]
    else:
        _same(*outcomes, "masked")


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_lazy_table_is_to_be_collected(name: str) -> None:
    y = target_for(ALL[name]())
    with pytest.raises(SufficeError, match="collect"):
        ALL[name]().fit(pl.DataFrame(named(rows(name))).lazy(), None if y is None else y[:N])


def test_masked_targets_and_weights_are_missing() -> None:
    hidden = np.arange(N) == 2
    with pytest.raises(BadInput, match="row 2"):
        suffice.Ridge().fit(X[:N], np.ma.array(NUMBERS[:N], mask=hidden))
    with pytest.raises(BadInput, match="row 2"):
        suffice.GaussianNB().fit(X[:N], np.ma.array(LABELS[:N], mask=hidden))
    with pytest.raises(BadInput, match="finite"):
        suffice.Ridge().fit(X[:N], NUMBERS[:N], np.ma.array(np.ones(N), mask=hidden))


def test_columns_of_a_mapping_are_known_by_their_names() -> None:
    table = {"a": [1.0, 2.0, 4.0, 3.0], "b": [0.0, 5.0, 1.0, 2.0]}
    model = suffice.GaussianNB().fit(table, ["p", "q", "p", "q"])
    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert model.predict({"b": [5.0], "a": [2.0], "note": ["unread"]}).tolist() == ["q"]
    with pytest.raises(BadInput, match="'b' among them"):
        model.predict({"a": [2.0]})
    with pytest.raises(BadInput, match="column 'b' must be of numbers"):
        suffice.GaussianNB().fit({**table, "b": list("wxyz")}, ["p", "q", "p", "q"])
    with pytest.raises(BadInput, match="column 'b' must be present in every row"):
        suffice.GaussianNB().fit({**table, "b": [1.0, None, 2.0, 3.0]}, ["p", "q", "p", "q"])


OWN_LABELS = sorted(  # classes of scikit-learn's that check labels by its rules refuse some types
    {name for name in ALL if is_classifier(ALL[name]())}
    - {"LogisticRegressionCV", "OneVsRestClassifier", "VotingClassifier", *ROWS_BY_NUMBER}
)


@pytest.mark.parametrize("name", OWN_LABELS)
def test_labels_of_any_type_are_scored(name: str, tmp_path: Path) -> None:
    """By the model and by the model from a file."""
    table, two = rows(name), np.arange(N) % 2
    for labels in (np.array([False, True], dtype=object), np.array([b"a", b"b"]), np.array([-1.0, 1.0])):
        y = labels[two]
        model = ALL[name]().fit(table, y)
        share = np.mean([a == b for a, b in zip(model.predict(table).tolist(), y.tolist(), strict=True)])
        assert model.score(table, y) == pytest.approx(share, abs=1e-12)
    weights = np.arange(N) % 3
    told = model.score(table, y, weights)
    assert told == pytest.approx(np.average(model.predict(table) == y, weights=weights), abs=1e-12)
    model.save(tmp_path / "model")
    assert suffice.load(tmp_path / "model").score(table, y, weights) == told
    with pytest.raises(BadInput, match="rows"):
        model.score(table, y[:-1])


def _same(a: Any, b: Any, form: str) -> None:
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape, form
    if a.dtype.kind in "fiub":
        np.testing.assert_allclose(b.astype(np.float64), a.astype(np.float64), rtol=1e-9, atol=1e-9, err_msg=form)
    else:
        assert (a == b).all(), form
