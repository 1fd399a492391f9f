"""Parts of texts: words, runs of words, palindromes, passages that two texts share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from suffice.core.errors import bad

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def words(text: str) -> list[str]:
    """The words of a text, in lower case, without punctuation.

    >>> words("Don't stop: now!")
    ["don't", 'stop', 'now']
    """
    if not isinstance(text, str):
        raise bad("words", "a text", "a string", text, "Convert it.")
    return [word.lower() for word in WORD.findall(text)]


def is_palindrome(text: str) -> bool:
    """Whether its letters and digits read the same backwards, whatever case, blanks and punctuation; it must have some.

    >>> is_palindrome("A man, a plan, a canal: Panama"), is_palindrome("A plan")
    (True, False)
    """
    letters = [c for c in str(text).casefold() if c.isalnum()]
    return bool(letters) and letters == letters[::-1]


def has_phrase(text: str, phrase: str) -> bool:
    """Whether the words of a phrase occur in a text, one after another.

    >>> has_phrase("Machine learning!", "machine LEARNING"), has_phrase("learning machine", "machine learning")
    (True, False)
    """
    wanted, found = words(phrase), words(text)
    if not wanted:
        raise bad("has_phrase", "phrase", "at least one word", phrase, "Name one.")
    return any(found[i : i + len(wanted)] == wanted for i in range(len(found) - len(wanted) + 1))


def runs(parts: Sequence[Any], where: Callable[[Any], bool]) -> list[list[Any]]:
    """The longest rows of neighbouring parts that all satisfy a condition: words of another language, rising prices.

    >>> runs([1, 5, 6, 2, 7], lambda x: x > 4)
    [[5, 6], [7]]
    """
    found: list[list[Any]] = [[]]
    for one in parts:
        if where(one):
            found[-1].append(one)
        elif found[-1]:
            found.append([])
    return [run for run in found if run]


def longest_run(parts: Sequence[Any], where: Callable[[Any], bool]) -> int:
    """The length of the longest of them.

    >>> longest_run("aabbba", lambda c: c == "b")
    3
    """
    return max(map(len, runs(parts, where)), default=0)


def shared_passage(text: str, other: str) -> int:
    """How many words the longest passage has that two texts share: one mail quoted in another, a copied sentence.

    >>> shared_passage("the cat sat on the mat", "on the mat the cat lay")
    3
    """
    a, b = words(text), words(other)
    best, before = 0, [0] * (len(b) + 1)
    for word in a:
        here = [0] * (len(b) + 1)
        for j, theirs in enumerate(b):
            if word == theirs:
                here[j + 1] = before[j] + 1
                best = max(best, here[j + 1])
        before = here
    return best
