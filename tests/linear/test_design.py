"""Tables as design matrices: levels that come late, truth values, products, and what is refused."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from suffice import LinearRegression, PolynomialRegression, Ridge
from suffice.core.errors import BadInput, NeverAdded
from suffice.sources import Roles, open_rows

TABLE: dict[str, list[Any]] = {
    "age": [31.0, 44.0, 25.0, 60.0, 52.0, 38.0, 47.0],
    "site": ["north", "east", "north", "west", "east", "west", "north"],
    "smokes": [True, False, False, True, True, False, True],
}
Y = [1.0, 2.5, 0.5, 4.0, 3.0, 2.0, 1.5]


def some(rows: list[int]) -> tuple[dict[str, list[Any]], list[float]]:
    return {name: [cells[i] for i in rows] for name, cells in TABLE.items()}, [Y[i] for i in rows]


def by_hand() -> Any:
    site = np.array(TABLE["site"])
    columns = [np.ones(7), TABLE["age"], site == "north", site == "west", TABLE["smokes"]]
    return np.linalg.lstsq(np.array(columns, dtype=float).T, Y, rcond=None)[0]


def test_levels_and_truth_values() -> None:
    model = LinearRegression().fit(TABLE, Y)
    assert model.get_feature_names_out().tolist() == ["age", "site=north", "site=west", "smokes"]
    np.testing.assert_allclose([model.intercept_, *model.coef_], by_hand(), rtol=1e-11)
    assert model.feature_names_in_.tolist() == ["age", "site", "smokes"]
    np.testing.assert_allclose(LinearRegression().fit(pd.DataFrame(TABLE), Y).coef_, model.coef_, rtol=1e-12)


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
def test_levels_may_come_late_or_on_one_shard_only(cut: int) -> None:
    first, second = (LinearRegression().fit(*some(rows)) for rows in (list(range(cut)), list(range(cut, 7))))
    for model in (
        first + second,
        second + first,
        LinearRegression().fit(*some([0])).partial_fit(*some([6, 2, 3, 1, 5, 4])),
    ):
        assert model.get_feature_names_out().tolist() == ["age", "site=north", "site=west", "smokes"]
        np.testing.assert_allclose([model.intercept_, *model.coef_], by_hand(), rtol=1e-10)


def test_a_level_leaves_with_its_last_row() -> None:
    model = LinearRegression().fit(*some([0, 1, 2, 4, 6]))
    both = LinearRegression().fit(TABLE, Y).forget(*some([3, 5]))
    assert (
        both.get_feature_names_out().tolist()
        == model.get_feature_names_out().tolist()
        == ["age", "site=north", "smokes"]
    )
    np.testing.assert_allclose(both.coef_, model.coef_, rtol=1e-9)
    with pytest.raises(NeverAdded, match="'site=west', which was never seen"):
        model.forget(*some([3]))


def test_an_unknown_level_stands_for_the_average_row() -> None:
    model = LinearRegression().fit(TABLE, Y)
    asked = {"age": [40.0], "site": ["south"], "smokes": [True]}
    known = [model.predict({**asked, "site": [site]})[0] for site in TABLE["site"]]
    assert model.predict(asked)[0] == pytest.approx(np.mean(known), rel=1e-12)


def test_ordinals_and_declared_kinds() -> None:
    table = {"pain": ["mild", "none", "severe", "none"], "house": [1, 2, 1, 3]}
    model = LinearRegression(kinds={"pain": ["none", "mild", "severe"], "house": "categorical"}).fit(
        table, [1, 0, 3, 1]
    )
    assert model.get_feature_names_out().tolist() == ["pain=mild", "pain=severe", "house=2", "house=3"]


def test_products_with_levels() -> None:
    model = PolynomialRegression(2, alpha=1.0).fit({"x": [1.0, 2.0, 3.0, 4.0], "s": ["a", "b", "b", "a"]}, [1, 2, 3, 5])
    assert model.get_feature_names_out().tolist() == ["x", "s=b", "x^2", "x s=b"]
    gone = model.partial_fit({"x": [0.0], "s": ["c"]}, [1.0])
    assert "x s=c" in gone.get_feature_names_out()
    assert "x s=c" not in gone.forget({"x": [0.0], "s": ["c"]}, [1.0]).get_feature_names_out()


def test_rows_from_files() -> None:
    text = "age,site,smokes,cost,w\n" + "\n".join(
        f"{a},{s},{t},{y},{1 + i % 2}" for i, (a, s, t, y) in enumerate(zip(*TABLE.values(), Y, strict=True))
    )
    text += "\n33,east,True,,1\n"  # no target: left out
    roles = Roles(target="cost", weight="w")
    model = LinearRegression().learn(open_rows(io.StringIO(text), roles))
    whole = LinearRegression().fit(TABLE, Y, [1 + i % 2 for i in range(7)])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)
    assert model.get_feature_names_out().tolist() == whole.get_feature_names_out().tolist()
    np.testing.assert_allclose(model.predict(TABLE), whole.predict(TABLE), rtol=1e-12)
    with pytest.raises(ValueError, match="the target 'site' must be a column of numbers, got 'categorical'"):
        LinearRegression().learn(open_rows(io.StringIO(text), Roles(target="site")))
    with pytest.raises(ValueError, match="LinearRegression: the rows must be with a target"):
        LinearRegression().learn(open_rows(io.StringIO(text)))
    named = LinearRegression().fit({**TABLE, "cost": Y}, target="cost")  # a table with its target among the columns
    np.testing.assert_allclose(named.coef_, LinearRegression().fit(TABLE, Y).coef_, rtol=1e-12)
    with pytest.raises(ValueError, match="the target 'cost' must be present in a row that weighs more than 0"):
        LinearRegression().learn(open_rows(io.StringIO("age,cost\n1,\n2,\n"), Roles(target="cost")))


def test_sparse_rows_are_read_as_dense_ones() -> None:
    rng = np.random.default_rng(4)
    X = rng.poisson(0.3, (9000, 12)).astype(float)
    y = X[:, 0] - X[:, 3] + rng.normal(size=9000)
    dense, sparse = (LinearRegression().fit(A, y) for A in (X, sp.csr_array(X)))
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-12)
    np.testing.assert_allclose(sparse.predict(sp.csr_array(X)), dense.predict(X), rtol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_far_columns_and_targets_cost_no_digits(offset: float) -> None:
    rng = np.random.default_rng(5)
    X = np.rint(rng.normal(size=(50, 3)) * 2**20) / 2**20  # so that adding 1e8 is exact
    y = np.rint((X @ [1.0, 2.0, 3.0] + rng.normal(size=50)) * 2**20) / 2**20
    near, far = Ridge(0.1).fit(X, y), Ridge(0.1).fit(X + offset, y + offset)
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-12)
    np.testing.assert_allclose(far.predict(X + offset) - offset, near.predict(X), rtol=0, atol=2e-8)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_change_nothing(scale: float) -> None:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(40, 3))
    y = X.sum(axis=1) + rng.normal(size=40)
    plain, scaled = LinearRegression().fit(X, y), LinearRegression().fit(X * [1.0, scale, 1.0], y)
    np.testing.assert_allclose(scaled.coef_ * [1.0, scale, 1.0], plain.coef_, rtol=1e-11)


BAD: dict[str, tuple[Any, Any, str]] = {
    "a missing number": (
        {"a": [1.0, None]},
        [1.0, 2.0],
        r"column 'a' must be present in every row .* row 1\. Fill it in",
    ),
    "a missing level": ({"a": ["u", None]}, [1.0, 2.0], "column 'a' must be present in every row"),
    "an infinite cell": ([[1.0], [np.inf]], [1.0, 2.0], "column 'x0' must be finite .* infinity"),
    "a text": ({"a": ["u v", "w"]}, [1.0, 2.0], "column 'a' must be of numbers or symbols, got 'text'"),
    "no columns": ({"a": [None, None]}, [1.0, 2.0], "the table must be one with a column that a model can learn from"),
    "no target": ([[1.0], [2.0]], None, "y must be a number for each row"),
    "words as target": ([[1.0], [2.0]], ["a", "b"], "y must be numbers, got"),
    "a missing target": ([[1.0], [2.0]], [1.0, np.nan], "y must be present in every row .* row 1"),
    "an infinite target": ([[1.0], [2.0]], [1.0, np.inf], "y must be finite"),
    "a complex target": ([[1.0], [2.0]], [1j, 2.0], r"y must be real \(Complex data not supported\)"),
    "a target of three dimensions": ([[1.0], [2.0]], np.ones((2, 1, 1)), "y must be one number a row"),
    "too few targets": ([[1.0], [2.0]], [1.0], "X and y must be of one length"),
    "no rows": (np.empty((0, 2)), [], "X must be a table with rows"),
    "a sparse target": ([[1.0], [2.0]], sp.csr_array([[1.0], [2.0]]), "y must be an array"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables(case: str) -> None:
    X, y, message = BAD[case]
    kinds = {"a": "text"} if case == "a text" else None
    with pytest.raises(ValueError, match=f"LinearRegression: .*{message}"):
        LinearRegression(kinds=kinds, missing="error").fit(X, y)


def test_bad_penalties_and_forms() -> None:
    X, y = np.eye(3), [1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="alpha must be one number, or one for each of 1 targets"):
        Ridge([1.0, 2.0]).fit(X, y)
    with pytest.raises(ValueError, match="Ridge: alpha must be a finite number of at least 0"):
        Ridge([[1.0]]).fit(X, y)
    with pytest.raises(ValueError, match="Ridge: alpha must be a number of at least 0, or one a target, got"):
        Ridge(["a"]).fit(X, y)
    model = LinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="y must be of the same form as before, got a table"):
        model.partial_fit(X, np.ones((3, 1)))
    with pytest.raises(TypeError, match="the targets must be of one form"):
        model.merge(LinearRegression().fit(X, np.ones((3, 1))))
    with pytest.raises(TypeError, match="the models must have as many targets, got 2 and 3"):
        LinearRegression().fit(X, np.ones((3, 2))).merge(LinearRegression().fit(X, np.ones((3, 3))))
    with pytest.raises(ValueError, match="the rows left after forget must be at least one"):
        model.forget(X, y)
    with pytest.raises(ValueError, match=r"LinearRegression: y must be of shape \(3, 1\), got shape \(3, 2\)"):
        model.score(X, np.ones((3, 2)))
    with pytest.raises(TypeError, match="the models must keep the same of their rows"):
        PolynomialRegression(2).fit(X, y).merge(PolynomialRegression(3).fit(X, y))


def test_symbols_of_one_level_leave_the_mean() -> None:
    """Every level but the first is a term: of one level there is none, and n rows are still n rows."""
    model = LinearRegression().fit({"site": ["north"] * 3}, [1.0, 2.0, 6.0])
    assert (model.coef_.shape, model.intercept_) == ((0,), pytest.approx(3.0, rel=1e-15))
    np.testing.assert_allclose(model.predict({"site": ["north", "south"]}), [3.0, 3.0], rtol=1e-15)


def test_a_polynomial_of_many_names_is_refused_by_the_number_of_its_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products of 300 and 80 levels: 24,380 terms, whose products would take 19 gigabytes."""
    monkeypatch.setattr("suffice.linear.design.memory", lambda: 16 * 2**30)
    table = {"street": [f"s{i % 300}" for i in range(600)], "site": [f"t{i % 80}" for i in range(600)]}
    with pytest.raises(BadInput, match=r"24,380, for 19,020,300,800 bytes\. Leave column 'street' out"):
        PolynomialRegression(degree=2).fit(table, range(600))


def test_products_that_no_number_holds_are_refused_by_name():
    model = PolynomialRegression(degree=2).fit(np.random.default_rng(0).normal(size=(20, 2)), np.arange(20.0))
    with pytest.raises(
        BadInput, match=r"'x0\^2' must be a product that numbers can hold, got infinity in row 1\. Corr"
    ):
        model.predict([[1.0, 2.0], [1e200, 2.0]])
    with pytest.raises(BadInput, match=r"^PolynomialRegression: "):
        model.fit(np.full((3, 2), [1e200, 1.0]) * [[1], [2], [3]], [1.0, 2.0, 3.0])
    assert np.isfinite(model.predict([[1e100, 2.0]])).all()
