"""What every conjugate pair of prior and likelihood offers: prior + summary = posterior, a value of the same kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from os import PathLike
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadType, NeverAdded, Said, bad, refusal
from suffice.core.saving import save_value
from suffice.core.shares import Shares
from suffice.core.summary import Summary


class Conjugate(ABC):
    """A belief about the parameters of one likelihood, updated by adding what is kept of rows.

    Updating in steps is updating once, because summaries add; taking a summary away undoes it, up to rounding.
    """

    @abstractmethod
    def summarize(self, rows: Any, weights: Any = None) -> Summary:
        """What is kept of some rows: one component, one column."""

    @abstractmethod
    def _after(self, summary: Any, sign: float) -> Self:
        """The belief after rows of one component came (sign 1) or went (sign -1)."""

    @abstractmethod
    def log_evidence(self, summary: Any, log_base: float = 0.0) -> float:
        """Log marginal likelihood: the probability of the rows, in their order, with the parameters integrated out.

        Parameters
        ----------
        summary : what is kept of the rows
        log_base : what the likelihood holds beside the parameters, `log_base(rows)`; it cancels from Bayes factors
            between priors of one likelihood
        """

    def log_base(self, rows: Any, weights: Any = None) -> float:
        """Log of the factor of the likelihood that holds no parameter; 0 unless the likelihood has one."""
        return 0.0

    def __add__(self, summary: Any) -> Self:
        """The posterior after these rows."""
        return self._after(summary, 1.0)

    def __sub__(self, summary: Any) -> Self:
        """The belief before these rows."""
        return self._after(summary, -1.0)

    def observe(self, rows: Any, weights: Any = None) -> Self:
        """The posterior after rows as they come."""
        return self + self.summarize(rows, weights)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the belief to a file: numbers and a description, never code. `suffice.load` reads it."""
        save_value(self, path)

    def each(self, summary: Summary) -> tuple[Self, ...]:
        """One posterior a component, all from this prior."""
        K = len(summary.rows)  # type: ignore[attr-defined]
        alone = (np.where(np.arange(K) == k, 0, -1) for k in range(K))
        return tuple(self + summary.spread(index, 1) for index in alone)


def bayes_factor(first: Conjugate, second: Conjugate, summary: Any, log: bool = False) -> float:
    """How many times as probable the rows are under the first prior as under the second, of one likelihood.

    >>> from suffice.families.beliefs.beta_bernoulli import BetaBernoulli
    >>> round(bayes_factor(BetaBernoulli(1, 1), BetaBernoulli(50, 50), {True: 9, False: 1}), 3)
    7.279
    """
    if type(first) is not type(second):
        rule = f"of the likelihood of the first, {type(first).__name__}"
        raise bad("bayes_factor", "second", rule, second, "Compare log_evidence with each one's log_base instead.")
    gain = first.log_evidence(summary) - second.log_evidence(summary)
    with np.errstate(over="ignore"):
        return gain if log else float(np.exp(gain))


def one_component(owner: object, summary: Any, kind: type[Summary], columns: int | None = 1) -> Any:
    """The summary, if it is of this kind and of one component (and of one column)."""
    if not isinstance(summary, kind):
        name = type(owner).__name__
        raise refusal(
            BadType,
            name,
            "what is added",
            kind.__name__,
            Said(type(summary).__name__),
            f"Make it by `{name}.summarize`, or use `observe` for rows.",
        )
    K = len(summary.rows)  # type: ignore[attr-defined]
    if K != 1:
        raise bad(owner, "the summary", "of one component", K, "Use `each` for one posterior a component.")
    width = np.size(summary.shift) if hasattr(summary, "shift") else len(summary.labels)  # type: ignore[attr-defined]
    if columns is not None and width != columns:
        raise bad(owner, "the summary", f"of {columns} column(s)", width, "Take one column: `summary.columns([j])`.")
    return summary


def left(owner: object, name: str, value: Any) -> None:
    """Refuse to take away what was never added."""
    lowest = float(np.min(value))
    if lowest < 0:
        raise refusal(
            NeverAdded,
            owner,
            name,
            "at least 0",
            Said(f"{lowest:g} after taking rows away"),
            "Nothing was changed; take away only rows that were added.",
            "must stay",
        )


def as_shares(owner: object, n: int, weights: Any) -> Shares:
    """All rows as one component, with their weights."""
    if weights is None:
        return Shares.hard(np.zeros(n, dtype=np.int32), 1)
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (n,) or not (np.isfinite(w) & (w >= 0)).all():
        raise bad(owner, "weights", f"{n} finite numbers of at least 0", weights, "Give one weight a row.")
    return Shares.hard(np.zeros(n, dtype=np.int32), 1, w)


def checked(owner: object, **numbers: float) -> None:
    """Refuse hyper-parameters that are not finite or below 0."""
    for name, value in numbers.items():
        if not (np.isfinite(value) and value >= 0):
            raise bad(owner, name, "finite and at least 0", value, "It counts virtual rows or events.")


def proper(owner: object, **numbers: Any) -> None:
    """Refuse to read a distribution from hyper-parameters that make none."""
    for name, value in numbers.items():
        if not np.all(np.asarray(value) > 0):
            rule = "above 0, so that the belief is a distribution"
            raise bad(owner, name, rule, value, "Start from a proper prior or add rows first.")


def generator(owner: object, random_state: Any) -> np.random.Generator:
    """A generator from None, a seed or a generator."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        rule = "None, a seed or a numpy.random.Generator"
        raise bad(owner, "random_state", rule, random_state, "Give a whole number of at least 0.") from None


def how_many(owner: object, n: Any, name: str = "n") -> int:
    """A number of draws."""
    if isinstance(n, bool) or not (isinstance(n, (int, np.integer)) and n >= 1):
        raise bad(owner, name, "a whole number of at least 1", n, "Say how many to draw.")
    return int(n)


def column_of(owner: object, rows: Any) -> Array:
    """Rows of one number each (n, 1)."""
    x = np.asarray(rows, dtype=np.float64)
    if x.ndim == 1:
        return x[:, None]
    if x.ndim != 2 or x.shape[1] != 1:
        raise bad(owner, "rows", "one number each", x.shape, "Give a list or a single column.")
    return x
