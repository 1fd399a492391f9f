"""Texts in NaiveBayes: scikit-learn's options, an open vocabulary, unknown words, empty and missing documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from suffice import NaiveBayes, load
from suffice.families import Dirichlet, Multinomial, TruncatedCounts
from suffice.sources.tables.analyzer import Analyzer

NOTES = [
    "The cat sat; the CAT purred!",
    "Dogs bark, dogs bite.",
    "Où est le chat? Il miaule",
    "a b c",
    "bark bark bark",
    "",
]
Y = np.array([0, 1, 0, 1, 1, 0])
ASKED = ["the cat barks", "le chat bark", "zebra quagga", ""]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"lowercase": False},
    {"strip_accents": "ascii"},
    {"strip_accents": "unicode", "ngram_range": (1, 2)},
    {"stop_words": "english"},
    {"stop_words": ["cat", "bark"]},
    {"token_pattern": r"(?u)\b\w+\b"},
    {"analyzer": "char", "ngram_range": (2, 3)},
    {"analyzer": "char_wb", "ngram_range": (3, 3)},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("vectorizer", [CountVectorizer, TfidfVectorizer])
def test_options_of_scikit_learns_vectorizers(vectorizer: Any, options: dict[str, Any]) -> None:
    """The posterior odds are those of CountVectorizer and MultinomialNB, with one more word for all unknown ones."""
    model = NaiveBayes(kinds={"note": "text"}, analyzer=vectorizer(**options)).fit({"note": NOTES}, Y)
    counter = CountVectorizer(**options)
    counts = counter.fit_transform(NOTES).toarray()
    known = set(counter.get_feature_names_out())
    asked = counter.transform(ASKED).toarray()
    words = counter.build_analyzer()
    unknown = [sum(word not in known for word in words(text)) for text in ASKED]
    other = MultinomialNB().fit(np.column_stack([counts, np.zeros(len(counts))]), Y)
    expected = other.predict_log_proba(np.column_stack([asked, unknown]))
    np.testing.assert_allclose(model.predict_log_proba({"note": ASKED}), expected, rtol=1e-12, atol=1e-14)


VOCABULARY = ["bark", "cat", "zebra", "the", "chat"]  # zebra is in no note


@pytest.mark.parametrize(
    ("family", "theirs"),
    [
        (Multinomial(), MultinomialNB()),
        (Multinomial(Dirichlet(0.3)), MultinomialNB(alpha=0.3)),
        (TruncatedCounts(2), BernoulliNB()),
    ],
)
def test_a_fixed_vocabulary(family: Any, theirs: Any, tmp_path: Path) -> None:
    """P.M041: closed: words outside are ignored, the prior covers exactly its words, as with scikit-learn's counts."""
    counter = CountVectorizer(vocabulary=VOCABULARY)
    theirs.fit(counter.transform(NOTES), Y)
    model = NaiveBayes(kinds={"note": "text"}, by_kind={"text": family}, analyzer=counter).fit({"note": NOTES}, Y)
    asked = [*ASKED, "zebra", "unheard of", "cat zebra unheard"]
    expected = theirs.predict_log_proba(counter.transform(asked))
    np.testing.assert_allclose(model.predict_log_proba({"note": asked}), expected, rtol=1e-12, atol=1e-14)
    shards = [
        NaiveBayes(**model.get_params(deep=False)).fit({"note": NOTES[s]}, Y[s]) for s in (slice(0, 3), slice(3, 6))
    ]
    both = shards[1] + shards[0]
    np.testing.assert_allclose(both.predict_log_proba({"note": asked}), expected, rtol=1e-12, atol=1e-14)
    both.save(tmp_path / "notes")
    saved = load(tmp_path / "notes")
    np.testing.assert_allclose(saved.predict_log_proba({"note": asked}), expected, rtol=1e-12, atol=1e-14)
    told = model.explain({"note": asked}, target=1, versus=0)
    np.testing.assert_allclose(told.contributions[:, 0] + told.prior, expected[:, 1] - expected[:, 0], atol=1e-12)
    assert {word for text in model.sample(40, random_state=0)[0]["note"] for word in text.split()} <= set(VOCABULARY)


def test_a_fixed_vocabulary_is_kept_apart_from_an_open_one() -> None:
    """Their summaries hold different words."""
    fixed = NaiveBayes(kinds={"note": "text"}, analyzer=Analyzer(vocabulary=tuple(VOCABULARY)))
    open_ended = NaiveBayes(kinds={"note": "text"})
    with pytest.raises(TypeError, match="keep the same of their rows"):
        fixed.fit({"note": NOTES}, Y) + open_ended.fit({"note": NOTES}, Y)


