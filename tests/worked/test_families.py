"""Numbers of the sources about families of distributions: estimates and likelihoods, in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, prod

import numpy as np
import pytest

from suffice.bayes import LearnedPrior
from suffice.core.block import Array, Coded, Words
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.core.shares import Shares
from suffice.families import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    MEstimate,
    Multinomial,
    Reading,
    TruncatedCounts,
)
from suffice.families.counts.pseudo_counts import probabilities
from suffice.sources import Analyzer, open_table

SPAM, HAM = 0, 1
MAILS = (
    "b d e b b d e", "b c e b b d d e c c", "a d a d e a e e", "b a d b e d a b",
    "a b a b a b a e d", "a c a c a c a e d", "e a e d a e a", "d e d e d",
)  # fmt: skip
WORDS = "abc"  # d and e are stop words
CLASSES = Shares.hard(np.array([SPAM] * 4 + [HAM] * 4, dtype=np.int32), 2)
THIRD = Fraction(1, 3)
BITS = {SPAM: (Fraction(1, 2), 2 * THIRD, THIRD), HAM: (2 * THIRD, THIRD, THIRD)}  # P.W24: chances of a, b, c
COUNTS = {
    SPAM: (Fraction(3, 10), Fraction(1, 2), Fraction(1, 5)),
    HAM: (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)),
}


def close(got: object, true: object) -> None:
    """Equal but for rounding."""
    flat = [float(value) for value in np.ravel(np.array(true, dtype=object))]
    np.testing.assert_allclose(np.ravel(got), flat, rtol=1e-13, atol=1e-15)


def mails() -> Array:
    return np.array([[mail.split().count(word) for word in WORDS] for mail in MAILS], dtype=float)


def as_words(*rows: tuple[int, ...] | Array) -> Words:
    return Words(np.array(rows, dtype=float), range(3))


def likelihoods(family: object, query: tuple[int, ...]) -> Array:
    """p(query | spam), p(query | ham) from the mails."""
    counts = as_words(*mails())
    distribution = family.estimate(family.summarize(counts, CLASSES))
    return np.exp(distribution.log_density(as_words(query))[0])


def letters(text: str, vocabulary: str) -> Coded:
    return Coded(np.array([[vocabulary.index(letter)] for letter in text], dtype=np.int32), (tuple(vocabulary),))


def shares_of(family: Categorical, text: str, vocabulary: str) -> Array:
    part = letters(text, vocabulary)
    R = Shares.hard(np.zeros(len(text), dtype=np.int32), 1)
    return np.exp(family.estimate(family.summarize(part, R)).column(0))[0]


def bernoulli(theta: dict[int, tuple[Fraction, ...]], bits: tuple[int, ...]) -> dict[int, Fraction]:
    """p(bits | class), exactly."""
    return {
        k: prod((p if x else 1 - p for p, x in zip(ps, bits, strict=True)), start=Fraction(1))
        for k, ps in theta.items()
    }


def test_maximum_likelihood_of_a_categorical() -> None:
    """P.W21: a b a c c b a a b c gives (0.4, 0.3, 0.3)."""
    close(
        shares_of(Categorical(Dirichlet(0.0), tuple("abc")), "abaccbaabc", "abc"),
        [Fraction(2, 5), *[Fraction(3, 10)] * 2, 0],
    )


def test_one_pseudo_count_for_each_word_of_a_larger_vocabulary() -> None:
    """P.W22: over a, b, c, d with one pseudo-count each, (5/14, 4/14, 4/14, 1/14); d was never seen."""
    got = shares_of(Categorical(vocabulary=tuple("abcd")), "abaccbaabc", "abc")
    close(got, [Fraction(n, 14) for n in (5, 4, 4, 1)] + [0])
    assert got.sum() == pytest.approx(1.0, rel=1e-15)


def test_an_open_vocabulary_keeps_the_same_room_for_what_is_unseen() -> None:
    """P.W22: d need not be declared; the cell of all unseen labels is its 1/14."""
    close(shares_of(Categorical(), "abaccbaabc", "abc"), [Fraction(n, 14) for n in (5, 4, 4, 1)])


def test_mean_and_variance_of_a_bernoulli_and_a_binomial() -> None:
    """P.W23: theta and theta (1 - theta); n theta and n theta (1 - theta): 2.10 and 1.47 for n = 7, theta = 0.3."""
    for n in (1, 7):
        family = Binomial(n, Beta(0.0, 0.0))
        X = n * (np.arange(10) < 3).astype(float)[:, None]  # mean 0.3 n
        R = Shares.hard(np.zeros(10, dtype=np.int32), 1)
        distribution = family.estimate(family.summarize(X, R))
        close(distribution.theta, [Fraction(3, 10)])
        x = np.arange(n + 1.0)
        p = np.exp(distribution.log_density(x[:, None])[:, 0])
        theta = Fraction(3, 10)
        close(p, [comb(n, i) * theta**i * (1 - theta) ** (n - i) for i in range(n + 1)])
        close((p * x).sum(), [n * theta])
        close((p * (x - 0.3 * n) ** 2).sum(), [n * theta * (1 - theta)])


def multinomial(theta: tuple[Fraction, ...]) -> object:
    """The multinomial model of these shares: maximum likelihood from ten times as many words."""
    part, R = as_words(tuple(int(10 * p) for p in theta)), Shares.hard(np.zeros(1, dtype=np.int32), 1)
    family = Multinomial(Dirichlet(0.0))
    return family.estimate(family.summarize(part, R))


def test_a_multinomial_of_one_draw_is_categorical() -> None:
    """P.W23: with n = 1 the multinomial (0.2, 0.5, 0.3) is the categorical distribution."""
    theta = (Fraction(1, 5), Fraction(1, 2), Fraction(3, 10))
    one = np.exp(multinomial(theta).log_density(as_words((1, 0, 0), (0, 1, 0), (0, 0, 1))))
    close(one, theta)
    close(shares_of(Categorical(Dirichlet(0.0), tuple("abc")), "aabbbbbccc", "abc"), [*theta, 0])


def test_each_component_of_a_multinomial_is_binomial() -> None:
    """P.W23: n = 5, theta = (0.2, 0.5, 0.3): the marginal of each count is binomial, to the last digit."""
    theta, n = (Fraction(1, 5), Fraction(1, 2), Fraction(3, 10)), 5
    rows = [(i, j, n - i - j) for i in range(n + 1) for j in range(n + 1 - i)]
    p = np.exp(multinomial(theta).log_density(as_words(*rows))[:, 0])
    close(p.sum(), [1])
    close(
        p,
        [
            factorial(n) * prod((t**x / factorial(x) for t, x in zip(theta, row, strict=True)), start=Fraction(1))
            for row in rows
        ],
    )
    for v in range(3):
        marginal = [p[[i for i, row in enumerate(rows) if row[v] == x]].sum() for x in range(n + 1)]
        close(marginal, [comb(n, x) * theta[v] ** x * (1 - theta[v]) ** (n - x) for x in range(n + 1)])


def test_count_vectors_of_the_mails() -> None:
    """P.W28, P.M041, P.M043: sums (5, 9, 3) and (11, 3, 3); with one pseudo-count each (.3, .5, .2) and (.6, .2, .2).

    The words are the analyzer's without its stop words, the counts are the table's; the last mail has no word left.
    """
    analyzer = Analyzer(pattern=r"\w", stop_words=("d", "e"))
    assert analyzer(MAILS[1]) == ["b", "c", "b", "b", "c", "c"]
    schema = Schema((Column("mail", Kind.TEXT),))
    (part,) = open_table({"mail": list(MAILS)}, analyzer).parts(schema, slice(None))
    assert sorted(part.labels) == list(WORDS)
    places = [list(part.labels).index(word) for word in WORDS]
    counts = part.counts.toarray()[:, places]
    assert counts.tolist() == [[0, 3, 0], [0, 3, 3], [3, 0, 0], [2, 3, 0], [4, 3, 0], [4, 0, 3], [3, 0, 0], [0, 0, 0]]
    family = Multinomial(Dirichlet({word: 1.0 for word in WORDS}))
    summary = family.summarize(part, CLASSES)
    assert summary.parts[1].weight[:, places].tolist() == [[5, 9, 3], [11, 3, 3]]
    close(np.exp(family.estimate(summary).gain[:, places]), [COUNTS[SPAM], COUNTS[HAM]])
    close(likelihoods(Multinomial(), (1, 0, 0)), [COUNTS[SPAM][0], COUNTS[HAM][0]])


def test_bit_vectors_of_the_mails() -> None:
    """P.W29: sums (2, 3, 1), (3, 1, 1); two pseudo-documents a class give (3, 4, 2)/6 and (4, 2, 2)/6. The empty mail
    changes nothing of the counts of words but is a document here.
    """
    family = TruncatedCounts(levels=2)
    summary = family.summarize(as_words(*mails()), CLASSES)
    assert summary.parts[1].weight.tolist() == [[2, 3, 1], [3, 1, 1]]
    assert summary.parts[0].rows.tolist() == [4, 4]
    distribution = family.estimate(summary)
    close(np.exp(distribution.base + distribution.gain), [BITS[SPAM], BITS[HAM]])
    close(np.exp(distribution.base), [[1 - p for p in BITS[k]] for k in (SPAM, HAM)])


def test_bernoulli_likelihoods() -> None:
    """P.W24: x = (1, 1, 0) has likelihood 2/9 in spam and 4/27 in ham, with exact thirds."""
    true = bernoulli(BITS, (1, 1, 0))
    assert (true[SPAM], true[HAM]) == (Fraction(2, 9), Fraction(4, 27))
    close(likelihoods(TruncatedCounts(levels=2), (1, 1, 0)), [true[SPAM], true[HAM]])


def test_bernoulli_likelihoods_from_yes_and_no() -> None:
    """P.W24, P.W29: the same from three Boolean columns and a Beta(1, 1) prior."""
    bits = Coded((mails() > 0).astype(np.int32), ((False, True),) * 3)
    family = Bernoulli()
    distribution = family.estimate(family.summarize(bits, CLASSES))
    query = Coded(np.array([[1, 1, 0]], dtype=np.int32), ((False, True),) * 3)
    close(np.exp(distribution.log_density(query)), [Fraction(2, 9), Fraction(4, 27)])


def test_multinomial_likelihoods() -> None:
    """P.W26: x = (3, 1, 0) has likelihood 0.054 in spam and 0.1728 in ham; likelihood ratio 5/16."""
    got = likelihoods(Multinomial(), (3, 1, 0))
    close(got, [Fraction(54, 1000), Fraction(1728, 10000)])
    close(got[SPAM] / got[HAM], [Fraction(5, 16)])


def test_the_order_of_words_does_not_change_the_ratio() -> None:
    """P.W26: without the number of orders, 4, both likelihoods are a quarter of it, and the ratio is the same."""
    got = likelihoods(Multinomial(ways=False), (3, 1, 0))
    close(got, [Fraction(54, 4000), Fraction(1728, 40000)])


def test_presence_doubles_the_odds_and_absence_halves_them() -> None:
    """P.W27: word b, with chances 2/3 and 1/3, contributes the factor 2 if present and 1/2 if absent."""
    family = TruncatedCounts(levels=2)
    distribution = family.estimate(family.summarize(as_words(*mails()), CLASSES))
    for count, factor in ((1, Fraction(2)), (0, Fraction(1, 2))):
        spam, ham = (distribution.cells(as_words((0, count, 0)), k)[0, 1] for k in (SPAM, HAM))
        close(np.exp(spam - ham), [factor])


@pytest.mark.parametrize(
    ("prior", "vocabulary", "true"),
    [
        (Dirichlet(1.0), "xo", Fraction(6, 19)),  # Laplace: (d + 1) / (n + 2)
        (Dirichlet(1.0), "xop", Fraction(6, 20)),  # k labels: (d + 1) / (n + k)
        (MEstimate(3.0), "xop", Fraction(6, 20)),  # m = k with equal shares is the same
        (MEstimate(2.0), "xo", Fraction(6, 19)),  # m = 2 with equal shares is Laplace
        (MEstimate(2.0, {"x": 0.5, "o": 0.5}), "xo", Fraction(6, 19)),
        (MEstimate(0.0), "xo", Fraction(5, 17)),  # m = 0 is the relative frequency
        (MEstimate(4.0, {"x": 0.25, "o": 0.75}), "xo", Fraction(6, 21)),  # (d + p m) / (n + m)
    ],
)
def test_smoothed_shares(prior: object, vocabulary: str, true: Fraction) -> None:
    """P.W30: 5 of 17, by Laplace, by k pseudo-counts, by the m-estimate, and with m = 0."""
    close(shares_of(Categorical(prior, tuple(vocabulary)), "x" * 5 + "o" * 12, "xo")[0], [true])


def test_a_share_of_zero_in_the_base_brings_the_zero_back() -> None:
    """P.W30: smoothing keeps away from 0 only where p m > 0."""
    got = shares_of(Categorical(MEstimate(3.0, {"x": 1.0, "o": 0.0}), ("x", "o")), "xxx", "x")
    close(got, [1, 0, 0])


def test_a_word_listed_twice_is_counted_twice() -> None:
    """P.W31: with b twice the likelihood ratio of (1, 1, 1, 0) is 3 and not 3/2; the posterior 3/4 and not 3/5."""

    def ratio(columns: list[int]) -> float:
        bits = Coded((mails() > 0).astype(np.int32)[:, columns], ((False, True),) * len(columns))
        family = Bernoulli()
        query = Coded(np.array([[1, 1, 0]], dtype=np.int32)[:, columns], bits.labels)
        spam, ham = np.exp(family.estimate(family.summarize(bits, CLASSES)).log_density(query)[0])
        return float(spam / ham)

    once, twice = ratio([0, 1, 2]), ratio([0, 1, 1, 2])
    close([once, twice], [Fraction(3, 2), Fraction(3)])
    close([once / (1 + once), twice / (1 + twice)], [Fraction(3, 5), Fraction(3, 4)])


def test_class_priors() -> None:
    """P.W95: counts (3, 0, 7): the mean with alpha = 1 and the mode with alpha = 2 are (N_c + 1) / (N + C)."""
    weight, labels = np.array([3.0, 0.0, 7.0]), ("a", "b", "c")
    smoothed = [Fraction(4, 13), Fraction(1, 13), Fraction(8, 13)]
    close(LearnedPrior(Dirichlet(1.0)).estimate(labels, weight), smoothed)
    close(LearnedPrior(Dirichlet(2.0), Reading.MODE).estimate(labels, weight), smoothed)
    close(LearnedPrior().estimate(labels, weight), [Fraction(3, 10), 0, Fraction(7, 10)])


def test_the_plug_in_is_exact_for_one_draw_a_parameter() -> None:
    """P.W98: for bits the posterior mean is the predictive: 2/9 by integration over Beta(3, 3), (4, 2), (2, 4)."""
    integrated = Fraction(1)
    for (yes, no), x in zip([(3, 3), (4, 2), (2, 4)], (1, 1, 0), strict=True):
        integrated *= Fraction(yes if x else no, yes + no)  # the integral of t^x (1 - t)^(1 - x) Beta(t; yes, no)
    assert integrated == Fraction(2, 9)
    for reading in (Reading.MEAN, Reading.PREDICTIVE):
        close(likelihoods(TruncatedCounts(2, reading=reading), (1, 1, 0))[SPAM], [Fraction(2, 9)])


def rising(a: int, x: int) -> int:
    return prod(range(a, a + x), start=1)


def test_the_plug_in_is_not_exact_for_repeated_draws() -> None:
    """P.W98: for counts the predictive is Dirichlet-multinomial: 0.0632 and 0.1644, where the plug-in says 0.0540 and
    0.1728; the ratio is 0.3846 and not 0.3125.
    """
    true = []
    for alpha in ((6, 10, 4), (12, 4, 4)):
        draws = prod(
            (Fraction(rising(a, x), factorial(x)) for a, x in zip(alpha, (3, 1, 0), strict=True)), start=Fraction(1)
        )
        true.append(factorial(4) * draws / rising(sum(alpha), 4))
    assert [round(float(p), 4) for p in true] == [0.0632, 0.1644]
    assert round(float(true[SPAM] / true[HAM]), 4) == 0.3846
    close(likelihoods(Multinomial(reading=Reading.PREDICTIVE), (3, 1, 0)), true)
    close(likelihoods(Multinomial(), (3, 1, 0)), [Fraction(54, 1000), Fraction(1728, 10000)])


def test_truncated_counts() -> None:
    """P.W99: counts cut at 2, alpha = 1: word b in spam is at levels 0, 1, 2+ in (1, 0, 3) mails; (3, 1, 0) is read as
    (2, 1, 0), with likelihoods 0.034985 and 0.046647 and ratio 3/4.
    """
    family = TruncatedCounts(levels=3)
    tally, counts = family.summarize(as_words(*mails()), CLASSES).parts
    b_one, b_more = counts.weight[SPAM, 2:4]
    assert [tally.weight.value[SPAM] - b_one - b_more, b_one, b_more] == [1.0, 0.0, 3.0]
    cut = np.minimum(mails(), 2)
    true = []
    for k in (SPAM, HAM):
        mine = cut[4 * k : 4 * k + 4]
        true.append(
            prod(
                (Fraction(int((mine[:, v] == x).sum()) + 1, 4 + 3) for v, x in enumerate((2, 1, 0))), start=Fraction(1)
            )
        )
    assert [round(float(p), 6) for p in true] == [0.034985, 0.046647]
    assert true[SPAM] / true[HAM] == Fraction(3, 4)
    close(likelihoods(family, (3, 1, 0)), true)
    close(likelihoods(family, (2, 1, 0)), true)


def test_a_count_of_zero_in_ten() -> None:
    """C.R55: 0 of 10 with 4 values and alpha = 1 gives 1/14."""
    close(
        probabilities(np.array([[0.0, 5.0, 3.0, 2.0]]), Dirichlet(1.0).over("abcd", False), Reading.MEAN)[0, 0],
        [Fraction(1, 14)],
    )
    close(shares_of(Categorical(vocabulary=tuple("abcd")), "bbbbbcccdd", "bcd")[0], [Fraction(1, 14)])
