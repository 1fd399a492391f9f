"""Numbers of the sources about information, entropy and description length."""

from __future__ import annotations

import numpy as np
import pytest

from suffice import Decision, Posterior, huffman_lengths
from suffice.bayes import Description, ModelPosterior, choose_degree, shortest
from suffice.bayes.inference.description_length import code_prior, describe_labels, error_bits
from suffice.families.beliefs.code_lengths import entropy, information, shannon_fano_lengths, shannon_lengths

WORD = {"spam": {1: 0.40, 0: 0.60}, "ham": {1: 0.12, 0: 0.88}}  # chance of the word given the class
EVEN, RARE = {"spam": 0.5, "ham": 0.5}, {"spam": 0.2, "ham": 0.8}


def bits(x: int, prior: dict[str, float]) -> dict[str, float]:
    """IC(x | y) + IC(y) of each class."""
    return {y: float(information(WORD[y][x]) + information(prior[y])) for y in WORD}


def test_a_coin_and_a_die() -> None:
    """P.W44, P.M083: 1 bit for a fair coin, 2.585 (printed 2.6) for a fair die; log2 k for k alike."""
    assert information(1 / 2) == 1.0
    assert information(1 / 6) == pytest.approx(2.5850, abs=5e-5)
    assert information(1 / 6) == pytest.approx(2.6, abs=0.05)
    assert information(1 / 8) == 3.0
    assert information(0.0) == np.inf


def test_information_of_a_word() -> None:
    """P.W45: 1.3219, 0.7370, 3.0589 and 0.1844 bits."""
    found = information([0.40, 0.60, 0.12, 0.88])
    np.testing.assert_allclose(found, [1.3219, 0.7370, 3.0589, 0.1844], atol=5e-5)
    np.testing.assert_allclose(found, [1.32, 0.74, 3.06, 0.18], atol=5e-3)


def test_the_least_surprising_class_under_even_shares() -> None:
    """P.W46, P.M084: totals 2.322 and 4.059 bits with the word, 1.737 and 1.184 without."""
    with_word, without = bits(1, EVEN), bits(0, EVEN)
    assert with_word == pytest.approx({"spam": 2.322, "ham": 4.059}, abs=5e-4)
    assert without == pytest.approx({"spam": 1.737, "ham": 1.184}, abs=5e-4)
    assert (min(with_word, key=with_word.get), min(without, key=without.get)) == ("spam", "ham")  # type: ignore[arg-type]


def test_the_least_surprising_class_where_ham_is_four_times_as_likely() -> None:
    """P.W47: 2.3219 and 0.3219 bits for the classes; totals 3.644 and 3.381, so that even the word says ham."""
    np.testing.assert_allclose(information([0.2, 0.8]), [2.3219, 0.3219], atol=5e-5)
    total = bits(1, RARE)
    assert total == pytest.approx({"spam": 3.644, "ham": 3.381}, abs=5e-4)
    assert min(total, key=total.get) == "ham"  # type: ignore[arg-type]


def test_entropy() -> None:
    """P.W48, P.M085: 3 bits for eight alike, 1.5 for a half and two quarters; a certain event has none."""
    assert entropy(np.full(8, 1 / 8)) == 3.0
    assert entropy([0.5, 0.25, 0.25]) == 1.5
    assert entropy([1.0, 0.0]) == 0.0


def test_least_surprise_is_maximum_a_posteriori() -> None:
    """P.W110, P.M084: 2/9 and 4/27 at even shares are 3.1699 and 3.7549 bits; any table decides alike by both."""
    spam, ham = information(2 / 9) + 1, information(4 / 27) + 1
    assert (float(spam), float(ham)) == pytest.approx((3.1699, 3.7549), abs=5e-5)
    rng = np.random.default_rng(0)
    likelihood, prior = rng.random((200, 4)), rng.dirichlet(np.ones(4))
    surprise = information(likelihood) + information(prior)
    joint = likelihood * prior
    posterior = Posterior(joint / joint.sum(axis=1, keepdims=True), prior)
    assert (surprise.argmin(axis=1) == Decision.maximum_a_posteriori().decide(posterior)).all()


def test_codes_from_frequencies() -> None:
    """P.M086: Huffman's code is at most as long as Fano's and Shannon's, and all are within a bit of the entropy."""
    counts = np.array([15, 7, 6, 6, 5])
    p = counts / counts.sum()
    assert huffman_lengths(counts).tolist() == [1, 3, 3, 3, 3]
    assert shannon_fano_lengths(counts).tolist() == [2, 2, 2, 3, 3]
    lengths = [p @ code(counts) for code in (huffman_lengths, shannon_fano_lengths, shannon_lengths)]
    assert entropy(p) <= lengths[0] < lengths[1] < lengths[2] < entropy(p) + 1
    assert pytest.approx(lengths[:2], rel=1e-14) == (87 / 39, 89 / 39)


def test_one_code_for_several_messages_comes_nearer_to_the_entropy() -> None:
    """P.M086: joint code words, as in arithmetic coding; for n symbols at once the loss is below 1 / n bits each."""
    p = np.array([0.9, 0.1])
    blocks, each = p, []
    for n in (1, 2, 3, 4, 5):
        each.append(float(blocks @ huffman_lengths(blocks)) / n)
        assert entropy(p) <= each[-1] < entropy(p) + 1 / n
        blocks = np.outer(blocks, p).ravel()
    assert each[0] == 1.0
    assert each[-1] < 0.5


def test_the_shortest_description_trades_accuracy_for_length() -> None:
    """P.M087: argmin of L(m) + L(D | m); with L(m) = -log2 P(m) it is the most probable model."""
    descriptions = {"short": Description(4.0, 60.0), "middle": Description(12.0, 40.0), "long": Description(50.0, 8.0)}
    assert shortest(descriptions) == "middle"
    evidence = {name: -d.data * np.log(2) for name, d in descriptions.items()}
    prior = code_prior([d.model for d in descriptions.values()])
    models = ModelPosterior.of(evidence, prior.tolist())
    assert models.best == "middle"
    gaps = models.bits - [d.total for d in descriptions.values()]
    assert np.ptp(gaps) == pytest.approx(0.0, abs=1e-9)


def test_one_bit_an_error_forgets_which() -> None:
    """P.M088: 0 for a perfect model and e bits for e errors of two even classes; saying which costs log2 C(n, e)."""
    assert error_bits(100, 0, located=False) == 0.0
    assert error_bits(100, 7, located=False) == 7.0
    assert error_bits(100, 7) == pytest.approx(np.log2(101) + np.log2(16007560800.0), rel=1e-12)
    y = np.array(["a"] * 93 + ["b"] * 7)
    assert describe_labels(0.0, y, np.full(100, "a")).data == pytest.approx(error_bits(100, 7), rel=1e-14)


def test_a_polynomial_pays_for_its_degree_and_its_digits() -> None:
    """P.M089: degree and numbers up to a resolution are told first; what they save in errors must be more."""
    rng = np.random.default_rng(4)
    x = np.linspace(-1.0, 1.0, 120)
    y = np.round(2.0 * x**3 - x + 0.2 * rng.standard_normal(120), 2)
    told = choose_degree(x, y, precision=0.01, largest=9)
    assert shortest(told) == 3
    model = [d.model for d in told.values()]
    assert model[3] > model[1] > 0
    errors = [float(np.square(y - np.polyval(np.polyfit(x, y, d), x)).sum()) for d in range(10)]
    assert int(np.argmin(errors)) == 9  # the training error alone asks for the highest degree
