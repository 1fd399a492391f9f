"""The analyzer says exactly what scikit-learn's says, for any text; the library itself does not import scikit-learn."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from suffice.core.errors import BadInput
from suffice.sources import Analyzer
from suffice.sources.tables.analyzer import TWO_LETTERS, two_letters

PATTERNS = [TWO_LETTERS, r"(?u)\b\w+\b", r"\S+", r"(\w)\w*", r"(?:a|b)+", r"[^,]+", r"(?i)\b(the|a|\w{3})\b", ""]
STOP_WORDS = [(), ("the", "a", "cat"), ("é", "ss", "the cat")]
# Letters that change their length or alphabet in lower case, combine, or are spaces that only Unicode knows.
ODD = "İıſK\u212aÅßẞéÉ\u0301ﬁ①ª_-' \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u2003\u3000中文字אב\U0001d400\ud800"
texts = st.one_of(
    st.text(),
    st.text(alphabet=ODD + "abcABC019"),
    st.lists(st.sampled_from(["the", "The", "cat", "a", "é", "SS", ",", "_x", "9"])).map(" ".join),
)
ngrams = st.tuples(st.integers(1, 4), st.integers(0, 3)).map(lambda pair: (pair[0], sum(pair)))


@given(
    texts,
    st.sampled_from(["word", "char", "char_wb"]),
    st.booleans(),
    st.sampled_from([None, "ascii", "unicode"]),
    st.sampled_from(PATTERNS),
    st.sampled_from(STOP_WORDS),
    ngrams,
)
@example("  two   spaces\t\n", "char", True, None, TWO_LETTERS, (), (1, 3))
@example("a", "char_wb", True, None, TWO_LETTERS, (), (5, 7))
@example("the cat sat on the mat", "word", True, None, TWO_LETTERS, ("the", "on"), (1, 3))
@example("", "word", True, "unicode", TWO_LETTERS, (), (2, 3))
def test_the_same_words_as_scikit_learn(text, unit, lowercase, accents, pattern, stop_words, ngrams):
    theirs = CountVectorizer(
        analyzer=unit,
        lowercase=lowercase,
        strip_accents=accents,
        token_pattern=pattern,
        stop_words=list(stop_words) or None,
        ngram_range=ngrams,
    ).build_analyzer()
    assert Analyzer(unit, lowercase, accents, pattern, stop_words, ngrams)(text) == theirs(text)


@given(texts)
def test_words_of_two_letters_are_found_without_boundaries(text):
    assert two_letters(text) == re.findall(TWO_LETTERS, text)


def test_all_of_ascii():
    text = "".join(f"xx{chr(i)}yy{chr(i)}{chr(i)}z " for i in range(128))
    assert two_letters(text) == re.findall(TWO_LETTERS, text)


def test_an_analyzer_is_a_value():
    assert Analyzer(stop_words=("a",)) == Analyzer(stop_words=("a",)) != Analyzer()
    assert len({Analyzer(), Analyzer(), Analyzer(lowercase=False)}) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "words"}, "Analyzer: unit must be one of ['word', 'char', 'char_wb'], got 'words'. Correct it."),
        ({"unit": ["word"]}, "Analyzer: unit must be one of ['word', 'char', 'char_wb'], got ['word']. Correct it."),
        ({"accents": "utf8"}, "Analyzer: accents must be one of [None, 'ascii', 'unicode'], got 'utf8'. Correct it."),
        (
            {"ngrams": (2, 1)},
            "Analyzer: ngrams must be a pair of whole numbers (low, high) with 1 <= low <= high, got (2, 1).",
        ),
        (
            {"ngrams": (0, 1)},
            "Analyzer: ngrams must be a pair of whole numbers (low, high) with 1 <= low <= high, got (0, 1).",
        ),
        ({"ngrams": 2}, "Analyzer: ngrams must be a pair of whole numbers (low, high) with 1 <= low <= high, got 2."),
        ({"ngrams": (1, 2, 3)}, "Analyzer: ngrams must be a pair of whole numbers"),
        ({"ngrams": (1, 2.0)}, "Analyzer: ngrams must be a pair of whole numbers"),
        ({"stop_words": "english"}, "Analyzer: stop_words must be a tuple of words, got 'english'. List the words."),
        ({"stop_words": (1,)}, "Analyzer: stop_words must be a tuple of words, got (1,). List the words."),
        (
            {"vocabulary": ("a", "a")},
            "Analyzer: vocabulary must be None or a tuple of words, at least one and each once, got ('a', 'a'). List",
        ),
        ({"vocabulary": ()}, "Analyzer: vocabulary must be None or a tuple of words, at least one and each once"),
        ({"vocabulary": (1, 2)}, "Analyzer: vocabulary must be None or a tuple of words, at least one and each once"),
        ({"vocabulary": ["a"]}, "Analyzer: vocabulary must be None or a tuple of words, at least one and each once"),
        ({"pattern": "("}, "Analyzer: pattern must be a regular expression, got '('. Python says: missing )"),
        ({"pattern": 5}, "Analyzer: pattern must be a regular expression, got 5. Python says:"),
        ({"pattern": "(a)(b)"}, "Analyzer: pattern must be of one capturing group at most, got '(a)(b)'. Write (?: )"),
    ],
)
def test_options_that_do_not_exist(options, message):
    with pytest.raises(BadInput) as error:
        Analyzer(**options)
    assert str(error.value).startswith(message)
