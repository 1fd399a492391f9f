"""Complement weights: how rarely a word occurs in the documents of all other classes.

    gain_kv = -log c_kv,   c_kv = (occurrences of v outside k + a_v) / (all occurrences outside k + sum a)

Not a density: the scores of `ComplementNB`, whose softmax is its posterior.
Reference: J. Rennie et al., Tackling the poor assumptions of naive Bayes text classifiers (2003).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Words
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.families.counts.bag import Bags
from suffice.families.counts.encoding import Encoding
from suffice.families.counts.multinomial import Multinomial, fixed
from suffice.families.counts.pseudo_counts import Dirichlet, PseudoCounts
from suffice.summaries.counts import Counts


@saved
@dataclass(frozen=True)
class Complement:
    """Scores words by the other classes; `norm` divides the weights of a class by their sum.

    The words are those seen or, where a `vocabulary` is given, exactly its words.

    >>> mails = Words(np.array([[3.0, 0.0], [0.0, 2.0]]), range(2))
    >>> family = Complement()
    >>> np.exp(-family.estimate(family.summarize(mails, Shares.hard(np.array([0, 1]), 2))).gain)
    array([[0.25, 0.75],
           [0.8 , 0.2 ]])
    """

    storage: ClassVar[Storage] = Storage.WORDS
    normalized: ClassVar[bool] = False  # scores, which add to nothing in particular

    prior: PseudoCounts = field(default_factory=Dirichlet)
    norm: bool = False
    vocabulary: tuple[Any, ...] | None = None

    def summarize(self, part: Words, R: Shares) -> Together:
        """Documents and occurrences."""
        return Multinomial().summarize(part, R)

    def estimate(self, summary: Together) -> Bags:
        """Weights of the words."""
        counts = summary.parts[1]
        assert isinstance(counts, Counts)
        words = fixed(self.vocabulary, counts)
        counts = counts if words is None else counts.over(words)
        labels = counts.labels[0]
        others = counts.weight.sum(axis=0) + self.prior.over(labels, False) - counts.weight
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(others / others.sum(axis=1, keepdims=True))
            gain = _shares(logs) if self.norm else -logs
        return Bags(labels, np.zeros_like(gain), gain, np.zeros(len(gain)), Encoding())


def _shares(logs: Array) -> Array:
    """Each weight as a share of its class's weights; a single column has weight 0 and tells nothing."""
    total = logs.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(logs, total, out=np.zeros_like(logs), where=total != 0.0))
