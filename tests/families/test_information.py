"""Information, entropy and codes: against SciPy and by trying every code."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from suffice.core.errors import BadInput
from suffice.families.beliefs.code_lengths import (
    code_words,
    entropy,
    huffman_lengths,
    information,
    shannon_fano_lengths,
    shannon_lengths,
)

RNG = np.random.default_rng(1)
SOURCES = [RNG.dirichlet(np.full(k, a)) for k in (2, 3, 5, 17) for a in (0.2, 1.0, 20.0)]


def test_information_is_minus_the_log_and_adds_over_independent_events() -> None:
    p, q = 0.3, 0.05
    assert information(p * q) == pytest.approx(information(p) + information(q), rel=1e-14)
    assert information([1.0, 0.0], base=np.e).tolist() == [0.0, np.inf]
    assert information(0.1, base=10.0) == pytest.approx(1.0, rel=1e-15)


def test_entropy_against_scipy() -> None:
    table = RNG.dirichlet(np.ones(4), 6)
    table[0] = [1.0, 0.0, 0.0, 0.0]
    np.testing.assert_allclose(entropy(table), stats.entropy(table, base=2, axis=1), atol=1e-14)
    np.testing.assert_allclose(entropy(table.T, base=np.e, axis=0), stats.entropy(table, axis=1), atol=1e-14)
    assert not np.signbit(entropy([1.0, 0.0]))


@pytest.mark.parametrize("p", SOURCES, ids=len)
def test_codes_lie_between_the_entropy_and_one_bit_more(p: Any) -> None:
    limit = float(entropy(p))
    huffman, fano, shannon = (f(p) for f in (huffman_lengths, shannon_fano_lengths, shannon_lengths))
    assert limit - 1e-12 <= p @ huffman <= p @ fano + 1e-12
    assert p @ huffman <= p @ shannon < limit + 1
    assert p @ fano < limit + 1 + 1e-12
    assert (2.0**-huffman).sum() == pytest.approx(1.0, abs=1e-15)  # no word could be shorter
    assert (2.0**-shannon).sum() <= 1.0


@pytest.mark.parametrize("weights", [[5, 3, 2, 2], [1, 1, 1, 1], [8, 1, 1, 0], [1.0, 2.0, 4.0, 8.0]])
def test_no_code_is_shorter_than_huffmans(weights: list[float]) -> None:
    every = [np.array(ls) for ls in product(range(1, 5), repeat=4) if sum(2.0**-n for n in ls) <= 1]
    assert np.dot(weights, huffman_lengths(weights)) == min(np.dot(weights, ls) for ls in every)


def test_powers_of_a_half_are_coded_without_loss() -> None:
    p = [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 16]
    for lengths in (huffman_lengths(p), shannon_lengths(p), shannon_fano_lengths(p)):
        assert np.dot(p, lengths) == entropy(p)


def test_words_of_a_code_can_be_told_apart() -> None:
    words = code_words(huffman_lengths(SOURCES[-1]))
    assert not [(a, b) for a in words for b in words if a != b and b.startswith(a)]
    assert [len(word) for word in words] == huffman_lengths(SOURCES[-1]).tolist()
    assert huffman_lengths([3.0]).tolist() == [0]
    assert code_words([0]) == [""]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: information(1.5), r"information: p must be from 0 to 1, got 1\.5\. Give probabilities"),
        (lambda: information(0.5, base=1.0), r"information: base must be finite and above 1, got 1\.0"),
        (lambda: entropy([0.5, 0.2]), r"entropy: p must be summing to 1, got \[0\.5, 0\.2\]\. Divide by the sum"),
        (lambda: entropy([np.nan, 1.0]), "entropy: p must be from 0 to 1"),
        (lambda: huffman_lengths([]), "huffman_lengths: p must be a list of finite weights of at least 0, got"),
        (lambda: shannon_fano_lengths([[1, 2]]), "shannon_fano_lengths: p must be a list of finite weights"),
        (lambda: shannon_lengths([0.5, 0.0]), "shannon_lengths: p must be above 0 for every symbol"),
        (lambda: code_words([1, 1, 1]), r"code_words: lengths must be such that 2\^-length sums to at most 1"),
    ],
)
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        ask()
