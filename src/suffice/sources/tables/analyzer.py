"""Text to words: lower case, accents, tokens, stop words, n-grams; the meaning of scikit-learn's analyzers, as a value.

Written out here because a loaded model must read text where scikit-learn is not imported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from suffice.core.errors import bad, in_our_name
from suffice.core.registry import saved

TWO_LETTERS = r"(?u)\b\w\w+\b"  # words of two letters, digits or underscores and more
_LETTERS = bytes(i if i >= 128 or chr(i).isalnum() or chr(i) == "_" else 32 for i in range(256))
_SPACES = re.compile(r"\s\s+")
LEFT_OUT: dict[str, tuple[Any, str]] = {  # options that must be as they come, and why
    "preprocessor": (None, "A function can't be saved; use the other options."),
    "tokenizer": (None, "A function can't be saved; use token_pattern."),
    "input": ("content", "Give the texts themselves."),
    "binary": (False, "Use the family TruncatedCounts(2) for presence and absence."),
    "max_features": (None, "Give a vocabulary, or let it stay open."),
    "max_df": (1.0, "Use stop_words to leave words out."),
    "min_df": (1, "Rare words do no harm: each class has a share for unknown ones."),
}


@saved
@dataclass(frozen=True)
class Analyzer:
    """How a document becomes words.

    Parameters
    ----------
    unit : "word", "char", or "char_wb" for characters inside word boundaries
    lowercase : whether capitals count as small letters
    accents : None keeps them; "unicode" removes them, "ascii" with every character that has no ASCII form
    pattern : regular expression of a word, of which one group may be taken
    stop_words : words left out, before n-grams are made
    ngrams : smallest and largest number of units in a row that make a word
    vocabulary : the only words there are, in their order; others are left out. None: any word

    >>> Analyzer(ngrams=(1, 2))("The cat sat")
    ['the', 'cat', 'sat', 'the cat', 'cat sat']
    >>> Analyzer(vocabulary=("cat", "dog"))("The cat sat")
    ['cat']
    """

    unit: str = "word"
    lowercase: bool = True
    accents: str | None = None
    pattern: str = TWO_LETTERS
    stop_words: tuple[str, ...] = ()
    ngrams: tuple[int, int] = (1, 1)
    vocabulary: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse options that do not exist."""
        if self.unit not in list(_UNITS):
            raise bad(self, "unit", f"one of {list(_UNITS)}", self.unit, "Correct it.")
        if self.accents not in list(_ACCENTS):
            raise bad(self, "accents", f"one of {list(_ACCENTS)}", self.accents, "Correct it.")
        if not _is_range(self.ngrams):
            rule = "a pair of whole numbers (low, high) with 1 <= low <= high"
            raise bad(self, "ngrams", rule, self.ngrams, "Correct it.")
        if not (isinstance(self.stop_words, tuple) and all(isinstance(word, str) for word in self.stop_words)):
            raise bad(self, "stop_words", "a tuple of words", self.stop_words, "List the words.")
        if self.vocabulary is not None and not _are_words(self.vocabulary):
            rule = "None or a tuple of words, at least one and each once"
            raise bad(self, "vocabulary", rule, self.vocabulary, "List the words.")
        try:
            groups = re.compile(self.pattern).groups
        except (re.error, TypeError) as error:
            raise bad(self, "pattern", "a regular expression", self.pattern, f"Python says: {error}.") from None
        if groups > 1:
            rule = "of one capturing group at most"
            raise bad(self, "pattern", rule, self.pattern, "Write (?: ) for groups that are not taken.")

    def __call__(self, document: str) -> list[str]:
        """The words of a document, in order, repeated as they are."""
        return self._words(self._clean(document.lower() if self.lowercase else document))

    @cached_property
    def _clean(self) -> Callable[[str], str]:
        return _ACCENTS[self.accents]

    @cached_property
    def _words(self) -> Callable[[str], list[str]]:
        words = _UNITS[self.unit](self)
        if self.vocabulary is None:
            return words
        known = frozenset(self.vocabulary)
        return lambda text: [word for word in words(text) if word in known]


