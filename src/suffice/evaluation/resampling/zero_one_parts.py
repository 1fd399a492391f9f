"""ZeroOneParts: how much of the share of wrong answers is bias, and how much variance adds or takes away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.targets import read_weights
from suffice.evaluation.resampling.resampling_options import read_option
from suffice.evaluation.scores.predictions import Answers, read_answers
from suffice.sources.tables.labels import code_labels

TIES: dict[str, Callable[[Array], Array]] = {  # (n, K) votes -> the class with most of them, in the order of the labels
    "first": lambda votes: votes.argmax(axis=1),
    "last": lambda votes: votes.shape[1] - 1 - votes[:, ::-1].argmax(axis=1),
}


@dataclass(frozen=True, eq=False)
class ZeroOneParts:
    """Error = bias + unbiased variance - biased variance, exactly, for any number of classes.

        main prediction  = the answer that most models give
        bias             = 1 where the main prediction is wrong, else 0
        unbiased variance = share of models that deviate from a main prediction that is right: each does harm
        biased variance   = share of models that deviate from a wrong one and hit the true class: each does good

    With two classes every deviation from a wrong answer hits the true class; with more it may land on another wrong
    one, which neither helps nor harms. `variance` counts all deviations, so that error = bias + unbiased - biased
    variance cannot be read from it with more than two classes.

    >>> parts = ZeroOneParts.of([["a", "b"], ["a", "c"], ["c", "b"]], ["a", "c"])
    >>> parts.main, parts.bias, round(parts.unbiased_variance, 4), round(parts.biased_variance, 4)
    (('a', 'b'), 0.5, 0.1667, 0.1667)
    >>> round(parts.error, 4)
    0.5

    References
    ----------
    P. Domingos, A unified bias-variance decomposition (2000).
    """

    main: tuple[Any, ...]  # n answers; None where no model answers
    bias_by_row: Array  # (n,) 0 or 1
    deviating: Array  # (n,) share of models that do not give the main prediction
    right: Array  # (n,) share of models that are right
    tied: Array  # (n,) whether several answers were given by most models, so that the rule for ties decided
    weight: Array  # (n,) of the rows, 0 where no model answers

    @classmethod
    def of(cls, predictions: Any, y: Any, sample_weight: Any = None, *, ties: str = "first") -> ZeroOneParts:
        """The parts of the error of several models.

        Parameters
        ----------
        predictions : (M, n) answers of M models for n rows; None or NaN where a model does not answer
        y : (n,) true labels
        sample_weight : one weight a row, at least 0
        ties : which of the answers that most models give is the main one: the "first" or the "last", in order of size
        """
        owner = cls.__name__
        chosen = read_option(owner, "ties", ties, TIES)
        made = np.asarray(predictions)
        if made.ndim != 2 or not made.size:
            raise bad(owner, "predictions", "a table, a line for each model", Said(f"shape {made.shape}"))
        truth = code_labels(y)
        n = made.shape[1]
        if len(truth.codes) != n:
            raise bad(owner, "y", f"one label for each of the {n} rows", Said(f"{len(truth.codes)}"))
        votes, labels = _votes(read_answers(owner, made.ravel(), None, made.size), made.shape)
        if not votes.any():
            raise bad(owner, "predictions", "such that some row has an answer", Said("none"))
        w = read_weights(owner, sample_weight, n)
        place = {label: k for k, label in enumerate(labels)}
        true = np.array([place.get(label, -1) for label in truth.labels[0]])[truth.codes[:, 0]]
        return cls._from(votes, labels, true, chosen(votes), np.ones(n) if w is None else w)

    @classmethod
    def _from(cls, votes: Array, labels: tuple[Any, ...], true: Array, main: Array, w: Array) -> ZeroOneParts:
        total, row = votes.sum(axis=1), np.arange(len(votes))
        live = total > 0
        models = np.where(live, total, 1)
        most = votes[row, main]
        names = tuple(labels[k] if here else None for k, here in zip(main.tolist(), live.tolist(), strict=True))
        return cls(
            names,
            np.where(live, main != true, np.nan).astype(np.float64),
            np.where(live, (total - most) / models, np.nan),
            np.where(live, np.where(true >= 0, votes[row, true], 0) / models, np.nan),
            live & ((votes == most[:, None]).sum(axis=1) > 1),
            np.where(live, w, 0.0),
        )

    @property
    def bias(self) -> float:
        """Share of rows whose main prediction is wrong."""
        return self._mean(self.bias_by_row)

    @property
    def variance(self) -> float:
        """Mean share of models that deviate from the main prediction, whatever they answer."""
        return self._mean(self.deviating)

    @property
    def unbiased_variance(self) -> float:
        """What deviating from right main predictions adds to the error."""
        return self._mean(np.where(self.bias_by_row == 0.0, self.deviating, 0.0))

    @property
    def biased_variance(self) -> float:
        """What deviating from wrong main predictions takes away from the error."""
        return self._mean(np.where(self.bias_by_row == 1.0, self.right, 0.0))

    @property
    def net_variance(self) -> float:
        """What variance adds to the error: unbiased minus biased variance."""
        return self.unbiased_variance - self.biased_variance

    @property
    def error(self) -> float:
        """Share of wrong answers over all models and rows, which is bias + net variance."""
        return self._mean(1.0 - self.right)

    def __str__(self) -> str:
        """The parts and the error."""
        parts = {
            "bias": self.bias,
            "unbiased variance": self.unbiased_variance,
            "biased variance": self.biased_variance,
        }
        return "\n".join(f"{name:<19}{value:.6g}" for name, value in {**parts, "error": self.error}.items())

    __repr__ = __str__

    def _mean(self, values: Array) -> float:
        live = self.weight > 0.0
        return float(np.average(values[live], weights=self.weight[live])) if live.any() else float("nan")


def _votes(answers: Answers, shape: tuple[int, ...]) -> tuple[Array, tuple[Any, ...]]:
    """How many models answer each class (n, K), and the K labels in order of size."""
    labels = canonical(answers.labels)
    place = np.array([labels.index(label) for label in answers.labels] + [-1], dtype=np.intp)
    codes = place[answers.codes].reshape(shape)
    votes = [(codes == k).sum(axis=0) for k in range(len(labels))]
    return np.column_stack(votes) if votes else np.zeros((shape[1], 1), dtype=np.int64), labels or (None,)
