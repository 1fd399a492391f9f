"""What a fitted estimator cannot use is refused by every one of them, at every verb, in one sentence that is ours."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError

import suffice
from suffice.core.errors import BadInput, SufficeError
from tests.test_odd_inputs import LABELS, NUMBERS, TABLE
from tests.test_seams import ALL, ONE_COLUMN

pytestmark = pytest.mark.filterwarnings("ignore")  # what a table is warned of is not the question here

N = 6
VERBS = ("predict", "predict_proba", "transform", "score", "partial_fit", "decision_function", "score_samples")
TABLES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "nothing": lambda X: None,
    "a number": lambda X: 3.0,
    "one axis": lambda X: X.iloc[:, 0].to_numpy(),
    "three axes": lambda X: np.zeros((N, X.shape[1], 2)),
    "no rows": lambda X: X.iloc[:0],
    "no columns": lambda X: X.iloc[:, :0],
    "one column more": lambda X: X.assign(more=1.0),
    "one column more, an array": lambda X: np.ones((N, X.shape[1] + 1)),
    "other names": lambda X: X.set_axis([f"other {i}" for i in range(X.shape[1])], axis=1),
    "words": lambda X: X.assign(a="red"),
    "words, an array": lambda X: np.full(X.shape, "red", dtype=object),
    "an infinite cell": lambda X: X.assign(a=np.where(np.arange(N) == 3, np.inf, X.a)),
    "an infinite cell, an array": lambda X: np.full(X.shape, np.inf),
    "missing cells": lambda X: X.assign(a=np.nan),
    "complex": lambda X: X.to_numpy() + 1j,
    "dates": lambda X: X.assign(a=pd.date_range("2020", periods=N)),
    "sparse": lambda X: sparse.csr_array(X.to_numpy()),
    "lists in cells": lambda X: X.assign(a=[[1, 2]] * N),
    "a mapping": lambda X: X.to_dict("list"),
}

FOREIGN = (  # words of other libraries that help no user
    *("could not be broadcast", "could not convert", "float() argument", "has no attribute", "could not be promoted"),
    *("setting an array element", "at least one array or dtype", "not supported between", "unsupported operand"),
)


def calls(model: Any, X: Any, y: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The verbs, each with what it takes."""
    for verb in VERBS:
        method = getattr(model, verb, None)
        if method is None:
            continue
        takes = inspect.signature(method).parameters
        targets = (y,) if "y" in takes and verb in ("score", "partial_fit") else ()
        yield verb, lambda method=method, targets=targets: method(X, *targets)


@pytest.mark.parametrize("name", sorted(ALL))
def test_it_answers_or_refuses_in_our_words(name: str) -> None:
    """A fitted estimator is as it was after each refusal."""
    X = TABLE[["a"]].abs() if name in ONE_COLUMN else TABLE.abs()
    model = ALL[name]()
    if "perplexity" in model.get_params():
        model.set_params(perplexity=5.0)
    takes = "y" in inspect.signature(model.fit).parameters
    y = LABELS if is_classifier(model) else NUMBERS
    try:
        model.fit(X, y) if takes else model.fit(X)
    except BadInput:
        y = LABELS
        model.fit(X, y)
    told: list[str] = []
    for case, change in TABLES.items():
        rows = change(X[:N])
        for verb, call in calls(model, rows, y[:N]):  # of no rows, as many targets too many
            try:
                call()
            except (SufficeError, NotFittedError) as error:
                words = str(error)
                if any(part in words for part in FOREIGN) or ("\n" in words and "feature names" not in words):
                    told.append(f"{verb}, {case}: {words[:150]!r}")
            except Exception as error:
                told.append(f"{verb}, {case}: {type(error).__module__}.{type(error).__name__}: {str(error)[:150]}")
    assert not told, "\n".join(told)


def test_a_class_a_row_is_too_many_for_folds() -> None:
    selector = suffice.SequentialFeatureSelector(suffice.GaussianNB())
    with pytest.raises(BadInput) as refused:
        selector.fit(TABLE, np.arange(len(TABLE)))
    assert str(refused.value) == (
        "SequentialFeatureSelector: the rows of a class must be at least 5, one a fold, got 1 in the largest of 24 "
        "classes. Ask for fewer folds, or predict numbers by a regressor."
    )


def test_a_column_too_large_to_describe_is_named() -> None:
    with pytest.raises(
        BadInput, match=r"describe: column 'big' must be finite and at most .* got 4e\+73\. Use another"
    ):
        suffice.describe({"small": [1.0, 2.0], "big": [4e73, 1.0]})


def test_a_pure_node_has_no_negative_zero() -> None:
    tree = suffice.DecisionTreeClassifier(criterion="entropy").fit([[0.0], [1.0]], ["a", "b"])
    assert not np.signbit(tree.tree_.impurity).any()
    assert not np.signbit(suffice.trees.impurity([1.0, 0.0], "entropy"))


@pytest.mark.parametrize("bagging", [suffice.BaggingClassifier, suffice.BaggingRegressor])
def test_truth_values_are_numbers_to_members_of_bags(bagging: Any) -> None:
    seen: list[Any] = []

    class Noting(
        suffice.DecisionTreeClassifier if bagging is suffice.BaggingClassifier else suffice.DecisionTreeRegressor
    ):
        def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
            seen.append(X.dtype)
            return super().fit(X, y, sample_weight)

    X = TABLE.assign(truth=TABLE.a > 0.5)
    model = bagging(Noting(), n_estimators=2, random_state=0).fit(X, np.arange(24) % 2)
    assert set(seen) == {np.dtype(np.float64)}
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "truth"]
    assert len(model.predict(X)) == 24


def test_names_of_classes_learned_on_in_pairs() -> None:
    """Members know two classes each, whatever the labels are."""
    model = suffice.OneVsOneClassifier(suffice.GaussianNB())
    for rows in (slice(0, 12), slice(12, 24)):
        model.partial_fit(TABLE[rows], LABELS[rows], classes=np.unique(LABELS))
    whole = suffice.OneVsOneClassifier(suffice.GaussianNB()).fit(TABLE, LABELS)
    np.testing.assert_allclose(model.decision_function(TABLE), whole.decision_function(TABLE), atol=1e-9)


def test_a_mapping_of_numbers_is_read_by_name() -> None:
    numbers = {name: TABLE[name].tolist() for name in "cba"}
    model = suffice.GaussianNB().fit(numbers, LABELS)
    assert model.feature_names_in_.tolist() == ["c", "b", "a"]
    np.testing.assert_array_equal(
        model.predict_proba(TABLE[["c", "b", "a"]]), model.predict_proba(TABLE.to_dict("list"))
    )
    with pytest.raises(BadInput, match="those of the training table, 'b' among them"):
        model.predict({"c": [1.0], "a": [2.0]})
    with pytest.raises(BadInput, match=r"column 'a' must be of numbers, got categorical"):
        model.predict({**numbers, "a": ["red"] * 24})
