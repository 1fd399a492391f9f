"""A clinic of our own making: a table of mixed kinds with missing cells, whose true posterior is known.

p(class | seen cells) is proportional to prior[class] * product over signs of p(seen cells of the sign | class)
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.datasets.frames import as_table
from suffice.datasets.population import CLASSES, NOTES, PRIOR, SEVERITIES, SIGNS
from suffice.datasets.signs import Rng, Sign, hide, pick


@dataclass(frozen=True, eq=False, repr=False)
class Clinic:
    """Patients, their diagnoses, and the truth about them. Costs are `costs[true, answer]`, 0 and 1 unless given.

    A row whose answer is None or not one of the classes is refused. Refusing costs `reject`; without `reject`, refusing
    is an error. Arrays and mappings are read-only.
    """

    data: Mapping[str, Array]  # columns by name; missing is None for symbols and text, NaN for numbers, NaT for dates
    target: Array  # (n,) labels
    classes: tuple[str, ...]  # K labels
    prior: Array  # (K,)
    posterior: Array  # (n, K) P(class | seen cells)
    kinds: Mapping[str, str]  # of each column
    orders: Mapping[str, tuple[str, ...]]  # labels of each ordinal column, from low to high

    def __repr__(self) -> str:
        """Its size."""
        return f"Clinic({len(self.target)} rows, {len(self.data)} columns)"

    def frame(self, backend: str = "pandas", *, target: bool = False) -> Any:
        """A table of pandas, polars or pyarrow; with `target`, the column `diagnosis` comes last.

        Missing cells are null (NaN in the quantitative columns of pandas). Booleans and counts are nullable in pandas.
        The ordinal column is an ordered type in pandas and polars, a string in pyarrow.
        """
        columns, kinds = dict(self.data), dict(self.kinds)
        if target:
            columns["diagnosis"], kinds["diagnosis"] = self.target, "categorical"
        return as_table(columns, kinds, self.orders, backend)

    def bayes_risk(self, costs: Any = None, reject: float | None = None) -> float:
        """The least expected cost any rule can have on these rows: that of the Bayes-optimal rule."""
        return float(np.mean(self._prices(costs, reject).min(axis=1)))

    def risk(self, predictions: Any, costs: Any = None, reject: float | None = None) -> float:
        """The expected cost of these answers under the true posterior, free of the luck of the drawn labels."""
        return float(np.mean(self._paid(predictions, self._prices(costs, reject))))

    def regret(self, predictions: Any, costs: Any = None, reject: float | None = None) -> float:
        """How far the risk of these answers lies above the Bayes risk; never below 0."""
        prices = self._prices(costs, reject)
        return float(np.mean(self._paid(predictions, prices) - prices.min(axis=1)))

    def _prices(self, costs: Any, reject: float | None) -> Array:
        """Expected cost of each answer (n, K), and of refusing in one more column if it has a price."""
        if not len(self.target):
            raise bad(self, "data", "a table with at least one row", 0, "There is no risk without patients.")
        prices = 1.0 - self.posterior if costs is None else self.posterior @ checked_costs(costs, len(self.classes))
        if reject is None:
            return prices
        if not isinstance(reject, (int, float, np.number)) or not np.isfinite(reject):
            raise bad(self, "reject", "a finite cost", reject)
        return np.column_stack([prices, np.full(len(prices), float(reject))])

    def _paid(self, predictions: Any, prices: Array) -> Array:
        """The expected cost of the answer given in each row."""
        answers = np.asarray(predictions, dtype=object)
        n, K = self.posterior.shape
        if answers.shape != (n,):
            raise bad(self, "predictions", f"one label for each of the {n} rows", answers.shape)
        place = {label: k for k, label in enumerate(self.classes)}
        codes = np.array([place.get(answer, K) if isinstance(answer, str) else K for answer in answers])
        if codes.max() == prices.shape[1]:
            strange = answers[codes.argmax()]
            raise bad(self, "predictions", f"labels out of {self.classes}", strange, "Give reject= to price refusals.")
        return np.asarray(prices[np.arange(n), codes])


def make_clinic(
    n: int = 1000, random_state: Any = None, *, prior: Any = None, missing: float = 0.05, text: bool = True
) -> Clinic:
    """Draw patients of a made-up clinic whose true posterior is known, to see how far a model is from the optimum.

    p(class | seen cells) is proportional to prior[class] * product over signs of p(seen cells of the sign | class)

    Naive Bayes is wrong here: temperature and systolic pressure are correlated within each diagnosis, and cough,
    breathlessness and chills are driven together by a factor that is not in the table. The posterior knows both.
    An integer `random_state` fixes every bit; the first m of n rows are then what m rows would be, with or without
    text. Days of admission, patient numbers and blood groups tell nothing.

    Parameters
    ----------
    n : number of rows.
    random_state : None, an integer, or a numpy Generator, which moves on.
    prior : share of cold, flu and pneumonia, as a mapping or an array; 0.6, 0.3, 0.1 unless given.
    missing : probability that a cell is missing, whatever it holds; the patient number never is.
    text : whether there is a column of notes.

    Examples
    --------
    >>> clinic = make_clinic(1000, random_state=0)
    >>> clinic.classes
    ('cold', 'flu', 'pneumonia')
    >>> clinic.kinds["severity"]
    'ordinal'
    >>> best = [clinic.classes[k] for k in clinic.posterior.argmax(axis=1)]
    >>> clinic.regret(best)
    0.0
    >>> clinic.regret(["cold"] * 1000) > 0.2
    True
    """
    n, share, chance = checked_size(n), checked_prior(prior), checked_missing(missing)
    signs: tuple[Sign, ...] = (*SIGNS, NOTES) if text else SIGNS
    first, *streams = streams_of(random_state, 1 + len(SIGNS) + 1)
    y = pick(share[None, :], np.zeros(n, dtype=np.int64), first.random(n))
    data: dict[str, Array] = {"patient": np.arange(1, n + 1)}
    with np.errstate(divide="ignore"):
        log_joint = np.tile(np.log(share), (n, 1))
    for sign, rng in zip(signs, streams, strict=False):
        cells = observe(sign, y, chance, rng)
        log_joint += sign.evidence(cells)
        data.update({name: sign.show(column) for name, column in zip(sign.names, cells, strict=True)})
    return Clinic(
        data=MappingProxyType({name: sealed(column) for name, column in data.items()}),
        target=sealed(np.array(CLASSES)[y]),
        classes=CLASSES,
        prior=sealed(share),
        posterior=sealed(normalised(log_joint)),
        kinds=MappingProxyType({"patient": "identifier"} | {name: sign.kind for sign in signs for name in sign.names}),
        orders=MappingProxyType({"severity": SEVERITIES}),
    )


def observe(sign: Sign, y: Array, chance: float, rng: Rng) -> list[Array]:
    """The cells of one sign, each missing by chance; each column hides its cells by a stream of its own."""
    draws, *hiding = rng.spawn(1 + len(sign.names))
    columns = sign.draw(y, draws)
    return [hide(column, stream.random(len(y)) < chance) for column, stream in zip(columns, hiding, strict=True)]


def normalised(log_joint: Array) -> Array:
    """Rows of probabilities from their logs up to a constant."""
    joint = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def sealed(array: Array) -> Array:
    """The array, read-only."""
    array.setflags(write=False)
    return array


def streams_of(random_state: Any, count: int) -> Sequence[Rng]:
    """Independent streams of random numbers, one for each sign, so that signs do not disturb one another."""
    try:
        return np.random.default_rng(random_state).spawn(count)
    except (TypeError, ValueError) as error:
        rule = "None, a non-negative integer or a numpy Generator"
        raise bad("make_clinic", "random_state", rule, random_state) from error


def checked_size(n: Any) -> int:
    """A number of rows."""
    try:
        size = -1 if isinstance(n, bool) else operator.index(n)
    except TypeError:
        size = -1
    if size < 0:
        raise bad("make_clinic", "n", "a non-negative integer", n)
    return size


def checked_missing(missing: Any) -> float:
    """A share below 1."""
    if isinstance(missing, bool) or not isinstance(missing, (int, float, np.number)) or not 0.0 <= missing < 1.0:
        raise bad("make_clinic", "missing", "a share from 0 to below 1", missing)
    return float(missing)


def checked_prior(prior: Any) -> Array:
    """Probabilities of the classes, in their order."""
    if prior is None:
        return np.array(PRIOR)
    if isinstance(prior, Mapping):
        if set(prior) != set(CLASSES):
            raise bad("make_clinic", "prior", f"a mapping with the keys {CLASSES}", prior)
        prior = [prior[label] for label in CLASSES]
    share = numbers(prior)
    if share is None or share.shape != (len(CLASSES),) or not (share >= 0).all() or abs(share.sum() - 1.0) > 1e-9:
        raise bad("make_clinic", "prior", f"{len(CLASSES)} probabilities that sum to 1, for {CLASSES}", prior)
    return np.asarray(share / share.sum())


def checked_costs(costs: Any, K: int) -> Array:
    """A cost for each pair of true class and answer."""
    table = numbers(costs)
    if table is None or table.shape != (K, K) or not np.isfinite(table).all():
        raise bad("Clinic", "costs", f"a {K} x {K} table of finite numbers, costs[true, answer]", costs)
    return table


def numbers(values: Any) -> Array | None:
    """An array of floats, or None where there is none in it."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        return None
