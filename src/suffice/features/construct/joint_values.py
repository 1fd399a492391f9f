"""Values of several columns as one: what is kept of a Cartesian product, and its indicators. No scikit-learn.

z_uv = 1 if x_1 is u and x_2 is v, else 0
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar
from zlib import crc32

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.features.indicators import IndicatorLearner, IndicatorPlan, Indicators

DENSE = 2**16  # combinations of the values of a block that are written down before it is looked which occur


@saved
@dataclass(frozen=True)
class JointValuePlan(IndicatorPlan):
    """Columns are joined, then each of their joint values has an indicator."""

    separator: str = " & "
    buckets: int | None = None

    linear: ClassVar[bool] = False
    encodes: ClassVar[bool] = False

    def keeps(self, schema: Schema) -> Any:
        """Joint values, as they are named."""
        return self.separator, self.buckets

    def learner(self, schema: Schema) -> JointValueLearner:
        """The learner."""
        return JointValueLearner(self, schema.names)

    def joined(self, block: Block) -> Block:
        """One column of joint values; missing where any of them is."""
        part = block.parts[0]
        assert isinstance(part, Coded)
        labels: tuple[Any, ...]
        codes, labels = _joint(part, self.separator)
        if self.buckets is not None:
            places = np.array([crc32(label.encode()) % self.buckets for label in labels], dtype=np.int64)
            codes, labels = np.where(codes < 0, -1, np.append(places, -1)[codes]), tuple(range(self.buckets))
        return block._replace(parts=(Coded(codes[:, None].astype(np.int32), (labels,)),))


@dataclass(frozen=True)
class JointValueLearner(IndicatorLearner):
    """Keeps how many rows have each joint value."""

    plan: JointValuePlan

    def shared(self, block: Block, R: Shares) -> Together:
        """Counts of the rows of each component."""
        return super().shared(self.plan.joined(block), R)

    def estimate(self, summary: Together, model: Indicators | None = None) -> JointValueIndicators:
        """The joint values that rows showed, in order, missing ones as the last."""
        found = super().estimate(summary)
        return JointValueIndicators(self.plan, self.names, found.categories)


@dataclass(frozen=True)
class JointValueIndicators(Indicators):
    """The joint values, and where their indicators lie."""

    plan: JointValuePlan

    def codes(self, block: Block) -> Array:
        """The indicator that is 1 in each row (n, 1); -1 where none is."""
        return super().codes(self.plan.joined(block))

    def names_out(self, names: tuple[Any, ...]) -> tuple[str, ...]:
        """columns_value."""
        return super().names_out((self.plan.separator.join(map(str, names)),))


def _written(value: Any) -> str:
    """The name of a value, where 1 and 1.0 are one."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _joint(part: Coded, separator: str) -> tuple[Array, tuple[str, ...]]:
    """Codes (n,) of joint values, and their names."""
    sizes = [len(labels) for labels in part.labels]
    absent = np.asarray((part.codes < 0).any(axis=1))
    if np.prod([float(size) for size in sizes]) <= DENSE:
        codes = np.zeros(len(part.codes), dtype=np.int64)
        for j, size in enumerate(sizes):
            codes = codes * size + part.codes[:, j]
        names = tuple(separator.join(map(_written, cells)) for cells in product(*part.labels))
        return np.where(absent, -1, codes), names
    rows, codes = np.unique(np.where(absent[:, None], -1, part.codes), axis=0, return_inverse=True)
    there = rows[:, 0] >= 0
    names = tuple(
        separator.join(_written(labels[code]) for labels, code in zip(part.labels, row, strict=True))
        for row in rows[there]
    )
    return np.where(there, np.cumsum(there) - 1, -1)[codes.ravel()], names
