"""Beliefs as files: what is read back is the same belief, and still learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from suffice import (
    BetaBernoulli,
    DirichletCategorical,
    DirichletMultinomial,
    GammaPoisson,
    InverseGammaNormal,
    InverseWishartNormal,
    load,
)
from suffice.families.beliefs import conjugate
from suffice.persistence import to_bytes

BELIEFS: list[tuple[Any, Any]] = [
    (BetaBernoulli(2.0, 3.0), [True, False, True]),
    (DirichletCategorical(("a", "b"), np.array([1.0, 2.5])), ["a", "b", "b"]),
    (DirichletMultinomial(("a", "b"), np.array([1.0, 2.5])), [[2, 1], [0, 4]]),
    (GammaPoisson(2.0, 0.5), [3, 0, 4]),
    (InverseGammaNormal(), [1.5, -0.5, 2.0]),
    (InverseWishartNormal(np.array([0.0, 1.0]), 2.0 * np.eye(2), strength=4.0), [[1.0, 2.0], [0.5, -1.0]]),
]


@pytest.mark.parametrize(("belief", "rows"), BELIEFS, ids=lambda thing: type(thing).__name__)
def test_a_belief_comes_back(belief: Any, rows: Any, tmp_path: Path) -> None:
    belief.save(tmp_path / "belief")
    back = load(tmp_path / "belief")
    assert type(back) is type(belief)
    assert to_bytes(back) == to_bytes(belief)
    assert to_bytes(back.observe(rows)) == to_bytes(belief.observe(rows))
    back.observe(rows).save(tmp_path / "belief")
    assert to_bytes(load(tmp_path / "belief")) == to_bytes(belief.observe(rows))


def test_every_belief_is_tried() -> None:
    def kinds(cls: type[Any]) -> set[type[Any]]:
        return {cls}.union(*map(kinds, cls.__subclasses__())) if cls.__subclasses__() else {cls}

    ours = {cls for cls in kinds(conjugate.Conjugate) if cls.__module__.startswith("suffice.")}
    assert {type(belief) for belief, _ in BELIEFS} == ours - {conjugate.Conjugate}
