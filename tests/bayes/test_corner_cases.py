"""Corners of discriminants, codes and plain classifiers that ordinary tables do not reach."""

from __future__ import annotations

import numpy as np
import pytest

import suffice
from suffice.bayes.class_priors import EqualPrior, weighed_prior
from suffice.bayes.inference.description_length import integer_bits
from suffice.bayes.inference.polynomial_code import describe_polynomial
from suffice.core.errors import BadInput

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
y = np.arange(40) % 3


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_column_without_spread_tells_nothing() -> None:
    constant = np.insert(X, 1, 7.0, axis=1)
    plain = suffice.LinearDiscriminantAnalysis().fit(X, y)
    other = suffice.LinearDiscriminantAnalysis().fit(constant, y)
    np.testing.assert_allclose(other.predict_proba(constant), plain.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(np.abs(other.transform(constant)), np.abs(plain.transform(X)), atol=1e-12)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_wide_table_keeps_the_covariance_that_is_asked_for() -> None:
    wide = rng.normal(size=(30, 400))
    model = suffice.LinearDiscriminantAnalysis(store_covariance=True).fit(wide, y[:30])
    assert model.covariance_.shape == (400, 400)
    narrow = suffice.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.5).fit(wide, y[:30])
    assert not hasattr(narrow, "scalings_")


def test_class_weights_are_balanced_or_a_mapping() -> None:
    with pytest.raises(BadInput, match="class_weight must be None, 'balanced' or a mapping"):
        weighed_prior("NaiveBayes", EqualPrior(), "equal")


def test_a_density_that_learns_otherwise_is_refused() -> None:
    with pytest.raises(BadInput, match="density must be a classifier with score_samples"):
        suffice.Featureless(suffice.KernelDensity()).fit(X, y)


def test_the_code_of_a_constant_is_counted_bit_by_bit() -> None:
    """Signs included: 4 rows of 64 are one coefficient of 128, told in steps that cost least."""
    told = describe_polynomial(np.arange(4.0), np.full(4, 64.0), 0, 1.0)
    steps = (
        float(integer_bits(1) + integer_bits(j + 1) + integer_bits(128 / 2**j + 1) + 1 + integer_bits(1))
        for j in range(8)
    )
    assert min(steps) == pytest.approx(told.model, rel=1e-12)


def test_codes_far_from_0_are_refused_before_tables_are_made(monkeypatch):
    monkeypatch.setattr("suffice.summaries.cell_counts.memory", lambda: 2**28)
    codes = np.array([[3_000_000, 1], [3, 4]])
    model = suffice.CategoricalNB().fit(codes % 5, [0, 1])
    before = model.predict_proba(codes)
    with pytest.raises(
        BadInput, match=r"symbols must be so few .* got 3,000,006, for 96,000,192 bytes\. Number the sym"
    ):
        model.fit(codes, [0, 1])
    np.testing.assert_array_equal(model.predict_proba(codes), before)


def test_codes_that_no_whole_number_holds_are_refused_in_a_sentence():
    with pytest.raises(
        BadInput, match=r"^CategoricalNB: X must be a table of numbers below 2\^63 in size, got a larger"
    ):
        suffice.CategoricalNB().fit(np.array([[10**30, 1], [3, 4]], dtype=object), [0, 1])


@pytest.mark.parametrize("size", [1e300, -1e300])
def test_numbers_beyond_whole_ones_are_refused_without_a_warning(size):
    with pytest.raises(
        BadInput, match=r"^CategoricalNB: column 'x0' must be of codes of at least 0, below 2\^63, got "
    ):
        suffice.CategoricalNB().fit([[size, 1.0], [3.0, 4.0]], [0, 1])
