"""Minimum description length: the best model is the one with which model and data together are told in fewest bits.

    m = argmin L(m) + L(data | m),     L = -log2 P for the code of a distribution

So a code for models is a prior over them, and the choice is maximum a posteriori. A code is partly a matter of taste,
as a prior is.
Reference: J. Rissanen, A universal prior for integers and estimation by minimum description length (1983).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln

from suffice.bayes.inference.model_evidence import label_log_likelihood
from suffice.bayes.readings.parameter_counts import count_parameters
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.targets import read_weights
from suffice.numerics.log_space import normalize

BITS = float(np.log(2.0))  # nats in a bit
UNIVERSAL = 2.865064  # sum over whole k of 2^-(log2 k + log2 log2 k + ...)


class Description(NamedTuple):
    """Bits for the model, and for the data given the model."""

    model: float
    data: float

    @property
    def total(self) -> float:
        """Bits in all."""
        return self.model + self.data


def shortest(descriptions: Mapping[Any, Description]) -> Any:
    """The model with the shortest description, the first of equals.

    >>> shortest({"constant": Description(2.0, 90.0), "line": Description(9.0, 60.0), "cubic": Description(23.0, 58.0)})
    'line'
    """
    if not descriptions:
        raise bad("shortest", "descriptions", "of at least one model", dict(descriptions), "Name a model.")
    return min(descriptions, key=lambda name: descriptions[name].total)


def code_prior(lengths: Any) -> Array:
    """The prior over models that code lengths in bits stand for: 2^-L, divided by its sum.

    >>> code_prior([1.0, 2.0, 2.0])
    array([0.5 , 0.25, 0.25])
    """
    return np.exp(normalize(-BITS * np.asarray(lengths, dtype=np.float64)))


def integer_bits(k: Any) -> Array:
    """Length of the universal code of whole numbers from 1: log2 k + log2 log2 k + ... + log2 2.865.

    >>> integer_bits([1, 2, 16]).round(3)
    array([1.519, 2.519, 8.519])
    """
    term = np.asarray(k, dtype=np.float64)
    if not ((term >= 1) & (term == np.floor(term)) & np.isfinite(term)).all():
        raise bad("integer_bits", "k", "whole numbers of at least 1", k, "Add 1 where 0 may occur.")
    total = np.full(term.shape, np.log2(UNIVERSAL))
    while (term > 1).any():
        term = np.log2(np.maximum(term, 1.0))
        total = total + term
    return total


def error_bits(n: int, errors: int, K: int = 2, located: bool = True) -> float:
    """Bits that correct the labels of n rows, `errors` of which a model gets wrong.

    How many, which ones, and for each which of the K - 1 other labels it is. Without `located`, the simplification that
    charges log2 K bits an error, one for two classes: none for a perfect model, but nothing says which rows they are.

    >>> round(error_bits(100, 3), 2), error_bits(100, 3, located=False)
    (23.96, 3.0)
    """
    for name, value, low, high in (("n", n, 0, np.inf), ("errors", errors, 0, n), ("K", K, 1, np.inf)):
        if not (low <= value <= high and value == int(value)):
            raise bad("error_bits", name, f"a whole number from {low} to {high}", value, "Count rows.")
    if not located:
        return float(errors * np.log2(K))
    which = (gammaln(n + 1.0) - gammaln(errors + 1.0) - gammaln(n - errors + 1.0)) / BITS
    return float(np.log2(n + 1.0) + which + errors * np.log2(max(K - 1, 1)))


def describe_labels(model_bits: float, y: Any, predicted: Any, K: int | None = None) -> Description:
    """The two-part code of labels: a model of so many bits, then the errors it makes on rows whose features are known.

    Parameters
    ----------
    model_bits : length of the model
    y, predicted : labels, and what the model says
    K : number of classes; None: the labels that occur
    """
    truth, answer = np.asarray(y), np.asarray(predicted)
    if truth.shape != answer.shape or truth.ndim != 1:
        raise bad("describe_labels", "predicted", "one label for each of y", answer.shape, "Predict the same rows.")
    classes = len(set(truth.tolist()) | set(answer.tolist())) if K is None else K
    return Description(float(model_bits), error_bits(len(truth), int((truth != answer).sum()), classes))


def describe_classifier(model: Any, X: Any, y: Any, sample_weight: Any = None, n_parameters: Any = None) -> Description:
    """The two-part code of labels by probabilities: k / 2 log2 n bits for the parameters, -log2 p(y | X) for labels.

    Its negative total is the Bayesian information criterion, in bits.

    Parameters
    ----------
    model : fitted classifier with predict_proba
    X, y, sample_weight : the rows
    n_parameters : number of learned parameters; None counts them
    """
    labels = np.asarray(y, dtype=object).ravel()
    w = read_weights("describe_classifier", sample_weight, len(labels))
    n = float(len(labels) if w is None else w.sum())
    k = count_parameters("describe_classifier", type(model).__name__, model) if n_parameters is None else n_parameters
    bits = -label_log_likelihood(model, X, labels, w) / BITS
    return Description(float(0.5 * k * np.log2(max(n, 1.0))), bits)
