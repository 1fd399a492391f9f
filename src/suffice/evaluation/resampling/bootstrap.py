"""Bootstrap: replicas of a table, each of as many rows as the table, drawn with replacement.

A replica is a count for each row. Where models are learned from summaries, counts are weights and no row is copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, expm1, inf, log1p
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.table_rows import count_rows
from suffice.estimators.boundary.targets import read_weights
from suffice.evaluation.resampling.resampling_options import read_generator, whole
from suffice.sources.tables.labels import code_labels


@dataclass(frozen=True)
class Bootstrap:
    """Draws replicas of rows, as a splitter of scikit-learn: learn from the rows drawn, test with the rows left out.

        count of row i ~ multinomial(n, 1/n, ..., 1/n),   left out if its count is 0, which happens to (1 - 1/n)^n

    Parameters
    ----------
    n_splits : number of replicas
    random_state : None, a seed or a `numpy.random.Generator`; with a seed, fewer replicas are the first of more

    >>> replicas = Bootstrap(2, random_state=0)
    >>> for counts in replicas.counts(6):
    ...     print(counts)
    [1 0 0 0 4 1]
    [2 1 1 1 1 0]
    >>> for rows, left_out in replicas.split(np.zeros((6, 1))):
    ...     print(rows, left_out)
    [0 4 4 4 4 5] [1 2 3]
    [0 0 1 2 3 4] [5]

    References
    ----------
    B. Efron, Bootstrap methods: another look at the jackknife (1979).
    """

    n_splits: int = 100
    random_state: Any = None

    def __post_init__(self) -> None:
        """Check the parameters."""
        whole(self, "n_splits", self.n_splits, 1, "Say how many replicas to draw.")
        read_generator(self, self.random_state)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of replicas."""
        return self.n_splits

    def counts(self, n: int, sample_weight: Any = None, groups: Any = None) -> Iterator[Array]:
        """How often each of n rows was drawn (n,), replica by replica.

        Parameters
        ----------
        n : number of rows
        sample_weight : a row of weight w is drawn like w copies of it, and as many rows are drawn as the weights sum to
        groups : a label a row; whole groups are drawn then, as many as there are, each as likely, whatever its weight
        """
        return self._drawn(*_units(self, n, sample_weight, groups))

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:
        """Row numbers that were drawn, repeated as often, and those that were left out, replica by replica."""
        n = count_rows(X)
        return (
            (np.repeat(np.arange(n), counts), np.flatnonzero(counts == 0)) for counts in self.counts(n, None, groups)
        )

    def _drawn(self, unit: Array, weight: Array) -> Iterator[Array]:
        """Units are drawn by their weights: the work grows with their number, however heavy they are."""
        rng, total = read_generator(self, self.random_state), weight.sum()
        live = np.flatnonzero(weight > 0.0)  # of the last unit, `multinomial` asks no probability: it gets what is left
        for _ in range(self.n_splits):
            counts = np.zeros(len(weight), dtype=np.int64)
            counts[live] = rng.multinomial(round(total), weight[live] / total)
            yield counts[unit]


def bootstrap_rows(n: int, random_state: Any = None, sample_weight: Any = None) -> Array:
    """The row numbers of one replica, in order (n,).

    Parameters
    ----------
    n : number of rows
    random_state : None, a seed or a `numpy.random.Generator`
    sample_weight : as for `Bootstrap.counts`

    >>> bootstrap_rows(6, random_state=0)
    array([0, 4, 4, 4, 4, 5])
    """
    counts = next(Bootstrap(1, random_state).counts(n, sample_weight))
    return np.repeat(np.arange(len(counts)), counts)


def distinct_share(n: float) -> float:
    """The share of n rows that a replica is expected to hold, 1 - (1 - 1/n)^n; 1 - 1/e for n without end.

    >>> [round(distinct_share(n), 4) for n in (10, 50, 100, inf)]
    [0.6513, 0.6358, 0.634, 0.6321]
    """
    if n == inf:
        return 1.0 - exp(-1.0)
    size = whole("distinct_share", "n", n, 1, "Count rows.")
    return -expm1(size * log1p(-1.0 / size)) if size > 1 else 1.0


def _units(owner: Bootstrap, n: Any, sample_weight: Any, groups: Any) -> tuple[Array, Array]:
    """The unit that each row belongs to, itself or its group (n,), and the weights of the units."""
    n = whole(owner, "n", n, 1, "Give it rows.")
    w = read_weights(type(owner).__name__, sample_weight, n)
    if groups is not None:
        coded = code_labels(groups)
        if len(coded.codes) != n:
            rule = f"one label for each of the {n} rows"
            raise bad(owner, "groups", rule, Said(f"{len(coded.codes)}"), "Give every row its group.")
        return coded.codes[:, 0], np.ones(len(coded.labels[0]))
    weight = np.ones(n) if w is None else w
    if round(weight.sum()) < 1:
        rule = "such that they sum to at least 1, as a weight counts as so many rows"
        raise bad(owner, "sample_weight", rule, float(weight.sum()), "Multiply them so that their mean is 1.")
    return np.arange(n), weight
