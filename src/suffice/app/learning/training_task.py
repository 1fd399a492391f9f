"""What a training is asked for: files, a target, a model that fits it, and which rows are held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.app.cli.hold_out import NUMBERS, HoldOutFold
from suffice.app.cli.model_files import read_key
from suffice.app.cli.reading import FileReading
from suffice.app.learning.option_errors import usage
from suffice.bayes.naive.naive_plan import NaivePlan
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Schema
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin

CLASSIFIER = "NaiveBayes"  # any kinds, missing cells, one pass: it merges and forgets
REGRESSOR = (
    "Ridge"  # any kinds, one pass: it merges and forgets, and its small penalty bears columns that repeat others
)
ENCODER = "TableEncoder"  # before it where cells are missing, which ridge regression cannot leave out
LOOKED = 50_000  # rows by which whole numbers that are few are classes


@dataclass(frozen=True)
class Wanted:
    """The model that is to be trained."""

    name: str  # of its class
    plan: Any
    parameters: Mapping[str, Any]  # as a file holds them
    numbers: bool = False  # whether it predicts numbers, not classes
    estimator: Any = None  # not fitted; None where the plan is all there is to it


@dataclass(frozen=True)
class TrainingTask:
    """What is to be learned, from what, and how it is tested."""

    reading: FileReading
    wanted: Wanted
    share: float  # of the rows that are held out
    seed: int
    stratify: bool
    refit: bool
    ledger: str | bool | None = None  # a key, or whether to draw one

    @classmethod
    def of(
        cls,
        files: Sequence[str],
        *,
        kind: str | None,
        settings: Sequence[str] = (),
        calibrate: str | None = None,
        test_size: float,
        seed: int,
        stratify: bool,
        refit: bool,
        ledger: bool = False,
        key_file: str | None = None,
        kinds: Mapping[str, Any],
        identifier: Sequence[str] = (),
        **given: Any,
    ) -> TrainingTask:
        """From the options of the command."""
        reading = FileReading.of(files, kinds=kinds, identifier=identifier, **given)
        said = {**kinds, **dict.fromkeys(identifier, Kind.IDENTIFIER.value)}
        apart = {*reading.roles.apart, *reading.roles.ignore}
        features = {column: kind for column, kind in said.items() if column not in apart}
        key = (ledger if key_file is None else read_key(key_file)) or None
        named = kind or usual_model(reading)
        if named == CLASSIFIER and not settings and calibrate is None:  # nothing heavy is imported
            parameters = {"kinds": features or None, **({"ledger": True} if key else {})}
            wanted = Wanted(CLASSIFIER, NaivePlan(kinds=features), parameters)
        else:
            from suffice.app.learning.wanted_models import wanted_model

            wanted = wanted_model(named, settings, calibrate, features, key)
        if stratify and wanted.numbers:
            raise usage("--stratify", "only classes can be held out by their shares, and this model predicts numbers.")
        return cls(reading, wanted, test_size, seed, stratify, refit, key)

    def hold_out(self) -> HoldOutFold:
        """Which rows are held out, from the first on."""
        return HoldOutFold(self.share, self.seed, self.stratify)

    def saved(self, fitted: FittedModel) -> SavedModel:
        """The model as a file holds it."""
        names = getattr(fitted.plan, "names", None) or fitted.schema.names  # of words the schema names none
        origin = Origin(len(names), names, "mapping")
        return SavedModel(self.wanted.name, fitted, origin, self.wanted.parameters, self.reading.roles.target)

    def refuse_bare(self) -> None:
        """Refuse rows that have nothing but their target."""
        names, roles = self.reading.names(), self.reading.roles
        if roles.target in names and not {*names} - {*roles.apart, *roles.ignore, *roles.identifier}:
            rule = "a column besides the target to learn from"
            raise bad(self.wanted.name, "the table", rule, Said("none"), "Choose another target.", "must have")

    def refuse_empty(self, empty: bool) -> None:
        """Refuse rows of which none has a target and a weight."""
        if empty:
            rule = "present in a row that weighs more than 0"
            target = f"the target {self.reading.roles.target!r}"
            raise bad(self.wanted.name, target, rule, "no such row", "Check the column and the weights.")


def usual_model(reading: FileReading) -> str:
    """The model where none is named, by what the target is."""
    return REGRESSOR if target_is_number(reading) else CLASSIFIER


def target_is_number(reading: FileReading) -> bool:
    """Whether the target is a quantity: fractions, or more than 30 different whole numbers; or declared to be one.

    Rows are read until that is certain, but no more than 50,000.
    """
    target = reading.roles.target
    said = reading.kinds.get(str(target))
    if said is not None:
        return isinstance(said, str) and Kind(said).storage is Storage.NUMBERS and said != Kind.DATE.value
    rows = replace(reading, roles=replace(reading.roles, target=None)).rows()
    met: set[float] = set()
    for chunk in rows.chunks():
        column = next((c for c in chunk.schema.columns if c.name == target), None)
        if column is None:  # who reads it says so
            return False
        if column.kind is Kind.UNKNOWN:
            continue
        if column.kind.storage is not Storage.NUMBERS or column.kind is Kind.DATE:
            return False
        (values,) = chunk.table.parts(Schema((column,)), slice(0, chunk.table.n))
        some = np.unique(values[~np.isnan(values)])
        met.update(some.tolist())
        if len(met) > NUMBERS or (some != np.round(some)).any():
            return True
        if chunk.start + chunk.table.n >= LOOKED:
            break
    return False
