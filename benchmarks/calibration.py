"""Does calibration help? Log loss of naive Bayes on rows held out, as it is and calibrated by each map (20 splits).

`python -m benchmarks.calibration [splits]`. For each table: the median log loss over the splits, and in how many splits
the calibrated one is lower. The clinic has numbers, symbols and missing cells; the others are scikit-learn's. Without a
map the loss is taken from log-probabilities: some of the digits have a probability of 0 as a float64.

What was tried, and its result:
- Log-odds as the score, not the probability: a sigmoid of probabilities that are pushed to 0 and 1 cannot undo that.
- Unsmoothed isotonic maps have log loss infinity in most splits, because a plateau of 0 or 1 meets a row of the other
  class: one row of each class at the wrong end (`smooth_isotonic`) is enough.
- Ten classes one against the rest are too much for a sigmoid of log-odds in the thousands, not for a rising map.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import train_test_split

from suffice import CalibratedClassifier, NaiveBayes
from suffice.datasets import make_clinic

Table = tuple[Any, Any, NaiveBayes]


def clinic(seed: int) -> Table:
    """A clinic of its own for each split."""
    patients = make_clinic(2000, random_state=seed, text=False)
    return patients.frame("pandas"), patients.target, NaiveBayes(kinds={"patient": "identifier"})


def standard(loader: Callable[..., Any], seed: int) -> Table:
    """A table of scikit-learn's."""
    X, y = loader(return_X_y=True)
    return X, y, NaiveBayes()


TABLES: dict[str, Callable[[int], Table]] = {
    "make_clinic": clinic,
    "breast_cancer": partial(standard, load_breast_cancer),
    "digits": partial(standard, load_digits),
    "wine": partial(standard, load_wine),
}
MAPS = ("smooth_isotonic", "logistic", "binned", "temperature", "means")  # the default first


def log_loss(model: Any, X: Any, y: Any) -> float:
    """Mean of -log p(true class)."""
    log_p = model.predict_log_proba(X)
    return float(-log_p[np.arange(len(y)), np.searchsorted(model.classes_, y)].mean())


def log_losses(table: Callable[[int], Table], seed: int) -> list[float]:
    """Log loss without a map, then with each, on a third of the rows."""
    X, y, model = table(seed)
    train, test, a, b = train_test_split(X, y, test_size=1 / 3, random_state=seed, stratify=y)
    models = [model, *(CalibratedClassifier(model, map=map) for map in MAPS)]
    return [log_loss(each.fit(train, a), test, b) for each in models]


def main(splits: int = 20) -> int:
    """Print the table; the exit code says whether the default map lowers the log loss on at least 3 of 4."""
    print(f"{'median log loss':16} {'as it is':>9}" + "".join(f"{name:>17}" for name in MAPS))
    better = 0
    for name, table in TABLES.items():
        losses = np.array([log_losses(table, seed) for seed in range(splits)])
        median, lower = np.median(losses, axis=0), (losses[:, 1:] < losses[:, :1]).sum(axis=0)
        cells = "".join(f"{m:9.4f} ({k:2}/{splits})" for m, k in zip(median[1:], lower, strict=True))
        print(f"{name:16} {median[0]:9.4f}{cells}", flush=True)
        better += bool(median[1] < median[0])
    print(f"The default map, {MAPS[0]}, lowers it on {better} of {len(TABLES)}.")
    return 0 if better >= 3 else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
