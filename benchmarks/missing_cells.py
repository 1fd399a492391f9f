"""Missing cells: summed out by the model itself, or filled in before the same model (mean, nearest rows, iteratively).

Thirty per cent of all cells are taken away at random, in training and in test, twenty times. The columns of the table
hold log losses (in thousandths), ours and the best of the three ways of filling in; the bar is that ours exceeds none
of them by more than one standard error of the difference, on at least four of five tables. Both arms are the same
model, with one virtual row a class, so that constant pixels are no trouble.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from benchmarks.measure import Line

MASKINGS = 20
SHARE = 0.3
IMPUTERS: dict[str, Callable[[], Any]] = {
    "mean": lambda: SimpleImputer(keep_empty_features=True),
    "nearest": lambda: KNNImputer(keep_empty_features=True),
    "iterative": lambda: IterativeImputer(random_state=0, keep_empty_features=True),
}


def tables() -> dict[str, tuple[Any, Any]]:
    """Five tables of numbers with classes."""
    loaders = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "digits": load_digits}
    X, y = load_diabetes(return_X_y=True)
    found = {name: load(return_X_y=True) for name, load in loaders.items()}
    return {**found, "diabetes": (X, (y > np.median(y)).astype(int))}


def lines(maskings: int = MASKINGS, names: tuple[str, ...] | None = None) -> Iterator[Line]:
    """All tables with both models, and how many met the bar."""
    for model in ("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"):
        met = []
        for name, (X, y) in tables().items():
            if names is None or name in names:
                line = compare(name, model, X, y, maskings)
                met.append(line.met)
                yield line._replace(met=True)  # the bar is of all tables together
        within = sum(met) >= len(met) - 1
        yield Line(f"  {model[:9]}...: met on {sum(met)} of {len(met)}", 1e-3, 1e-3, "all but one", within)


def compare(name: str, model: str, X: Any, y: Any, maskings: int) -> Line:
    """Log losses of one table and model, ours and the best peer's mean."""
    losses = np.array([losses_of(model, X, y, seed) for seed in range(maskings)])  # (maskings, 1 + imputers)
    ahead = losses[:, :1] - losses[:, 1:]
    error = ahead.std(axis=0, ddof=1) / np.sqrt(maskings)
    met = bool((ahead.mean(axis=0) <= error).all())
    ours, *others = losses.mean(axis=0).tolist()
    best = list(IMPUTERS)[int(np.argmin(others))]
    return Line(f"{name}, {model[:6]}, log loss", ours, min(others), f"{best} + 1 se: {'ok' if met else 'no'}", met)


def losses_of(model: str, X: Any, y: Any, seed: int) -> list[float]:
    """Log losses of one masking: ours, then each way of filling in."""
    rng = np.random.default_rng(seed)
    holed = np.where(rng.random(X.shape) < SHARE, np.nan, X)
    A, B, a, b = train_test_split(holed, y, test_size=0.3, random_state=seed, stratify=y)
    ours = getattr(suffice, model)(missing="marginalise", prior_strength=1.0).fit(A, a)
    found = [log_loss(b, ours.predict_proba(B), labels=ours.classes_)]
    for make in IMPUTERS.values():
        peer = make_pipeline(StandardScaler(), make(), getattr(suffice, model)(prior_strength=1.0))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the iterative imputer may not settle
            found.append(log_loss(b, peer.fit(A, a).predict_proba(B), labels=ours.classes_))
    return found
