"""Calibrate: shards, weights, missing cells, many classes, cross-fitting, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from suffice import Calibrate, load
from suffice.core.errors import BadInput

RNG = np.random.default_rng(0)
N = 240
Y = RNG.integers(0, 2, N)
THREE = np.array(["a", "b", "c"])[RNG.integers(0, 3, N)]
TABLE = pd.DataFrame(
    {
        "x": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N) + Y),
        "site": RNG.choice(["north", "east", "west"], N),
        "count": RNG.poisson(3, N),
    }
)


@pytest.mark.parametrize("numbers", ["isotonic", "logistic", "bins"])
@pytest.mark.parametrize("y", [Y, THREE], ids=["two", "three"])
def test_shards_and_forgetting(numbers: str, y: Any) -> None:
    whole = Calibrate(numbers).fit(TABLE, y)
    first, *rest = (Calibrate(numbers).fit(TABLE.iloc[i], y[i]) for i in np.array_split(RNG.permutation(N), 16))
    merged = first.merge(*rest)
    np.testing.assert_allclose(merged.transform(TABLE), whole.transform(TABLE), rtol=1e-12, atol=1e-12)
    left = merged.forget(TABLE[:100], y[:100])
    other = Calibrate(numbers).fit(TABLE[100:], y[100:])
    np.testing.assert_allclose(left.transform(TABLE), other.transform(TABLE), rtol=1e-12, atol=1e-12)
    assert whole.transform(TABLE).shape == (N, 3 if y is Y else 9)


def test_names_and_classes() -> None:
    model = Calibrate().fit(TABLE, THREE)
    assert model.get_feature_names_out()[:3].tolist() == ["x_a", "x_b", "x_c"]
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert set(model.decide(TABLE)) <= {"a", "b", "c"}
    assert Calibrate().fit(TABLE, Y).get_feature_names_out().tolist() == ["x", "site", "count"]


def test_weights_are_copies() -> None:
    w = RNG.integers(0, 3, N)
    for numbers in ("isotonic", "logistic", "bins"):
        weighed = Calibrate(numbers).fit(TABLE, Y, sample_weight=w)
        copied = Calibrate(numbers).fit(TABLE.iloc[np.repeat(np.arange(N), w)], np.repeat(Y, w))
        np.testing.assert_allclose(weighed.transform(TABLE), copied.transform(TABLE), rtol=1e-12, atol=1e-12)


def test_missing_cells_are_a_value() -> None:
    model = Calibrate(space="probability").fit({"s": ["a", "a", None, None, "b"]}, [0, 1, 1, 1, 0])
    m, n, c = 2, 2, 3 / 2
    assert model.transform({"s": [None, "a"]})[0, 0] == pytest.approx((m + 1) / (m + 1 + c * (n - m + 1)))
    far = Calibrate().fit([[1e8], [1e8 + 1], [1e8 + 2], [np.nan]], [0, 0, 1, 1])
    assert np.isfinite(far.transform([[1e8 + 0.4], [np.nan]])).all()
    assert np.isfinite(Calibrate("logistic").fit([[5.0], [5.0]], [0, 1]).transform([[7.0]])).all()
    assert np.isfinite(Calibrate().fit([[5.0], [6.0]], [1, 1]).transform([[7.0]])).all()  # one class


def test_files_and_saving(tmp_path: Path) -> None:
    TABLE.assign(y=np.where(Y, "ill", "well")).to_csv(tmp_path / "x.csv", index=False)
    mine = Calibrate().fit(str(tmp_path / "x.csv"), target="y")
    memory = Calibrate().fit(TABLE, np.where(Y, "ill", "well"))
    np.testing.assert_allclose(mine.transform(TABLE), memory.transform(TABLE), rtol=1e-12)
    memory.save(tmp_path / "c")
    loaded = load(tmp_path / "c")
    assert np.array_equal(loaded.transform(TABLE), memory.transform(TABLE))
    assert loaded.evidence("site").information_value == memory.evidence("site").information_value
    assert np.array_equal(loaded.decide(TABLE), memory.decide(TABLE))
    loaded.partial_fit(TABLE, np.where(Y, "ill", "well"))


def test_a_column_that_shows_its_kind_late() -> None:
    first = Calibrate().fit({"x": [1.0, 2.0], "s": [None, None]}, [0, 1])
    both = first.partial_fit({"x": [3.0, 4.0], "s": ["a", "b"]}, [0, 1])
    whole = Calibrate().fit({"x": [1.0, 2.0, 3.0, 4.0], "s": [None, None, "a", "b"]}, [0, 1, 0, 1])
    rows = {"x": [2.5], "s": ["b"]}
    np.testing.assert_allclose(both.transform(rows), whole.transform(rows), rtol=1e-13)


def test_cross_fitting_does_not_leak() -> None:
    """Noise targets, 1000 categories, 1500 rows: the naive encoding ranks training rows well, the crossed does not."""
    naive, crossed = [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = {"g": [f"c{i}" for i in rng.integers(0, 1000, 1500)]}, rng.integers(0, 2, 1500)
        model = Calibrate(smoothing="neutral")
        crossed.append(roc_auc_score(y, model.fit_transform(X, y).ravel()))
        naive.append(roc_auc_score(y, model.transform(X).ravel()))
    assert np.mean(crossed) == pytest.approx(0.5, abs=0.02)
    assert np.mean(naive) > 0.85


def test_cross_fitting_spoils_no_model() -> None:
    """Beside one weak true column the cross-fitted noise column costs at most 0.01 of AUC on new rows."""
    loss, naive_loss = [], []
    for seed in range(4):
        rng = np.random.default_rng(seed)

        def draw(n: int, rng: Any = rng) -> Any:
            y = rng.integers(0, 2, n)
            return {"g": [f"c{i}" for i in rng.integers(0, 1000, n)]}, rng.normal(size=n) + 0.5 * y, y

        X, weak, y = draw(1500)
        new, new_weak, new_y = draw(4000)
        model = Calibrate(smoothing="neutral")
        crossed = model.fit_transform(X, y)
        alone = LogisticRegression().fit(weak[:, None], y).decision_function(new_weak[:, None])
        for some, column in ((loss, crossed), (naive_loss, model.transform(X))):
            fitted = LogisticRegression().fit(np.column_stack([weak, column]), y)
            answers = fitted.decision_function(np.column_stack([new_weak, model.transform(new)]))
            some.append(roc_auc_score(new_y, alone) - roc_auc_score(new_y, answers))
    assert np.mean(loss) <= 0.01
    assert np.mean(naive_loss) > np.mean(loss)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Calibrate("odd").fit(TABLE, Y), "one of"),
        (lambda: Calibrate(space="odd").fit(TABLE, Y), "one of"),
        (lambda: Calibrate(smoothing="odd").fit(TABLE, Y), "one of"),
        (lambda: Calibrate(strength=0.0).fit(TABLE, Y), "above 0"),
        (lambda: Calibrate(sigma=-1.0).fit(TABLE, Y), "above 0"),
        (lambda: Calibrate(bins="odd").fit(TABLE, Y), "one of"),
        (lambda: Calibrate(cv=1).fit_transform(TABLE, Y), "at least 2"),
        (lambda: Calibrate(kinds={"z": "count"}).fit(TABLE, Y), "about columns of the table"),
        (lambda: Calibrate(kinds={"site": "text"}).fit(TABLE, Y), "numbers or symbols"),
        (lambda: Calibrate().fit(TABLE), "a label for each row"),
        (lambda: Calibrate().fit(TABLE, Y).evidence("z"), "one of"),
        (lambda: Calibrate().fit(TABLE, Y).evidence("x", "z"), "one of the classes"),
        (lambda: Calibrate().fit(TABLE, Y).log_odds(TABLE, [1.0]), "one a column"),
        (lambda: Calibrate().fit(TABLE, Y).decide(TABLE, [np.nan] * 3), "one a column"),
        (lambda: Calibrate().fit(TABLE, Y).transform(TABLE[["x"]]), "feature names"),
    ],
)
def test_what_is_refused(call: Any, says: str) -> None:
    with pytest.raises((BadInput, ValueError), match=says):
        call()
