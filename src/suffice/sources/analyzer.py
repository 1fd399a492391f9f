"""Text to words: lower case, accents, tokens, stop words, n-grams; the meaning of scikit-learn's analyzers, as a value.

Written out here because a loaded model must read text where scikit-learn is not imported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from suffice.core.errors import bad
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class Analyzer:
    """How a document becomes words.

    >>> Analyzer(ngrams=(1, 2))("The cat sat")
    ['the', 'cat', 'sat', 'the cat', 'cat sat']
    """

    unit: str = "word"  # "word", "char" or "char_wb" (characters inside word boundaries)
    lowercase: bool = True
    accents: str | None = None  # None keeps them; "ascii" or "unicode" removes them
    pattern: str = r"(?u)\b\w\w+\b"
    stop_words: tuple[str, ...] = ()
    ngrams: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        """Refuse options that do not exist."""
        if self.unit not in _UNITS:
            raise bad(self, "unit", f"one of {list(_UNITS)}", self.unit, "Correct it.")
        if self.accents not in _ACCENTS:
            raise bad(self, "accents", f"one of {list(_ACCENTS)}", self.accents, "Correct it.")
        low, high = self.ngrams
        if not 1 <= low <= high:
            raise bad(self, "ngrams", "a pair (low, high) with 1 <= low <= high", self.ngrams, "Correct it.")
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise bad(self, "pattern", "a regular expression", self.pattern, f"Python says: {error}.") from None

    def __call__(self, document: str) -> list[str]:
        """The words of a document, in order, repeated as they are."""
        text = document.lower() if self.lowercase else document
        return _UNITS[self.unit](self, _ACCENTS[self.accents](text))

    @cached_property
    def _find(self) -> Callable[[str], list[str]]:
        return re.compile(self.pattern).findall

    @cached_property
    def _stop(self) -> frozenset[str]:
        return frozenset(self.stop_words)


def _words(how: Analyzer, text: str) -> list[str]:
    tokens = [token for token in how._find(text) if token not in how._stop] if how.stop_words else how._find(text)
    low, high = how.ngrams
    if high == 1:
        return tokens
    return [
        " ".join(tokens[i : i + n]) for n in range(low, min(high, len(tokens)) + 1) for i in range(len(tokens) - n + 1)
    ]


def _characters(how: Analyzer, text: str) -> list[str]:
    text = re.sub(r"\s\s+", " ", text)
    low, high = how.ngrams
    return [text[i : i + n] for n in range(low, min(high, len(text)) + 1) for i in range(len(text) - n + 1)]


def _characters_in_words(how: Analyzer, text: str) -> list[str]:
    low, high = how.ngrams
    grams = []
    for word in re.sub(r"\s\s+", " ", text).split():
        padded = f" {word} "
        for n in range(low, high + 1):
            grams.append(padded[:n])
            grams.extend(padded[i : i + n] for i in range(1, len(padded) - n + 1))
            if len(padded) <= n:  # a word shorter than n is counted once, whole
                break
    return grams


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


def _unicode(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


_UNITS = {"word": _words, "char": _characters, "char_wb": _characters_in_words}
_ACCENTS: dict[str | None, Callable[[str], str]] = {None: str, "ascii": _ascii, "unicode": _unicode}
