"""Encoders and scalers beside scikit-learn's, shards, files, missing cells, and what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.preprocessing as theirs
from sklearn.model_selection import KFold

import suffice
from suffice import (
    Binarizer,
    Chain,
    GroupCategories,
    KBinsDiscretizer,
    MinMaxScaler,
    OrderCategories,
    OrdinalEncoder,
    PolynomialFeatures,
    ProductTerms,
    Ridge,
    RobustScaler,
    TableEncoder,
    TargetEncoder,
    load,
)
from suffice.core.errors import BadInput, NeverAdded

RNG = np.random.default_rng(0)
N = 200
X = RNG.normal(size=(N, 3)) * [1.0, 50.0, 1e-3] + [0.0, 1e4, -3.0]
GAPS = np.where(RNG.random(X.shape) < 0.2, np.nan, X)
TEXTS = np.array(list("abcdefg"), dtype=object)[RNG.integers(0, 7, (N, 2))]
HOLED = TEXTS.copy()
HOLED[RNG.random(TEXTS.shape) < 0.1] = None
NAN_TEXTS = np.where(
    pd.DataFrame(HOLED).isna(), np.nan, HOLED
)  # to scikit-learn None is a category, not a missing cell
Y = RNG.integers(0, 2, N)
SCALERS: list[tuple[str, dict[str, Any], Any]] = [
    ("MinMaxScaler", {}, GAPS),
    ("MinMaxScaler", {"feature_range": (-2, 5), "clip": True}, GAPS),
    ("MaxAbsScaler", {}, GAPS),
    ("RobustScaler", {}, GAPS),
    ("RobustScaler", {"quantile_range": (10.0, 80.0), "unit_variance": True}, GAPS),
    ("RobustScaler", {"with_centering": False}, GAPS),
    ("Binarizer", {"threshold": 0.5}, X),
    ("PolynomialFeatures", {"degree": 3}, X[:, ::2]),
    ("PolynomialFeatures", {"degree": (2, 3), "interaction_only": True, "include_bias": False}, X),
    *(
        ("KBinsDiscretizer", {"n_bins": 4, "encode": encode, "strategy": strategy}, X)
        for encode in ("onehot", "onehot-dense", "ordinal")
        for strategy in ("uniform", "quantile", "kmeans")
    ),
    ("KBinsDiscretizer", {"n_bins": [2, 3, 4], "encode": "ordinal", "quantile_method": "linear"}, X),
]
FITTED = ("min_", "scale_", "data_min_", "data_max_", "max_abs_", "center_", "n_bins_", "powers_", "n_samples_seen_")


def dense(Z: Any) -> Any:
    return Z.toarray() if hasattr(Z, "toarray") else Z


@pytest.mark.parametrize(("name", "parameters", "rows"), SCALERS)
def test_the_numbers_of_scikit_learn(name: str, parameters: dict[str, Any], rows: Any) -> None:
    mine, other = (getattr(room, name)(**parameters).fit(rows) for room in (suffice, theirs))
    np.testing.assert_allclose(dense(mine.transform(rows)), dense(other.transform(rows)), rtol=1e-12, atol=1e-12)
    for attribute in FITTED:
        if getattr(other, attribute, None) is not None:
            np.testing.assert_allclose(getattr(mine, attribute), getattr(other, attribute), rtol=1e-11, atol=1e-13)
    assert mine.get_feature_names_out().tolist() == other.get_feature_names_out().tolist()
    if hasattr(other, "inverse_transform"):
        Z = other.transform(rows)
        np.testing.assert_allclose(mine.inverse_transform(Z), other.inverse_transform(Z), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", ["MinMaxScaler", "MaxAbsScaler", "RobustScaler", "KBinsDiscretizer"])
def test_extremes_and_quantiles_are_forgotten(name: str) -> None:
    make = getattr(suffice, name)
    both = make().fit(X[:70]).merge(make().fit(X[70:]))
    assert np.array_equal(dense(both.transform(X)), dense(make().fit(X).transform(X)))
    assert np.array_equal(dense(both.forget(X[:70]).transform(X)), dense(make().fit(X[70:]).transform(X)))
    with pytest.raises(NeverAdded):
        both.forget(X[:70])


def test_weights_of_scalers_are_copies() -> None:
    w = RNG.integers(0, 3, N)
    for make in (MinMaxScaler, RobustScaler, suffice.MaxAbsScaler):
        a, b = make().fit(X, sample_weight=w), make().fit(np.repeat(X, w, axis=0))
        assert np.array_equal(a.transform(X), b.transform(X))


def test_a_chain_of_a_rank_scaler_merges() -> None:
    y = X @ [1.0, 0.1, 100.0]
    whole = Chain(RobustScaler(), Ridge()).fit(X, y)
    parts = Chain(RobustScaler(), Ridge()).fit(X[:50], y[:50]).merge(Chain(RobustScaler(), Ridge()).fit(X[50:], y[50:]))
    assert whole.passes_ == 1
    np.testing.assert_allclose(parts.predict(X), whole.predict(X), rtol=1e-10)
    other = Ridge().fit(theirs.RobustScaler().fit_transform(X), y).predict(theirs.RobustScaler().fit_transform(X))
    np.testing.assert_allclose(whole.predict(X), other, rtol=1e-10)
    assert "is not linear" in Chain(MinMaxScaler(clip=True), Ridge()).fit(X, y).reason_


@pytest.mark.parametrize(
    "rows",
    [TEXTS, NAN_TEXTS, RNG.integers(0, 5, (N, 2)), GAPS.round(0)],
    ids=["texts", "missing", "whole", "floats"],
)
def test_ordinal_codes_of_scikit_learn(rows: Any) -> None:
    mine, other = OrdinalEncoder().fit(rows), theirs.OrdinalEncoder().fit(rows)
    np.testing.assert_array_equal(mine.transform(rows), other.transform(rows))
    assert [[v for v in c if v == v and v is not None] for c in mine.categories_] == [
        [v for v in c if v == v] for c in other.categories_
    ]
    back = pd.DataFrame(mine.inverse_transform(mine.transform(rows)))
    assert (
        back.astype(object)
        .where(back.notna(), None)
        .equals(pd.DataFrame(rows).astype(object).where(pd.DataFrame(rows).notna(), None))
    )


def test_ordinal_codes_of_what_is_unknown() -> None:
    mine = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1).fit(TEXTS)
    assert mine.transform([["z", "a"]]).tolist() == [[-1.0, 0.0]]
    with pytest.raises(BadInput, match=r"Found unknown categories \['z'\] in column 0 during transform"):
        OrdinalEncoder().fit(TEXTS).transform([["z", "a"]])
    given = OrdinalEncoder(categories=[["g", "f", "e", "d", "c", "b", "a"]] * 2, dtype=np.int32).fit(TEXTS)
    assert given.transform([["g", "a"]]).tolist() == [[0, 6]]
    assert given.transform(TEXTS).dtype == np.int32


@pytest.mark.parametrize("smooth", ["auto", 0.0, 5.0])
@pytest.mark.parametrize(
    "y", [Y, TEXTS[:, 0].astype(str), RNG.normal(size=N) * 3 + 50.0], ids=["two", "many", "numbers"]
)
def test_target_means_of_scikit_learn(y: Any, smooth: Any) -> None:
    cv = KFold(4, shuffle=True, random_state=0)
    mine, other = TargetEncoder(smooth=smooth, cv=cv), theirs.TargetEncoder(smooth=smooth, cv=cv)
    np.testing.assert_allclose(mine.fit_transform(HOLED, y), other.fit_transform(HOLED, y), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(mine.transform(HOLED), other.transform(HOLED), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(
        np.concatenate(mine.encodings_), np.concatenate(other.encodings_), rtol=1e-12, atol=1e-14
    )
    assert mine.target_type_ == other.target_type_
    np.testing.assert_allclose(mine.target_mean_, other.target_mean_, rtol=1e-13)


def test_target_means_of_numbers_add(tmp_path: Path) -> None:
    y = RNG.normal(size=N) + 1e6
    whole = TargetEncoder().fit(HOLED, y)
    both = TargetEncoder().fit(HOLED[:60], y[:60]).merge(TargetEncoder().fit(HOLED[60:], y[60:]))
    np.testing.assert_allclose(both.transform(HOLED), whole.transform(HOLED), rtol=1e-14)
    left = both.forget(HOLED[:60], y[:60])
    np.testing.assert_allclose(
        left.transform(HOLED), TargetEncoder().fit(HOLED[60:], y[60:]).transform(HOLED), rtol=1e-13
    )
    whole.save(tmp_path / "t")
    again = load(tmp_path / "t")
    assert np.array_equal(again.transform(HOLED), whole.transform(HOLED))
    assert np.isfinite(again.partial_fit(HOLED, y).transform(HOLED)).all()
    assert again.estimator().target_type_ == "continuous"


def test_a_whole_table_by_kind(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {
            "x": GAPS[:, 1],
            "count": RNG.poisson(3, N),
            "site": TEXTS[:, 0],
            "ill": RNG.random(N) < 0.3,
            "pain": np.array(["none", "mild", "severe"])[RNG.integers(0, 3, N)],
            "id": [f"p{i}" for i in range(N)],
        }
    )
    kinds = {"pain": ["none", "mild", "severe"], "id": "identifier"}
    whole = TableEncoder(kinds=kinds).fit(table)
    Z = pd.DataFrame(whole.transform(table), columns=whole.get_feature_names_out())
    assert np.isfinite(Z.to_numpy()).all()
    np.testing.assert_allclose(
        Z["x"][~np.isnan(GAPS[:, 1])],
        theirs.StandardScaler().fit_transform(table[["x"]])[~np.isnan(GAPS[:, 1]), 0],
        rtol=1e-9,
        atol=1e-9,
    )
    assert np.array_equal(Z["x_missing"] == 1.0, np.isnan(GAPS[:, 1]))
    assert set(Z["pain"]) == {0.0, 0.5, 1.0}
    assert "id" not in Z
    parts = TableEncoder(kinds=kinds).fit(table[:80]).merge(TableEncoder(kinds=kinds).fit(table[80:]))
    np.testing.assert_allclose(parts.transform(table), whole.transform(table), rtol=1e-12, atol=1e-12)
    for numbers in ("robust", "range", "largest"):
        assert np.isfinite(TableEncoder(numbers, kinds=kinds).fit(table).transform(table)).all()
    table.to_csv(tmp_path / "t.csv", index=False)
    files = TableEncoder(kinds=kinds).fit(str(tmp_path / "t.csv"))
    np.testing.assert_allclose(files.transform(table), whole.transform(table), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: MinMaxScaler(feature_range=(1, 0)).fit(X), "the smaller first"),
        (lambda: MinMaxScaler(limits=(5, 5)).fit(X), "the smaller first"),
        (lambda: MinMaxScaler(limits=3).fit(X), "two numbers"),
        (lambda: RobustScaler(quantile_range=(80.0, 20.0)).fit(X), "the smaller first"),
        (lambda: RobustScaler(quantile_range=("a", "b")).fit(X), "two per cents"),
        (lambda: MinMaxScaler().fit([[np.inf]]), "infinity"),
        (lambda: KBinsDiscretizer([2, 1, 3]).fit(X), "invalid at indices 1"),
        (lambda: KBinsDiscretizer([2, 3]).fit(X), "one for each of the 3 columns"),
        (lambda: KBinsDiscretizer("many").fit(X), "n_bins"),
        (
            lambda: KBinsDiscretizer(quantile_method="linear").fit(X, sample_weight=np.full(len(X), 0.3)),
            "one of averaged_inverted_cdf, inverted_cdf where weights are not whole numbers",
        ),
        (lambda: KBinsDiscretizer().fit(GAPS), "NaN"),
        (lambda: OrdinalEncoder(handle_unknown="use_encoded_value").fit(TEXTS), "unknown_value"),
        (lambda: OrdinalEncoder(unknown_value=3).fit(TEXTS), "None unless"),
        (lambda: OrdinalEncoder(categories=[["a"], ["b"]]).fit(TEXTS), "during fit"),
        (lambda: OrdinalEncoder(categories=[["a"]]).fit(TEXTS[:1, :1] + "z"), "during fit"),
        (lambda: OrdinalEncoder(encoded_missing_value=1).fit([["a"], ["b"], [None]]), "already used to encode"),
        (lambda: OrdinalEncoder(dtype=np.int32).fit([["a"], [None]]), "There are missing values in features"),
        (lambda: OrdinalEncoder(min_frequency=0).fit(TEXTS), "min_frequency"),
        (lambda: OrdinalEncoder(max_categories=0.5).fit(TEXTS), "max_categories"),
        (lambda: OrdinalEncoder(categories=[["a", "a"], ["b"]]).fit(TEXTS), "duplicate elements"),
        (lambda: OrderCategories("odd").fit(TEXTS, Y), "'target', 'frequency'"),
        (lambda: OrderCategories([["a", "a"], ["b"]]).fit(TEXTS), "different categories"),
        (lambda: OrderCategories().fit(TEXTS), "a label for each row"),
        (lambda: GroupCategories("odd").fit(TEXTS), "'rare' or 'target'"),
        (lambda: GroupCategories(min_share=2.0).fit(TEXTS), "between 0 and 1"),
        (lambda: GroupCategories(max_groups=0).fit(TEXTS), "at least 1"),
        (lambda: PolynomialFeatures(degree=(3, 2)).fit(X), "min_degree"),
        (lambda: PolynomialFeatures(degree=0, include_bias=False).fit(X), "include_bias"),
        (lambda: ProductTerms([(1, 0)]).fit(X), "exponents of 3 columns"),
        (lambda: ProductTerms([(1, -1, 0)]).fit(X), "at least 0"),
        (lambda: ProductTerms("five").fit(X), "one of"),
        (lambda: ProductTerms(0).fit(X), "at least 1"),
        (lambda: Binarizer(threshold=np.nan).fit(X), "a number"),
        (lambda: TargetEncoder(cv=[(np.arange(N), np.arange(5))]).fit_transform(TEXTS, Y), "cover each sample"),
        (lambda: TargetEncoder().fit(TEXTS, np.zeros((N, 2))), "Unknown label type"),
        (lambda: TargetEncoder().fit(TEXTS), "a label for each row"),
        (lambda: TableEncoder("odd").fit(X), "one of"),
        (lambda: TableEncoder(kinds={"z": "count"}).fit({"x": [1.0]}), "about columns of the table"),
        (lambda: TableEncoder().fit(TEXTS).merge(OrdinalEncoder().fit(TEXTS)), "of its own kind"),
        (lambda: Chain(TargetEncoder(), Ridge()).fit(TEXTS, Y * 1.0), "a label a row"),
    ],
)
def test_what_is_refused(call: Any, says: str) -> None:
    with pytest.raises((BadInput, ValueError, TypeError), match=says):
        call()


def test_products_that_no_number_holds_are_refused() -> None:
    rows = np.array([[1.0, 2.0], [1e200, -1e200]])
    for made in (PolynomialFeatures(interaction_only=True), ProductTerms([(1, 1)])):
        with pytest.raises(BadInput, match=r": the product 'x0 x1' must be a product .*, got infinity in row 1\. "):
            made.fit_transform(rows)
    with pytest.raises(BadInput, match=r"every product must be .*, got infinity in row 1\. "):
        PolynomialFeatures().fit_transform(sp.csr_array(rows))
    assert np.isfinite(PolynomialFeatures(degree=1).fit_transform(rows)).all()
