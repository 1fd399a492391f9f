"""Every learner of whole blocks: the model from the sum of shards is the model of the whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import pytest

from suffice.bayes.learner import Bayes
from suffice.core.block import Block
from suffice.core.schema import Schema
from suffice.testing.check import hold
from suffice.testing.family_laws import assert_close
from suffice.testing.law import law, laws_of
from suffice.testing.rows import LawRows
from tests.laws.subjects import (
    BLIND,
    ENCODING,
    LEARNERS,
    MIXED,
    NORMALS,
    SCALING,
    Subject,
    chained,
    linear,
    linear_with_gaps,
    mixed_normals,
    scores,
)


def scaled(model: Any) -> Any:
    """What columns are centred at and divided by, in their units."""
    size = np.maximum(np.abs(model.affine.centre), model.affine.scale)
    return np.stack([model.affine.centre / size, model.affine.scale / size])


def categories(model: Any) -> Any:
    """How many categories each column has, and what they are called."""
    names = "".join(repr(some) for some in model.categories).encode()
    return np.array([[float(len(some)) for some in model.categories] + [float(crc32(names))]])


class Reading(NamedTuple):
    """How a learner estimates, and how the log densities of rows are read from its model."""

    estimate: Callable[[Any], Any]
    logs: Callable[[Any, tuple[Any, ...]], Any]


READ = {
    "ScaleLearner": Reading(SCALING.learner(Schema(())).estimate, lambda model, parts: scaled(model)),
    "IndicatorLearner": Reading(ENCODING.learner(Schema(())).estimate, lambda model, parts: categories(model)),
    "ChainLearner": Reading(chained, lambda model, parts: model.coef),
    "Product": Reading(MIXED.estimate, lambda model, parts: model.log_density(parts)),
    "FeaturelessLearner": Reading(
        BLIND.estimate, lambda model, parts: model.log_density(Block(parts))[:, None] + model.log_prior
    ),
    "NormalClasses": Reading(
        NORMALS.estimate,
        lambda model, parts: model.log_joint(Block(parts)) if model.classes else np.zeros((Block(parts).n, 0)),
    ),
    "MixedClasses": Reading(
        mixed_normals,
        lambda model, parts: model.log_joint(Block(parts)) if model.classes else np.zeros((Block(parts).n, 0)),
    ),
    "MixedClasses with gaps": Reading(  # densities of rows with gaps are found in iterations, which have a test
        mixed_normals, lambda model, parts: model.log_prior[None]
    ),
    "Bayes": Reading(Bayes(MIXED).estimate, lambda model, parts: model.log_joint(Block(parts))),
    "LinearLearner": Reading(linear, lambda model, parts: model.predict(Block(parts))),
    "LinearLearner with gaps": Reading(linear_with_gaps, lambda model, parts: model.predict(Block(parts))),
    "ScoreLearner": Reading(scores, lambda model, parts: model.coef),
}


OF_TABLES = (linear, linear_with_gaps, mixed_normals, scores, chained)  # whose terms are those of the table


@law
def whole(subject: Subject, rows: LawRows) -> None:
    """Any split, in any order."""
    parts = [subject.summarize(shard) for shard in rows.shards()]
    _same(subject, type(parts[0]).sum(parts), subject.summarize(rows), rows)


@law
def copies(subject: Subject, rows: LawRows) -> None:
    """A row of weight w is w rows."""
    rows = replace(rows, w=np.floor(rows.weights))
    _same(subject, subject.summarize(rows.copied()), subject.summarize(rows), rows)


@law
def order(subject: Subject, rows: LawRows) -> None:
    """Rows, classes and labels may come in any order."""
    _same(subject, subject.summarize(rows.at(np.arange(rows.n)[::-1])), subject.summarize(rows), rows)


def _same(subject: Subject, a: Any, b: Any, rows: LawRows) -> None:
    learner = READ[subject.name]
    of_table = learner.estimate in (
        linear,
        linear_with_gaps,
        mixed_normals,
        scores,
        chained,
    )  # whose terms are those of the table
    estimate = learner.estimate(rows.parts).estimate if of_table else learner.estimate
    one, two = estimate(a), estimate(b)
    for parts in (rows.parts, rows.query):
        mine, theirs = learner.logs(one, parts), learner.logs(two, parts)
        assert mine.shape == theirs.shape
        size = 1.0 + np.abs(np.where(np.isfinite(theirs), theirs, 0.0)).max(axis=1, initial=0.0, keepdims=True)
        assert_close(mine, theirs, np.broadcast_to(size, theirs.shape))


@pytest.mark.parametrize("law", laws_of(__name__), ids=lambda law: law.__name__)
@pytest.mark.parametrize("subject", LEARNERS, ids=lambda subject: subject.name)
def test_law(subject: Subject, law: Any) -> None:
    hold(lambda rows: law(subject, rows), subject.rows(), f"{subject.name} {law.__name__}")
