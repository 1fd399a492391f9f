"""NIST's one-way analysis of variance sets: F from moments, whole and in shuffled shards, to the storage limit.

The certified F is of the data as written in decimals. Stored as float64, the data themselves say another F: that of
their exact rationals, which is as far as any arithmetic on them can go. Ours is that F within 1e-12, relative; how
many digits it shares with the certified value is then the storage limit and no matter of ours.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

from suffice.core.double_double import Pair
from suffice.core.shares import Shares
from suffice.numerics import loop
from suffice.summaries.moments import Moments

FOLDER = Path(scipy.stats.__file__).parent / "tests" / "data" / "nist_anova"
SETS = sorted(FOLDER.glob("*.dat"))
STORED = {  # digits that the exact F of the stored data shares with the certified one
    "AtmWtAg": 10.2, "SiRstv": 13.1, "SmLs01": 15.0, "SmLs02": 15.0, "SmLs03": 15.0, "SmLs04": 10.3, "SmLs05": 10.2,
    "SmLs06": 10.1, "SmLs07": 4.4, "SmLs08": 4.1, "SmLs09": 4.1,
}  # fmt: skip


def read(path: Path) -> tuple[Any, Any, float]:
    """Groups, responses and the certified F."""
    lines = path.read_text(encoding="ascii").splitlines()
    first, last = map(int, re.search(r"Data\s+\(lines\s+(\d+)\s+to\s+(\d+)\)", "\n".join(lines)).groups())  # type: ignore[union-attr]
    cells = [line.split() for line in lines[first - 1 : last]]
    certified = next(line for line in lines if line.startswith("Between")).split()[-1]
    groups = np.array([int(group) for group, _ in cells], dtype=np.int32) - 1
    return groups, np.array([float(x) for _, x in cells]), float(certified)


def exact_F(groups: Any, x: Any) -> Fraction:
    """F of the stored data, in rationals."""
    cells = [Fraction(v) for v in x.tolist()]
    centre = sum(cells) / len(cells)
    within = between = Fraction(0)
    K = int(groups.max()) + 1
    for k in range(K):
        mine = [v for v, g in zip(cells, groups.tolist(), strict=True) if g == k]
        mean = sum(mine) / len(mine)
        within += sum((v - mean) ** 2 for v in mine)
        between += len(mine) * (mean - centre) ** 2
    return (between / (K - 1)) / (within / (len(cells) - K))


def F_of(moments: Moments) -> float:
    """F from what is kept: scatter within groups, and what is left of the scatter of all."""
    within: Pair = moments.scatter.sum(0)
    between = Pair(*(half[0] for half in moments.pooled().scatter)) - within
    K, n = len(moments.rows), int(moments.rows.sum())
    return float((between / within).value[0] * (n - K) / (K - 1))


def digits(found: float, certified: float) -> float:
    """Digits shared with a certified value, at most the 15 that are certified."""
    return min(15.0, 15.0 if found == certified else -math.log10(abs(found - certified) / abs(certified)))


def test_all_eleven_sets_are_there() -> None:
    assert sorted(path.stem for path in SETS) == sorted(STORED)


@pytest.mark.parametrize("cells", [0, loop.WORTH], ids=["NumPy", "loop"])
@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_F_is_that_of_the_stored_data(path: Path, cells: int) -> None:
    groups, x, certified = read(path)
    true, K = exact_F(groups, x), int(groups.max()) + 1
    with loop.whole(cells):
        whole = Moments.of(x[:, None], Shares.hard(groups, K))
        order = np.random.default_rng(8).permutation(len(x))
        parts = [Moments.of(x[rows, None], Shares.hard(groups[rows], K)) for rows in np.array_split(order, 8)]
    for kept in (whole, Moments.sum(parts), Moments.sum(parts[::-1])):
        assert abs(Fraction(F_of(kept)) - true) <= Fraction(1e-12) * true
        assert digits(F_of(kept), certified) >= STORED[path.stem] - 0.1
    assert digits(float(true), certified) == pytest.approx(STORED[path.stem], abs=0.15)
