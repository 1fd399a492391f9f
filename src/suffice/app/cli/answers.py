"""What is written of each row, by what a model answers: classes with probabilities, classes, numbers, densities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.app.report.row_styles import Reason, ReasonList, Rows
from suffice.bayes.readings.cell_logs import CellLogs
from suffice.bayes.readings.explanation import explain
from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.decision.decide.decision import Decision
from suffice.decision.decide.posterior import Posterior
from suffice.estimators.faces.probabilistic import prior_of, proba_of
from suffice.estimators.state.fitted import FittedModel
from suffice.sources.engines.file_source import named
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.header import unique_names
from suffice.sources.tables.table import open_table

STRONGEST = 5  # reasons given


@dataclass(frozen=True)
class AnswerColumns(ABC):
    """How the rows of a chunk are answered."""

    fitted: FittedModel
    shown: tuple[str, ...]  # columns that are written with their rows
    decision: Decision
    refusal: Any
    explained: bool
    order: tuple[Any, ...] = ()  # of the columns, as the model knows them that may know no others

    @property
    @abstractmethod
    def names(self) -> list[str]:
        """The names of what is answered."""

    @abstractmethod
    def answers(self, block: Block) -> list[Sequence[Any]]:
        """What is answered, column by column."""

    @property
    def columns(self) -> list[str]:
        """The names of all that is written."""
        ours = ["row", *self.names]
        names, _ = unique_names([*ours, *self.shown])  # columns of the file give way: row is row_2
        row, *others = names[: len(ours)]
        return [row, *names[len(ours) :], *others]

    def rows(self, chunk: Chunk) -> Rows:
        """The rows of a chunk, answered."""
        n, schema = chunk.table.n, self.fitted.schema
        table, _ = self.fitted.plan.chunk(named(chunk.table), chunk.schema.ordered(self.order))
        block = Block(table.parts(schema, slice(0, n)), start=chunk.start)
        told: list[Sequence[Any]] = [range(chunk.start, chunk.start + n)]
        told += [cells_of(chunk, name) for name in self.shown]
        return list(zip(*told, *self.answers(block), strict=True))


class ProbabilityColumns(AnswerColumns):
    """The answer of least expected cost, and the probability of each class."""

    @property
    def names(self) -> list[str]:
        """The answer, probabilities, reasons."""
        refuse_several_labels("predict", self.fitted, "Predict with it in Python.")
        classes = [f"p({label})" for label in self.fitted.model.classes]
        return ["prediction", *classes, *(["against", "because"] if self.explained else [])]

    def answers(self, block: Block) -> list[Sequence[Any]]:
        """Decided anew, if that was asked for."""
        model = self.fitted.model
        posterior = Posterior(proba_of(model)(block), self._prior())
        actions = model.likeliest(block) if self._by_votes else self.decision.decide(posterior)
        if self.decision.prior is not None:
            posterior = posterior.shift(self.decision.prior)
        lone = self._by_votes and hasattr(model, "answered")  # rows of no class have a label of their own
        labels = model.answered if lone else [*model.classes, self.refusal]  # number -1 is the last
        reasons = self._reasons(block, actions) if self.explained else []
        return [[labels[a] for a in actions.tolist()], *posterior.proba.T.tolist(), *reasons]

    @property
    def _by_votes(self) -> bool:
        """Whether the model answers by more than its probabilities, and nothing else was asked for."""
        asked = (self.decision.prior, self.decision.costs, self.decision.reject, self.decision.at_least)
        other = hasattr(self.fitted.model, "sides") or getattr(self.fitted.model, "strange", False)
        return other and all(wish is None for wish in asked)

    def _prior(self) -> Array:
        """The prior of training, where anybody asks for it."""
        if self.decision.prior is None:
            return np.full(len(self.fitted.model.classes), 1.0 / len(self.fitted.model.classes))
        return np.asarray(prior_of(self.fitted.model))

    def _reasons(self, block: Block, actions: Array) -> list[list[Any]]:
        """The class each answer was weighed against, and what spoke for the answer; of a refusal, the likeliest one."""
        model = self.fitted.model
        if self.decision.prior is not None:
            with np.errstate(divide="ignore"):
                model = replace(model, log_prior=np.log(self.decision.prior))
        against: list[Any] = [None] * block.n
        because: list[Any] = [None] * block.n
        for action in np.unique(actions).tolist():
            places = np.flatnonzero(actions == action)
            logs = CellLogs(model, block.take(places), self.fitted.schema)
            told = explain("predict", logs, None if action < 0 else model.classes[action], None)
            for i, place in enumerate(places.tolist()):
                against[place] = told.versus[i]
                because[place] = _strongest(told.features, told.contributions[i], float(told.prior[i]))
        return [against, because]


class LabelColumns(AnswerColumns):
    """The answer, and the scores it was chosen by, where there are some: votes for labels are none."""

    @property
    def names(self) -> list[str]:
        """Of two classes there is one score, above 0 for the second."""
        if not hasattr(self.fitted.model, "scores"):
            return ["prediction"]
        classes = self.fitted.model.classes
        scored = [classes[1]] if len(classes) == 2 else classes
        return ["prediction", *(f"score({label})" for label in scored)]

    def answers(self, block: Block) -> list[Sequence[Any]]:
        """Labels, and a score or one a class."""
        model = self.fitted.model
        labels = [*model.classes, self.refusal]
        several = len(self.names) - 1
        columns = model.scores(block)[:, :several].T.tolist() if several else []
        return [[labels[side] for side in model.sides(block).tolist()], *columns]


class SeveralLabelColumns(AnswerColumns):
    """Which of several labels the row has."""

    @property
    def names(self) -> list[str]:
        """One a label."""
        return [f"has({label})" for label in self.fitted.model.classes]

    def answers(self, block: Block) -> list[Sequence[Any]]:
        """0 or 1, label by label."""
        return list(np.asarray(self.fitted.model.labels(block)).T.tolist())


class TargetColumns(AnswerColumns):
    """The number, or one a target."""

    @property
    def names(self) -> list[str]:
        """One a target."""
        t = targets_of(self.fitted)
        return ["prediction"] if t == 1 else [f"prediction_{j}" for j in range(t)]

    def answers(self, block: Block) -> list[Sequence[Any]]:
        """Numbers, target by target."""
        return list(np.asarray(self.fitted.model.predict(block)).reshape(block.n, -1).T.tolist())


def refuse_several_labels(command: str, fitted: FittedModel, remedy: str) -> None:
    """Refuse a model of several class labels a row, whose probabilities are those of no one label."""
    if hasattr(fitted.model, "edges"):
        raise bad(command, "the model", "one that gives one label a row", Said("several labels a row"), remedy)


def targets_of(fitted: FittedModel) -> int:
    """How many numbers a model predicts: as wide as any are its answers to no rows, or to those of its first member."""
    helds = getattr(fitted.model, "helds", ())
    if helds:
        return targets_of(helds[0].live._state()[0])
    nothing = open_table({name: [] for name in fitted.schema.names}).parts(fitted.schema, slice(0, 0))
    return int(np.shape(fitted.model.predict(Block(nothing)))[1])


class DensityColumns(AnswerColumns):
    """How probable the row is, and its component where there are several."""

    @property
    def names(self) -> list[str]:
        """The component, where there are some."""
        return ["component", "log_density"] if hasattr(self.fitted.model, "likeliest") else ["log_density"]

    def answers(self, block: Block) -> list[Sequence[Any]]:
        """Components and densities."""
        logs = self.fitted.model.log_density(block).tolist()
        return [self.fitted.model.likeliest(block).tolist(), logs] if len(self.names) == 2 else [logs]


class ClusterColumns(AnswerColumns):
    """The cluster that the row joins, and how close it is to it."""

    @property
    def names(self) -> list[str]:
        """Number and closeness."""
        return ["cluster", "closeness"]

    def answers(self, block: Block) -> list[Sequence[Any]]:
        """Clusters, and minus distances to them."""
        model = self.fitted.model
        return [model.assign(block).tolist(), (model.closeness(block) + 0.0).tolist()]  # 0, not -0


BY_FACE: Mapping[str, type[AnswerColumns]] = {
    "probabilistic": ProbabilityColumns,
    "classifier": LabelColumns,
    "several_labels": SeveralLabelColumns,
    "regressor": TargetColumns,
    "density": DensityColumns,
    "clusterer": ClusterColumns,
}


def cells_of(chunk: Chunk, name: str) -> list[Any]:
    """The cells of a column as they are written, None where missing."""
    (part,) = chunk.table.parts(Schema((Column(name, Kind.CATEGORICAL),)), slice(0, chunk.table.n))
    labels = [*part.labels[0], None]
    return [labels[code] for code in part.codes[:, 0].tolist()]


def _strongest(features: Sequence[Any], logs: Array, prior: float) -> ReasonList:
    told = [Reason(str(name), value) for name, value in zip(features, logs.tolist(), strict=True)]
    told = sorted([*told, Reason("(prior)", prior)], key=lambda reason: -abs(reason.log_odds))
    return ReasonList(reason for reason in told[:STRONGEST] if reason.log_odds)
