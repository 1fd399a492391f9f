"""KNNImputer beside scikit-learn's, and its loop beside NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import impute as peer

from suffice import KNNImputer, load
from suffice.features.missing import nearest_fill

RNG = np.random.default_rng(3)
X = RNG.normal(size=(80, 6))
X[RNG.random(X.shape) < 0.3] = np.nan
X[7] = np.nan
NEW = np.where(RNG.random((20, 6)) < 0.5, np.nan, RNG.normal(size=(20, 6)))


def falling(distances: np.ndarray) -> np.ndarray:
    return np.exp(-distances)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("options", [{}, {"weights": "distance"}, {"weights": falling, "n_neighbors": 3}])
def test_the_same_cells_as_scikit_learn(
    options: dict[str, Any], compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest_fill, "pays", lambda cells: compiled)
    ours, theirs = KNNImputer(**options).fit(X), peer.KNNImputer(**options).fit(X)
    for rows in (X, NEW):
        np.testing.assert_allclose(ours.transform(rows), theirs.transform(rows), rtol=1e-9)


def test_few_donors_indicators_and_empty_columns() -> None:
    rows = X.copy()
    rows[2:, 0], rows[:, 3] = np.nan, np.nan
    new = NEW.copy()
    new[:, 3] = np.nan  # scikit-learn overwrites cells that are there in a column that had none; ours stay
    for options in ({"add_indicator": True}, {"keep_empty_features": True}, {"n_neighbors": 200}):
        ours, theirs = KNNImputer(**options).fit(rows), peer.KNNImputer(**options).fit(rows)  # type: ignore[arg-type]
        np.testing.assert_allclose(ours.transform(new), theirs.transform(new), rtol=1e-9)
        if "keep_empty_features" not in options:  # there scikit-learn's names are one too few
            assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


def test_offsets_cost_no_digits() -> None:
    """Distances come from differences: scikit-learn's, from products, lose all digits at 1e8."""
    far = KNNImputer(n_neighbors=2).fit(X + 1e8).transform(X + 1e8) - 1e8
    near = KNNImputer(n_neighbors=2).fit((X + 1e8) - 1e8).transform((X + 1e8) - 1e8)
    np.testing.assert_allclose(far, near, atol=1e-7)


def test_a_row_at_distance_0_alone_counts() -> None:
    rows = np.array([[1.0, 5.0], [1.0, 7.0], [2.0, 100.0]])
    filled = KNNImputer(n_neighbors=3, weights="distance").fit(rows).transform([[1.0, np.nan]])
    assert filled.tolist() == [[1.0, 6.0]]


def test_saved_and_told(tmp_path: Path) -> None:
    imputer = KNNImputer().fit(X)
    imputer.save(tmp_path / "m.suffice")
    np.testing.assert_array_equal(load(tmp_path / "m.suffice").transform(NEW), imputer.transform(NEW))
    assert "the mean of its 5 nearest rows" in str(imputer.report(NEW))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"weights": "near"}, "weights"),
        ({"metric": "cosine"}, "metric"),
        ({"missing_values": "?"}, "missing_values must be NaN or a number"),
    ],
)
def test_bad_input_in_one_sentence(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        KNNImputer(**options).fit(X)


def by_sizes(x: np.ndarray, y: np.ndarray, missing_values: float) -> float:
    assert np.isnan(missing_values)
    return float(np.nansum(np.abs(x - y))) if (~np.isnan(x - y)).any() else float("nan")


@pytest.mark.parametrize("mark", [np.nan, -99.0])
def test_a_distance_of_ones_own(mark: float) -> None:
    ours = KNNImputer(n_neighbors=3, metric=by_sizes, weights="distance", missing_values=mark)
    theirs = peer.KNNImputer(n_neighbors=3, metric=by_sizes, weights="distance").fit(X)
    table, new = (np.where(np.isnan(rows), mark, rows) for rows in (X, NEW))
    np.testing.assert_allclose(ours.fit(table).transform(new), theirs.transform(NEW), rtol=1e-12)
    assert (
        np.abs(theirs.transform(NEW) - KNNImputer(n_neighbors=3, weights="distance").fit(X).transform(NEW)).max() > 0.1
    )


def test_a_function_that_leaves_weights_alike() -> None:
    plain = KNNImputer().fit(X).transform(NEW)
    assert (KNNImputer(weights=lambda distances: None).fit(X).transform(NEW) == plain).all()
