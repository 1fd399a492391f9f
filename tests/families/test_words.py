"""Models of documents: multinomial, Dirichlet-multinomial, levels; unknown words, empty and missing documents."""

from __future__ import annotations

from dataclasses import replace
from math import lgamma
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.sparse import csr_array

from suffice.core.block import Words
from suffice.core.errors import BadInput, NegativeCounts
from suffice.families.counts.complement import Complement
from suffice.families.counts.encoding import Encoding
from suffice.families.counts.multinomial import Multinomial
from suffice.families.counts.pseudo_counts import ByColumn, Dirichlet, MEstimate
from suffice.families.counts.truncated_counts import TruncatedCounts
from suffice.families.family import Reading
from tests.families.parts import documents, hard, learn

TEXTS = ["a b a", "b c", "a a a c", ""]
CODES = [0, 1, 0, 1]
FAMILIES = [
    *(Multinomial(Dirichlet(a), r, w) for a in (1.0, 0.0) for r in Reading for w in (True, False)),
    *(TruncatedCounts(L, Dirichlet(a), r) for L in (2, 3) for a in (1.0, 0.0) for r in Reading),
    TruncatedCounts(2, threshold=1.0), TruncatedCounts(3, MEstimate(2.0)), Multinomial(MEstimate(2.0, {"a": 0.5})),
]  # fmt: skip


def matrix(part: Words) -> Words:
    """The same counts as the columns of a matrix."""
    return part._replace(labels=range(part.counts.shape[1]))


