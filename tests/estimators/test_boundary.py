"""What crosses the boundary of an estimator: weights, labels, origins, declared classes, vectorizers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer

from suffice.core.errors import BadInput, BadType, NeverAdded, in_our_name
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.origin import Origin, cell_type, label_array, label_type, library
from suffice.sources.tables.analyzer import Analyzer, read_analyzer


def test_weights_of_every_form() -> None:
    for given in (
        [1, 2],
        (1, 2),
        np.array([1, 2], dtype=np.int8),
        pd.Series([1, 2]),
        pl.Series([1, 2]),
        pa.array([1, 2]),
    ):
        w = read_weights("me", given, 2)
        assert w is not None
        assert w.dtype == np.float64
        assert w.tolist() == [1.0, 2.0]
    assert read_weights("me", None, 2) is None
    assert read_weights("me", 3, 2).tolist() == [3.0, 3.0]  # type: ignore[union-attr]
    assert read_weights("me", [], 0).tolist() == []  # type: ignore[union-attr]
    assert read_weights("me", [0.0, 0.0], 2, some=False).tolist() == [0.0, 0.0]  # type: ignore[union-attr]
    assert read_weights("me", [True, False], 2).tolist() == [1.0, 0.0]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ([1.0], "one column of 2 numbers"),
        ([[1.0, 1.0]], "one column of 2 numbers"),
        ([1.0, np.nan], "finite"),
        ([1.0, np.inf], "finite"),
        ([1.0, -1.0], "at least 0"),
        ([0.0, 0.0], "greater than 0 for some row"),
        (["heavy", "light"], "numbers"),
        ([1j, 2j], "numbers"),
        ([1.0, None], "finite"),
        ({"a": 1}, "numbers"),
    ],
)
def test_weights_that_are_none(given: Any, rule: str) -> None:
    with pytest.raises(BadInput, match=f"me: sample_weight must be {rule}"):
        read_weights("me", given, 2)


def test_libraries() -> None:
    found = [library(t) for t in (np.eye(2), [[1]], {"a": [1]}, pd.DataFrame(), pl.DataFrame(), pa.table({}))]
    assert found == [None, None, "mapping", "pandas", "polars", "pyarrow"]
    assert (
        library(sp.csr_array(np.eye(2))) == library(sp.dok_array(np.eye(2))) == "scipy"
    )  # the second is a mapping too


def test_types() -> None:
    assert label_type(np.array([1, 2], dtype=np.uint8)) == "|u1"
    assert label_type(pd.Series([1, 2], dtype="int32")) == "<i4"
    assert label_type(pl.Series([1.0])) == "<f8"
    assert label_type(pa.array([True])) == "|b1"
    assert label_type([1, 2]) is label_type(np.array(["a"])) is label_type(pd.Series(["a"])) is None
    assert cell_type(np.eye(2, dtype=np.float32)) == "<f4"
    assert cell_type(pd.DataFrame({"a": [1]})) is cell_type({"a": [1]}) is None


def test_labels_as_arrays() -> None:
    assert label_array(("a", "bb")).dtype == np.dtype("<U2")
    assert label_array((1, 2)).dtype == np.int64
    assert label_array((True, False)).dtype == bool
    assert label_array((1, "a")).dtype == object
    assert label_array(((1, 2), (3, 4))).tolist() == [(1, 2), (3, 4)]
    assert label_array(("a\x00", "b")).tolist() == ["a\x00", "b"]  # NumPy would cut it off
    assert label_array(()).shape == (0,)


def test_an_origin_gives_labels_their_type_where_it_can() -> None:
    narrow = Origin(1, label_type="|i1")
    assert narrow.classes((1, 2)).dtype == np.int8
    assert narrow.classes((1, 300)).dtype == np.int64
    assert narrow.classes(("a", "b")).dtype.kind == "U"
    assert narrow.classes((1, "b")).dtype == object
    assert Origin(1, label_type="<f4").classes((0.0, 1.0)).dtype == np.float32
    assert narrow.also(Origin(1, label_type="<i4")).label_type == "<i4"
    assert narrow.also(Origin(1)).label_type is None
    assert narrow.also(narrow) is narrow


def test_declared_classes() -> None:
    open_ended, closed = Declared(("a", "b")), Declared(("b", "c"), closed=True)
    open_ended.admit("me", ["z"])
    closed.admit("me", ["b"])
    with pytest.raises(BadInput, match=r"me: labels must be declared .* got 'z'"):
        closed.admit("me", ["b", "z"])
    assert open_ended.join(closed) == Declared(("a", "b", "c"), closed=False)
    assert closed.join(closed).closed


@pytest.mark.parametrize("vectorizer", [CountVectorizer, TfidfVectorizer, HashingVectorizer])
def test_options_of_vectorizers_become_an_analyzer(vectorizer: Any) -> None:
    given = vectorizer(lowercase=False, strip_accents="unicode", ngram_range=(1, 2), stop_words=["the"])
    assert read_analyzer("me", given) == Analyzer(
        lowercase=False, accents="unicode", ngrams=(1, 2), stop_words=("the",)
    )
    assert read_analyzer("me", None) == read_analyzer("me", vectorizer()) == Analyzer()


@pytest.mark.parametrize("vocabulary", [["dog", "cat"], {"cat": 1, "dog": 0}, ("dog", "cat")])
@pytest.mark.parametrize("vectorizer", [CountVectorizer, TfidfVectorizer])
def test_a_fixed_vocabulary_becomes_that_of_the_analyzer(vectorizer: Any, vocabulary: Any) -> None:
    """P.M041: in its order, and the vectorizer is left as it was."""
    given = vectorizer(vocabulary=vocabulary)
    analyzer = read_analyzer("me", given)
    assert analyzer == Analyzer(vocabulary=("dog", "cat"))
    assert analyzer("The cat, a dog and the CAT sat.") == ["cat", "dog", "cat"]
    assert not hasattr(given, "vocabulary_")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tokenizer": str.split}, "tokenizer of the analyzer must be None"),
        ({"preprocessor": str.lower}, "preprocessor of the analyzer must be None"),
        ({"analyzer": str.split}, "analyzer of the analyzer must be a name"),
        ({"strip_accents": str.lower}, "strip_accents of the analyzer must be a name"),
        ({"binary": True}, "binary of the analyzer must be False, got True. Use the family TruncatedCounts"),
        ({"vocabulary": ["a", "a"]}, "Duplicate term in vocabulary: 'a'"),
        ({"vocabulary": []}, "empty vocabulary passed to fit"),
        ({"vocabulary": {"a": 0, "b": 2}}, "Vocabulary of size 2 doesn't contain index 1"),
        ({"max_features": 10}, "max_features of the analyzer must be None, got 10"),
        ({"min_df": 2}, "min_df of the analyzer must be 1, got 2"),
        ({"max_df": 0.5}, r"max_df of the analyzer must be 1\.0, got 0\.5"),
        ({"input": "filename"}, "input of the analyzer must be 'content'"),
        ({"stop_words": "klingon"}, "not a built-in stop list: klingon"),
    ],
)
def test_options_that_would_be_lost_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=f"me: {message}"):
        read_analyzer("me", CountVectorizer(**options))


def test_all_or_nothing() -> None:
    class Thing:
        def __init__(self) -> None:
            self.a = 1

        def change(self) -> None:
            with all_or_nothing(self):
                self.a, self.b = 2, 3
                raise KeyboardInterrupt

    thing = Thing()
    with pytest.raises(KeyboardInterrupt):
        thing.change()
    assert vars(thing) == {"a": 1}
    with all_or_nothing(thing):
        thing.a = 2
    assert thing.a == 2


def test_errors_in_our_name() -> None:
    for raised, expected in ((ValueError("no"), BadInput), (TypeError("no"), BadType), (NeverAdded("no"), NeverAdded)):
        with pytest.raises(expected) as caught, in_our_name("me"):
            raise raised
        assert str(caught.value) == ("no" if expected is NeverAdded else "me: no")
    with pytest.raises(KeyError), in_our_name("me"):
        raise KeyError
    assert issubclass(BadType, TypeError)
    assert issubclass(BadType, ValueError)
