"""The law of push: what is kept of mapped rows is what was kept of the rows, pushed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from suffice.bayes.learner import Bayes
from suffice.core.affine import Affine, Linear
from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.product import Group, Product
from suffice.linear.design import Design
from suffice.linear.regression.linear_learner import LinearLearner
from suffice.linear.regression.solvers import Shrunken
from suffice.linear.scores.linear_scores import ScoreLearner
from suffice.linear.scores.score_rules import NearestMean
from suffice.summaries.counts import Counts
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.moments import Moments
from suffice.summaries.pattern_moments import PatternMoments
from suffice.summaries.quartic_moments import QuarticMoments
from suffice.summaries.triangular import TriangularFactor
from suffice.testing.check import broken, hold
from suffice.testing.law import law
from suffice.testing.rows import LawRows
from suffice.testing.tables import NUMBERS, numbers, rows, symbols
from tests.laws.subjects import ENCODING

CELLS = {name: NUMBERS[name] for name in NUMBERS if name not in ("huge", "tiny", "missing")}
WHOLE, GAPPED = rows(numbers(CELLS, missing=False)), rows(numbers(CELLS))
Summarize = Callable[[LawRows], Any]
BAYES = Bayes(Product((Group(0, DiagonalNormal()),)))


def design(r: LawRows) -> Design:
    return Design("X", Schema.numbered([Kind.QUANTITATIVE] * r.part.shape[1]))


def terms(r: LawRows) -> Any:
    return LinearLearner(design(r), Shrunken((1.0,))).summarize(Block(r.parts, r.codes[:, None] * 1.0, r.w))


SUBJECTS: dict[str, tuple[Summarize, st.SearchStrategy[LawRows]]] = {
    "Moments": (lambda r: Moments.of(r.part, r.shares), GAPPED),
    "FullMoments": (lambda r: FullMoments.of(r.part, r.shares), WHOLE),
    "PatternMoments": (lambda r: PatternMoments.of(r.part, r.shares), GAPPED),
    "QuarticMoments": (lambda r: QuarticMoments.of(r.part, r.shares), WHOLE),
    "TriangularFactor": (lambda r: TriangularFactor.of(r.part, r.shares), WHOLE),
    "LeastSquaresSummary": (lambda r: LeastSquaresSummary.of(r.part, r.shares), WHOLE),
    "ByTerm": (terms, WHOLE),
    "ByClass of normals": (lambda r: BAYES.summarize(r.block), GAPPED),
    "ByClass of terms": (lambda r: ScoreLearner(design(r), NearestMean()).summarize(r.block), WHOLE),
}


def scaler(r: LawRows) -> Affine:
    """The map that a scaler learns from the rows; constant columns are only centred."""
    moments = Moments.of(r.part, replace_shares(r))
    variance = moments.variance[0]
    names = Schema.numbered([Kind.QUANTITATIVE] * r.part.shape[1]).names
    return Affine(names, moments.mean.value[0], np.where(variance > 0, np.sqrt(variance), 1.0))


def rotation(r: LawRows) -> Linear:
    """Scaled columns, mixed: one more column than there were, or one less, and none of them alone."""
    by = scaler(r)
    d = len(by.names)
    matrix = np.random.default_rng(d).normal(size=(d, max(1, d + (-1) ** d)))
    return Linear(by.names, tuple(range(matrix.shape[1])), by.centre, matrix / by.scale[:, None])


def replace_shares(r: LawRows) -> Any:
    return replace(r, codes=np.where(r.codes < 0, -1, 0).astype(np.int32), K=1).shares


@law
def pushed(summarize: Summarize, r: LawRows, image: Callable[[LawRows], Affine | Linear] = scaler) -> None:
    """Cells of mapped rows are about 1 in size, and so is what rounding may be a share of."""
    by = image(r)
    after = replace(r, parts=(by.rows(r.part),))
    mine, theirs = told(summarize(r).push(by)), told(summarize(after))
    assert len(mine) == len(theirs) > 0
    most = 1.0 + np.nanmax(np.abs(after.part), initial=0.0)
    total = 1.0 + float(r.weights.sum())
    for (name, power, a), (_, _, b) in zip(mine, theirs, strict=True):
        assert a.shape == b.shape, name
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-12 * total * most**power, err_msg=name)


def told(summary: Any) -> list[tuple[str, int, Array]]:
    """What a summary says of its columns, whatever its shift, and the power of a cell that it is."""
    inner = [*getattr(summary, "parts", ()), getattr(summary, "summary", None)]
    found = [line for part in inner if part is not None for line in told(part)]
    if isinstance(summary, Moments):
        found += [("rows", 0, summary.rows), ("mean", 1, summary.mean.value), ("squares", 2, summary.scatter.value)]
    if isinstance(summary, FullMoments):
        found += [("rows", 0, summary.rows), ("mean", 1, summary.mean.value), ("products", 2, summary.scatter.value)]
    if isinstance(summary, PatternMoments):
        zero = summary.about(np.zeros(len(summary.moments.shift))).moments
        found += [("present", 0, summary.present), ("sums", 1, zero.first.value), ("squares", 2, zero.second.value)]
    if isinstance(summary, QuarticMoments):
        found += [*told(summary.full), ("fourth", 4, summary.central)]
    if isinstance(summary, TriangularFactor):
        T = summary.about(np.zeros(len(summary.shift))).triangle
        found.append(("triangle", 2, T.transpose(0, 2, 1) @ T))
    if isinstance(summary, LeastSquaresSummary):
        found += [*told(summary.moments), *told(summary._factor()), ("taken", 2, summary.taken)]
    return found


@pytest.mark.parametrize("name", SUBJECTS)
def test_what_is_kept_of_mapped_rows_is_what_was_kept_pushed(name: str) -> None:
    summarize, cases = SUBJECTS[name]
    hold(lambda r: pushed(summarize, r), cases, f"push {name}")


MIXED = ("FullMoments", "TriangularFactor", "LeastSquaresSummary", "ByTerm", "ByClass of terms")


@pytest.mark.parametrize("name", MIXED)
def test_columns_may_be_mixed(name: str) -> None:
    summarize, cases = SUBJECTS[name]
    hold(lambda r: pushed(summarize, r, rotation), cases, f"push mixed {name}")


@pytest.mark.parametrize("name", [name for name in SUBJECTS if name != "TriangularFactor"])  # which is only added to
def test_taken_away_then_pushed(name: str) -> None:
    """What is left after forgetting is pushed like what was never there, but for what forgetting rounds."""
    summarize, _ = SUBJECTS[name]
    benign = rows(numbers({key: NUMBERS[key] for key in ("plain", "grid", "offset")}, missing=False))

    def left_over(r: LawRows) -> None:
        a, b, _ = r.third()
        if not b.n or not np.any(b.weights[b.codes >= 0]):
            return
        by = scaler(b)
        both = type(summarize(a)).sum([summarize(a), summarize(b)])
        left, alone = told((both - summarize(a)).push(by)), told(summarize(b).push(by))
        total, most = 1.0 + float(r.weights.sum()), 1.0 + np.abs(by.rows(r.part)).max(initial=0.0)
        for (what, power, mine), (_, _, theirs) in zip(left, alone, strict=True):
            if what != "taken":
                np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9 * total * most**power, err_msg=what)

    hold(left_over, benign, f"forget and push {name}")


def free(r: LawRows) -> Block:
    """Symbols of which a missing cell is one."""
    return ENCODING.learner(names(r)).free(Block(r.parts, r.codes[:, None] * 1.0, r.w))  # type: ignore[no-any-return]


def names(r: LawRows) -> Schema:
    return Schema.numbered([Kind.CATEGORICAL] * len(r.part.labels))


@law
def indicated(r: LawRows) -> None:
    """Products of levels tell products of indicators, and counts of categories their moments."""
    learner = replace(ENCODING, unknown="ignore").learner(names(r))  # rows that are nobody's bring no category
    encoder = learner.estimate(learner.shared(Block(r.parts), r.shares))
    after = encoder.map(Block(r.parts, r.codes[:, None] * 1.0, r.w))
    schema = encoder.map_schema(names(r))
    counts = Counts.of(free(r).parts[0], r.shares).push(encoder.image)
    _same(told(counts), told(Moments.of(after.parts[0], r.shares)), 1.0 + float(r.weights.sum()))
    if (r.codes >= 0).all() and after.parts[0].shape[1]:
        wide = LinearLearner(Design("X", names(r)), Shrunken((1.0,))).summarize(free(r)).push(encoder.image)
        own = LinearLearner(Design("X", schema), Shrunken((1.0,))).summarize(after).align(wide.terms)
        _same(told(wide), told(own), 1.0 + float(r.weights.sum()))


def _same(mine: Any, theirs: Any, total: float) -> None:
    for (name, _, a), (_, _, b) in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-12 * total, err_msg=name)


def test_indicators_of_open_vocabularies() -> None:
    hold(indicated, rows(symbols(unseen=False)), "push indicators")


def test_a_shift_that_is_not_mapped_is_noticed() -> None:
    """Planted defects: each breaks the law."""
    wrong: list[Callable[[Moments, Affine], Moments]] = [
        lambda kept, by: replace(kept.push(by), shift=kept.shift),
        lambda kept, by: replace(kept.push(by), second=kept.second),
        lambda kept, by: replace(kept.push(by), first=kept.first),
        lambda kept, by: kept.push(replace(by, centre=np.zeros_like(by.centre))),
    ]
    for defect in wrong:

        class Planted:
            def __init__(self, r: LawRows, defect: Any = defect) -> None:
                self.kept, self.defect = Moments.of(r.part, r.shares), defect

            def push(self, by: Affine) -> Moments:
                return self.defect(self.kept, by)  # type: ignore[no-any-return]

        def planted(r: LawRows, Planted: Any = Planted) -> None:
            by = scaler(r)
            after = replace(r, parts=(by.rows(r.part),))
            for (name, power, a), (_, _, b) in zip(
                told(Planted(r).push(by)), told(Moments.of(after.part, r.shares)), strict=True
            ):
                np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-9 * 10.0**power, err_msg=name)

        assert broken(planted, GAPPED)


def test_indicators_that_count_twice_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Counts.push
    monkeypatch.setattr(Counts, "push", lambda self, image: plain(self.scale(2.0), image))
    assert broken(indicated, rows(symbols(unseen=False)))


PLANTED = [pushed, indicated]  # what tests/laws/test_complete.py counts
