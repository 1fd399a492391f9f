"""Rows of labels with a Dirichlet prior on their chances, as single draws or as vectors of counts.

theta ~ Dirichlet(a);   after n_l rows of each label:  theta ~ Dirichlet(a + n)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array, Words
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.beliefs.belief import Belief
from suffice.families.beliefs.beta_bernoulli import beta_belief
from suffice.families.beliefs.conjugate import Conjugate, as_shares, generator, how_many, left, proper
from suffice.families.beliefs.exceedance import Chance
from suffice.families.beliefs.marginal_likelihood import of_labels
from suffice.families.counts.dirichlet_multinomial import DirichletMultinomials
from suffice.families.counts.label_weights import count_labels, label_weights
from suffice.families.counts.pseudo_counts import Dirichlet, PseudoCounts, probabilities
from suffice.families.family import Reading
from suffice.summaries.counts import Counts


@saved
@dataclass(frozen=True, eq=False)
class DirichletCategorical(Conjugate):
    """The chances of declared labels, of which `alpha` have been counted, virtual ones included.

    >>> posterior = DirichletCategorical.over("abc") + {"a": 3, "c": 1}
    >>> posterior.mean.round(4), round(posterior.exceeds("a", "c").probability, 4)
    (array([0.5714, 0.1429, 0.2857]), 0.8125)
    """

    labels: tuple[Any, ...]
    alpha: Array  # (V,)

    def __post_init__(self) -> None:
        """Refuse what is no prior; keep an array of our own."""
        alpha = np.array(self.alpha, dtype=np.float64)
        if alpha.shape != (len(self.labels),) or not self.labels or len(set(self.labels)) < len(self.labels):
            raise bad(self, "alpha", f"one pseudo-count for each label of {list(self.labels)}", self.alpha)
        if not (np.isfinite(alpha) & (alpha >= 0)).all():
            raise bad(self, "alpha", "finite and at least 0", self.alpha, "Use 1 for the Laplace correction.")
        object.__setattr__(self, "alpha", alpha)

    @classmethod
    def over(cls, labels: Sequence[Any], prior: PseudoCounts | None = None) -> Self:
        """A family's pseudo-counts, `Dirichlet(1)` unless given, over declared labels."""
        return cls(tuple(labels), (prior or Dirichlet()).over(tuple(labels), False))

    def __eq__(self, other: object) -> bool:
        """The same labels and pseudo-counts."""
        if not isinstance(other, DirichletCategorical) or type(other) is not type(self):
            return False
        return self.labels == other.labels and np.array_equal(self.alpha, other.alpha)

    def __hash__(self) -> int:
        """Equal beliefs hash alike."""
        return hash((self.labels, self.alpha.tobytes()))

    def summarize(self, rows: Any, weights: Any = None) -> Counts:
        """Counts of rows of labels; None is missing."""
        return count_labels(self, rows, self.labels, weights)

    def _after(self, summary: Counts | Mapping[Any, float], sign: float) -> Self:
        alpha = self.alpha + sign * label_weights(self, summary, self.labels)
        left(self, "the counts", alpha)
        return type(self)(self.labels, alpha)

    def log_evidence(self, summary: Counts | Mapping[Any, float], log_base: float = 0.0) -> float:
        """Log probability of the rows in their order."""
        proper(self, alpha=self.alpha)
        return float(of_labels(label_weights(self, summary, self.labels), self.alpha)) + log_base

    def belief(self, label: Any) -> Belief:
        """What is believed about the chance of one label: Beta(a_l, A - a_l)."""
        mine = float(self.alpha[self._place(label)])
        return beta_belief(self, mine, float(self.alpha.sum()) - mine)

    def exceeds(self, label: Any, other: Any) -> Chance:
        """The probability that one label has a larger chance than another: of a Beta(a_l, a_m) to be above 1/2."""
        if label == other:
            raise bad(self, "other", "another label", other, "A chance does not exceed itself.")
        mine, theirs = (float(self.alpha[self._place(each)]) for each in (label, other))
        return Chance(beta_belief(self, mine, theirs).probability(above=0.5), 64.0 * float(np.finfo(np.float64).eps))

    def _place(self, label: Any) -> int:
        if label not in self.labels:
            raise bad(self, "label", f"one of {list(self.labels)}", label, "Correct it.")
        return self.labels.index(label)

    @property
    def mean(self) -> Array:
        """Posterior mean (V,): the chances of the next row."""
        return probabilities(np.zeros(len(self.alpha)), self.alpha, Reading.MEAN)

    @property
    def mode(self) -> Array:
        """Maximum a posteriori (V,), where every count is at least 1 and one is above."""
        if self.alpha.min() < 1 or self.alpha.max() == 1:
            rule = "at least 1 for every label and above 1 for one, so that there is one highest place"
            raise bad(self, "alpha", rule, self.alpha, "Read the mean.")
        return probabilities(np.zeros(len(self.alpha)), self.alpha, Reading.MODE)

    def log_predictive(self, rows: Any) -> Array:
        """Log probability of each new label by itself (n,)."""
        place = {label: i for i, label in enumerate(self.labels)}
        with np.errstate(divide="ignore"):
            logs = np.append(np.log(self.mean), -np.inf)
        return np.asarray(logs[[place.get(label, -1) for label in rows]])

    def draw(self, n: int = 1, random_state: Any = None) -> Array:
        """Chances drawn from the posterior (n, V)."""
        proper(self, alpha=self.alpha)
        return generator(self, random_state).dirichlet(self.alpha, how_many(self, n))

    def sample(self, n: int = 1, random_state: Any = None) -> list[Any]:
        """New rows, each with chances of its own drawn from the posterior."""
        rng = generator(self, random_state)
        edges = np.cumsum(self.draw(n, rng), axis=1)
        places = (rng.random((n, 1)) * edges[:, -1:] >= edges).sum(axis=1)
        return [self.labels[place] for place in places]


