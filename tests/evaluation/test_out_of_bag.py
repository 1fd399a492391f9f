"""The out-of-bag error, .632 and .632+: by hand, for any classifier and regressor, weighted or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression as PeerLinear
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB as PeerNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import GaussianNB, LinearRegression, NaiveBayes
from suffice.evaluation import Bootstrap, OutOfBag, cross_validate, out_of_bag_error
from suffice.evaluation.scores.estimate import Estimate
from suffice.evaluation.scores.losses import CLASS_LOSSES, NUMBER_LOSSES

rng = np.random.default_rng(2)
X = rng.normal(size=(50, 2))
Y = np.array(["a", "b", "c"])[np.clip((X[:, 0] + rng.normal(size=50)).round(), -1, 1).astype(int) + 1]
T = X @ [1.0, -2.0] + rng.normal(size=50)


def row_loss(name: str, model: Any, rows: Any, y: Any) -> Any:
    """The losses of rows, spelled out."""
    if name == "zero_one":
        return (model.predict(rows) != y).astype(float)
    if name in ("log_loss", "brier"):
        p, true = model.predict_proba(rows), model.classes_ == np.asarray(y)[:, None]
        with np.errstate(divide="ignore"):
            log_loss = -np.log((p * true).sum(axis=1))
        return log_loss if name == "log_loss" else ((p - true) ** 2).sum(axis=1) / 2
    return np.abs(model.predict(rows) - y) ** (2 if name == "squared_error" else 1)


CASES = [
    *(("classifier", name) for name in CLASS_LOSSES),
    *(("regressor", name) for name in NUMBER_LOSSES),
]


@pytest.mark.parametrize(("kind", "loss"), CASES)
def test_by_hand(kind: str, loss: str) -> None:
    """Ours by weights against scikit-learn's by copies of rows, replica by replica."""
    ours, theirs, y = {
        "classifier": (GaussianNB(var_smoothing=0), PeerNB(var_smoothing=0), Y),
        "regressor": (LinearRegression(), PeerLinear(), T),
    }[kind]
    found = out_of_bag_error(ours, X, y, replicas=Bootstrap(30, 7), loss=loss)
    lost: list[list[float]] = [[] for _ in y]
    for rows, left_out in Bootstrap(30, 7).split(X):
        model = theirs.fit(X[rows], y[rows])
        for i, one in zip(left_out, row_loss(loss, model, X[left_out], y[left_out]), strict=True):
            lost[i].append(one)
    assert found.left_out.tolist() == [len(of_row) for of_row in lost]
    expected = np.array([np.mean(of_row) for of_row in lost])
    np.testing.assert_allclose(found.by_row, expected, rtol=1e-9)
    whole = theirs.fit(X, y)
    training = row_loss(loss, whole, X, y).mean()
    unrelated = np.mean([row_loss(loss, whole, X, np.full(50, t)).mean() for t in y])
    assert found.training == pytest.approx(training, rel=1e-9)
    assert found.unrelated == pytest.approx(unrelated, rel=1e-9)
    assert found.out_of_bag.value == pytest.approx(expected.mean(), rel=1e-9)
    assert found.error_632 == pytest.approx(0.368 * training + 0.632 * expected.mean(), rel=1e-9)
    r = (expected.mean() - training) / (unrelated - training)
    plus = found.error_632 + (expected.mean() - training) * 0.368 * 0.632 * r / (1 - 0.368 * r)
    assert found.error_632_plus == pytest.approx(plus, rel=1e-9)  # as the authors write it


def test_a_model_that_learns_by_heart() -> None:
    """Labels are coin tosses: one neighbour has no training error, .632 believes it too much, .632+ does not."""
    coins = rng.integers(0, 2, 200)
    found = out_of_bag_error(KNeighborsClassifier(1), rng.normal(size=(200, 3)), coins, replicas=60)
    assert found.training == 0.0
    assert found.out_of_bag.value == pytest.approx(0.5, abs=0.09)
    assert found.error_632 < 0.38
    assert found.error_632_plus > 0.43
    assert found.overfitting > 0.85


