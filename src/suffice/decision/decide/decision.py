"""Decision: from class probabilities to what is done about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.costs import checked_costs, expected, largest, of_action, read_costs, refuse_free
from suffice.decision.decide.posterior import Posterior
from suffice.decision.decide.read_wishes import checked_at_least, checked_prior, checked_reject, read_prior, uniform

REFUSE = -1


@dataclass(frozen=True, eq=False)
class Decision:
    """The action of least expected cost, or refusing (-1) where that is cheaper.

        decide(x) = argmin_a sum_c costs[c, a] p(c | x)

    Ties go to the first class, and to answering rather than refusing. What only rounding decides is a tie.

    Parameters
    ----------
    prior: (K,) class prior to assume; None is the one the posterior was learned under (maximum a posteriori).
    costs: (K, K) costs[true, action], or (n, K, K) with a table for each row, negative for a benefit; None costs 0 if
        right and 1 if wrong. Without benefits, no action may be free whatever the truth.
    reject: what refusing costs, in the unit of `costs`; None never refuses for its cost.
    at_least: refuse where the class that would be answered is less probable than this.

    >>> posterior = Posterior(np.array([[0.9, 0.1], [0.6, 0.4]]), np.array([0.5, 0.5]))
    >>> Decision().decide(posterior)
    array([0, 0])
    >>> Decision(costs=[[0, 1], [5, 0]], reject=0.55).decide(posterior)
    array([ 0, -1])
    """

    prior: Array | None = None  # (K,)
    costs: Array | None = None  # (K, K) or (n, K, K)
    reject: float | None = None
    at_least: float | None = None

    def __post_init__(self) -> None:
        """Check everything and keep arrays of our own, never written again."""
        prior = None if self.prior is None else checked_prior("Decision", self.prior)
        costs = None
        if self.costs is not None:
            costs = checked_costs("Decision", self.costs, None if prior is None else prior.size)
            refuse_free("Decision", costs)
        object.__setattr__(self, "prior", prior)
        object.__setattr__(self, "costs", costs)
        object.__setattr__(self, "reject", checked_reject("Decision", self.reject))
        object.__setattr__(self, "at_least", checked_at_least("Decision", self.at_least))

    @classmethod
    def maximum_a_posteriori(cls) -> Decision:
        """The most probable class under the prior that was learned: argmax_c p(x | c) prior(c)."""
        return cls()

    @classmethod
    def maximum_likelihood(cls, K: int) -> Decision:
        """The class that explains the row best, whatever its prior: argmax_c p(x | c)."""
        return cls(prior=uniform(K))

    @classmethod
    def read(
        cls,
        owner: object,
        classes: Sequence[Any],
        *,
        prior: Any = None,
        costs: Any = None,
        reject: Any = None,
        at_least: Any = None,
    ) -> Decision:
        """A decision as a user writes it: by label, or in the order of `classes`; see `read_prior` and `read_costs`."""
        return cls(
            None if prior is None else read_prior(owner, prior, classes),
            None if costs is None else read_costs(owner, costs, classes),
            checked_reject(owner, reject),
            checked_at_least(owner, at_least),
        )

    def decide(self, posterior: Posterior) -> Array:
        """The number of the class to answer for each row (n,), -1 to refuse."""
        proba = self._proba(posterior)
        if self.prior is None and self.costs is None:
            action: Array = proba.argmax(axis=1)  # nothing is computed, so nothing is rounded
        else:
            action = self._cheapest(proba)
        if self.reject is None and self.at_least is None:
            return action
        return np.where(self._answers(proba, action), action, REFUSE)

    def expected_cost(self, posterior: Posterior) -> Array:
        """The expected cost of each action (n, K), and of refusing as one more column if `reject` is given."""
        cost = self._cost(self._proba(posterior))
        if self.reject is None:
            return cost
        return np.column_stack([cost, np.full(len(cost), self.reject)])

    def _proba(self, posterior: Posterior) -> Array:
        """p(class | x) under the prior of this decision."""
        proba, prior = posterior.arrays()
        for mine in (self.prior, self.costs):
            if mine is not None and mine.shape[-1] != prior.size:
                raise bad("Decision", "posterior", f"of {mine.shape[-1]} classes, like the decision", proba.shape)
        if self.costs is not None and self.costs.ndim == 3 and len(self.costs) != len(proba):
            raise bad("Decision", "posterior", f"of {len(self.costs)} rows, one for each table of costs", proba.shape)
        return proba if self.prior is None else posterior.shift(self.prior).proba

    def _cost(self, proba: Array) -> Array:
        """Expected cost of each class as an answer (n, K)."""
        return 1.0 - proba if self.costs is None else expected(proba, self.costs)

    def _cheapest(self, proba: Array) -> Array:
        """The first class that is cheapest but for rounding (n,)."""
        cost, slack = self._cost(proba), rounding(proba.shape[1])
        if self.costs is None:
            return first_of_least(cost, slack)
        first, close = cost.argmin(axis=1), cost.min(axis=1, keepdims=True) + 4.0 * slack * largest(self.costs)
        doubtful = np.flatnonzero((cost <= close).sum(axis=1) > 1)  # elsewhere rounding cannot matter
        if doubtful.size:
            costs = self.costs if self.costs.ndim == 2 else self.costs[doubtful]
            size = expected(proba[doubtful], np.abs(costs))  # by action: a forbidden one does not blur the others
            first[doubtful] = first_of_least(cost[doubtful], slack * size)
        return np.asarray(first)

    def _answers(self, proba: Array, action: Array) -> Array:
        """Where the chosen class is cheap and probable enough to be answered, but for rounding (n,); nan is neither."""
        chosen, slack = proba[np.arange(len(action)), action], rounding(proba.shape[1])
        answers = np.ones(len(action), dtype=bool)
        if self.reject is not None and self.costs is None:
            answers &= chosen + slack >= 1.0 - self.reject
        elif self.reject is not None and self.costs is not None:
            price = of_action(self.costs, action)
            answers &= (proba * (price - slack * np.abs(price))).sum(axis=1) <= self.reject
        if self.at_least is not None:
            answers &= chosen * (1.0 + slack) >= self.at_least
        return answers

    def _key(self) -> tuple[Any, ...]:
        """What equality and hash go by."""
        arrays = (None if values is None else (values.shape, values.tobytes()) for values in (self.prior, self.costs))
        return (*arrays, self.reject, self.at_least)

    def __eq__(self, other: object) -> bool:
        """The same prior, costs and limits."""
        return isinstance(other, Decision) and self._key() == other._key()

    def __hash__(self) -> int:
        """Equal decisions hash alike."""
        return hash(self._key())


def first_of_least(cost: Array, slack: Any) -> Array:
    """The first of the least costs of each row (n,), each known but for a slack."""
    first: Array = (cost - slack <= (cost + slack).min(axis=1, keepdims=True)).argmax(axis=1)
    return first


def rounding(K: int) -> float:
    """Relative error of an expected cost over K classes: 2K + 8 roundings.

    Reading and shifting a probability takes at most K + 8 (its sum has K terms), the product with the costs K more.
    """
    return (2 * K + 8) * float(np.finfo(np.float64).eps)
