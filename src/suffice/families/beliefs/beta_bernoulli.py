"""Yes-or-no rows with a Beta prior on the chance of yes.

theta ~ Beta(a, b);   after y yes and n no:  theta ~ Beta(a + y, b + n)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.families.beliefs.belief import Belief
from suffice.families.beliefs.conjugate import Conjugate, checked, generator, how_many, left, proper
from suffice.families.beliefs.marginal_likelihood import of_labels
from suffice.families.counts.label_weights import count_labels, label_weights
from suffice.families.counts.pseudo_counts import PseudoCounts
from suffice.summaries.counts import Counts

LABELS = (False, True)


@saved
@dataclass(frozen=True)
class BetaBernoulli(Conjugate):
    """A chance of which `yes` and `no` have been counted, virtual ones included.

    Parameters
    ----------
    yes, no : pseudo-counts; 1 and 1 is uniform, 1/2 and 1/2 Jeffreys' prior

    >>> posterior = BetaBernoulli() + {True: 9, False: 1}
    >>> posterior.mode, round(posterior.belief.probability(below=0.5), 4)
    (0.9, 0.0059)
    """

    yes: float = 1.0
    no: float = 1.0

    def __post_init__(self) -> None:
        """Refuse negative or infinite counts."""
        checked(self, yes=self.yes, no=self.no)

    @classmethod
    def of(cls, prior: PseudoCounts) -> BetaBernoulli:
        """The same prior as pseudo-counts of a family, such as `Beta(1, 1)`."""
        no, yes = prior.over(LABELS, False).tolist()
        return cls(yes, no)

    def summarize(self, rows: Any, weights: Any = None) -> Counts:
        """Counts of rows that are True or False, 1 or 0; None is missing."""
        return count_labels(self, rows, LABELS, weights)

    def _after(self, summary: Counts | Mapping[Any, float], sign: float) -> BetaBernoulli:
        no, yes = sign * label_weights(self, summary, LABELS)
        left(self, "the counts", [self.yes + yes, self.no + no])
        return BetaBernoulli(float(self.yes + yes), float(self.no + no))

    def log_evidence(self, summary: Counts | Mapping[Any, float], log_base: float = 0.0) -> float:
        """Log probability of the rows in their order."""
        proper(self, yes=self.yes, no=self.no)
        return float(of_labels(label_weights(self, summary, LABELS), np.array([self.no, self.yes]))) + log_base

    @property
    def belief(self) -> Belief:
        """What is believed about the chance of yes."""
        return beta_belief(self, self.yes, self.no)

    @property
    def mean(self) -> float:
        """Posterior mean: the chance that the next row is a yes."""
        proper(self, **{"yes and no together": self.yes + self.no})
        return self.yes / (self.yes + self.no)

    @property
    def mode(self) -> float:
        """Maximum a posteriori; inside (0, 1) only if both counts are above 1."""
        return self.belief.mode

    def log_predictive(self, rows: Any) -> Array:
        """Log probability of each new row by itself (n,)."""
        x = np.asarray(rows, dtype=np.float64)
        with np.errstate(divide="ignore"):
            return np.where(x == 1.0, np.log(self.mean), np.where(x == 0.0, np.log1p(-self.mean), -np.inf))

    def draw(self, n: int = 1, random_state: Any = None) -> Array:
        """Chances drawn from the posterior (n,)."""
        return self.belief.draw(n, random_state)

    def sample(self, n: int = 1, random_state: Any = None) -> Array:
        """New rows (n,), each with a chance of its own drawn from the posterior."""
        rng = generator(self, random_state)
        return rng.random(how_many(self, n)) < self.draw(n, rng)


def beta_belief(owner: object, yes: float, no: float) -> Belief:
    """A Beta distribution and where its peak is: nowhere in particular if it is flat or has two."""
    from scipy.stats import beta

    proper(owner, yes=yes, no=no)
    peak = np.nan if max(yes, no) <= 1 else max(yes - 1.0, 0.0) / (max(yes - 1.0, 0.0) + max(no - 1.0, 0.0))
    if max(yes, no) == 1 and yes != no:
        peak = float(yes == 1)
    return Belief(beta(yes, no), peak)
