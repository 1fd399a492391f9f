"""scikit-learn's text analyzers as values of ours, so that a saved model can read text without scikit-learn."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from suffice.core.errors import bad
from suffice.estimators.boundary.scikit_checks import in_our_name
from suffice.sources.tables.analyzer import Analyzer

LEFT_OUT: dict[str, tuple[Any, str]] = {  # options that must be as they come, and why
    "preprocessor": (None, "A function can't be saved; use the other options."),
    "tokenizer": (None, "A function can't be saved; use token_pattern."),
    "input": ("content", "Give the texts themselves."),
    "binary": (False, "Use the family TruncatedCounts(2) for presence and absence."),
    "max_features": (None, "Give a vocabulary, or let it stay open."),
    "max_df": (1.0, "Use stop_words to leave words out."),
    "min_df": (1, "Rare words do no harm: each class has a share for unknown ones."),
}


def read_analyzer(owner: str, given: Any) -> Analyzer:
    """An `Analyzer`, from None, an `Analyzer`, or the options of a vectorizer such as `CountVectorizer`."""
    if given is None or isinstance(given, Analyzer):
        return given or Analyzer()
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
        vocabulary = tuple(clone(given).get_feature_names_out().tolist()) if fixed else None
    return Analyzer(
        unit=given.analyzer,
        lowercase=bool(given.lowercase),
        accents=given.strip_accents,
        pattern=given.token_pattern or Analyzer.pattern,
        stop_words=tuple(sorted(stop_words or ())),
        ngrams=tuple(given.ngram_range),
        vocabulary=vocabulary,
    )
