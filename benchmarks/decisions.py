"""Decisions: how long deciding anew takes, and how much regret a prior estimated from rows without labels removes.

The clinic is learned at a prior of a half for pneumonia and met at other priors, 2,000 rows each. Regret is the
distance to the best possible decision, from the true posterior. Recovered is the part that the estimated prior removes
of what the true prior removes. Naive Bayes counts evidence twice here, so that its posteriors mislead the estimate: it
is shown without a bar, and beside it what calibration mends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from benchmarks.measure import race
from suffice import CalibratedClassifier, Decide, Decision, NaiveBayes, Posterior, estimate_prior
from suffice.datasets import Clinic, make_clinic
from suffice.decision import uniform

SHARES = (0.05, 0.2, 0.8)
SEEDS = 20
NUMBERS = ["age", "temperature", "systolic", "crp", "visits"]
WITHOUT = ["patient", "admitted"]

PRIORS: dict[str, Callable[[float], list[float]]] = {
    "flu or pneumonia": lambda p: [0.0, 1 - p, p],
    "cold or pneumonia": lambda p: [1 - p, 0.0, p],
    "three classes": lambda p: [(1 - p) * 2 / 3, (1 - p) / 3, p],
}


class Measured(NamedTuple):
    """One line of the table that is not a race."""

    case: str
    value: str
    bar: str
    met: bool

    def __str__(self) -> str:
        """Aligned with the races."""
        return f"{self.case:44} {self.value:>29}  {self.bar:22} {'ok' if self.met else 'BELOW'}"


def lines() -> Iterator[Measured]:
    """Times, then regrets."""
    yield from deciding()
    yield from recovered()


def deciding(n: int = 1000, K: int = 10) -> Iterator[Measured]:
    """Read, shift, price, refuse and decide; costs for all rows or for each."""
    rng = np.random.default_rng(0)
    posterior = Posterior(rng.dirichlet(np.ones(K), n), uniform(K))
    prior = dict(enumerate(rng.dirichlet(np.ones(K)).tolist()))
    for name, costs in (("one table of costs", rng.random((K, K))), ("costs row by row", rng.random((n, K, K)))):

        def decide(costs: Any = costs) -> Any:
            wishes = {"prior": prior, "costs": costs, "reject": 0.3, "at_least": 0.2}
            return Decision.read("benchmark", range(K), **wishes).decide(posterior)

        (seconds,) = race(decide, runs=51)
        yield Measured(f"decide {n} x {K} anew, {name}", f"{seconds * 1e3:.3f} ms", "under 1 ms", seconds < 1e-3)


def recovered(seeds: int = SEEDS, train: int = 4000, test: int = 2000) -> Iterator[Measured]:
    """Median over the seeds of the part of the regret that the estimated prior removes."""
    for problem, prior in PRIORS.items():
        for name, (make, bar) in MODELS.items():
            parts: dict[float, list[float]] = {share: [] for share in SHARES}
            for seed in range(seeds):
                seen = make_clinic(train, random_state=seed, prior=prior(0.5), text=False)
                model = Decide(make()).fit(table(seen), seen.target)
                for share in SHARES:
                    met = make_clinic(test, random_state=1000 + seed, prior=prior(share), text=False)
                    parts[share].append(part(model, met))
            for share in SHARES:
                middle = median(parts[share])
                wanted = bar if problem != "three classes" or bar == ALWAYS else NONE
                yield Measured(
                    f"{problem}, {name}, {share}", f"{middle:.1%} recovered", wanted, wanted == NONE or middle >= 0.9
                )


def part(model: Decide, clinic: Clinic) -> float:
    """What the estimated prior removes of the regret that the true prior removes."""
    rows = table(clinic)
    true = [clinic.prior[clinic.classes.index(label)] for label in model.classes_.tolist()]
    estimated = estimate_prior(*model.posterior(rows)).prior
    regrets = [clinic.regret(model.predict(rows, prior=prior)) for prior in (None, true, estimated)]
    return (regrets[0] - regrets[2]) / (regrets[0] - regrets[1])


def table(clinic: Clinic) -> pd.DataFrame:
    """Without what tells nothing."""
    return clinic.frame("pandas").drop(columns=WITHOUT)


def logistic() -> Any:
    """Numbers scaled, the skewed one as its logarithm, symbols as indicators, missing cells as indicators too."""
    numbers = make_pipeline(FunctionTransformer(as_numbers), SimpleImputer(add_indicator=True), StandardScaler())
    symbols = make_pipeline(FunctionTransformer(as_symbols), OneHotEncoder(handle_unknown="ignore"))
    columns = make_column_transformer(
        (numbers, NUMBERS), (symbols, lambda frame: [c for c in frame if c not in NUMBERS])
    )
    return make_pipeline(columns, LogisticRegression(max_iter=1000))


def as_numbers(frame: pd.DataFrame) -> np.ndarray:
    """NaN where missing."""
    return frame.assign(crp=np.log(frame["crp"])).astype(float).to_numpy()


def as_symbols(frame: pd.DataFrame) -> np.ndarray:
    """Strings, one of them for missing."""
    return frame.astype(object).where(frame.notna(), "missing").astype(str).to_numpy()


ALWAYS, TWO, NONE = "at least 90 %", "at least 90 %, two", "none"
MODELS: dict[str, tuple[Callable[[], Any], str]] = {
    "logistic": (logistic, ALWAYS),
    "calibrated NB": (lambda: CalibratedClassifier(NaiveBayes()), TWO),
    "NB": (NaiveBayes, NONE),
}
