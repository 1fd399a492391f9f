"""Truncated counts: each word's count, cut at L - 1, is a categorical variable of its own.

    p(x | k) = prod_v theta_kv[min(x_v, L - 1)],     theta_v[l] = (documents with level l of v + a) / (documents + L a)

Two levels are presence and absence: the multivariate Bernoulli model, where absent words count too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from suffice.core.block import Array, Words
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.families.bag import Bags
from suffice.families.encoding import Encoding
from suffice.families.family import Distribution, Reading
from suffice.families.multinomial import present
from suffice.families.pseudo_counts import ByColumn, Dirichlet, PseudoCounts, shares
from suffice.families.rate_priors import or_whole
from suffice.summaries.cell_counts import check_counts
from suffice.summaries.counts import Counts, Vocabulary


@saved
@dataclass(frozen=True)
class TruncatedCounts:
    """A level for each word. Words outside the vocabulary tell nothing: they were absent from every document.

    >>> mails = Words(np.array([[2.0, 0.0], [1.0, 0.0]]), range(2))
    >>> family = TruncatedCounts(levels=2)
    >>> np.exp(family.estimate(family.summarize(mails, Shares.hard(np.array([0, 0]), 1))).base)  # of absent words
    array([[0.25, 0.75]])
    """

    storage: ClassVar[Storage] = Storage.WORDS

    levels: int = 3
    prior: PseudoCounts = field(default_factory=Dirichlet)
    reading: Reading = Reading.MEAN
    threshold: float | None = 0.0  # for two levels: a word is present if its count exceeds it; None: cells are 0 or 1

    def __post_init__(self) -> None:
        """Refuse fewer than two levels."""
        if not (self.levels == int(self.levels) and self.levels >= 2):
            raise bad(self, "levels", "a whole number of at least 2", self.levels, "Use 2 for presence and absence.")
        if self.threshold is None and self.levels > 2:
            raise bad(self, "threshold", "a number where there are more than two levels", None, "Leave it out.")
        if self.threshold is not None and not (np.isfinite(self.threshold) and self.threshold >= 0):
            raise bad(self, "threshold", "finite and at least 0", self.threshold, "An absent word has count 0.")

    @property
    def encoding(self) -> Encoding:
        """How counts become levels."""
        return Encoding() if self.threshold is None else Encoding(self.levels, self.threshold)

    def summarize(self, part: Words, R: Shares) -> Together:
        """Documents, and documents with each level of each word."""
        R = present(part, R)
        if self.levels == 2:  # nothing is copied: the threshold is met in the pass itself
            return Together((Tally.of(R), Counts.of_words(part, R, self.threshold)))
        check_counts(part, R)
        cut = Words(self.encoding.encode(part.counts), self.encoding.labels(part.labels))
        return Together((Tally.of(R), Counts.of_words(cut, R)))

    def estimate(self, summary: Together) -> Distribution:
        """Smoothed shares of the levels of each word."""
        tally, counts = summary.parts
        assert isinstance(tally, Tally)
        assert isinstance(counts, Counts)
        words, weight, rows = _by_word(counts, self.levels - 1)  # (K, V, levels 1 ..)
        weights = [weight[:, :, level] for level in range(weight.shape[2])]
        absent = np.maximum(tally.weight.value[:, None] - sum(weights[1:], weights[0]), 0.0)
        if self.threshold is not None:  # a word that no document lacks is absent from nothing, whatever rounding left
            met = sum((rows[:, :, level] for level in range(1, rows.shape[2])), rows[:, :, 0])
            absent = np.where(met < tally.rows[:, None], absent, 0.0)
        return levels(words, smoothed([absent, *weights], self._pseudo(words), self.reading), self.encoding)

    def _pseudo(self, words: Vocabulary) -> list[Array]:
        """Pseudo-counts of each level: numbers, or one a word (V,)."""
        if isinstance(self.prior, ByColumn):
            return [self.prior.over(words, False)] * self.levels
        return list(self.prior.over(range(self.levels), False))


def smoothed(weights: list[Array], pseudo: list[Array], reading: Reading) -> list[Array]:
    """Probabilities of each level, (K, V) each: as `shares`, but level by level, so that nothing is copied."""
    if reading is Reading.MODE:
        stacked = shares(np.stack(weights, axis=-1), np.stack(pseudo, axis=-1), reading)
        return [stacked[..., level] for level in range(len(weights))]
    tops = [w + a for w, a in zip(weights, pseudo, strict=True)]
    whole = sum(tops[1:], tops[0])
    if not whole.all():
        *tops, whole = or_whole(whole, *tops, whole)
        whole = np.maximum(whole, np.finfo(np.float64).tiny)  # nothing at all: every level is 0
    return [np.divide(top, whole, out=top) for top in tops]


def _by_word(counts: Counts, per: int) -> tuple[Vocabulary, Array, Array]:
    """Words, and the weights and rows of their levels (K, V, levels 1 ..)."""
    labels, K = counts.labels[0], len(counts.weight)
    if per == 1 or isinstance(labels, range):
        words = range(len(labels) // per) if isinstance(labels, range) else labels
        return words, counts.weight.reshape(K, len(words), per), counts.rows.reshape(K, len(words), per)
    words = tuple(dict.fromkeys(word for word, _ in labels))
    place = {word: i for i, word in enumerate(words)}
    at = [place[word] for word, _ in labels], [level - 1 for _, level in labels]
    weight, rows = np.zeros((K, len(words), per)), np.zeros((K, len(words), per), dtype=np.int64)
    weight[:, *at], rows[:, *at] = counts.weight, counts.rows
    return words, weight, rows


def levels(words: Vocabulary, theta: list[Array], encoding: Encoding) -> Bags:
    """A bag from the probabilities of the levels of each word, (K, V) each; impossible levels are kept apart."""
    K = len(theta[0])
    barred = [level == 0.0 for level in theta]
    possible = not any(level.any() for level in barred)
    logs = [np.log(level if possible else np.where(bar, 1.0, level)) for level, bar in zip(theta, barred, strict=True)]
    gain = logs[1] - logs[0] if len(logs) == 2 else _side_by_side([level - logs[0] for level in logs[1:]])
    bars = None
    if not possible:
        change = _side_by_side([level.astype(np.float64) - barred[0] for level in barred[1:]])
        bars = np.concatenate([change, barred[0]], axis=1)
    return Bags(words, logs[0], gain, np.zeros(K), encoding, bars=bars)


def _side_by_side(levels: list[Array]) -> Array:
    """Levels of each word side by side: (K, V) each to (K, V L)."""
    return np.stack(levels, axis=2).reshape(len(levels[0]), -1)
