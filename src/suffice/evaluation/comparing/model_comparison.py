"""ModelComparison: several models on the same splits, the best first, and which of them are tied with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.evaluation.comparing.comparison_text import as_html, as_text
from suffice.evaluation.comparing.model_pair import ModelPair
from suffice.evaluation.comparing.paired_errors import PairedErrors
from suffice.evaluation.comparing.paired_tests import paired_t
from suffice.evaluation.comparing.significance import holm
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.estimate import Estimate
from suffice.evaluation.scores.named_scores import LARGER_IS_BETTER
from suffice.evaluation.selection.cross_validation import CrossValidation


@dataclass(frozen=True, eq=False)
class ComparedModel:
    """One of the models: its scores, what it answered, and how long that took."""

    name: str
    estimator: Any  # as it was given, not fitted
    result: CrossValidation
    answers: Array | None  # to each row, by the model that has not seen it; None where rows are tested often or never
    seconds: float  # for learning and testing, all splits together


@dataclass(frozen=True, eq=False)
class ModelComparison:
    """Models in the order of a score over all tested rows, each with its 95 % interval, and the tests of every pair.

    Two models differ if a paired t test over the splits says so, corrected for training rows that splits share
    (Nadeau and Bengio), its probability adjusted for the number of pairs (Holm). All others are ties: these rows do not
    tell which of the two is better.
    """

    models: tuple[ComparedModel, ...]  # the best first
    scoring: str
    truth: Array  # (n,)
    sample_weight: Array | None = None
    test_ratio: float = 0.0  # test rows over training rows
    left_out: Mapping[str, str] = field(default_factory=dict)  # models that cannot take these rows, and why

    def __getitem__(self, name: str) -> ComparedModel:
        """One of the models."""
        found = {model.name: model for model in self.models}
        if name not in found:
            raise bad("compare", "a model", f"one of {list(found)}", name)
        return found[name]

    @property
    def best(self) -> ComparedModel:
        """The one with the best score; what is tied with it may be as good."""
        return self.models[0]

    @property
    def ties(self) -> tuple[str, ...]:
        """The models that no test tells from the best, itself first."""
        return (self.best.name, *(pair.second for pair in self.pairs if pair.first == self.best.name and pair.tied))

    @cached_property
    def pairs(self) -> tuple[ModelPair, ...]:
        """Every pair of models, the better one first."""
        pairs = list(combinations(self.models, 2))
        tests = [self._test(a, b) for a, b in pairs]
        adjusted = holm([np.nan if test is None else test.result.p for test in tests])
        return tuple(
            ModelPair(a.name, b.name, test, float(p), self._errors(a, b))
            for (a, b), test, p in zip(pairs, tests, adjusted, strict=True)
        )

    def pair(self, first: str, second: str) -> ModelPair:
        """Two of the models, the better one first."""
        names = {self[first].name, self[second].name}
        found = [pair for pair in self.pairs if {pair.first, pair.second} == names]
        if not found:
            raise bad("compare", "a pair", "of two different models", first)
        return found[0]

    def estimate(self, name: str, scoring: str | None = None) -> Estimate:
        """A score of a model over all tested rows, with its interval.

        Parameters
        ----------
        name : the model
        scoring : the score; None is the one that decides
        """
        found: Estimate = getattr(self[name].result.total, scoring or self.scoring)
        return found

    def disagreements(self, *names: str) -> Array:
        """Rows that the models answer differently: of classes in their order, of numbers the widest apart first.

        Parameters
        ----------
        names : two or more models; none means all of them
        """
        some = [self[name] for name in names] or list(self.models)
        if len(some) < 2 or any(one.answers is None for one in some):
            raise bad("compare", "the models", "two or more, and every row tested once, to disagree", list(names))
        answers = [np.asarray(one.answers) for one in some]
        if self.classes:
            return np.flatnonzero(np.any([answers[0] != other for other in answers[1:]], axis=0))
        apart = np.ptp(np.stack(answers), axis=0)
        order = np.argsort(-apart, kind="stable")
        return np.asarray(order[apart[order] > 0.0])

    @property
    def classes(self) -> bool:
        """Whether classes were predicted, not numbers."""
        return isinstance(self.models[0].result.scores[0], Scores)

    @property
    def splits(self) -> int:
        """How many times the rows were divided."""
        return len(self.best.result.scores)

    def __str__(self) -> str:
        """A line for each model, the best first, and what the tests say."""
        return as_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self)

    def _test(self, a: ComparedModel, b: ComparedModel) -> Any:
        sign = 1.0 if self.scoring in LARGER_IS_BETTER else -1.0
        first, second = (sign * one.result.values(self.scoring) for one in (a, b))
        if len(first) < 2 or not (np.isfinite(first).all() and np.isfinite(second).all()):
            return None
        return paired_t(first, second, self.test_ratio)

    def _errors(self, a: ComparedModel, b: ComparedModel) -> PairedErrors | None:
        if not self.classes or a.answers is None or b.answers is None:
            return None
        return PairedErrors.of(self.truth, a.answers, b.answers, self.sample_weight)
