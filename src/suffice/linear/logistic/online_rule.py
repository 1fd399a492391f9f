"""The online rule of logistic regression: after each row, coefficients move along the slope of its own loss.

w <- w + rate (y_i - p_i) x_i,     intercept <- intercept + rate (y_i - p_i)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Coded
from suffice.core.errors import bad
from suffice.linear.design import Design
from suffice.linear.logistic.logistic_learner import LogisticModel
from suffice.linear.logistic.logistic_sums import probabilities
from suffice.linear.terms import Factor
from suffice.sources.engines.memory import MemorySource


@dataclass(frozen=True)
class Online:
    """One step a row.

    Parameters
    ----------
    rate : the length of a step
    intercept : whether the intercept moves too
    """

    rate: float = 0.1
    intercept: bool = True

    def start(self, design: Design, classes: tuple[Any, ...]) -> LogisticModel:
        """All coefficients 0; columns must be numbers, because all levels of a symbol would have to be known."""
        terms = tuple((Factor(column.name),) for column in design.schema.columns)
        if not design.plain(terms) or any(column.kind.storage.value != "numbers" for column in design.schema.columns):
            rule = "of numbers where rows are learned one by one"
            raise bad(design.owner, "the columns", rule, [c.kind.value for c in design.schema.columns], "Use fit.")
        design = replace(design, gaps=False)  # no mean is known yet
        p, K = len(terms), len(classes)
        theta = np.zeros((1 if K == 2 else K, 1 + p))
        return LogisticModel(classes, np.full(K, -np.log(K)), design, terms, {}, np.zeros(p), np.ones(p), theta)

    def plain(self, model: LogisticModel) -> LogisticModel:
        """The same model about 0 and in the units of the table."""
        theta = np.column_stack([model.intercept, model.coef])
        return replace(model, centre=np.zeros_like(model.centre), scale=np.ones_like(model.scale), theta=theta)

    def learn(self, source: MemorySource, model: LogisticModel) -> LogisticModel:
        """Row after row."""
        block = source.block(slice(0, source.table.n))
        assert isinstance(block.y, Coded)
        place = {label: k for k, label in enumerate(model.classes)}
        strange = [label for label in block.y.labels[0] if label not in place]
        if strange:
            raise bad(model.design.owner, "labels", f"among {model.classes}", strange[0], "Name it in the first call.")
        own = np.array([place[label] for label in block.y.labels[0]])[block.y.codes[:, 0]]
        X, w = model.centred(block), np.ones(block.n) if block.w is None else block.w
        theta, first = model.theta.copy(), len(model.classes) - len(model.theta)
        for x, k, weight in zip(X, own, w, strict=True):
            p, _ = probabilities((theta[:, 1:] @ x + theta[:, 0])[:, None], np.array([k]))
            apart = -p[:, 0]
            if k >= first:
                apart[k - first] += 1.0
            apart *= self.rate * weight
            theta[:, 1:] += apart[:, None] * x
            theta[:, 0] += apart * self.intercept
        return replace(model, theta=theta)