def test_a_matrix_has_its_own_words() -> None:
    """A fixed vocabulary says how texts are read, and a matrix of counts is not read as text."""
    matrix = csr_array(np.array([[1.0, 0.0], [0.0, 2.0]]))
    fixed = NaiveBayes(analyzer=Analyzer(vocabulary=tuple(VOCABULARY))).fit(matrix, [0, 1])
    np.testing.assert_array_equal(fixed.predict_proba(matrix), NaiveBayes().fit(matrix, [0, 1]).predict_proba(matrix))


def test_our_own_analyzer_is_the_default() -> None:
    a = NaiveBayes(kinds={"note": "text"}).fit({"note": NOTES}, Y)
    b = NaiveBayes(kinds={"note": "text"}, analyzer=Analyzer()).fit({"note": NOTES}, Y)
    c = NaiveBayes(kinds={"note": "text"}, analyzer=CountVectorizer()).fit({"note": NOTES}, Y)
    for model in (b, c):
        np.testing.assert_array_equal(a.predict_proba({"note": ASKED}), model.predict_proba({"note": ASKED}))


def test_all_unknown_words_are_one_word() -> None:
    """P.M045: one pseudo-count for each word seen and for the unknown one, which the coefficient counts too."""
    model = NaiveBayes(kinds={"note": "text"}, prior="uniform").fit({"note": ["aa bb", "cc cc cc"]}, [0, 1])
    theta = np.array([[2, 2, 1, 1], [1, 1, 4, 1]]) / np.array([[6.0], [7.0]])  # aa, bb, cc, unknown
    expected = 0.5 * 3 * theta[:, 0] * theta[:, 3] ** 2  # three words, two of them the unknown one: 3 orders
    got = np.exp(model.predict_joint_log_proba({"note": ["aa xx yy"]})[0])
    np.testing.assert_allclose(got, expected, rtol=1e-13)


def test_empty_is_not_missing() -> None:
    """An empty document has probability 1 whatever the class; a missing one adds nothing and trains nothing."""
    model = NaiveBayes(kinds={"note": "text"}).fit({"note": ["aa", "bb", None, ""]}, [0, 1, 1, 1])
    joint = model.predict_joint_log_proba({"note": ["", None]})
    np.testing.assert_allclose(np.exp(joint), [[0.25, 0.75]] * 2, rtol=1e-14)
    tally = model.summary_.summary.parts[0].parts[0]
    assert tally.rows.tolist() == [1, 2]


def test_words_met_late_or_on_one_shard_only() -> None:
    shards = [slice(0, 2), slice(2, 3), slice(3, 6)]
    parts = [NaiveBayes(kinds={"note": "text"}).fit({"note": NOTES[s]}, Y[s]) for s in shards]
    whole = NaiveBayes(kinds={"note": "text"}).fit({"note": NOTES}, Y)
    for merged in (parts[0] + parts[1] + parts[2], parts[2] + parts[1] + parts[0]):
        np.testing.assert_allclose(
            merged.predict_log_proba({"note": ASKED}), whole.predict_log_proba({"note": ASKED}), rtol=1e-12, atol=1e-14
        )


def test_several_texts() -> None:
    cells = {"title": ["good news", "bad news", "good"], "body": ["yes yes", "no", "yes"]}
    model = NaiveBayes(kinds={"title": "text", "body": "text"}).fit(cells, [1, 0, 1])
    alone = [NaiveBayes(kinds={n: "text"}, prior="uniform").fit({n: cells[n]}, [1, 0, 1]) for n in cells]
    asked = {"title": ["bad luck"], "body": ["no yes"]}
    odds = [np.subtract(*m.predict_log_proba({n: asked[n]})[0]) for m, n in zip(alone, cells, strict=True)]
    got = model.explain(asked, target=0, versus=1)
    assert got.features == ("title", "body")
    np.testing.assert_allclose(got.contributions[0], odds, rtol=1e-12)


def test_an_analyzer_of_another_fit_waits_for_the_next() -> None:
    model = NaiveBayes(kinds={"note": "text"}).fit({"note": NOTES}, Y)
    before = model.predict_proba({"note": ASKED})
    model.set_params(analyzer=CountVectorizer(ngram_range=(1, 2)))
    np.testing.assert_array_equal(model.predict_proba({"note": ASKED}), before)
    with pytest.raises(TypeError, match=r"keep the same of their rows.*Use the parameters of the fit"):
        model.partial_fit({"note": NOTES}, Y)
    with pytest.raises(TypeError, match="keep the same of their rows"):
        model.forget({"note": NOTES}, Y)
    np.testing.assert_array_equal(model.predict_proba({"note": ASKED}), before)
    anew = NaiveBayes(kinds={"note": "text"}, analyzer=CountVectorizer(ngram_range=(1, 2))).fit({"note": NOTES}, Y)
    np.testing.assert_array_equal(
        model.fit({"note": NOTES}, Y).predict_proba({"note": ASKED}), anew.predict_proba({"note": ASKED})
    )
