"""Products of factors: those that a search through all of them finds, counted before they are made."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from suffice import PolynomialRegression
from suffice.core.errors import BadInput
from suffice.linear.products_of_factors import count_products, products_of_factors
from suffice.linear.terms import Factor


def searched(factors: list[Factor], degree: int, interactions: bool) -> list[tuple[int, ...]]:
    """All combinations, less those that are always 0 or equal to a shorter one."""
    found = []
    for size in range(1, degree + 1):
        for places in combinations_with_replacement(range(len(factors)), size):
            term = [factors[i] for i in places]
            symbols = [factor.column for factor in term if factor.symbol]
            repeated = len(set(term)) < len(term)
            if len(set(symbols)) == len(symbols) and not (interactions and repeated):
                found.append(places)
    return found


@pytest.mark.parametrize("interactions", [False, True])
def test_products_are_those_of_a_search_and_as_many_as_counted(interactions: bool) -> None:
    """Numbers and symbols in any order, of one level and of several."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        factors: list[Factor] = []
        for column in range(int(rng.integers(0, 4))):
            levels = [Factor(column, level, True) for level in range(int(rng.integers(1, 4)))]
            factors += levels if rng.random() < 0.5 else [Factor(column)]
        degree = int(rng.integers(1, 5))
        products = products_of_factors(factors, degree, interactions)
        assert products == searched(factors, degree, interactions)
        assert count_products(factors, degree, interactions) == len(products)


def test_a_degree_beyond_what_there_is_ends() -> None:
    """A number and two levels have five products, whatever the degree."""
    factors = [Factor("x"), Factor("site", "north", True), Factor("site", "east", True)]
    assert products_of_factors(factors, 10**9, interactions=True) == [(0,), (1,), (2,), (0, 1), (0, 2)]
    assert count_products(factors, 10**9, interactions=True) == 5


def test_names_and_powers_are_counted_without_looking_at_every_combination() -> None:
    """300 names and a number to the fourth degree: 1,204 of 350 million combinations tell something."""
    factors = [Factor("x"), *(Factor("name", f"n{i}", True) for i in range(300))]
    assert len(products_of_factors(factors, 4)) == count_products(factors, 4) == 1_204


@pytest.mark.parametrize(("degree", "told"), [(9, "817,189"), (10**6, "over 1,000,000,000,000,000")])
def test_polynomials_of_too_many_terms_are_refused_at_once(degree: int, told: str) -> None:
    """By how many they are, or by more than anybody wants to read."""
    X = np.random.default_rng(0).normal(size=(30, 14 if degree == 9 else 20))
    with pytest.raises(BadInput, match=f"the terms must be so few .* {told}") as refused:
        PolynomialRegression(degree).fit(X, X[:, 0])
    assert len(str(refused.value)) < 300
