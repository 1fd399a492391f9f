"""Missing numbers by class: means, medians, modes (P.M157), and the leak of known classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from suffice import ClassImputer, DecisionTreeClassifier, load
from suffice.core.errors import BadInput

X = np.array([[1.0, 10.0], [2.0, 10.0], [3.0, np.nan], [50.0, 14.0], [7.0, 30.0], [np.nan, 31.0], [9.0, 35.0]])
Y = np.array(["a", "a", "a", "a", "b", "b", "b"])


@pytest.mark.parametrize(
    ("centre", "found"),
    [
        ("mean", [[14.0, 34 / 3], [8.0, 32.0]]),
        ("median", [[2.5, 10.0], [8.0, 31.0]]),
        ("mode", [[1.0, 10.0], [7.0, 30.0]]),
    ],
)
def test_centres_of_the_observed_cells_of_each_class(centre: str, found: Any) -> None:
    """P.M157: missing cells do not count."""
    imputer = ClassImputer(centre).fit(X, Y)
    np.testing.assert_allclose(imputer.centres_, found, rtol=1e-14)
    assert imputer.classes_.tolist() == ["a", "b"]
    filled = imputer.transform(X)
    np.testing.assert_array_equal(filled[~np.isnan(X)], X[~np.isnan(X)])
    assert np.isfinite(filled).all()


def test_classes_are_weighed_by_how_probable_the_other_cells_make_them() -> None:
    imputer = ClassImputer().fit(X, Y)
    a, b = X[:4, 0], X[[4, 6], 0]
    like = np.array([4 * norm.pdf(6.0, a.mean(), a.std()), 3 * norm.pdf(6.0, b.mean(), b.std())])
    share = like / like.sum()
    np.testing.assert_allclose(imputer.transform([[6.0, np.nan]])[0, 1], share @ [34 / 3, 32.0], rtol=1e-6)
    empty = imputer.transform([[np.nan, np.nan]])
    np.testing.assert_allclose(empty, [np.array([4, 3]) / 7 @ imputer.centres_], rtol=1e-12)


def test_shards_files_weights_and_saved(tmp_path: Any) -> None:
    whole = ClassImputer("median").fit(X, Y)
    halves = ClassImputer("median").fit(X[::2], Y[::2]).merge(ClassImputer("median").fit(X[1::2], Y[1::2]))
    np.testing.assert_allclose(halves.transform(X), whole.transform(X), rtol=1e-12)
    left = halves.forget(X[1::2], Y[1::2]).transform(X)
    np.testing.assert_allclose(left, ClassImputer("median").fit(X[::2], Y[::2]).transform(X), rtol=1e-12)
    w = np.array([2, 1, 0, 1, 3, 1, 1])
    copies = ClassImputer().fit(np.repeat(X, w, axis=0), np.repeat(Y, w))
    np.testing.assert_allclose(ClassImputer().fit(X, Y, w).transform(X), copies.transform(X), rtol=1e-12)
    frame = pd.DataFrame(X, columns=["u", "v"])
    frame.assign(y=Y).to_csv(tmp_path / "rows.csv", index=False)
    read = ClassImputer("median").fit(tmp_path / "rows.csv", target="y")
    np.testing.assert_allclose(read.transform(frame), whole.transform(X), rtol=1e-12)
    whole.save(tmp_path / "model")
    np.testing.assert_array_equal(load(tmp_path / "model").transform(X), whole.transform(X))
    told = read.report(frame)
    assert [(line.column, line.cells) for line in told] == [("u", 1), ("v", 1)]
    assert "medians of the classes" in str(told)


def test_filling_by_the_known_class_leaks_it() -> None:
    """A column of noise, half of it missing: known classes make it tell the class in training, and nothing after."""
    rng = np.random.default_rng(0)
    noise, y = rng.normal(size=(600, 1)), rng.integers(0, 2, 600)
    noise[:300][rng.random((300, 1)) < 0.5] = np.nan
    train, test = slice(0, 300), slice(300, 600)
    honest = ClassImputer()
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    calm = tree.fit(honest.fit_transform(noise[train], y[train]), y[train]).score(
        honest.transform(noise[train]), y[train]
    )
    leaking = ClassImputer(known_class=True)
    with pytest.warns(UserWarning, match="filled by their known class"):
        filled = leaking.fit_transform(noise[train], y[train])
    assert tree.fit(filled, y[train]).score(filled, y[train]) > calm + 0.1
    assert abs(tree.score(leaking.transform(noise[test]), y[test]) - 0.5) < 0.1


REFUSED: list[tuple[Any, str]] = [
    (
        lambda: ClassImputer().fit([[1.0, np.nan]] * 2, ["a", "b"]).transform([[1.0, np.nan]]),
        "a cell must be present in some row of",
    ),
    (lambda: ClassImputer("middle").fit(X, Y), "centre"),
    (lambda: ClassImputer().fit(X), "y"),
    (lambda: ClassImputer().fit(X, Y).transform([[1.0]]), "2 features"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises((BadInput, ValueError), match=message):
        ask()
