"""What the components of a mixture look like, column by column."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from suffice.core.schema import Schema
from suffice.families.counts.binomial import Binomials
from suffice.families.counts.categorical import Categories
from suffice.families.counts.geometric import Geometrics
from suffice.families.counts.poisson import NegativeBinomials, Poissons
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.normal import Normals
from suffice.families.places import table_columns
from suffice.families.product import Factors

Profile = dict[Any, Any]


def profiles(factors: Factors, schema: Schema) -> Profile:
    """Column -> what is expected of it in each component (K,): means of numbers, label -> probabilities of symbols."""
    found: Profile = {}
    for group, distribution in zip(factors.groups, factors.distributions, strict=True):
        for j, column in enumerate(table_columns(schema, group)):
            told = expected(distribution, j)
            if told is not None:
                found[column.name] = told
    return {name: found[name] for name in schema.names if name in found}


@singledispatch
def expected(distribution: Any, j: int) -> Any:
    """What is expected of column j; None where it cannot be said in a line."""
    return None


@expected.register(Normals)
@expected.register(JointNormals)
def _means(distribution: Any, j: int) -> Any:
    return distribution.mean.value[:, j]


@expected.register(Poissons)
def _rates(distribution: Poissons, j: int) -> Any:
    return distribution.rate[:, j]


@expected.register(NegativeBinomials)
def _mean_rates(distribution: NegativeBinomials, j: int) -> Any:
    return distribution.events[:, j] / np.where(distribution.rows[:, j] > 0, distribution.rows[:, j], 1.0)


@expected.register(Binomials)
def _successes(distribution: Binomials, j: int) -> Any:
    return distribution.trials * distribution.theta[:, j]


@expected.register(Geometrics)
def _waits(distribution: Geometrics, j: int) -> Any:
    """Without end where success never comes."""
    with np.errstate(divide="ignore"):
        return 1.0 / distribution.theta[:, j]


@expected.register(Categories)
def _labels(distribution: Categories, j: int) -> Any:
    chances = np.exp(distribution.column(j))
    return {label: chances[:, i] for i, label in enumerate(distribution.labels[j])}
