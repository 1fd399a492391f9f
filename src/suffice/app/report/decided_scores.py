"""Scores of decisions: answers under other shares of classes, costs and refusal, and what they cost on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.app.report.report import Section
from suffice.app.report.score_sections import score_sections
from suffice.core.block import Array, Block, Coded
from suffice.decision.decide.decision import Decision
from suffice.decision.decide.posterior import Posterior
from suffice.estimators.faces.probabilistic import prior_of, proba_of
from suffice.estimators.state.origin import label_array
from suffice.evaluation.scores.classification_scores import Scores

WIDE = 1.959963984540054  # standard errors of a 95 % interval


@dataclass(frozen=True)
class DecideRows:
    """Scores the answers of a decision; what it keeps adds like any summary."""

    model: Any
    decision: Decision

    def summarize(self, block: Block, model: None = None) -> Scores:
        """The scores of a block."""
        assert isinstance(block.y, Coded)
        classes = label_array(self.model.classes)
        posterior = Posterior(proba_of(self.model)(block), prior_of(self.model))
        actions = self.decision.decide(posterior).tolist()
        if self.decision.prior is not None:
            posterior = posterior.shift(self.decision.prior)
        answers = [None if action < 0 else classes[action] for action in actions]
        truth = np.asarray(label_array(tuple(block.y.labels[0]))[block.y.codes[:, 0]])
        return Scores.of(truth, posterior, self.model.classes, predicted=answers, sample_weight=block.w)


def decided_sections(scores: Scores, usual: Any, decision: Decision, classes: tuple[Any, ...]) -> list[Section]:
    """The usual scores, with the share of refused rows and the mean cost of a row below the accuracy."""
    table, *others = score_sections(scores, usual)
    rows = list(table.rows)
    rows.insert(1, ("mean cost", *mean_cost(scores, decision, classes)))
    if decision.reject is not None or decision.at_least is not None:
        share = scores.refused
        rows.insert(1, ("refused", share.value, share.low, share.high, _whole(share.n)))
    return [Section(table.name, table.columns, rows, table.title), *others]


def mean_cost(scores: Scores, decision: Decision, classes: tuple[Any, ...]) -> tuple[float, float, float, float | int]:
    """Mean cost of a row, its 95 % interval, and the number of rows; an answer to a class not known costs 1."""
    labels, table, refused = scores.confusion
    place = {label: i for i, label in enumerate(classes)}
    price = np.array([[_price(decision, place.get(t), place.get(a), t == a) for a in labels] for t in labels])
    asked = np.append(price.ravel(), 0.0 if decision.reject is None else decision.reject)
    weight = np.append(np.asarray(table, dtype=np.float64).ravel(), float(np.sum(refused)))
    n = float(weight.sum())
    mean = float(weight @ asked / n)
    error = float(np.sqrt(weight @ (asked - mean) ** 2)) / n
    return mean, mean - WIDE * error, mean + WIDE * error, _whole(n)


def _price(decision: Decision, true: int | None, answer: int | None, right: bool) -> float:
    costs: Array | None = decision.costs
    if costs is None or true is None or answer is None:
        return 0.0 if right else 1.0
    return float(costs[true, answer])


def _whole(weight: float) -> int | float:
    return int(weight) if weight.is_integer() else weight
