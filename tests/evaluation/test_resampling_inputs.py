"""Bad input to resampling and tests gets one clear sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from suffice import GaussianNB, Ridge
from suffice.core.errors import BadInput
from suffice.evaluation import (
    Bootstrap,
    ErrorCount,
    PairedErrors,
    Significance,
    SquaredErrorParts,
    ZeroOneParts,
    bias_variance,
    bootstrap_interval,
    bootstrap_rows,
    complexity_curve,
    distinct_share,
    friedman,
    hold_out_errors,
    out_of_bag_error,
    paired_t,
    part_mean_deviation,
    random_parts,
    sign_test,
    signed_ranks,
    smallest_normal,
    smallest_of,
    train_validate_test,
)

X, Y, T = np.arange(12.0).reshape(-1, 1), np.array(["a", "b"] * 6), np.arange(12.0)
NB = GaussianNB()


def two(first: Any, second: Any) -> Callable[[], Any]:
    return lambda: paired_t(first, second)


CASES: list[tuple[str, Callable[[], Any]]] = [
    ("Bootstrap: n_splits must be a whole number of at least 1, got 0", lambda: Bootstrap(0)),
    ("Bootstrap: n_splits must be a whole number of at least 1, got True", lambda: Bootstrap(True)),
    ("Bootstrap: random_state must be None, a seed", lambda: Bootstrap(3, "dice")),
    ("Bootstrap: random_state must be None, a seed", lambda: Bootstrap(3, -1)),
    ("Bootstrap: random_state must be None, a seed", lambda: Bootstrap(3, 0.5)),
    ("Bootstrap: n must be a whole number of at least 1, got 0", lambda: Bootstrap(3).counts(0)),
    ("Bootstrap: n must be a whole number of at least 1, got 0", lambda: Bootstrap(3).split([])),
    ("Bootstrap: sample_weight must be at least 0", lambda: Bootstrap(3).counts(2, [1.0, -1.0])),
    ("Bootstrap: sample_weight must be such that they sum", lambda: Bootstrap(3).counts(2, [0.1, 0.1])),
    ("Bootstrap: groups must be one label for each of the 3 rows", lambda: Bootstrap(3).counts(3, groups=[0, 1])),
    ("Bootstrap: sample_weight must be one column of 3", lambda: bootstrap_rows(3, sample_weight=[1.0])),
    ("distinct_share: n must be a whole number of at least 1, got 2.5", lambda: distinct_share(2.5)),
    ("bootstrap_interval: method must be among", lambda: bootstrap_interval(np.mean, [1.0], method="t")),
    (
        "bootstrap_interval: level must be a number between 0 and 1",
        lambda: bootstrap_interval(np.mean, [1.0], level=95),
    ),
    ("bootstrap_interval: replicas must be a whole", lambda: bootstrap_interval(np.mean, [1.0], replicas=0)),
    ("bootstrap_interval: columns must be one or more", lambda: bootstrap_interval(np.mean)),
    ("bootstrap_interval: columns must be one or more", lambda: bootstrap_interval(np.dot, [1.0], [1.0, 2.0])),
    ("bootstrap_interval: weights must be given", lambda: bootstrap_interval(np.mean, [1.0], sample_weight=[2.0])),
    ("bootstrap_interval: statistic must be a function that gives", lambda: bootstrap_interval(np.sort, [1.0, 2.0])),
    ("bootstrap_interval: statistic must be a number for", lambda: bootstrap_interval(lambda x: np.nan, [1.0])),
    ("out_of_bag_error: y must be one label or number", lambda: out_of_bag_error(NB, X, Y[:5])),
    ("out_of_bag_error: y must be one label or number", lambda: out_of_bag_error(NB, X, None)),
    ("out_of_bag_error: loss must be among", lambda: out_of_bag_error(NB, X, Y, loss="squared_error")),
    ("out_of_bag_error: loss must be among", lambda: out_of_bag_error(Ridge(), X, T, loss="zero_one")),
    (
        "loss: loss must be one that works without predict_proba",
        lambda: out_of_bag_error(LinearSVC(), X, Y, loss="brier"),
    ),
    ("out_of_bag_error: replicas must be a number of", lambda: out_of_bag_error(NB, X, Y, replicas=0)),
    ("out_of_bag_error: replicas must be such that some", lambda: out_of_bag_error(NB, X[:1], Y[:1])),
    (
        "out_of_bag_error: sample_weight must be finite",
        lambda: out_of_bag_error(NB, X, Y, sample_weight=np.full(12, np.nan)),
    ),
    ("out_of_bag_error: replicas must be a number of replicas", lambda: out_of_bag_error(NB, X, Y, replicas=KFold(40))),
    (
        "replicas: sample_weight must be whole numbers, as KNeighborsClassifier takes no weights",
        lambda: out_of_bag_error(KNeighborsClassifier(1), X, Y, sample_weight=np.full(12, 1.5)),
    ),
    ("bias_variance: X_test and y_test must be both given", lambda: bias_variance(NB, X, Y, X)),
    ("bias_variance: y must be one label or number", lambda: bias_variance(NB, X, Y, X, Y[:3])),
    ("bias_variance: test_weight must be None", lambda: bias_variance(NB, X, Y, test_weight=T)),
    ("ZeroOneParts: ties must be among", lambda: bias_variance(NB, X, Y, X, Y, replicas=2, ties="random")),
    ("ZeroOneParts: predictions must be a table", lambda: ZeroOneParts.of([1, 0], [1, 0])),
    ("ZeroOneParts: y must be one label for each of the 2 rows", lambda: ZeroOneParts.of([[1, 0]], [1])),
    ("ZeroOneParts: predictions must be such that some row", lambda: ZeroOneParts.of([[None, None]], [1, 0])),
    ("SquaredErrorParts: predictions must be a table", lambda: SquaredErrorParts.of([1.0], [1.0])),
    ("SquaredErrorParts: predictions must be finite", lambda: SquaredErrorParts.of([[np.inf]], [1.0])),
    ("SquaredErrorParts: predictions must be finite", lambda: SquaredErrorParts.of([[np.nan]], [1.0])),
    ("SquaredErrorParts: predictions must be numbers", lambda: SquaredErrorParts.of([["a"]], [1.0])),
    ("SquaredErrorParts: y must be finite, one target", lambda: SquaredErrorParts.of([[1.0]], [np.nan])),
    ("SquaredErrorParts: y must be finite, one target", lambda: SquaredErrorParts.of([[1.0]], [1.0, 2.0])),
    ("random_parts: sizes must be numbers of at least 1 row", lambda: random_parts(10, (6, 5))),
    ("random_parts: sizes must be numbers of at least 1 row", lambda: random_parts(10, (0.8, 0.3))),
    ("random_parts: sizes must be numbers of at least 1 row", lambda: random_parts(10, (0.5, -0.1))),
    ("random_parts: sizes must be numbers of at least 1 row", lambda: random_parts(10, ())),
    ("One of them is less than half a row", lambda: random_parts(10, (0.9, 0.01))),
    ("random_parts: sizes must be numbers of at least 1 row", lambda: random_parts(10, ("half",))),
    ("part_mean_deviation: part must be at most n, 5", lambda: part_mean_deviation(6, 5)),
    ("hold_out_errors: cv must be", lambda: hold_out_errors(NB, X, Y, cv=1)),
    ("complexity_curve: values must be at least one", lambda: complexity_curve(NB, "var_smoothing", [], X, Y)),
    ("complexity_curve: parameter must be a parameter of", lambda: complexity_curve(NB, "degree", [1], X, Y)),
    ("train_validate_test: parts must be three", lambda: train_validate_test(NB, {}, X, Y, parts=(0.5, 0.5))),
    ("train_validate_test: parts must be disjoint", lambda: train_validate_test(NB, {}, X, Y, parts=([0], [0], [1]))),
    ("train_validate_test: grid must be of at least one", lambda: train_validate_test(NB, [], X, Y)),
    ("smallest_of: group must be at most the number of errors, 2", lambda: smallest_of([1.0, 2.0], 3)),
    ("smallest_of: errors must be finite, got nan at place 1", lambda: smallest_of([1.0, np.nan], 1)),
    ("smallest_normal: group must be a whole number", lambda: smallest_normal(0)),
    ("ErrorCount: errors must be a number of rows from 0 to n, 5", lambda: ErrorCount(6, 5)),
    ("ErrorCount: n must be a number of rows above 0", lambda: ErrorCount(0, 0)),
    ("ErrorCount: method must be among", lambda: ErrorCount(1, 5).interval(method="exact")),
    ("ErrorCount: level must be a number between 0 and 1", lambda: ErrorCount(1, 5).half_width(1.0)),
    ("PairedErrors: predicted must be one label for each of the 2", lambda: PairedErrors.of([1, 0], [1], [1, 0])),
    ("PairedErrors: only_first must be a whole number", lambda: PairedErrors.from_counts(1.5, 0)),
    ("PairedErrors: cell must be among", lambda: PairedErrors.from_counts(1, 0)["neither"]),
    ("PairedErrors: weights must be whole for the exact", lambda: PairedErrors.of([1], [0], [1], [0.5]).exact()),
    ("Significance: level must be a number between", lambda: Significance("t", 1.0, 0.1).at(0.0)),
    ("paired_t: second must be as many numbers as first, 2, got 3", two([1.0, 2.0], [1.0, 2.0, 3.0])),
    ("paired_t: first must be at least 2 numbers, got 1", two([1.0], [1.0])),
    ("paired_t: first must be one column of numbers, got shape", two([[1.0, 2.0]], [1.0, 2.0])),
    ("paired_t: second must be finite, got nan at place 0", two([1.0, 2.0], [np.nan, 2.0])),
    ("paired_t: test_ratio must be a number of at least 0", lambda: paired_t([1.0, 2.0], [2.0, 1.0], -0.5)),
    ("sign_test: first must be one column of numbers", lambda: sign_test("better", [1.0])),
    ("signed_ranks: first must be at least 1 numbers", lambda: signed_ranks([], [])),
    ("friedman: values must be a table of at least 2 data sets", lambda: friedman([[1.0, 2.0]])),
    ("friedman: values must be finite, got nan in line 1, column 0", lambda: friedman([[1.0, 2.0], [np.nan, 1.0]])),
    ("friedman: names must be 2 different names", lambda: friedman([[1.0, 2.0], [2.0, 1.0]], ["a", "a"])),
]


@pytest.mark.parametrize(("message", "call"), CASES, ids=[f"{i}: {case[0][:40]}" for i, case in enumerate(CASES)])
def test_refused_in_one_sentence(message: str, call: Callable[[], Any]) -> None:
    with pytest.raises(BadInput, match=re.escape(message)) as caught:
        call()
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 400
    assert " must be " in text
