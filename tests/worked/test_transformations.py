"""Transformations between kinds, scaling and expansions: the rows of the sources, each naming its row."""

from __future__ import annotations

import numpy as np
import pytest

import suffice
from suffice import (
    Chain,
    GroupCategories,
    LeastSquaresClassifier,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrderCategories,
    ProductTerms,
    RobustScaler,
    SixSigmaScaler,
    StandardScaler,
    VarianceScaler,
)
from suffice.core.errors import BadInput
from suffice.features import plan
from suffice.features.transformations import EMPTY, TABLE

RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 2)) * [2.0, 0.1] + [5.0, -1.0]
PRINTED = {  # to <- from
    "quantitative": {"quantitative": "normalisation", "ordinal": "calibration", "categorical": "calibration"},
    "ordinal": {"quantitative": "discretisation", "ordinal": "ordering", "categorical": "ordering"},
    "categorical": {"quantitative": "discretisation", "ordinal": "unordering", "categorical": "grouping"},
    "boolean": {"quantitative": "thresholding", "ordinal": "thresholding", "categorical": "binarisation"},
}


def test_the_table_of_transformations() -> None:
    """P.M117: every cell, with an object for each; two cells are empty and say why."""
    for to_kind, row in PRINTED.items():
        for from_kind, name in row.items():
            found = plan(from_kind, to_kind)
            assert found.name == name
            assert all(hasattr(suffice, one) for one in found.objects)
            assert isinstance(found.make(), getattr(suffice, found.objects[0]))
    assert plan("boolean", "quantitative").name == "calibration"
    assert plan("boolean", "ordinal").name == "ordering"
    assert len(TABLE) == 14
    for from_kind, to_kind in EMPTY:
        with pytest.raises(BadInput, match="already"):
            plan(from_kind, to_kind)
    assert plan("count", "boolean").name == "thresholding"
    with pytest.raises(BadInput, match="identifiers are no features"):
        plan("identifier", "boolean")


def test_binarisation_and_unordering() -> None:
    """P.M118, P.M119: one truth value a category; the indicators of an ordinal column know no order."""
    rows = [["low"], ["high"], ["mid"]]
    Z = OneHotEncoder(sparse_output=False).fit(rows).transform(rows)
    assert Z.sum(axis=1).tolist() == [1.0] * 3
    turned = OneHotEncoder(sparse_output=False, categories=[["low", "mid", "high"]]).fit(rows).transform(rows)
    assert sorted(map(tuple, Z.T.tolist())) == sorted(map(tuple, turned.T.tolist()))


def test_ordering() -> None:
    """P.M120: a given order, or that of the rate of a class."""
    rows, y = [["b"]] * 4 + [["a"]] * 4 + [["c"]] * 4, [1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0]
    assert OrderCategories().fit(rows, y).categories_[0].tolist() == ["a", "c", "b"]
    assert OrderCategories([["c", "b", "a"]]).fit(rows).transform([["a"], ["c"]]).ravel().tolist() == [2.0, 0.0]


def test_grouping() -> None:
    """P.M121: rare categories together, or those with the same classes."""
    rows = [["a"]] * 40 + [["b"]] * 30 + [["c"]] * 2 + [["d"]]
    assert GroupCategories(min_share=0.05).fit(rows).groups_ == [[["a"], ["b"], ["c", "d"]]]
    y = [0, 1] * 20 + [0, 1] * 15 + [1, 1, 1]
    assert GroupCategories("target", p=0.05).fit(rows, y).groups_ == [[["a", "b", "c", "d"]]]
    apart = [0] * 40 + [1] * 33
    assert GroupCategories("target").fit(rows, apart).groups_ == [[["a"], ["b", "c", "d"]]]


