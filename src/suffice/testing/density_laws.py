"""The laws of densities. Each takes a family and rows, and raises AssertionError where it is broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded, Words
from suffice.core.kinds import Storage
from suffice.families.windows.histogram import Histograms
from suffice.families.windows.window_density import WindowDensities
from suffice.testing.law import law, laws_of
from suffice.testing.quadrature import Logs, integral, whole_sum
from suffice.testing.rows import LawRows

CLOSE = 1e-6  # of 1, what integrals by numbers are good for
DRAWS = 4  # cells of a component that show where it is
Law = Callable[[Any, LawRows], None]


@law
def whole(family: Any, rows: LawRows) -> None:
    """The probabilities of all cells there can be, or of all documents of two words, add to 1."""
    _WHOLES[family.storage](_fit(family, rows), rows)


@law
def evidence(family: Any, rows: LawRows) -> None:
    """A posterior's evidence is the density, less what all components share and cells that all of them exclude."""
    found = _fit(family, rows)
    for part in (rows.part, rows.query[0]):
        told = getattr(found, "log_evidence", found.log_density)(part)
        logs = np.stack([found.cells(part, k) for k in range(rows.K)], axis=2)  # (n, d, K)
        if not isinstance(part, Words):  # a document is one cell, of which single words may be left out
            logs = np.where(np.isneginf(logs).all(axis=2, keepdims=True), 0.0, logs)
        size = 1.0 + np.abs(np.where(np.isfinite(logs), logs, 0.0)).sum(axis=1).max(axis=1, initial=0.0)
        logs = logs.sum(axis=1)
        some = np.isfinite(logs).any(axis=1)
        _assert_alike(told[some], logs[some], size[some])
        assert not np.isnan(told).any(), f"evidence is not a number: {told}"


def _assert_alike(told: Array, logs: Array, size: Array) -> None:
    """The same but for what the components of a row share."""
    with np.errstate(invalid="ignore"):
        a, b = (x - x.max(axis=1, keepdims=True, initial=-np.inf) for x in (told, logs))
        near = (a == b) | (np.abs(a - b) <= 1e-12 * size[:, None])
    assert near.all(), f"evidence {told} of densities {logs}"


LAWS: Sequence[Law] = laws_of(__name__)


def _numbers(found: Any, rows: LawRows) -> None:
    """One column, given a draw of those before it, under every component."""
    d = rows.part.shape[1]
    j = rows.n % d
    for k in range(rows.K):
        drawn = found.sample(np.full(DRAWS, k), np.random.default_rng(0))
        logs = _given(found, drawn[0, :j], d, k)
        points = np.concatenate([drawn[:, j], rows.part[:, j], _breaks(found, j, k)])
        if getattr(found, "whole", False):
            _assert_whole(whole_sum(logs), f"component {k}, column {j} of {found}")
        elif np.isfinite(points).any() and _tells(logs(np.append(_finite(points), _finite(points) + 1.0))):
            _assert_whole(integral(logs, points), f"component {k}, column {j} of {found}")


def _tells(logs: Array) -> bool:
    """Whether a density depends on the cell; a column that is constant has log density 0, but for rounding."""
    return bool(np.isneginf(logs).any() or np.abs(logs).max(initial=0.0) > 1e-9)


def _given(found: Any, before: Array, d: int, k: int) -> Logs:
    """Log density of the cells of a column given those before it, where columns after it are missing."""
    j = len(before)

    def rows_of(x: Array) -> Array:
        rows = np.full((len(x), d), np.nan)
        rows[:, :j], rows[:, j] = before, x
        return rows

    base = float(found.log_density(rows_of(np.array([np.nan])))[0, k])
    assert j or base == 0.0, f"a row of which nothing is known has log density {base}"
    return lambda x: np.asarray(found.log_density(rows_of(x))[:, k] - base)


def _breaks(found: Any, j: int, k: int) -> Array:
    """Where a density jumps or bends."""
    if isinstance(found, Histograms):
        return np.asarray(found.scale.cells(found.edges[j]))
    if isinstance(found, WindowDensities) and np.isfinite(found.window.reach):
        ends = found.bandwidth[k, j] * found.window.reach
        return np.concatenate([found.values[j] - ends, found.values[j] + ends])
    return np.zeros(0)


def _finite(x: Array) -> Array:
    return np.asarray(x[np.isfinite(x)])


def _symbols(found: Any, rows: LawRows) -> None:
    """Every label of each column, and one that was never seen."""
    for j, labels in enumerate(found.labels):
        known = range(len(labels) + 1) if isinstance(labels, range) else (*labels, ("never", "seen"))
        codes = np.full((len(known), len(found.labels)), -1, dtype=np.int32)
        codes[:, j] = np.arange(len(known))
        logs = found.log_density(
            Coded(codes, tuple(known if i == j else found.labels[i] for i in range(len(codes[0]))))
        )
        if logs.any():  # else nothing is known of the column
            _assert_whole(np.exp(logs).sum(axis=0), f"column {j} of {found}")


def _words(found: Any, rows: LawRows) -> None:
    """Documents of two words where words are drawn one by one, else one for all levels of all words."""
    V, opened = len(found.labels), not isinstance(found.labels, range)
    if found.length is not None:
        labels = (*found.labels, ("never", "seen")) if opened else found.labels
        pairs = [pair for pair in product(range(len(labels)), repeat=2) if pair[0] <= pair[1]]
        counts = np.array([np.bincount(pair, minlength=len(labels)) for pair in pairs], dtype=np.float64)
    else:
        labels, coding = found.labels, found.encoding
        cells = [level + (coding.threshold if level else 0.0) for level in range(coding.levels)]
        counts = np.array(list(product(cells, repeat=V)), dtype=np.float64)
    if not (len(labels) and np.isfinite(getattr(found, "gain", 0.0)).any()):
        return  # nothing is known
    logs = found.log_density(Words(counts, labels))
    if logs.any():
        _assert_whole(np.exp(logs).sum(axis=0), f"documents of {found}")


_WHOLES: dict[Storage, Callable[[Any, LawRows], None]] = {
    Storage.NUMBERS: _numbers,
    Storage.SYMBOLS: _symbols,
    Storage.WORDS: _words,
}


def _assert_whole(total: Any, what: str) -> None:
    off = np.abs(np.asarray(total) - 1.0)
    assert (off <= CLOSE).all(), f"{what}: probabilities add to {total}, not to 1"


def _fit(family: Any, rows: LawRows) -> Any:
    return family.estimate(family.summarize(rows.part, rows.shares))
