"""Multinomial documents: words drawn one by one.

    p(x | k) = n! prod_v theta_kv^x_v / x_v!,     theta_v = (occurrences + a_v) / (all occurrences + sum a)

The length n is not modelled.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Words
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.families.counts.bag import Bags
from suffice.families.counts.dirichlet_multinomial import DirichletMultinomials
from suffice.families.counts.encoding import Encoding
from suffice.families.counts.pseudo_counts import Dirichlet, PseudoCounts, shares
from suffice.families.counts.rate_priors import or_whole
from suffice.families.family import Distribution, Reading
from suffice.numerics.components import by_components, runs_of
from suffice.summaries.counts import Counts


@saved
@dataclass(frozen=True)
class Multinomial:
    """Words drawn one by one. The prior covers the words seen and one word for all unknown ones.

    With a `vocabulary` the prior covers exactly its words, met or not, and all others are ignored. The columns of a
    matrix are such a vocabulary already.

    With `ways` the number of orders of the words is counted, so that densities are those of count vectors; it is the
    same for every component.

    >>> mails = Words(np.array([[2.0, 0.0], [1.0, 1.0]]), range(2))
    >>> family = Multinomial()
    >>> np.exp(family.estimate(family.summarize(mails, Shares.hard(np.array([0, 0]), 1))).gain).round(4)
    array([[0.6667, 0.3333]])
    """

    storage: ClassVar[Storage] = Storage.WORDS

    prior: PseudoCounts = field(default_factory=Dirichlet)
    reading: Reading = Reading.MEAN
    ways: bool = True
    vocabulary: tuple[Any, ...] | None = None

    def summarize(self, part: Words, R: Shares) -> Together:
        """Documents and occurrences."""
        return Together((Tally.of(present(part, R)), Counts.of_words(part, R)))

    def estimate(self, summary: Together) -> Distribution:
        """Smoothed shares of the words."""
        tally, counts = summary.parts
        assert isinstance(tally, Tally)
        assert isinstance(counts, Counts)
        counts, unseen = self.counted(counts)
        labels = counts.labels[0]
        weight = np.pad(counts.weight, ((0, 0), (0, 1))) if unseen else counts.weight
        pseudo = self.prior.over(labels, unseen)
        documents, words = tally.weight.value, counts.weight.sum(axis=1)
        length = np.divide(words, documents, out=np.zeros_like(words), where=documents > 0)
        if self.reading is Reading.PREDICTIVE:
            alpha = or_whole((weight + pseudo).sum(axis=1, keepdims=True), weight + pseudo)[0]
            return DirichletMultinomials(labels, alpha, self.ways, length=length, closed=self.vocabulary is not None)
        theta = shares(weight, pseudo, self.reading)
        gain = logs(theta)
        unknown = gain[:, -1] if unseen else np.zeros(len(gain))
        nothing = np.broadcast_to(0.0, counts.weight.shape)
        bags = Bags(labels, nothing, gain[:, : len(labels)], unknown, Encoding(), length, float(self.ways))
        return bags if self.vocabulary is None else replace(bags, closed=True)

    def counted(self, counts: Counts) -> tuple[Counts, bool]:
        """Occurrences of the words that the prior covers, and whether it covers one more for all others."""
        words = fixed(self.vocabulary, counts)
        if words is None:
            return counts, not isinstance(counts.labels[0], range)
        return counts.over(words), False


def logs(shares: Array) -> Array:
    """Logarithms of shares (K, V), in their place; of 0 minus infinity."""

    def take(some: slice) -> None:
        with np.errstate(divide="ignore"):
            np.log(shares[some], out=shares[some])

    by_components(take, runs_of(shares), shares.size)
    return shares


def fixed(vocabulary: tuple[Any, ...] | None, counts: Counts) -> tuple[Any, ...] | None:
    """A vocabulary, where it was given; a matrix has its own."""
    return None if isinstance(counts.labels[0], range) else vocabulary


def present(part: Words, R: Shares) -> Shares:
    """The shares without the rows that have no document."""
    if part.missing is None or not part.missing.any():
        return R
    return replace(R, codes=np.where(part.missing[:, None], -1, R.codes))
