"""Naive Bayes written out by the book, in plain Python, one cell at a time: what `NaiveBayes` must agree with."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Columns = Mapping[str, Sequence[Any]]
Density = Callable[[Any], float]


def log_joint(
    columns: Columns, y: Sequence[Any], w: Sequence[float] | None, kinds: Mapping[str, str], asked: Columns
) -> list[list[float]]:
    """log p(class, x) of each asked row, classes sorted; missing cells are left out."""
    w = [1.0] * len(y) if w is None else w
    classes = sorted({label for label, weight in zip(y, w, strict=True) if weight > 0})
    shares = {k: math.fsum(v for label, v in zip(y, w, strict=True) if label == k) / math.fsum(w) for k in classes}
    densities = {
        (name, k): FITS[kinds[name]](cells, [v if label == k else 0.0 for label, v in zip(y, w, strict=True)], w)
        for name, cells in columns.items()
        for k in classes
    }
    n = len(next(iter(asked.values())))
    return [
        [
            math.fsum(
                [math.log(shares[k])]
                + [densities[name, k](asked[name][i]) for name in columns if not gap(asked[name][i])]
            )
            for k in classes
        ]
        for i in range(n)
    ]


def gap(cell: Any) -> bool:
    return cell is None or cell != cell


def normal(cells: Sequence[Any], mine: Sequence[float], everyone: Sequence[float]) -> Density:
    """Mean of the class; variance of the class with one virtual row as spread out as the whole column."""
    _, _, spread = moments(cells, everyone)
    weight, mean, variance = moments(cells, mine)
    if spread == 0.0:
        return lambda x: 0.0
    if weight == 0.0:
        weight, mean, variance = moments(cells, everyone)
    else:
        variance = (spread + weight * variance) / (1.0 + weight)
    return lambda x: -0.5 * math.log(2.0 * math.pi * variance) - (x - mean) ** 2 / (2.0 * variance)


def moments(cells: Sequence[Any], w: Sequence[float]) -> tuple[float, float, float]:
    pairs = [(x, v) for x, v in zip(cells, w, strict=True) if v > 0 and not gap(x)]
    weight = math.fsum(v for _, v in pairs)
    if weight == 0.0:
        return 0.0, 0.0, 0.0
    mean = math.fsum(v * x for x, v in pairs) / weight
    return weight, mean, math.fsum(v * (x - mean) ** 2 for x, v in pairs) / weight


def categorical(cells: Sequence[Any], mine: Sequence[float], everyone: Sequence[float]) -> Density:
    """One pseudo-count for each label seen, and one for all unseen."""
    seen = {x for x, v in zip(cells, everyone, strict=True) if v > 0 and not gap(x)}
    return laplace(cells, mine, seen, len(seen) + 1)


def boolean(cells: Sequence[Any], mine: Sequence[float], everyone: Sequence[float]) -> Density:
    return laplace(cells, mine, {False, True}, 2)


def laplace(cells: Sequence[Any], mine: Sequence[float], seen: set[Any], size: int) -> Density:
    counts: Counter[Any] = Counter()
    for x, v in zip(cells, mine, strict=True):
        if not gap(x):
            counts[x] += v  # type: ignore[assignment]
    total = math.fsum(counts.values()) + size
    return lambda x: math.log(((counts[x] if x in seen else 0.0) + 1.0) / total)


def text(cells: Sequence[Any], mine: Sequence[float], everyone: Sequence[float]) -> Density:
    """Words drawn one by one; one pseudo-count for each word seen, and one for all unknown ones."""
    vocabulary = {word for x, v in zip(cells, everyone, strict=True) if v > 0 and not gap(x) for word in words(x)}
    counts: Counter[str] = Counter()
    for x, v in zip(cells, mine, strict=True):
        for word in () if gap(x) else words(x):
            counts[word] += v  # type: ignore[assignment]
    total = math.fsum(counts.values()) + len(vocabulary) + 1

    def density(document: str) -> float:
        times = Counter(word if word in vocabulary else None for word in words(document))
        ways = math.lgamma(sum(times.values()) + 1) - math.fsum(math.lgamma(t + 1) for t in times.values())
        return ways + math.fsum(t * math.log(((counts[w] if w else 0.0) + 1.0) / total) for w, t in times.items())

    return density


def words(document: str) -> list[str]:
    return [word for word in document.lower().split() if len(word) > 1]


FITS: dict[str, Callable[[Sequence[Any], Sequence[float], Sequence[float]], Density]] = {
    "boolean": boolean,
    "categorical": categorical,
    "quantitative": normal,
    "text": text,
}