def parts(training: float, out_of_bag: float, unrelated: float) -> OutOfBag:
    return OutOfBag(np.zeros(1), np.ones(1), Estimate(out_of_bag, 0.0, 1.0, 1.0), training, unrelated, "zero_one")


def test_the_ends_of_632_plus() -> None:
    nothing, all_of_it = parts(0.2, 0.2, 0.5), parts(0.0, 0.6, 0.5)
    assert nothing.error_632_plus == pytest.approx(0.2)
    assert (nothing.overfitting, all_of_it.overfitting) == (0.0, 1.0)
    assert all_of_it.error_632_plus == pytest.approx(0.5)  # never worse than knowing nothing
    assert parts(0.3, 0.2, 0.5).error_632_plus == pytest.approx(0.368 * 0.3 + 0.632 * 0.2)
    assert parts(0.5, 0.6, 0.5).overfitting == 0.0


def test_folds_give_the_cross_validated_error() -> None:
    found = out_of_bag_error(GaussianNB(), X, Y, replicas=KFold(5))
    assert found.left_out.tolist() == [1] * 50
    assert found.out_of_bag.value == pytest.approx(
        1 - cross_validate(GaussianNB(), X, Y, cv=KFold(5)).total.accuracy.value
    )


def test_weights_are_drawn_by_and_tested_by() -> None:
    """A row of weight 0 is neither learned from nor counted; the others count by their weight."""
    w = rng.integers(0, 3, 50).astype(float)
    found = out_of_bag_error(GaussianNB(), X, Y, sample_weight=w, replicas=40)
    assert found.left_out[w == 0].tolist() == [40] * int((w == 0).sum())
    assert found.out_of_bag.value == pytest.approx(np.average(found.by_row, weights=w), rel=1e-12)
    live = w > 0
    alone = out_of_bag_error(GaussianNB(), X[live], Y[live], sample_weight=w[live], replicas=40)
    np.testing.assert_allclose(alone.by_row, found.by_row[live], rtol=1e-12)
    assert (alone.training, alone.unrelated) == pytest.approx((found.training, found.unrelated), rel=1e-12)
    few = out_of_bag_error(KNeighborsClassifier(3), X, Y, sample_weight=w, replicas=Bootstrap(3, 0))
    assert few.out_of_bag.n == w[few.left_out > 0].sum() < w.sum()  # rows never left out have no part in it


def test_any_table_and_any_pipeline() -> None:
    table = pd.DataFrame({"x": X[:, 0], "s": np.where(X[:, 1] > 0, "high", "low")})
    assert out_of_bag_error(NaiveBayes(), table, Y.tolist(), replicas=10).out_of_bag.value < 0.7
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    assert out_of_bag_error(scaled, X, Y, replicas=5, loss="brier").out_of_bag.value < 0.6


def test_an_impossible_class_loses_without_end() -> None:
    y = np.array(["a"] * 39 + ["once"])
    found = out_of_bag_error(GaussianNB(), X[:40], y, replicas=20, loss="log_loss")
    assert found.out_of_bag.value == np.inf
    assert np.isnan(found.out_of_bag.low)


def test_groups_are_left_out_together() -> None:
    """Copies of a row in other groups give the answer away; as one group they do not."""
    x, coins = np.repeat(rng.normal(size=(30, 2)), 4, axis=0), np.repeat(rng.integers(0, 2, 30), 4)
    alone = out_of_bag_error(KNeighborsClassifier(1), x, coins, replicas=30)
    grouped = out_of_bag_error(KNeighborsClassifier(1), x, coins, replicas=30, groups=np.repeat(np.arange(30), 4))
    assert alone.out_of_bag.value < 0.1
    assert grouped.out_of_bag.value > 0.3
