"""When two summaries say the same: exactly where numbers are counted, within the limit of the arithmetic elsewhere.

The order of a vocabulary and the shift of moments are not what a summary says; the counts of each label, the mean and
the variance are.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice.bayes.discriminants.factor_moments import FactorMoments
from suffice.core.block import Array
from suffice.core.by_class import ByClass
from suffice.core.double_double import Pair, exact
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.linear.logistic.gradients import Slopes
from suffice.linear.terms import ByTerm
from suffice.summaries.counts import Counts
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.moments import Moments
from suffice.summaries.pattern_moments import PatternMoments
from suffice.summaries.quartic_moments import QuarticMoments
from suffice.summaries.rankings import Rankings
from suffice.summaries.rows_summary import RowsSummary
from suffice.summaries.triangular import TriangularFactor
from suffice.summaries.wide_moments import WideMoments

PLAIN = 2.0**-46  # of the weight ever added: sums of some hundred weights in float64
PAIRED = 2.0**-96  # of what double-double sums ever held, 2^-104 an operation


class Limits(NamedTuple):
    """How large the numbers were that a summary has ever met: rounding is relative to these."""

    weight: float  # of all rows together
    reach: Array  # (d,) largest distance between two cells of a column of numbers
    moments: float = PAIRED  # rounding of a sum over rows, as a share of the largest term times the weight
    products: float = PAIRED  # the same for products of columns, by BLAS within a block
    rows: bool = True  # whether the number of rows must agree

    def after_forgetting(self) -> Limits:
        """Products of columns round inside a block: what was forgotten leaves its rounding behind."""
        return self._replace(products=PLAIN)


def assert_same(a: Summary, b: Summary, limits: Limits) -> None:
    """The two say the same of the same rows."""
    assert type(a) is type(b), f"{type(a).__name__} became {type(b).__name__}"
    _SAME.get(type(a), _same_fields)(a, b, limits)


def _same_moments(a: Moments, b: Moments, limits: Limits) -> None:
    _same_rows(a.rows, b.rows, limits)
    _near("weight of cells", a.weight, b.weight, PLAIN * limits.weight)
    share = limits.weight / np.where(a.weight.value > 0, a.weight.value, np.inf)
    slack = limits.moments * share * limits.reach
    _near("mean", a.mean, b.mean, slack + PAIRED * np.abs(a.mean.high))
    spread = 1e-12 * a.variance + slack * limits.reach
    _constant(a.variance, b.variance, limits)
    _near("variance", a.scatter / a.weight, b.scatter / b.weight, spread)


def _same_products(a: FullMoments, b: FullMoments, limits: Limits) -> None:
    _same_rows(a.rows, b.rows, limits)
    _near("weight", a.weight, b.weight, PLAIN * limits.weight)
    share = (limits.weight / np.where(a.weight.value > 0, a.weight.value, np.inf))[:, None]
    slack = limits.products * share * limits.reach
    mine, theirs = (np.diagonal(each.covariance, axis1=1, axis2=2) for each in (a, b))
    _constant(mine, theirs, limits)
    sd = np.sqrt(mine) + np.sqrt(slack * limits.reach)
    _near("mean", a.mean, b.mean, slack + PAIRED * np.abs(a.mean.high) + 1e-12 * sd)
    allowed = 1e-12 * sd[:, :, None] * sd[:, None, :] + slack[:, :, None] * limits.reach
    if limits.products > PAIRED:  # a variance that is all rounding counts as 0, and takes its covariances with it
        gone = np.sqrt(slack * limits.reach)
        allowed = allowed + gone[:, :, None] * sd[:, None, :] + sd[:, :, None] * gone[:, None, :]
    _near("covariance", exact(a.covariance), exact(b.covariance), allowed)


def _constant(a: Array, b: Array, limits: Limits) -> None:
    """Rounding that forgotten rows leave in `a` is no variance where there is none without them."""
    left = a[(b == 0.0) & (a != 0.0)]
    assert limits.products == PAIRED or not len(left), f"columns that are constant vary by {left}"


def _same_patterns(a: PatternMoments, b: PatternMoments, limits: Limits) -> None:
    assert a.K == b.K, f"components: {a.K} and {b.K}"
    assert identical(a.present, b.present), f"missing patterns {a.present} and {b.present}"
    assert_same(a.moments, b.about(a.moments.shift).moments, limits)  # a missing column has its shift for a mean


def _same_triangles(a: TriangularFactor, b: TriangularFactor, limits: Limits) -> None:
    """By their products: where columns depend on one another, different triangles say the same."""
    _same_rows(a.rows, b.rows, limits)
    mine, theirs = a.triangle, b.about(a.shift).triangle
    length = np.sqrt(limits.weight) * np.append(1.0, limits.reach) + np.sqrt((mine**2).sum(axis=1))
    gap = np.abs(mine.transpose(0, 2, 1) @ mine - theirs.transpose(0, 2, 1) @ theirs)
    assert (gap <= PLAIN * length[:, :, None] * length[:, None, :]).all(), f"triangles {mine} and {theirs}"


def _same_squares(a: LeastSquaresSummary, b: LeastSquaresSummary, limits: Limits) -> None:
    """The triangle is kept only while it can be, and where it is needed."""
    assert_same(a.moments, b.moments, limits)
    if a.factor is not None and b.factor is not None:
        assert_same(a.factor, b.factor, limits)


def _same_terms(a: ByTerm, b: ByTerm, limits: Limits) -> None:
    assert set(a.terms) == set(b.terms), f"terms: {a.terms} and {b.terms}"
    b = b.align(a.terms)
    _same_rows(a.rows, b.rows, limits)
    width = len(a.terms) + a.targets
    reach = np.broadcast_to(np.max(limits.reach, initial=1.0), (width,))  # levels have no cells of their own
    assert_same(a.summary, b.summary, limits._replace(reach=reach))


def _same_factors(a: FactorMoments, b: FactorMoments, limits: Limits) -> None:
    assert set(a.factors) == set(b.factors), f"factors: {a.factors} and {b.factors}"
    b = b.align(a.factors)
    _same_rows(a.rows, b.rows, limits)
    reach = np.broadcast_to(np.max(limits.reach, initial=1.0), (len(a.factors),))  # levels have no cells of their own
    assert_same(a.moments, b.moments, limits._replace(reach=reach))


def _same_kept(a: RowsSummary, b: RowsSummary, limits: Limits) -> None:
    """By how much each row weighs, whatever their order and in how many pieces."""
    assert a.K == b.K, f"components: {a.K} and {b.K}"
    _same_rows(a.rows, b.rows, limits)
    mine, theirs = _weights(a), _weights(b)
    assert mine.keys() == theirs.keys(), f"{len(mine)} and {len(theirs)} different rows"
    far = max((abs(mine[key] - theirs[key]) for key in mine), default=0.0)
    assert far <= PLAIN * limits.weight, f"weights differ by {far}"


def _weights(kept: RowsSummary) -> dict[Any, float]:
    weights: dict[Any, float] = {}
    for code, weight, *cells in kept.row_values():
        weights[code, *cells] = weights.get((code, *cells), 0.0) + weight
    return weights


def _same_wide(a: WideMoments, b: WideMoments, limits: Limits) -> None:
    """Rows, or products: both where products that rows were taken from are compared with rows."""
    if type(a.summary) is type(b.summary):
        assert_same(a.summary, b.summary, limits)
    else:
        assert_same(a.products, b.products, limits)


def _same_quartics(a: QuarticMoments, b: QuarticMoments, limits: Limits) -> None:
    assert_same(a.full, b.full, limits)
    square = limits.reach**2
    slack = limits.products * limits.weight * square[:, None] * square
    _near("products of squares", exact(a.central), exact(b.central), 1e-11 * a.central + slack)


def _same_slopes(a: Slopes, b: Slopes, limits: Limits) -> None:
    _same_rows(a.rows, b.rows, limits)
    most = limits.weight * (1.0 + float(limits.reach.max(initial=0.0))) ** 2
    for what in ("weight", "loss", "slope", "curvature"):
        _near(what, getattr(a, what), getattr(b, what), PLAIN * most)


def _same_rankings(a: Rankings, b: Rankings, limits: Limits) -> None:
    assert identical(a.values, b.values), f"values {a.values} and {b.values}"
    _same_rows(a.rows, b.rows, limits)
    _same_rows(a.missing_rows, b.missing_rows, limits)
    for what in ("weight", "missing_weight"):
        _near(what, exact(getattr(a, what)), exact(getattr(b, what)), PLAIN * limits.weight)


def _same_counts(a: Counts, b: Counts, limits: Limits) -> None:
    assert len(a.labels) == len(b.labels), f"columns: {len(a.labels)} and {len(b.labels)}"
    for j in range(len(a.labels)):
        assert isinstance(a.labels[j], range) == isinstance(b.labels[j], range), f"column {j}: matrix and symbols"
        labels = _labels(a, b, j)
        mine, theirs = _over(a.columns([j]), labels), _over(b.columns([j]), labels)
        _same_rows(mine[0], theirs[0], limits)
        near = np.abs(mine[1] - theirs[1]) <= PLAIN * max(limits.weight, float(mine[1].sum(initial=0.0)))
        assert near.all(), f"weights of column {j}: {mine[1]} and {theirs[1]}"


def _labels(a: Counts, b: Counts, j: int) -> list[Any]:
    """The labels of column j, which must be the same; the columns of a matrix stay even where they have no row."""
    if isinstance(a.labels[j], range):
        return list(a.labels[j] if len(a.labels[j]) > len(b.labels[j]) else b.labels[j])
    assert set(a.labels[j]) == set(b.labels[j]), f"labels of column {j}: {a.labels[j]} and {b.labels[j]}"
    return list(a.labels[j])


def _over(counts: Counts, labels: list[Any]) -> tuple[Array, Array]:
    """Rows and weights of one column in this order of labels."""
    place = [labels.index(label) for label in counts.labels[0]]
    rows, weight = (
        np.zeros((len(counts.rows), len(labels)), dtype=counts.rows.dtype),
        np.zeros((len(counts.rows), len(labels))),
    )
    rows[:, place], weight[:, place] = counts.rows, counts.weight
    return rows, weight


def _same_rows(a: Array, b: Array, limits: Limits) -> None:
    assert a.dtype == b.dtype == np.int64, f"row counts must be int64, got {a.dtype} and {b.dtype}"
    same = np.array_equal(a, b) if limits.rows else np.array_equal(a > 0, b > 0)
    assert same, f"rows: {a.tolist()} and {b.tolist()}"


def _same_tally(a: Tally, b: Tally, limits: Limits) -> None:
    _same_rows(a.rows, b.rows, limits)
    _near("weight", a.weight, b.weight, PLAIN * limits.weight)


def _same_classes(a: ByClass, b: ByClass, limits: Limits) -> None:
    assert a.labels == b.labels, f"classes, in order: {a.labels} and {b.labels}"
    assert_same(a.tally, b.tally, limits)
    assert_same(a.summary, b.summary, limits)


def _same_parts(a: Together, b: Together, limits: Limits) -> None:
    assert len(a.parts) == len(b.parts), f"parts: {len(a.parts)} and {len(b.parts)}"
    for mine, theirs in zip(a.parts, b.parts, strict=True):
        assert_same(mine, theirs, limits)


def _same_fields(a: Summary, b: Summary, limits: Limits) -> None:
    """A summary without a rule of its own: field by field, whole numbers exactly."""
    for field in dataclasses.fields(a):
        mine, theirs = getattr(a, field.name), getattr(b, field.name)
        if isinstance(mine, Summary):
            assert_same(mine, theirs, limits)
        elif isinstance(mine, np.ndarray) and mine.dtype.kind == "f":
            np.testing.assert_allclose(theirs, mine, rtol=1e-12, atol=1e-12 * limits.weight, err_msg=field.name)
        else:
            assert identical(mine, theirs), f"{field.name}: {mine} and {theirs}"


_SAME: dict[type[Summary], Callable[[Any, Any, Limits], None]] = {
    ByClass: _same_classes,
    ByTerm: _same_terms,
    Slopes: _same_slopes,
    Counts: _same_counts,
    FactorMoments: _same_factors,
    FullMoments: _same_products,
    LeastSquaresSummary: _same_squares,
    Moments: _same_moments,
    PatternMoments: _same_patterns,
    QuarticMoments: _same_quartics,
    Rankings: _same_rankings,
    RowsSummary: _same_kept,
    Tally: _same_tally,
    Together: _same_parts,
    TriangularFactor: _same_triangles,
    WideMoments: _same_wide,
}


def has_reading(cls: type[Summary]) -> bool:
    """Whether a kind of summary is compared by what it says, not by how it is kept; or is made of such alone."""
    names = {known.__name__ for known in _SAME}
    return cls in _SAME or all(field.type in names for field in dataclasses.fields(cls))


def _near(what: str, a: Pair, b: Pair, slack: Any) -> None:
    gap = np.abs((a - b).value)
    assert (gap <= slack).all(), f"{what}: {a.value} and {b.value}, apart by {gap.max()}, allowed {slack}"


def identical(a: Any, b: Any) -> bool:
    """The same types, the same bits, the same order."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        if a.dtype == object:
            return a.shape == b.shape and identical(a.tolist(), b.tolist())
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, float):
        return struct.pack("<d", a) == struct.pack("<d", b)
    if isinstance(a, dict):
        return identical(list(a.items()), list(b.items()))
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(identical, a, b))
    if dataclasses.is_dataclass(a):
        return all(identical(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a))
    return bool(a is b or a == b)
