"""Errors carry the fields of their sentence, and the sentence is made in one place."""

from __future__ import annotations

import ast
import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import suffice
from suffice.app.report.command_words import spelled, told
from suffice.core.errors import (
    BadFile,
    BadInput,
    BadType,
    NeverAdded,
    NotASummary,
    Said,
    SufficeError,
    bad,
    never_added,
    quoted,
    refusal,
)
from suffice.core.phrases import ForPython, Phrase, Setting
from suffice.sources.files.text_format import Format
from suffice.testing import discovery

ROOT = Path(suffice.__file__).parent
HERE = "core/errors.py"
# Files that still write sentences by hand, until their rooms have moved; the list is exact, and ends empty.
NOT_YET: set[str] = set()
REMEDY = Phrase("Name the text in ", Setting("Format", missing=...), ", or raise ", Setting("Format", limit=...), ".")


def test_an_error_has_the_fields_of_its_sentence() -> None:
    error = bad("fit", "alpha", "at least 0", -1.0, "0 is no smoothing.")
    assert isinstance(error, BadInput)
    assert (error.owner, error.name, error.rule, error.got, error.remedy) == (
        "fit",
        "alpha",
        "at least 0",
        "-1.0",
        "0 is no smoothing.",
    )
    assert str(error) == error.fields.sentence() == "fit: alpha must be at least 0, got -1.0. 0 is no smoothing."


def test_the_owner_may_be_a_value_of_its_class() -> None:
    assert bad(Format(), "limit", "a share", 2).owner == "Format"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (bad("", "--out", "a file", Said("a folder")), "--out must be a file, got a folder."),
        (bad("X", "rows", "as many cells", 3, must="must have"), "X: rows must have as many cells, got 3."),
        (
            refusal(BadFile, "load", "'m'", "a whole file", Said("it is a folder"), joint="but"),
            "load: 'm' must be a whole file, but it is a folder.",
        ),
        (
            refusal(NotASummary, "Tally", "", "its own kind", Said("int"), must="can only be added to"),
            "Tally: can only be added to its own kind, got int.",
        ),
        (
            never_added("the rows", "2 more"),
            "forget: the rows must have been added before, got 2 more. Nothing was changed; forget only rows this "
            "model has learned from.",
        ),
        (quoted(BadType, "Ridge", "Found array with dim 3."), "Ridge: Found array with dim 3."),
    ],
)
def test_sentences_of_every_form(error: SufficeError, sentence: str) -> None:
    assert str(error) == error.fields.sentence() == sentence


@pytest.mark.parametrize("kind", [BadInput, BadType, NeverAdded, NotASummary, BadFile])
def test_an_error_of_any_kind_is_made_with_its_fields(kind: type[SufficeError]) -> None:
    error = refusal(kind, "a", "b", "c", 1)
    assert type(error) is kind
    assert (error.owner, error.got) == ("a", "1")


def test_what_is_said_is_never_cut() -> None:
    long = "x" * 100
    assert bad("a", "b", "c", Said(long)).got == long
    assert bad("a", "b", "c", long).got == repr(long)[:57] + "..."


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_fields_survive_copies_and_processes(again: Any) -> None:
    error = again(bad("open_rows", "cells", "numbers", "old", REMEDY))
    assert str(
        error
    ) == "open_rows: cells must be numbers, got 'old'. Name the text in Format(missing=...), or raise " + (
        "Format(limit=...)."
    )
    assert told(error) == "cells must be numbers, got 'old'. Name the text in --missing, or raise --limit."


def test_the_command_line_makes_its_own_sentence_of_the_fields() -> None:
    with pytest.raises(BadInput) as caught:
        Format(quote="xx")
    assert str(caught.value).startswith("Format: quote must be one ASCII character or None, got 'xx'.")
    assert told(caught.value) == "--quote must be one ASCII character, got 'xx'. Say none where nothing is quoted."
    assert told(
        refusal(BadFile, "load", "'m'", "a whole file written by save", Said("it is a folder"), joint="but")
    ) == ("'m' must be a whole model file, but it is a folder.")
    assert told(bad("NaiveBayes", "alpha", "at least 0", -1)) == "NaiveBayes: alpha must be at least 0, got -1."
    assert told(BadInput("by hand")) == "by hand"


def test_phrases_are_texts_with_parts() -> None:
    phrase = Phrase("declare ", Setting("", kinds={"a b": "count"}), ForPython(" or pass None"), ".")
    assert phrase == "declare kinds={'a b': 'count'} or pass None."
    assert spelled(phrase) == "declare --kinds 'a b=count'."
    assert spelled("plain") == "plain"


def own_errors() -> set[str]:
    return {cls.__name__ for cls in discovery.classes() if issubclass(cls, SufficeError)}


def made_by_hand(tree: ast.AST, kinds: set[str]) -> bool:
    """Whether an error is made from a sentence; a reader of files gives a reason alone, which becomes `got`."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    return any(call.func.id in kinds - {"BadFile"} for call in calls)  # type: ignore[attr-defined]


def test_no_sentence_is_made_by_hand() -> None:
    kinds = own_errors()
    assert {"BadInput", "TooManyPatterns", "NoInverse"} <= kinds
    found = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if made_by_hand(ast.parse(path.read_text(encoding="utf-8")), kinds)
    }
    assert found - {HERE} == NOT_YET
    assert made_by_hand(ast.parse("raise BadInput(f'a: b must be c, got {d}.')"), kinds)
