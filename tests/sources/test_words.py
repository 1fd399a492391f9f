"""Documents as counts over a vocabulary of the block."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from suffice.core.errors import BadInput
from suffice.sources import Analyzer
from suffice.sources.tables.words import count_documents

texts = st.text(alphabet="ab cD,é\n", max_size=30)


@given(
    st.lists(texts | st.sampled_from([None, float("nan"), pd.NA]), max_size=8),
    st.sampled_from([(1, 1), (1, 2), (2, 3)]),
)
def test_the_same_counts_as_scikit_learn(documents, ngrams):
    found = count_documents(documents, Analyzer(ngrams=ngrams))
    missing = [not isinstance(document, str) for document in documents]
    assert (found.missing is None) == (not any(missing))
    assert found.missing is None or found.missing.tolist() == missing
    assert found.counts.shape == (len(documents), len(found.labels))
    if not found.labels:
        return
    theirs = CountVectorizer(ngram_range=ngrams, vocabulary=list(found.labels), lowercase=True)
    expected = theirs.fit_transform(["" if gone else text for text, gone in zip(documents, missing, strict=True)])
    assert np.array_equal(found.counts.toarray(), expected.toarray())
    assert found.counts.has_canonical_format
    assert (found.counts.data >= 1).all()


def test_no_documents_and_no_words():
    assert count_documents([], Analyzer()).counts.shape == (0, 0)
    assert count_documents(["", "a b", None], Analyzer()).counts.shape == (3, 0)


@pytest.mark.parametrize("document", [5, 1.5, True, b"bytes", ["a"], {"a": 1}, np.array([1, 2])])
def test_what_is_no_text(document):
    with pytest.raises(BadInput, match=r"^X: the cells of column 'note' must be texts, got .* in row 102\. Convert"):
        count_documents(["a", None, document], Analyzer(), "note", 100)
