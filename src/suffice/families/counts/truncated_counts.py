"""Truncated counts: each word's count, cut at L - 1, is a categorical variable of its own.

    p(x | k) = prod_v theta_kv[min(x_v, L - 1)],     theta_v[l] = (documents with level l of v + a) / (documents + L a)

Two levels are presence and absence: the multivariate Bernoulli model, where absent words count too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Words
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.families.counts.bag import Bags
from suffice.families.counts.encoding import Encoding
from suffice.families.counts.multinomial import fixed, present
from suffice.families.counts.pseudo_counts import ByColumn, Dirichlet, PseudoCounts, shares
from suffice.families.counts.rate_priors import or_whole
from suffice.families.family import Distribution, Reading
from suffice.numerics.components import by_components
from suffice.summaries.cell_counts import check_counts
from suffice.summaries.counts import Counts, Vocabulary


@saved
@dataclass(frozen=True)
class TruncatedCounts:
    """A level for each word. Words outside the vocabulary tell nothing: they were absent from every document.

    The vocabulary is that of the documents seen, unless one is given: then it has all its words, met or not.

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
    vocabulary: tuple[Any, ...] | None = None

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
        words, weight, rows = _by_word(self._counted(counts), self.levels - 1)  # (K, V, levels 1 ..)
        bags, pseudo = _Bags(len(weight), len(words), self.encoding), self._pseudo(words)

        def fill(some: slice) -> None:
            levels = [weight[some, :, level] for level in range(self.levels - 1)]
            absent, whole = self._absent(tally, some, _total(levels), rows[some])
            bags.fill(some, *smoothed([absent, *levels], whole, pseudo, self.reading))

        by_components(fill, _cuts(tally), weight.size)
        return bags.of(words)

    def _counted(self, counts: Counts) -> Counts:
        """Over the vocabulary, if there is one."""
        words = fixed(self.vocabulary, counts)
        if words is None:
            return counts
        return counts.over(words if self.levels == 2 else self.encoding.labels(words))

    def _absent(self, tally: Tally, some: slice, present: Array, rows: Array) -> tuple[Array, Array]:
        """Weight of the documents without each word (K, V), and of those with and without it."""
        total, documents = tally.weight.value[some, None], tally.rows[some, None]
        absent = total - present
        if self.threshold is not None and np.array_equal(total, documents):
            return absent, total  # whole numbers: exact
        np.maximum(absent, 0.0, out=absent)
        if self.threshold is not None:  # a word that no document lacks is absent from nothing, whatever rounding left
            met = _total([rows[:, :, level] for level in range(self.levels - 1)])
            np.copyto(absent, 0.0, where=met >= documents)
        return absent, absent + present

    def _pseudo(self, words: Vocabulary) -> list[Array]:
        """Pseudo-counts of each level: numbers, or one a word (V,)."""
        if isinstance(self.prior, ByColumn):
            return [self.prior.over(words, False)] * self.levels
        return list(self.prior.over(range(self.levels), False))


def smoothed(weights: list[Array], whole: Array, pseudo: list[Array], reading: Reading) -> tuple[list[Array], Array]:
    """Smoothed weights of the levels, (K, V) each, and their sum: as `shares`, but level by level, nothing copied."""
    if reading is Reading.MODE:
        stacked = shares(np.stack(weights, axis=-1), np.stack(pseudo, axis=-1), reading)
        return [stacked[..., level] for level in range(len(weights))], np.asarray(1.0)
    tops = [w + a for w, a in zip(weights, pseudo, strict=True)]
    whole = whole + _total(pseudo)
    if whole.min(initial=1.0) == 0.0:
        *tops, whole = or_whole(whole, *tops, whole)
        whole = np.maximum(whole, np.finfo(np.float64).tiny)  # nothing at all: every level is 0
    return tops, whole


def _cuts(tally: Tally) -> list[slice]:
    """Components one by one, which stay in the cache; all at once where one is empty and takes from the others."""
    K = len(tally.rows)
    return [slice(k, k + 1) for k in range(K)] if tally.rows.all() else [slice(0, K)]


def _total(levels: list[Array]) -> Array:
    """The sum of all levels (K, V); level by level, which is faster than along a short axis."""
    return sum(levels[1:], levels[0])


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


class _Bags:
    """A bag that is filled some components at a time, so that what is computed on the way stays small."""

    def __init__(self, K: int, V: int, encoding: Encoding) -> None:
        self.encoding = encoding
        self.base, self.gain = np.empty((K, V)), np.empty((K, V * encoding.per))
        self.barred: list[tuple[slice, Array]] = []  # components with impossible levels, in the order of threads

    def fill(self, some: slice, tops: list[Array], whole: Array) -> None:
        """Weights of the levels of each word, (K, V) each, and their sum; impossible levels are kept apart."""
        if any(level.min(initial=1.0) == 0.0 for level in tops):
            barred = [level == 0.0 for level in tops]
            tops = [np.where(bar, whole, level) for level, bar in zip(tops, barred, strict=True)]
            change = [level.astype(np.float64) - barred[0] for level in barred[1:]]
            self.barred.append((some, np.concatenate([_side_by_side(change), barred[0]], axis=1)))
        gains = [np.divide(level, tops[0], out=level) for level in tops[1:]]
        np.log(_side_by_side(gains), out=self.gain[some])
        np.log(np.divide(tops[0], whole, out=tops[0]), out=self.base[some])

    def of(self, words: Vocabulary) -> Bags:
        """The bag."""
        return Bags(words, self.base, self.gain, np.zeros(len(self.base)), self.encoding, bars=self._bars())

    def _bars(self) -> Array | None:
        """Which levels are impossible, if any."""
        if not self.barred:
            return None
        bars = np.zeros((len(self.base), self.gain.shape[1] + self.base.shape[1]))
        for some, here in self.barred:
            bars[some] = here
        return bars


def _side_by_side(levels: list[Array]) -> Array:
    """Levels of each word side by side: (K, V) each to (K, V L)."""
    return levels[0] if len(levels) == 1 else np.stack(levels, axis=2).reshape(len(levels[0]), -1)
