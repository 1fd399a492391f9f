"""Arrays that pass without scikit-learn's checks are those that it would hand back as they are."""

import pickle
from itertools import product

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.validation import validate_data

import suffice
from suffice import GaussianNB, LinearRegression, Ridge
from suffice.estimators.boundary.plain_arrays import let_in
from suffice.numerics.arrays import all_finite

RULES = [
    {"dtype": dtype, **order, **cells, **least}
    for dtype, order, cells, least in product(
        (None, "numeric", "float64", np.float64, [np.float64, np.float32], ["float32"], "int", np.float32),
        ({}, {"order": "C"}, {"order": "F"}),
        ({}, {"ensure_all_finite": False}, {"ensure_all_finite": "allow-nan"}),
        ({}, {"ensure_min_samples": 3}),
    )
]
X = np.array([[1.0, 2.0], [3.0, 4.0]])
TABLES = [
    *(X, np.asfortranarray(X), X[:, ::-1], X[:0], X[:, :0], X.astype(np.float32), X.astype(int), X.astype(object)),
    *(X.tolist(), np.matrix(X), np.ma.masked_array(X), X + 0j, X[0], X[None], np.where(X > 3, np.nan, X)),
    *(np.where(X > 3, np.inf, X), np.full((2, 2), 1e308), X[:, :1]),
]


@pytest.mark.parametrize("first", [True, False])
def test_what_is_let_in_is_what_the_checks_hand_back(first):
    let = 0
    for rules, table in product(RULES, TABLES):
        ours, theirs = GaussianNB(), GaussianNB()
        if not first:
            ours.n_features_in_ = theirs.n_features_in_ = 2
        if let_in(ours, table, rules, first):
            let += 1
            assert validate_data(theirs, table, reset=first, **rules) is table
            assert ours.n_features_in_ == theirs.n_features_in_
        elif first:
            assert not hasattr(ours, "n_features_in_")
    assert let > 40


def test_names_of_columns_are_left_to_scikit_learn():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [0.0, 1.0, 4.0]})
    for model in (GaussianNB().fit(frame, [0, 1, 1]), Ridge().fit(frame, [0.0, 1.0, 1.0])):
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            model.predict(frame.to_numpy())


def test_parameters_that_were_valid_once_are_not_confused_with_others():
    y = [0.0, 1.0]
    Ridge(alpha=1.0).fit(X, y)
    for strange in (-1.0, "1.0", True * 1j, [-1.0]):
        model = Ridge(alpha=strange)
        for _ in range(2):
            with pytest.raises((ValueError, TypeError), match="alpha"):
                model.fit(X, y)
    assert LinearRegression(fit_intercept=True).fit(X, y)
    for _ in range(2):
        with pytest.raises(ValueError, match="fit_intercept"):
            LinearRegression(fit_intercept=1.5).fit(X, y)
    again = clone(Ridge(alpha=np.array([1.0]))).fit(X, y)  # arrays may change, so that they are checked each time
    again.alpha[0] = -1.0
    with pytest.raises(ValueError, match="alpha"):
        again.fit(X, y)


def test_what_is_kept_between_predictions_stays_the_model_s_own() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.repeat([3, 7], 20)
    model = suffice.SVC().fit(X, y)
    before = model.predict(X)
    model.classes_[:] = 0  # of an array that was handed out
    assert model.classes_.tolist() == [3, 7]
    again = pickle.loads(pickle.dumps(model))  # what was centred for predictions is found again
    np.testing.assert_array_equal(again.predict(X), before)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("size", [10, 5_000])
@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_a_cell_that_is_not_finite_is_found_among_few_and_many(size: int, odd: float) -> None:
    cells = np.ones((size, 2))
    assert all_finite(cells)
    cells[size // 2, 1] = odd
    assert not all_finite(cells)