@pytest.mark.parametrize("ways", [True, False])
def test_multinomial_densities(ways: bool) -> None:
    d = learn(Multinomial(ways=ways), matrix(documents(TEXTS)), hard(CODES))
    query = matrix(documents(["a b b c", "", "c c c"], "abc"))
    theta = np.array([[6, 2, 2], [1, 2, 2]]) / np.array([[10], [5]])
    for k in (0, 1):
        for i, counts in enumerate(query.counts.toarray()):
            true = stats.multinomial.logpmf(counts, int(counts.sum()), theta[k])
            orders = lgamma(counts.sum() + 1) - sum(lgamma(x + 1) for x in counts)
            assert d.log_density(query)[i, k] == pytest.approx(true - (0 if ways else orders), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
@pytest.mark.parametrize("dense", [False, True])
def test_an_open_vocabulary_and_a_matrix_say_the_same_of_known_words(family: Any, dense: bool) -> None:
    part = documents(TEXTS, "abc", dense)
    if family.prior == MEstimate(2.0, {"a": 0.5}):
        part = documents(TEXTS, "abc")  # its base names words, which a matrix has not
    open_words, columns = learn(family, part, hard(CODES)), learn(family, matrix(part), hard(CODES))
    query = documents(["a a c", "b", "", "c c c c"], "abc", dense)
    a, b = open_words.log_density(query), columns.log_density(matrix(query))
    if isinstance(family, TruncatedCounts) and family.threshold == 0.0:  # unknown words tell nothing and need no room
        np.testing.assert_allclose(a, b, rtol=1e-13)
    assert a.shape == b.shape == (4, 2)
    assert not np.isnan(a).any()
    assert not np.isnan(b).any()
    for k in (0, 1):
        np.testing.assert_allclose(open_words.cells(query, k).sum(axis=1), a[:, k], rtol=1e-13)
        np.testing.assert_allclose(columns.cells(matrix(query), k).sum(axis=1), b[:, k], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("family", [*FAMILIES[:-1], Complement(), Complement(norm=True)], ids=repr)
def test_a_fixed_vocabulary_is_a_matrix_of_its_words(family: Any) -> None:
    """P.M041: words that no document has are covered by the prior, words outside are ignored everywhere."""
    words = ("c", "z", "a", "b")  # z is in no document, and d, new and other are outside
    texts = ["a b a d", "d d", "b c", "a a a c", "", None]
    fixed = learn(replace(family, vocabulary=words), documents(texts), hard([0, 1, 1, 0, 1, 0]))
    columns = learn(family, matrix(documents(texts, words)), hard([0, 1, 1, 0, 1, 0]))
    asked = ["a z c", "z z b", "", "c c c c", "new a other new", "d", None]
    plain, over = documents(asked), matrix(documents(asked, words))
    np.testing.assert_allclose(fixed.log_density(plain), columns.log_density(over), rtol=1e-13, atol=1e-14)
    for k in (0, 1):
        told = columns.cells(over, k).sum(axis=1)
        np.testing.assert_allclose(fixed.cells(plain, k).sum(axis=1), told, rtol=1e-12, atol=1e-13)
    drawn = fixed.sample(np.zeros(50, dtype=np.intp), np.random.default_rng(0)) if hasattr(fixed, "sample") else None
    assert drawn is None or drawn.labels == words


def test_one_pseudo_count_for_each_word_of_a_fixed_vocabulary() -> None:
    """P.M041, P.M045: three words share the prior, one of them in no document, and none is kept for the unknown."""
    d: Any = learn(Multinomial(vocabulary=("a", "b", "z")), documents(["a a b out"]), hard([0]))
    np.testing.assert_allclose(np.exp(d.gain), [[3 / 6, 2 / 6, 1 / 6]], rtol=1e-14)
    np.testing.assert_allclose(np.exp(d.log_density(documents(["a z out"]))), [[2 * 3 / 6 * 1 / 6]], rtol=1e-14)


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_vocabularies_need_not_agree(family: Any) -> None:
    d = learn(family, documents(TEXTS), hard(CODES))
    texts = ["a c new", "new other new", "b b", None, ""]
    a = d.log_density(documents(texts))
    b = d.log_density(documents(texts, ("other", "c", "b", "unused", "a", "new")))
    np.testing.assert_allclose(a, b, rtol=1e-14)
    np.testing.assert_array_equal(a[3], np.zeros(2))


@pytest.mark.parametrize("reading", [Reading.MEAN, Reading.PREDICTIVE])
def test_all_unknown_words_are_one_word(reading: Reading) -> None:
    d = learn(Multinomial(reading=reading), documents(TEXTS), hard(CODES))
    one, two = d.log_density(documents(["new new a"])), d.log_density(documents(["new other a"]))
    np.testing.assert_allclose(one, two, rtol=1e-15)
    kept = documents(["new other a"])
    before = kept.counts.data.copy()
    d.log_density(kept)
    np.testing.assert_array_equal(kept.counts.data, before)


def test_unknown_words_of_a_predictive_by_hand() -> None:
    """p(2 unknown words) = a (a + 1) / (A (A + 1)), a = 1 and A the words of the component and 4 pseudo-counts."""
    d = learn(Multinomial(reading=Reading.PREDICTIVE), documents(TEXTS), hard(CODES))
    A = np.array([7 + 4, 2 + 4])
    np.testing.assert_allclose(np.exp(d.log_density(documents(["x y"]))[0]), 2 / (A * (A + 1)), rtol=1e-13)


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_missing_documents_and_empty_ones(family: Any) -> None:
    part, codes = documents(["a b", None, "", "b"]), [0, 0, 1, 1]
    d = learn(family, part, hard(codes))
    without = learn(family, documents(["a b", "", "b"]), hard([0, 1, 1]))
    query = documents(["a", "b b", ""])
    np.testing.assert_allclose(d.log_density(query), without.log_density(query), rtol=1e-15)
    assert family.summarize(part, hard(codes)).parts[0].rows.tolist() == [1, 2]  # an empty document is a document


def test_an_empty_document_tells_levels_but_not_words() -> None:
    query = documents([""])
    words = learn(Multinomial(), documents(TEXTS), hard(CODES)).log_density(query)[0]
    assert words.tolist() == [0.0, 0.0]
    levels = learn(TruncatedCounts(2), documents(TEXTS), hard(CODES)).log_density(query)[0]
    np.testing.assert_allclose(np.exp(levels), [1 / 4 * 2 / 4 * 2 / 4, 3 / 4 * 2 / 4 * 2 / 4], rtol=1e-14)


TABLES = {
    "no documents": ([], []),
    "nothing but empty documents": (["", ""], [0, 1]),
    "nothing but missing documents": ([None, None], [0, 1]),
    "a component without documents": (["a b", "b"], [0, 0]),
    "a component of empty documents": (["a b", "", ""], [0, 1, 2]),
    "one word": (["a", "a a", "a"], [0, 1, 2]),
    "words of one component each": (["a", "b", "c"], [0, 1, 2]),
}


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
@pytest.mark.parametrize(("texts", "codes"), TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("columns", [False, True])
def test_no_nan_and_no_warning(family: Any, texts: list[Any], codes: list[int], columns: bool) -> None:
    part = documents(texts, "abc" if columns else None)
    d = learn(family, matrix(part) if columns else part, hard(codes, 3))
    query = documents(["a b c c", "", "b", "new"], ("a", "b", "c") if columns else None)
    query = matrix(query) if columns else query
    density = d.log_density(query)
    assert density.shape == (4, 3)
    assert not np.isnan(density).any()
    assert not np.isposinf(density).any()
    assert not np.isnan(d.power(np.array([0.0])).log_density(query)).any()
    drawn = d.sample(np.repeat([0, 1, 2], 10), np.random.default_rng(0))
    assert drawn.counts.shape == (30, len(d.labels))
    mine = d.log_density(drawn)[np.arange(30), np.repeat([0, 1, 2], 10)]
    assert np.isfinite(mine).all()


def test_a_word_impossible_under_every_component_tells_nothing() -> None:
    part = matrix(documents(["a", "b a"], "abz"))
    for family in (
        Multinomial(Dirichlet(0.0), ways=False),
        TruncatedCounts(2, Dirichlet(0.0)),
        TruncatedCounts(3, Dirichlet(0.0)),
    ):
        d = learn(family, part, hard([0, 1]))
        without, with_it = (d.log_evidence(matrix(documents([text], "abz"))) for text in ("a", "a z"))
        assert np.isneginf(d.log_density(matrix(documents(["a z"], "abz")))).all()
        if isinstance(family, Multinomial):
            np.testing.assert_allclose(with_it, without, rtol=1e-15)
        assert np.isfinite(with_it[0, 0])
        assert np.isneginf(d.log_density(matrix(documents(["b z"], "abz")))[0, 0])
    predictive = learn(Multinomial(Dirichlet(0.0), Reading.PREDICTIVE, ways=False), part, hard([0, 1]))
    a, b = (predictive.log_evidence(matrix(documents([text], "abz"))) for text in ("a", "a z"))
    assert np.isneginf(predictive.log_density(matrix(documents(["a z"], "abz")))).all()
    np.testing.assert_allclose(a, b, rtol=1e-15)


def test_levels_against_a_table_of_probabilities() -> None:
    """Every level of every word, by counting documents."""
    texts = ["a a a b", "a", "", "b b", "a a"]
    d = learn(TruncatedCounts(3, Dirichlet(0.5)), documents(texts), hard([0] * 5))
    level = {"a": [2, 1, 2], "b": [3, 1, 1]}
    for a in range(5):
        for b in range(4):
            text = " ".join(["a"] * a + ["b"] * b)
            true = np.prod([(level[w][min(x, 2)] + 0.5) / (5 + 1.5) for w, x in (("a", a), ("b", b))])
            assert np.exp(d.log_density(documents([text]))[0, 0]) == pytest.approx(true, rel=1e-13)


def test_levels_of_fractions_are_cut_down() -> None:
    counts = np.array([[0.4, 1.7, 2.0, 9.3]])
    assert Encoding(3).encode(counts).toarray().tolist() == [[0, 0, 1, 0, 0, 1, 0, 1]]
    assert Encoding(2, 1.0).encode(counts).toarray().tolist() == [[0, 1, 1, 1]]
    assert Encoding().encode(counts).toarray().tolist() == counts.tolist()
    assert Encoding(3).labels(("x", "y")) == (("x", 1), ("x", 2), ("y", 1), ("y", 2))
    assert Encoding(3).labels(range(4)) == range(8)


@pytest.mark.parametrize("keep", [np.asarray, csr_array])
def test_what_is_no_count_is_no_level(keep: Any) -> None:
    for cell, error in ((-1.0, NegativeCounts), (np.nan, BadInput), (np.inf, BadInput)):
        counts = keep(np.array([[1.0, cell], [1.0, 1.0]]))
        with pytest.raises(error, match="counts must be"):
            TruncatedCounts(3).summarize(Words(counts, range(2)), hard([0, 0]))
        TruncatedCounts(3).summarize(Words(counts, range(2)), hard([-1, 0], 1))


def test_powers_of_documents() -> None:
    part = matrix(documents(TEXTS, "abc"))
    query = matrix(documents(["a b b", "", "c a"], "abc"))
    for family in (Multinomial(ways=False), TruncatedCounts(2), TruncatedCounts(3), TruncatedCounts(2, Dirichlet(0.0))):
        d = learn(family, part, hard(CODES))
        half = d.power(np.array([0.5]))
        np.testing.assert_allclose(half.log_density(query), 0.5 * d.log_density(query), rtol=1e-14)
        weights = np.array([2.0, 0.0, 1.0])
        each = d.power(weights)
        for k in (0, 1):
            with np.errstate(invalid="ignore"):
                true = np.where(weights == 0, 0.0, d.cells(query, k) * weights)
            np.testing.assert_allclose(each.cells(query, k), true, rtol=1e-14)
            np.testing.assert_allclose(each.log_density(query)[:, k], true.sum(axis=1), rtol=1e-13)
        np.testing.assert_array_equal(each.gain, d.gain)
    ordered = learn(Multinomial(), part, hard(CODES))
    np.testing.assert_allclose(
        ordered.power(np.array([0.5])).log_density(query), 0.5 * ordered.log_density(query), rtol=1e-14
    )
    predictive = learn(Multinomial(reading=Reading.PREDICTIVE), part, hard(CODES))
    np.testing.assert_allclose(
        predictive.power(np.array([0.5])).log_density(query), 0.5 * predictive.log_density(query), rtol=1e-14
    )


def test_samples_follow_the_model() -> None:
    n = 20_000
    part, k = matrix(documents(TEXTS, "abc")), np.zeros(n, dtype=int)
    rng = np.random.default_rng(0)
    theta, length = np.array([0.6, 0.2, 0.2]), 3.5
    for reading in (Reading.MEAN, Reading.PREDICTIVE):
        drawn = learn(Multinomial(reading=reading), part, hard(CODES)).sample(k, rng).counts.toarray()
        spread = drawn.std(axis=0) / np.sqrt(n)
        assert (np.abs(drawn.mean(axis=0) - length * theta) <= 5 * spread).all()
    levels = learn(TruncatedCounts(3, Dirichlet(0.5)), part, hard(CODES)).sample(k, rng).counts.toarray()
    for v, counts in enumerate([[0, 0, 2], [1, 1, 0], [1, 1, 0]]):
        chances = (np.array(counts) + 0.5) / 3.5
        seen = (levels[:, v, None] == np.arange(3)).mean(axis=0)
        assert (np.abs(seen - chances) <= 5 * np.sqrt(chances * (1 - chances) / n)).all()
    impossible = learn(TruncatedCounts(3, Dirichlet(0.0)), part, hard(CODES)).sample(k[:500], rng).counts.toarray()
    assert set(impossible[:, 0].tolist()) == {2.0}  # both documents have the word at least twice


def test_weights_count_as_copies() -> None:
    part = matrix(documents(TEXTS, "abc"))
    rows = np.array([0, 0, 1, 2, 2, 2])
    query = matrix(documents(["a b", "c"], "abc"))
    for family in FAMILIES[:-1]:
        weighed = learn(family, part, hard(CODES, 2, [2.0, 1.0, 3.0, 0.0]))
        copied = learn(family, part._replace(counts=part.counts[rows]), hard(np.array(CODES)[rows], 2))
        np.testing.assert_allclose(weighed.log_density(query), copied.log_density(query), rtol=1e-13)


def test_one_pseudo_count_a_column() -> None:
    part = matrix(documents(TEXTS, "abc"))
    d = learn(Multinomial(ByColumn((1.0, 2.0, 0.0))), part, hard(CODES))
    np.testing.assert_allclose(np.exp(d.gain), [[6 / 10, 3 / 10, 1 / 10], [1 / 5, 3 / 5, 1 / 5]], rtol=1e-15)
    levels = learn(TruncatedCounts(2, ByColumn((1.0, 2.0, 0.0))), part, hard(CODES))
    np.testing.assert_allclose(np.exp(levels.base[1]), [3 / 4, 3 / 6, 1 / 2], rtol=1e-15)


def test_complement_weights() -> None:
    part = matrix(documents(TEXTS, "abc"))
    d = learn(Complement(), part, hard(CODES))
    others = np.array([[1, 2, 2], [6, 2, 2]])
    np.testing.assert_allclose(d.gain, -np.log(others / others.sum(axis=1, keepdims=True)), rtol=1e-15)
    norm = learn(Complement(norm=True), part, hard(CODES))
    np.testing.assert_allclose(norm.gain.sum(axis=1), 1.0, rtol=1e-15)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: TruncatedCounts(1), "TruncatedCounts: levels must be a whole number of at least 2, got 1"),
    (lambda: TruncatedCounts(2.5), "TruncatedCounts: levels must be a whole number"),
    (lambda: TruncatedCounts(3, threshold=None), "TruncatedCounts: threshold must be a number where there are more"),
    (lambda: TruncatedCounts(2, threshold=-1.0), "TruncatedCounts: threshold must be finite and at least 0, got -1.0"),
])  # fmt: skip
def test_what_is_no_level(make: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make()


@pytest.mark.parametrize("family", [Multinomial(), Complement(), TruncatedCounts(2), TruncatedCounts(3)])
def test_dense_counts_are_read_as_sparse_ones(family: Any) -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 4, size=(30, 6)).astype(float)
    bags: Any = learn(family, Words(counts, range(6)), hard(rng.integers(0, 3, 30), 3))
    for rows in (counts, counts.astype(int), np.zeros((1, 6))):
        dense, sparse = (bags.log_evidence(Words(form(rows), range(6))) for form in (np.asarray, csr_array))
        np.testing.assert_allclose(dense, sparse, rtol=1e-13)
