"""What is under law: everything in the package that summarizes rows, each with rows it can take."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from suffice.bayes.learner import Bayes
from suffice.core.block import Array
from suffice.core.kinds import Storage
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.evaluation.scores import Scores
from suffice.families.binomial import Binomial
from suffice.families.categorical import Bernoulli, Categorical
from suffice.families.complement import Complement
from suffice.families.family import Reading
from suffice.families.geometric import Geometric
from suffice.families.integer_codes import IntegerCodes
from suffice.families.multinomial import Multinomial
from suffice.families.normal import DiagonalNormal
from suffice.families.poisson import Poisson
from suffice.families.product import Group, Product
from suffice.families.pseudo_counts import Dirichlet, MEstimate
from suffice.families.rate_priors import Gamma
from suffice.families.truncated_counts import TruncatedCounts
from suffice.families.variance_priors import NormalInverseGamma, VarianceFloor
from suffice.summaries.counts import Counts
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments
from suffice.testing import discovery
from suffice.testing.rows import Rows
from suffice.testing.tables import (
    EVENTS,
    FINITE,
    SUCCESSES,
    TRIALS,
    WAITS,
    YES_NO,
    Fill,
    codes,
    numbers,
    rows,
    symbols,
    words,
)

CELLS = {Storage.NUMBERS: numbers(), Storage.SYMBOLS: symbols(), Storage.WORDS: words()}
OWN_CELLS = {  # families that take only some numbers or labels
    Bernoulli: symbols(YES_NO, unseen=False),
    Binomial: numbers(SUCCESSES),
    Complement: words(matrix=True),  # its prior has no word for the unknown
    Geometric: numbers(WAITS),
    IntegerCodes: codes,
    Poisson: numbers(EVENTS),
}
VARIANTS = {  # beside the default and its readings
    Categorical: [Categorical(MEstimate(2.5)), Categorical(Dirichlet(0.0))],
    Complement: [Complement(norm=True)],
    DiagonalNormal: [
        DiagonalNormal(VarianceFloor()),
        DiagonalNormal(NormalInverseGamma(2.0, 1.5)),
        DiagonalNormal(NormalInverseGamma(reading=Reading.MODE)),
        DiagonalNormal(NormalInverseGamma(2.0, 1.5, reading=Reading.PREDICTIVE)),
    ],
    Poisson: [Poisson(Gamma(2.0, 0.5))],
    TruncatedCounts: [TruncatedCounts(2), TruncatedCounts(2, threshold=1.0)],
}
PLAIN = {Binomial: Binomial(TRIALS)}  # a family whose cells need a parameter


class Subject(NamedTuple):
    """Something that summarizes rows."""

    name: str
    summarize: Callable[[Rows], Any]
    cells: tuple[Fill, ...]
    reach: Array | None = None  # of the numbers it keeps, where these are not the cells

    def rows(self) -> st.SearchStrategy[Rows]:
        """Rows it can take."""
        return rows(*self.cells, reach=self.reach)


def family_instances(cls: type[Any]) -> Iterator[Any]:
    """A family as it comes, with every reading it offers, and its variants."""
    family = PLAIN.get(cls) or cls()
    yield family
    if "reading" in {field.name for field in fields(family)}:
        yield from (replace(family, reading=reading) for reading in Reading if reading is not family.reading)
    yield from VARIANTS.get(cls, [])


def cells_of(family: Any) -> Fill:
    """Cells that a family can take."""
    return OWN_CELLS.get(type(family), CELLS[family.storage])


def of_family(family: Any) -> Subject:
    """The summary a family keeps."""
    return Subject(repr(family), lambda r: family.summarize(r.part, r.shares), (cells_of(family),))


MIXED = Product((Group(0, DiagonalNormal()), Group(1, Categorical()), Group(2, Multinomial())))
MIXED_CELLS = (CELLS[Storage.NUMBERS], CELLS[Storage.SYMBOLS], words(matrix=False))
LEARNERS = [
    Subject("Product", lambda r: MIXED.summarize(r.parts, r.shares), MIXED_CELLS),
    Subject("Bayes", lambda r: Bayes(MIXED).summarize(r.block), MIXED_CELLS),
]
FAMILIES = [of_family(PLAIN.get(cls) or cls()) for cls in discovery.families()]
PARTS = {"Array": numbers(), "Coded": symbols()}  # by what `of` says it takes
OWN_PARTS = {FullMoments: numbers(FINITE, missing=False)}


def by_itself(cls: type[Any]) -> Subject:
    """A summary that is made by `of(part, shares)`; what part it takes is read from the signature."""
    cells = OWN_PARTS[cls] if cls in OWN_PARTS else PARTS[takes(cls)]
    return Subject(cls.__name__, lambda r: cls.of(r.part, r.shares), (cells,))


def takes(cls: type[Any]) -> str:
    """The type that the first parameter of `of` is said to have."""
    of = getattr(cls, "of", None)
    return str(next(iter(inspect.signature(of).parameters.values())).annotation) if of else "nothing"


def scored(r: Rows) -> Scores:
    """Scores of made-up predictions: impossible ones, refused ones, and a true class that is not known."""
    r = r.at(np.flatnonzero(r.codes >= 0))
    p, answer = r.part.T
    predicted = [None if a < 0.3 else f"class {int(a > 0.7)}" for a in answer.tolist()]
    y = [f"class {k}" for k in r.codes.tolist()]
    return Scores.of(y, np.column_stack([p, 1.0 - p]), ("class 0", "class 1"), predicted, r.w)


def predictions(rng: Any, k: Any, width: int) -> Any:
    """A probability and a number that decides what is answered, per row."""
    cells = np.column_stack([rng.choice([0.0, 1.0, rng.random()], len(k)), rng.random(len(k))])
    return cells, cells


SUMMARIES = [
    *(by_itself(cls) for cls in discovery.summaries() if takes(cls) in PARTS),
    Subject("Scores", scored, (predictions,), np.array([50.0, 1.0])),
    Subject("Tally", lambda r: Tally.of(r.shares), ()),
    Subject("Counts of words", lambda r: Counts.of_words(r.part, r.shares), (words(),)),
    Subject("Counts of presence", lambda r: Counts.of_words(r.part, r.shares, 1.0), (words(),)),
    Subject("Together", lambda r: Together((Tally.of(r.shares), Moments.of(r.part, r.shares))), (numbers(),)),
]
SUBJECTS = [*SUMMARIES, *FAMILIES, *LEARNERS]


def kinds_in(summary: Any) -> set[type[Summary]]:
    """The kinds of summary that a summary is made of."""
    inner = [*getattr(summary, "parts", ()), *(v for v in vars(summary).values() if isinstance(v, Summary))]
    return {type(summary)}.union(*(kinds_in(part) for part in inner))
