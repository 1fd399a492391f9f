"""A pass adds: any split, any order, and copies in place of weights give the model of the whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from suffice.core.block import Block
from suffice.core.double_double import exact
from suffice.core.summary import Together
from suffice.families.normals.normal import DiagonalNormal, Normals
from suffice.families.product import Factors, Group, Product
from suffice.mixtures.learner import Mixture, MixtureModel
from suffice.testing.check import hold
from suffice.testing.law import law, laws_of
from suffice.testing.rows import LawRows
from suffice.testing.tables import BENIGN, FINITE, numbers, rows

MIXTURE = Mixture(Product((Group(0, DiagonalNormal()),)))
NEAR = numbers({name: FINITE[name] for name in (*BENIGN, "tiny")})  # rows 1e8 widths away have posteriors of no digits


def halves(d: int) -> MixtureModel:
    """Two components of equal shares that do not depend on any row: what a pass begins with."""
    normals = Normals(exact(np.array([np.zeros(d), np.ones(d)])), np.full((2, d), 4.0), np.ones(d))
    return MixtureModel(np.log([0.5, 0.5]), Factors(MIXTURE.product.groups, (normals,)))


def summarized(r: LawRows) -> Together:
    return MIXTURE.summarize(Block(r.parts, w=r.w), halves(r.part.shape[1]))


@law
def whole(r: LawRows) -> None:
    """Any split, in any order."""
    assert_same(Together.sum([summarized(shard) for shard in r.shards()]), summarized(r), r)


@law
def copies(r: LawRows) -> None:
    """A row of weight w is w rows."""
    r = replace(r, w=np.floor(r.weights))
    assert_same(summarized(r.copied()), summarized(r), r)


@law
def order(r: LawRows) -> None:
    """Rows may come in any order."""
    assert_same(summarized(r.at(np.arange(r.n)[::-1])), summarized(r), r)


def assert_same(a: Together, b: Together, r: LawRows) -> None:
    one, two = (MIXTURE.estimate(summary, halves(r.part.shape[1])) for summary in (a, b))
    assert one.trace == pytest.approx(two.trace, rel=1e-12, abs=1e-12)
    for parts in (r.parts, r.query):
        mine, theirs = (model.log_joint(Block(parts)) for model in (one, two))
        size = 1.0 + np.abs(np.where(np.isfinite(theirs), theirs, 0.0)).max(axis=1, initial=0.0, keepdims=True)
        with np.errstate(invalid="ignore"):  # both may be impossible
            alike = (np.abs(mine - theirs) <= 1e-10 * size) | (mine == theirs)
        assert alike.all(), (mine, theirs)


LAWS = laws_of(__name__)
PLANTED = LAWS  # what tests/laws/test_complete.py counts


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_law(law: Any) -> None:
    hold(law, rows(NEAR), f"Mixture {law.__name__}")


@pytest.mark.parametrize("law", PLANTED, ids=lambda law: law.__name__)
def test_planted_defect(law: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last row of every block is left out."""

    def careless(r: LawRows) -> Together:
        block = Block(r.parts, w=r.w)
        return MIXTURE.summarize(block.take(np.arange(max(block.n - 1, 0))), halves(r.part.shape[1]))

    monkeypatch.setitem(globals(), "summarized", careless)
    with pytest.raises(AssertionError):
        hold(law, rows(NEAR), "careless")