def test_standardising_is_not_normalising() -> None:
    """C.E40, C.M04.04, C.M04.05, P.M138, P.M141: mean and population deviation; smallest and largest."""
    standard, ranged = StandardScaler().fit(X), MinMaxScaler().fit(X)
    np.testing.assert_allclose(standard.transform(X), (X - X.mean(axis=0)) / X.std(axis=0), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        ranged.transform(X), (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)), rtol=1e-12, atol=1e-15
    )
    new = X + 10  # what was stored is used for new rows, which may leave [0, 1]
    assert ranged.transform(new).max() > 1
    assert MinMaxScaler(clip=True).fit(X).transform(new).max() == 1
    age = MinMaxScaler(limits=(0, 100), clip=True).fit([[30.0], [40.0]])
    assert age.transform([[25.0], [120.0]]).ravel().tolist() == [0.25, 1.0]


def test_variance_robust_and_six_sigma_scaling() -> None:
    """P.M139, P.M140, P.M142, P.W76."""
    m, s = X.mean(axis=0), X.std(axis=0)
    np.testing.assert_allclose(VarianceScaler().fit_transform(X), (X - m) / s**2, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(SixSigmaScaler().fit_transform(X), (X - m) / (6 * s) + 0.5, rtol=1e-12)
    q = np.quantile(X, [0.25, 0.5, 0.75], axis=0)
    np.testing.assert_allclose(RobustScaler().fit_transform(X), (X - q[1]) / (q[2] - q[0]), rtol=1e-12, atol=1e-12)
    normal = RNG.normal(3.0, 5.0, (4000, 1))
    inside = SixSigmaScaler().fit_transform(normal)
    assert ((inside >= 0) & (inside <= 1)).mean() > 0.99
    constant = np.full((5, 1), 7.0)
    for scaler in (StandardScaler, VarianceScaler, RobustScaler, MinMaxScaler):
        assert scaler().fit_transform(constant).tolist() == [[0.0]] * 5


def test_powers_of_a_column_over_its_largest() -> None:
    """C.M03.11, C.M03.12: divided by the largest value of the training rows alone, then x, x^2, ..., x^10."""
    x = np.linspace(1.0, 900.0, 30)[:, None]
    Z = Chain(MaxAbsScaler(), ProductTerms(10)).fit(x[:20]).transform(x)
    top = x[:20].max()
    np.testing.assert_allclose(Z, (x / top) ** np.arange(1, 11), rtol=1e-12)
    assert MaxAbsScaler().fit([[-4.0], [-2.0]]).transform([[-4.0]]).tolist() == [[-1.0]]  # no sign is turned


def test_the_product_of_two_features_bends_the_line() -> None:
    """C.M04.08: x1, x2, x1 x2 separate what no line does."""
    x = RNG.uniform(-1, 1, (200, 2))
    y = x[:, 0] * x[:, 1] > 0
    plain = LeastSquaresClassifier().fit(x, y).score(x, y)
    bent = Chain(ProductTerms([(1, 0), (0, 1), (1, 1)]), LeastSquaresClassifier()).fit(x, y).score(x, y)
    assert plain < 0.7 < 0.9 < bent


def test_the_columns_of_the_expansions() -> None:
    """C.W07, C.M04.09, C.M05.14: two inputs make 7 and 16 columns, in the order of the course."""
    a, b = X[:, 0], X[:, 1]
    seven = ProductTerms("seven").fit(X)
    np.testing.assert_allclose(seven.transform(X), np.stack([a, b, a**3, b**3, a * b, a**2, b**2], axis=1), rtol=1e-12)
    sixteen = ProductTerms("sixteen").fit(X)
    terms = [a, b, a * b, a**2, b**2, a**3, b**3, a**2 * b, a * b**2]
    terms += [a**4, b**4, a**3 * b, a * b**3, a**2 * b**2, a**5, b**5]
    np.testing.assert_allclose(sixteen.transform(X), np.stack(terms, axis=1), rtol=1e-12)
    assert (seven.n_output_features_, sixteen.n_output_features_) == (7, 16)
    assert sixteen.get_feature_names_out()[:5].tolist() == ["x0", "x1", "x0 x1", "x0^2", "x1^2"]