@saved
@dataclass(frozen=True, eq=False)
class DirichletMultinomial(DirichletCategorical):
    """The same belief where a row is a vector of counts, such as a document.

    >>> posterior = DirichletMultinomial.over("abc").observe([[2, 0, 1], [1, 0, 0]])
    >>> np.exp(posterior.log_predictive([[1, 0, 0], [1, 1, 0]])).round(4)  # 4/7, 2 * 4/7 * 1/8
    array([0.5714, 0.1429])
    """

    def summarize(self, rows: Any, weights: Any = None) -> Counts:
        """Occurrences of each label over rows of counts (n, V)."""
        words = self._words(rows)
        return Counts.of_words(words, as_shares(self, len(words.counts), weights))

    def log_base(self, rows: Any, weights: Any = None) -> float:
        """Log of the number of orders of each row's draws, summed."""
        from scipy.special import gammaln

        counts = self._words(rows).counts
        ways = gammaln(counts.sum(axis=1) + 1) - gammaln(counts + 1).sum(axis=1)
        return float(ways.sum() if weights is None else np.asarray(weights, dtype=np.float64) @ ways)

    def _words(self, rows: Any) -> Words:
        counts = np.asarray(rows, dtype=np.float64)
        if counts.ndim != 2 or counts.shape[1] != len(self.labels):
            raise bad(self, "rows", f"vectors of {len(self.labels)} counts", counts.shape, "One count a label.")
        if not (np.isfinite(counts) & (counts >= 0)).all():
            raise bad(self, "rows", "counts of at least 0", float(counts.min()), "Correct the cell.")
        return Words(counts, self.labels)

    def log_predictive(self, rows: Any) -> Array:
        """Log probability of each new vector of counts, given its total (n,): Dirichlet-multinomial."""
        proper(self, alpha=self.alpha)
        return DirichletMultinomials(self.labels, np.append(self.alpha, 0.0)[None], True).log_density(
            self._words(rows)
        )[:, 0]

    def sample(self, n: int = 1, random_state: Any = None, total: int = 1) -> Any:
        """New vectors of counts (n, V) of `total` draws each, each vector with chances of its own."""
        rng = generator(self, random_state)
        return rng.multinomial(how_many(self, total, "total"), self.draw(n, rng))
