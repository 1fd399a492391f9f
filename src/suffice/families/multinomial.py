"""Multinomial documents: words drawn one by one.

    p(x | k) = n! prod_v theta_kv^x_v / x_v!,     theta_v = (occurrences + a_v) / (all occurrences + sum a)

The length n is not modelled.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from suffice.core.block import Words
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.families.bag import Bags
from suffice.families.dirichlet_multinomial import DirichletMultinomials
from suffice.families.encoding import Encoding
from suffice.families.family import Distribution, Reading
from suffice.families.pseudo_counts import Dirichlet, PseudoCounts, shares
from suffice.families.rate_priors import or_whole
from suffice.summaries.counts import Counts


@saved
@dataclass(frozen=True)
class Multinomial:
    """Words drawn one by one. The prior covers the words seen and one word for all unknown ones.

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

    def summarize(self, part: Words, R: Shares) -> Together:
        """Documents and occurrences."""
        return Together((Tally.of(present(part, R)), Counts.of_words(part, R)))

    def estimate(self, summary: Together) -> Distribution:
        """Smoothed shares of the words."""
        tally, counts = summary.parts
        assert isinstance(tally, Tally)
        assert isinstance(counts, Counts)
        labels = counts.labels[0]
        unseen = not isinstance(labels, range)
        weight = np.pad(counts.weight, ((0, 0), (0, 1))) if unseen else counts.weight
        pseudo = self.prior.over(labels, unseen)
        documents, words = tally.weight.value, counts.weight.sum(axis=1)
        length = np.divide(words, documents, out=np.zeros_like(words), where=documents > 0)
        if self.reading is Reading.PREDICTIVE:
            alpha = or_whole((weight + pseudo).sum(axis=1, keepdims=True), weight + pseudo)[0]
            return DirichletMultinomials(labels, alpha, self.ways, length=length)
        theta = shares(weight, pseudo, self.reading)
        with np.errstate(divide="ignore"):
            gain = np.log(theta, out=theta)
        unknown = gain[:, -1] if unseen else np.zeros(len(gain))
        nothing = np.broadcast_to(0.0, counts.weight.shape)
        return Bags(labels, nothing, gain[:, : len(labels)], unknown, Encoding(), length, float(self.ways))


def present(part: Words, R: Shares) -> Shares:
    """The shares without the rows that have no document."""
    if part.missing is None or not part.missing.any():
        return R
    return replace(R, codes=np.where(part.missing[:, None], -1, R.codes))
