"""What no estimator can use is refused by every one of them, found by discovery, in one sentence that is ours."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import FitFailedWarning

import suffice
import suffice.clusters
from suffice.core.errors import BadInput, SufficeError
from tests.test_seams import ALL, ONE_COLUMN

pytestmark = pytest.mark.filterwarnings("ignore")  # what a table is warned of is not the question here


@pytest.fixture
def no_warnings() -> Iterator[None]:
    """Where it is: the mark above goes before one of a test."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture
def no_overflows() -> Iterator[None]:
    """The same of NumPy's warnings; scikit-learn's searches tell of fits that failed, and why, by one of their own."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", FitFailedWarning)
        yield


N = 24
rng = np.random.default_rng(1)
TABLE = pd.DataFrame(rng.normal(size=(N, 3)), columns=["a", "b", "c"])
LABELS = np.array(["no", "yes", "so"])[np.arange(N) % 3]
NUMBERS = TABLE.a.to_numpy() + rng.normal(size=N)

TABLES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "nothing": lambda X: None,
    "a word": lambda X: "hello",
    "one axis": lambda X: X.a.to_numpy(),
    "three axes": lambda X: np.zeros((N, 2, 2)),
    "no rows": lambda X: X.iloc[:0],
    "no columns": lambda X: X[[]],
    "two columns of one name": lambda X: X.set_axis(["a"] * X.shape[1], axis=1) if X.shape[1] > 1 else None,
    "complex": lambda X: X.assign(a=X.a + 1j),
    "dates": lambda X: X.assign(a=pd.date_range("2020", periods=N)),
    "categories": lambda X: X.assign(a=pd.Categorical(["x", "y"] * (N // 2))),
    "lists": lambda X: X.assign(a=[[1, 2]] * N),
    "infinite": lambda X: X.assign(a=np.where(np.arange(N) == 3, np.inf, X.a)),
    "huge": lambda X: X * 1e200,
    "all missing": lambda X: X * np.nan,
}
TARGETS: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda y: None,
    "one too few": lambda y: y[:-1],
    "two axes": lambda y: np.stack([np.c_[y, y]] * 2),
    "infinite": lambda y: np.where(np.arange(N) == 2, np.inf, NUMBERS),
    "missing": lambda y: np.where(np.arange(N) == 2, None, y.astype(object)),
}
WEIGHTS: dict[str, Callable[[Any], Any]] = {
    "negative": lambda w: -w,
    "missing": lambda w: w * np.nan,
    "none left": lambda w: w * 0,
    "one too few": lambda w: w[:-1],
    "words": lambda w: np.array(["a"] * N),
}


@pytest.mark.parametrize("name", sorted(ALL))
def test_it_fits_or_refuses_in_our_words(name: str) -> None:
    """A sentence of ours says who refused; an error of another library does not reach a user, nor a half-made model."""
    X = TABLE[["a"]] if name in ONE_COLUMN else TABLE
    model = ALL[name]()
    y = LABELS if is_classifier(model) else NUMBERS
    takes = inspect.signature(model.fit).parameters
    for case, change in TABLES.items():
        _try(name, f"X: {case}", change(X), y, {})
    if "y" in takes and (is_classifier(model) or is_regressor(model)):
        for case, other in TARGETS.items():
            _try(name, f"y: {case}", X, other(y), {})
    if "sample_weight" in takes:
        for case, other in WEIGHTS.items():
            _try(name, f"weights: {case}", X, y, {"sample_weight": other(np.ones(N))})


def _try(name: str, case: str, X: Any, y: Any, weights: dict[str, Any]) -> None:
    model = ALL[name]()
    before = dict(vars(model))
    y = y[: len(X)] if hasattr(X, "columns") and case.startswith("X") else y
    try:
        model.fit(X, y, **weights) if "y" in inspect.signature(model.fit).parameters else model.fit(X, **weights)
        for verb in ("predict", "transform"):
            if hasattr(model, verb):
                getattr(model, verb)(X)
    except SufficeError as error:
        told = str(error)
        assert len(told) < 500, f"{case}: not one sentence: {told}"
        assert "\n" not in told, f"{case}: not one line: {told}"
        if not any(key.endswith("_") for key in vars(model)):
            assert vars(model).keys() == before.keys(), f"{case}: something was left behind"
    except Exception as error:
        pytest.fail(f"{case}: {type(error).__module__}.{type(error).__name__}: {str(error)[:200]}")


HANDS_ON_ARRAYS = {"SelectFromModel", "OneVsOneClassifier"}  # to the estimator that refuses, which knows no names


@pytest.mark.usefixtures("no_overflows")
@pytest.mark.parametrize("name", sorted(set(ALL) - HANDS_ON_ARRAYS))
def test_a_cell_that_is_too_large_is_refused_by_the_name_of_its_column(name: str) -> None:
    """Sums know the place of a cell in a block alone; who refuses, which column and which row is told all the same."""
    X = TABLE[["b"]] if name in ONE_COLUMN else TABLE
    X = X.abs().assign(b=np.where(np.arange(N) == 7, 1e200, X.b.abs()))
    model = ALL[name]()
    try:
        _fitted(model, X)
    except SufficeError as error:
        told = str(error)
        assert "column 'b'" in told, told
        assert "of its block" not in told
        assert not told.startswith("X: ")
        assert "row 7" in told or "1e+200" not in told, told


def _fitted(model: Any, X: Any) -> None:
    y = NUMBERS if is_regressor(model) else LABELS
    model.fit(X, y) if "y" in inspect.signature(model.fit).parameters else model.fit(X)


def test_rows_of_later_blocks_are_counted_from_the_first_of_the_table() -> None:
    """Not from the first of the block."""
    many = np.zeros((50_000, 2))
    many[40_000, 1] = 1e200
    frame = pd.DataFrame(many, columns=["a", "b"])
    for model in (suffice.StandardScaler(), suffice.GaussianNB(), suffice.PCA()):
        with pytest.raises(BadInput, match=r"column 'b' must be .* got 1e\+200 in row 40000\."):
            model.fit(frame, np.arange(50_000) % 2)


@pytest.mark.parametrize("form", [np.ndarray.tolist, np.asarray], ids=["lists", "array"])
@pytest.mark.parametrize("name", sorted(ALL))
def test_numbers_as_texts_are_learned_and_answered_alike(name: str, form: Callable[[Any], Any]) -> None:
    """What `fit` takes, its answers take; what is refused is refused by `fit`, in our sentence."""
    X = form(np.abs(TABLE[["a"]] if name in ONE_COLUMN else TABLE).to_numpy().round(2).astype(str))
    model = ALL[name]()
    told = ""
    try:
        _fitted(model, X)
    except SufficeError as error:
        told = str(error)
    assert "not compatible with arrays of" not in told
    for verb in () if told else ("predict", "transform", "predict_proba", "decision_function"):
        if hasattr(model, verb):
            getattr(model, verb)(X)


@pytest.mark.parametrize(
    ("name", "columns"),
    [(name, ["b"]) for name in ("StandardScaler", "GaussianNB", "KMeans", "RandomForestClassifier")]
    + [(name, ["a", "b", "c"]) for name in ("GaussianNB", "GaussianMixture")],
)
@pytest.mark.usefixtures("no_warnings")
def test_sparse_columns_of_pandas_are_read(name: str, columns: list[str]) -> None:
    """As if they were filled in, without a warning of another library."""
    X = TABLE.where(TABLE > 0, 0.0)
    sparse = X.astype(dict.fromkeys(columns, pd.SparseDtype(float, 0.0)))
    verb = "transform" if name == "StandardScaler" else "predict"
    found = []
    for table in (sparse, X):
        model = ALL[name]()
        _fitted(model, table)
        found.append(getattr(model, verb)(table))
    np.testing.assert_array_equal(*found)


@pytest.mark.usefixtures("no_warnings")
@pytest.mark.parametrize("form", [pd.DataFrame, dict, pd.DataFrame.to_numpy])
def test_codes_that_are_no_whole_numbers_of_64_bits_are_shown_as_they_are(form: Callable[[Any], Any]) -> None:
    """Not as the numbers that NumPy makes of them; in rows to learn from and in later ones."""
    rows, far = pd.DataFrame({"x0": [0.0, 1.0, 1.0]}), pd.DataFrame({"x0": [0.0, 1e300, 1.0]})
    model = suffice.CategoricalNB().fit(form(rows), [0, 1, 0])
    for ask in (lambda: model.predict(form(far)), lambda: suffice.CategoricalNB().fit(form(far), [0, 1, 0])):
        with pytest.raises(
            BadInput, match=r"^CategoricalNB: column 'x0' must be of codes of at least 0, below 2\^63, got 1e\+300 in"
        ):
            ask()


@pytest.mark.usefixtures("no_warnings")
@pytest.mark.parametrize("name", ["KMeans", "MiniBatchKMeans", "BisectingKMeans", "FuzzyCMeans"])
def test_rows_whose_squared_distances_vanish_are_refused_and_do_not_pass_for_one(name: str) -> None:
    """No warning of duplicate points."""
    cls: Any = getattr(suffice, name, None) or getattr(suffice.clusters, name)
    for form in (np.asarray, csr_matrix) if name != "FuzzyCMeans" else (np.asarray,):
        told = rf"^{name}: some column of X must be of numbers that are equal or differ by more than 1e-140, got"
        with pytest.raises(BadInput, match=told):
            cls(2, random_state=0).fit(form(TABLE.to_numpy() * 1e-200))
    cls(2, random_state=0).fit(TABLE.assign(a=TABLE.a * 1e-200))


def test_a_column_that_is_no_number_is_quoted_once() -> None:
    """Where rows are gathered from a stream."""
    rows = iter([TABLE.assign(site="n", y=LABELS)])
    with pytest.raises(BadInput, match=r"must be columns of numbers, got 'site', which is categorical\. Leave"):
        suffice.RuleList().fit(rows, target="y", in_memory=True)


LEVELS = {
    "Period": pd.period_range("2020-01", periods=N, freq="M"),
    "Interval": pd.interval_range(0, N),
    "bytes": [b"x", b"y"] * (N // 2),
}


@pytest.mark.parametrize(
    "name", ["NaiveBayes", "LinearRegression", "SVC", "OneHotEncoder", "KNeighborsClassifier", "Tree"]
)
@pytest.mark.parametrize("kind", LEVELS)
def test_levels_that_no_file_holds_are_refused_by_their_column(tmp_path: Path, name: str, kind: str) -> None:
    """And classes as those of y; what is saved as texts is."""
    table = pd.DataFrame({"a": TABLE.a, "site": pd.Series(LEVELS[kind])})
    model = ALL[name]()
    _fitted(model, table[["site"]] if name == "OneHotEncoder" else table)
    told = rf"^{name}: column 'site' must be of levels that a file can hold: .* which is of class {kind}\. Turn"
    with pytest.raises(BadInput, match=told):
        model.save(tmp_path / "m")
    labels = np.array([*LEVELS[kind][:2]] * (N // 2), dtype=object)
    with pytest.raises(BadInput, match=r"^NaiveBayes: y must be of classes that a file can hold"):
        suffice.NaiveBayes().fit(TABLE, labels).save(tmp_path / "m")
