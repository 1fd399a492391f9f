"""Description lengths: codes that could be decoded, two-part codes, and their choice."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from suffice import GaussianNB
from suffice.bayes.inference.description_length import (
    Description,
    code_prior,
    describe_classifier,
    describe_labels,
    error_bits,
    integer_bits,
    shortest,
)
from suffice.bayes.inference.model_posterior import ModelPosterior
from suffice.bayes.inference.polynomial_code import choose_degree, describe_polynomial
from suffice.core.errors import BadInput


def test_the_universal_code_of_whole_numbers_fits_into_one_tree() -> None:
    bits = integer_bits(np.arange(1, 200_001))
    assert 0.8 < (2.0**-bits).sum() <= 1.0  # Kraft; the rest is for larger numbers
    assert (np.diff(bits) > 0).all()


@pytest.mark.parametrize(("n", "errors", "K"), [(10, 3, 2), (10, 0, 2), (7, 7, 4), (0, 0, 2)])
def test_errors_are_counted_placed_and_named(n: int, errors: int, K: int) -> None:
    ways = comb(n, errors) * (K - 1) ** errors
    assert error_bits(n, errors, K) == pytest.approx(np.log2(n + 1) + np.log2(ways), abs=1e-10)


def test_every_vector_of_labels_has_its_code() -> None:
    """Over all labellings of n rows the code fits into one tree: sum over e of C(n, e) (K - 1)^e 2^-L(e) is 1."""
    n, K = 9, 3
    total = sum(comb(n, e) * (K - 1) ** e * 2.0 ** -error_bits(n, e, K) for e in range(n + 1))
    assert total == pytest.approx(1.0, rel=1e-12)


def test_a_model_must_pay_for_itself() -> None:
    y = np.repeat(["a", "b"], 50)
    perfect, blind = describe_labels(40.0, y, y), describe_labels(1.0, y, np.full(100, "a"))
    assert perfect.data == pytest.approx(np.log2(101), rel=1e-12)
    assert shortest({"perfect": perfect, "blind": blind}) == "perfect"
    assert shortest({"dear": describe_labels(200.0, y, y), "blind": blind}) == "blind"
    assert perfect.total == perfect.model + perfect.data


def test_the_shortest_description_is_the_most_probable_model() -> None:
    lengths, logs = np.array([3.0, 1.0, 2.5]), np.array([-20.0, -24.0, -19.0])
    descriptions = {i: Description(lengths[i], -logs[i] / np.log(2)) for i in range(3)}
    models = ModelPosterior.of(dict(enumerate(logs)), code_prior(lengths).tolist())
    assert shortest(descriptions) == models.best
    shift = models.bits - [descriptions[i].total for i in range(3)]
    np.testing.assert_allclose(shift, shift[0], rtol=1e-12)  # the prior is divided by its sum: one constant for all


def test_a_classifier_in_bits_is_the_information_criterion() -> None:
    X, y = load_iris(return_X_y=True)
    told = describe_classifier(GaussianNB().fit(X, y), X, y)
    assert told.model == pytest.approx((2 * 12 + 2) / 2 * np.log2(150), rel=1e-13)
    logs = GaussianNB().fit(X, y).predict_log_proba(X)[np.arange(150), y]
    assert told.data == pytest.approx(-logs.sum() / np.log(2), rel=1e-12)
    peer = LogisticRegression(max_iter=1000).fit(X, y)
    assert describe_classifier(peer, X, y).model == pytest.approx(15 / 2 * np.log2(150), rel=1e-13)
    w = np.ones(150)
    assert describe_classifier(peer, X, y, w) == pytest.approx(describe_classifier(peer, X, y), rel=1e-13)


@pytest.mark.parametrize("degree", [0, 1, 3, 5])
def test_the_degree_that_made_the_data_is_chosen(degree: int) -> None:
    rng = np.random.default_rng(degree)
    x = 1e6 + np.linspace(0, 2, 200)  # far from 0 on purpose
    signal = stats.zscore(np.polynomial.legendre.legval(x - 1e6 - 1.0, np.eye(degree + 1)[degree])) if degree else 0.0
    y = np.round(5.0 + 3.0 * signal + 0.3 * rng.standard_normal(200), 2)
    told = choose_degree(x, y, 0.01)
    assert shortest(told) == degree
    assert told[10].data < told[degree].data + 5.0  # more terms fit better and do not pay


def test_told_bits_are_near_those_of_the_normal_density() -> None:
    """Coefficients aside, n rows of width s in cells of d take n log2(s sqrt(2 pi e) / d) bits."""
    rng = np.random.default_rng(0)
    y = np.round(rng.standard_normal(2000), 3)
    told = describe_polynomial(np.arange(2000.0), y, 0, 0.001)
    limit = 2000 * np.log2(y.std() * np.sqrt(2 * np.pi * np.e) / 0.001)
    assert limit - 1.0 < told.data < limit + 0.05 * 2000
    assert told.model < 40


def test_a_perfect_polynomial_costs_little_more_than_itself() -> None:
    x = np.arange(40.0)
    told = choose_degree(x, 2.0 * x**2 - x, 1.0)
    assert shortest(told) == 2
    assert 0 <= told[2].data / 40 < 1.5
    constant = choose_degree(np.full(5, 3.0), np.arange(5.0), 1.0)
    assert list(constant) == [0]  # one distinct x cannot tell a slope


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: shortest({}), r"shortest: descriptions must be of at least one model, got \{\}"),
        (lambda: integer_bits(0), "integer_bits: k must be whole numbers of at least 1, got 0. Add 1"),
        (lambda: error_bits(5, 6), "error_bits: errors must be a whole number from 0 to 5, got 6"),
        (lambda: describe_labels(1.0, [1, 2], [1]), r"describe_labels: predicted must be one label for each of y, got"),
        (lambda: describe_polynomial([1, 2], [1, 2], 2, 0.1), "degree must be a whole number from 0 to 1, one less"),
        (lambda: describe_polynomial([1, 2], [1, 2], 1, 0.0), "precision must be finite and above 0, got 0.0"),
        (lambda: describe_polynomial([1, 2], [1], 1, 0.1), "x and y must be two columns of one length, got"),
        (lambda: describe_polynomial([1, np.nan], [1, 2], 1, 0.1), "x and y must be finite"),
    ],
)
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        ask()
