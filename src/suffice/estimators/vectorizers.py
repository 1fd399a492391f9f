"""scikit-learn's text analyzers as values of ours, so that a saved model can read text without scikit-learn."""

from __future__ import annotations

from typing import Any

from suffice.core.errors import bad
from suffice.sources.analyzer import Analyzer


def read_analyzer(owner: object, given: Any) -> Analyzer:
    """An `Analyzer`, from None, an `Analyzer` or a vectorizer with the options of `CountVectorizer`."""
    if given is None:
        return Analyzer()
    if isinstance(given, Analyzer):
        return given
    if not hasattr(given, "build_analyzer"):
        raise bad(owner, "analyzer", "an Analyzer or a scikit-learn vectorizer", given, "See suffice.sources.Analyzer.")
    for name in ("preprocessor", "tokenizer"):
        if getattr(given, name) is not None:
            raise bad(
                owner,
                f"{name} of the analyzer",
                "None",
                getattr(given, name),
                "A function can't be saved; use options.",
            )
    if callable(given.analyzer) or callable(given.strip_accents):
        raise bad(
            owner, "analyzer of the vectorizer", "a name", given.analyzer, "A function can't be saved; use options."
        )
    stop_words = given.get_stop_words()
    return Analyzer(
        unit=given.analyzer,
        lowercase=bool(given.lowercase),
        accents=given.strip_accents,
        pattern=given.token_pattern or Analyzer.pattern,
        stop_words=tuple(sorted(stop_words)) if stop_words else (),
        ngrams=tuple(given.ngram_range),
    )
