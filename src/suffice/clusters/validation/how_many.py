"""How many clusters: stability under resampling, the gap statistic, and the measures over a range of K."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from suffice.clusters.validation.compactness import calinski_harabasz, davies_bouldin, sum_of_squares
from suffice.clusters.validation.label_table import LabelTable
from suffice.clusters.validation.silhouettes import silhouettes
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import number_rows

Make = Callable[[int], Any]  # number of clusters -> an unfitted clusterer


@dataclass(frozen=True)
class ClusterCurve:
    """A measure over numbers of clusters, and the number it speaks for."""

    clusters: tuple[int, ...]
    values: Array
    spread: Array  # standard errors; 0 where there are none
    best: int


def stability(make: Callable[[], Any], X: Any, *, times: int = 20, share: float = 0.8, random_state: Any = 0) -> Array:
    """Adjusted Rand indices (times,) of clusterings of random parts of the rows, two and two, on the rows of both.

    Parameters
    ----------
    make : gives an unfitted clusterer
    X : rows
    times : number of pairs of parts
    share : of the rows that each part has
    random_state : seed
    """
    if not 0.5 < share <= 1.0:
        raise bad("stability", "share", "above 0.5 and at most 1", share, "0.8 is usual.")
    if times < 1:
        raise bad("stability", "times", "at least 1", times, "20 is usual.")
    rows = _rows("stability", X)
    rng = np.random.RandomState(random_state)
    n, size, found = len(rows), max(2, round(share * len(rows))), np.empty(times)
    for t in range(times):
        parts = [np.sort(rng.choice(n, size=size, replace=False)) for _ in range(2)]
        labels = []
        for part in parts:
            told = np.full(n, -2)
            told[part] = make().fit(rows[part]).labels_
            labels.append(told)
        both = np.intersect1d(parts[0], parts[1])
        found[t] = LabelTable.of(labels[0][both], labels[1][both]).adjusted_rand
    return found


def gap_statistic(
    X: Any, clusters: Sequence[int], *, make: Make | None = None, references: int = 10, random_state: int = 0
) -> ClusterCurve:
    """log of the scatter within clusters of uniform rows, less that of the rows, over numbers of clusters.

    The number is the smallest whose gap is at least the next one's less its standard error.

    Parameters
    ----------
    X : rows
    clusters : numbers of clusters, rising
    make : number of clusters -> an unfitted clusterer; None takes k-means
    references : uniform tables in the box of the rows
    random_state : seed
    """
    rows, ks = _rows("gap_statistic", X), _rising("gap_statistic", clusters)
    if isinstance(references, bool) or not isinstance(references, Integral) or references < 1:
        raise bad("gap_statistic", "references", "a whole number of at least 1", references, "10 is usual.")
    make = make or _k_means(random_state)
    rng = np.random.RandomState(random_state)
    low, high = rows.min(axis=0), rows.max(axis=0)
    tables = [rng.uniform(low, high, size=rows.shape) for _ in range(references)]
    tiny = np.finfo(np.float64).tiny
    gap, spread = np.empty(len(ks)), np.empty(len(ks))
    for i, k in enumerate(ks):
        mine = np.log(max(sum_of_squares(rows, make(k).fit(rows).labels_), tiny))
        theirs = np.array([np.log(max(sum_of_squares(table, make(k).fit(table).labels_), tiny)) for table in tables])
        gap[i], spread[i] = theirs.mean() - mine, theirs.std() * np.sqrt(1.0 + 1.0 / references)
    enough = [i for i in range(len(ks) - 1) if gap[i] >= gap[i + 1] - spread[i + 1]]
    return ClusterCurve(ks, gap, spread, ks[enough[0] if enough else int(gap.argmax())])


CRITERIA: Mapping[
    str, tuple[Callable[[Any, Any], float], float]
] = {  # a measure, and whether large (1) or small is good
    "calinski_harabasz": (calinski_harabasz, 1.0),
    "davies_bouldin": (davies_bouldin, -1.0),
    "silhouette": (lambda X, labels: silhouettes(X, labels).mean, 1.0),
}


def choose_clusters(
    X: Any, clusters: Sequence[int], *, make: Make | None = None, by: str = "silhouette", random_state: int = 0
) -> ClusterCurve:
    """A measure over numbers of clusters, and the best number.

    Parameters
    ----------
    X : rows
    clusters : numbers of clusters, at least 2
    make : number of clusters -> an unfitted clusterer; None takes k-means
    by : silhouette, calinski_harabasz or davies_bouldin
    random_state : seed of k-means
    """
    if by not in CRITERIA:
        raise bad("choose_clusters", "by", f"one of {', '.join(CRITERIA)}", by, "Choose one of these.")
    ks = _rising("choose_clusters", clusters, 2)
    make, (measure, sign) = make or _k_means(random_state), CRITERIA[by]
    values = np.array([measure(X, make(k).fit(X).labels_) for k in ks])
    return ClusterCurve(ks, values, np.zeros(len(ks)), ks[int((sign * values).argmax())])


def _k_means(seed: int) -> Make:
    from suffice.clusters.centres.k_means import KMeans

    return lambda k: KMeans(k, n_init=4, random_state=seed)


def _rising(owner: str, clusters: Sequence[int], least: int = 1) -> tuple[int, ...]:
    ks = tuple(clusters)
    whole = all(isinstance(k, Integral) and not isinstance(k, bool) for k in ks)
    if not ks or not whole or min(ks) < least or list(ks) != sorted(set(ks)):
        raise bad(
            owner, "clusters", f"different numbers of at least {least}, rising", list(clusters), "Try range(2, 9)."
        )
    return tuple(int(k) for k in ks)


def _rows(owner: str, X: Any) -> Array:
    rows = number_rows(X, owner)
    if not rows.size or not np.isfinite(rows).all():
        got = Said("NaN or infinity" if rows.size else "none")
        raise bad(owner, "X", "rows of finite numbers", got, "Fill the missing cells first.")
    return rows
