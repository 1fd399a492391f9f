"""Sentences of the library in the words of the command line: parameters become options."""

from __future__ import annotations

import re

_PHRASES = (  # in this order
    (re.compile(r"^load: (.*) must be a whole file written by save"), r"\1 must be a whole model file"),
    (re.compile(r"^Format: (\w+) must be"), r"--\1 must be"),
    (re.compile(r"^predict: (prior|costs|reject|at_least) must be (None or )?"), r"--\1 must be "),
    (re.compile(r"^--at_least"), "--at-least"),
    (re.compile(r"^(open_rows|rows|Roles|X): "), ""),
    (re.compile(r" or None, got"), ", got"),
    (re.compile(r"None finds it out"), "Left out, it is found out"),
    (re.compile(r"Use None where nothing is quoted"), "Say none where nothing is quoted"),
    (re.compile(r"Name fewer columns in roles"), "Leave fewer columns out"),
    (re.compile(r"by Format\(separator=\.\.\., quote=\.\.\.\)"), "by --separator and --quote"),
    (re.compile(r"Format\(quote=None\)"), "--quote none"),
    (re.compile(r"Format\((\w+)=\.\.\.\)"), r"--\1"),
    (re.compile(r"Format\((\w+)='([^']*)'\)"), r"--\1 \2"),
    (re.compile(r"kinds=\{'([^']*)': '(\w+)'\}"), r"--kinds \1=\2"),
    (re.compile(r"pass decimal='(.)'"), r"pass --decimal \1"),
    (re.compile(r"raise the limit"), "raise --limit"),
    (re.compile(r"Roles\((\w+)=\.\.\.\)"), r"--\1"),
    (re.compile(r"Group the numbers into classes, or"), "Regression is coming; group the numbers into classes, or"),
)


def in_our_words(sentence: str) -> str:
    """The same sentence about options.

    >>> in_our_words("open_rows: cells must be numbers. Name the text in Format(missing=...), or raise the limit.")
    'cells must be numbers. Name the text in --missing, or raise --limit.'
    """
    for pattern, words in _PHRASES:
        sentence = pattern.sub(words, sentence)
    return sentence