def read_analyzer(owner: str, given: Any) -> Analyzer:
    """An `Analyzer`, from None, an `Analyzer`, or the options of a vectorizer such as `CountVectorizer`."""
    if given is None or isinstance(given, Analyzer):
        return given or PLAIN_WORDS
    if not hasattr(given, "build_analyzer"):
        raise bad(owner, "analyzer", "None, an Analyzer or a scikit-learn vectorizer", given, "Try CountVectorizer().")
    for name, (usual, remedy) in LEFT_OUT.items():
        value = getattr(given, name, usual)
        if value is not usual and not (isinstance(value, (int, float, str)) and value == usual):
            raise bad(owner, f"{name} of the analyzer", repr(usual), value, remedy)
    for name in ("analyzer", "strip_accents"):
        if callable(getattr(given, name)):
            remedy = "A function can't be saved; use the other options."
            raise bad(owner, f"{name} of the analyzer", "a name", getattr(given, name), remedy)
    with in_our_name(owner):
        stop_words = given.get_stop_words()
        fixed = getattr(given, "vocabulary", None) is not None
        vocabulary = tuple(copy(given).get_feature_names_out().tolist()) if fixed else None
    return Analyzer(
        unit=given.analyzer,
        lowercase=bool(given.lowercase),
        accents=given.strip_accents,
        pattern=given.token_pattern or Analyzer.pattern,
        stop_words=tuple(sorted(stop_words or ())),
        ngrams=tuple(given.ngram_range),
        vocabulary=vocabulary,
    )


def _is_range(ngrams: Any) -> bool:
    pair = isinstance(ngrams, tuple) and len(ngrams) == 2 and all(type(n) is int for n in ngrams)
    return pair and 1 <= ngrams[0] <= ngrams[1]


def _are_words(words: Any) -> bool:
    known = isinstance(words, tuple) and all(isinstance(word, str) for word in words)
    return known and 0 < len(words) == len(set(words))


def _by_words(how: Analyzer) -> Callable[[str], list[str]]:
    find = two_letters if how.pattern == TWO_LETTERS else re.compile(how.pattern).findall
    left_out = frozenset(how.stop_words)
    if not left_out and how.ngrams == (1, 1):
        return find

    def words(text: str) -> list[str]:
        tokens = [token for token in find(text) if token not in left_out]
        return [" ".join(run) for run in _runs(tokens, how.ngrams)] if how.ngrams != (1, 1) else tokens

    return words


def two_letters(text: str) -> list[str]:
    r"""The words of two letters and more: `\b\w\w+\b`, but that runs of letters need no boundaries to be found.

    ASCII is cut by bytes, in half the time: all that is no letter becomes a space.
    """
    if not text.isascii():
        return _find_two(text)
    return [word for word in text.encode().translate(_LETTERS).decode().split() if len(word) > 1]


_find_two = re.compile(r"\w\w+").findall


def _by_characters(how: Analyzer) -> Callable[[str], list[str]]:
    return lambda text: _runs(_SPACES.sub(" ", text), how.ngrams)


def _by_characters_in_words(how: Analyzer) -> Callable[[str], list[str]]:
    low, high = how.ngrams

    def grams(word: str) -> list[str]:
        padded = f" {word} "
        if len(padded) <= low:  # counted once, whole
            return [padded]
        return _runs(padded, (low, min(high, len(padded))))

    return lambda text: [gram for word in text.split() for gram in grams(word)]


def _runs(units: Any, ngrams: tuple[int, int]) -> list[Any]:
    """All runs of low to high units in a row, the shortest first."""
    n, (low, high) = len(units), ngrams
    return [units[i : i + m] for m in range(low, min(high, n) + 1) for i in range(n - m + 1)]


def _ascii(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


def _unicode(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


_UNITS = {"word": _by_words, "char": _by_characters, "char_wb": _by_characters_in_words}
_ACCENTS: dict[str | None, Callable[[str], str]] = {None: str, "ascii": _ascii, "unicode": _unicode}
PLAIN_WORDS = Analyzer()  # as texts are read where nobody says how
