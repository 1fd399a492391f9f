"""Run all benchmarks, or those named: `python -m benchmarks [naive_bayes decisions ...]`, as in `ROOMS`."""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks.measure import HEAD

ROOMS = (
    "naive_bayes",
    "mixed",
    "first_fit",
    "gaussian",
    "files",
    "ledgers",
    "densities",
    "selection",
    "features",
    "cross_fitting",
    "imputation",
    "linear",
    "logistic",
    "margin",
    "neighbours",
    "perceptron",
    "maps",
    "decisions",
    "curves",
    "mixtures",
    "clusters",
    "neural",
    "feature_selection",
    "projections",
    "wide",
)


def main(names: list[str]) -> int:
    """Print the table; the exit code says whether every bar was met."""
    print(HEAD)
    met = True
    for name in names or ROOMS:
        for line in import_module(f"benchmarks.{name}").lines():
            print(line, flush=True)
            met &= line.met
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
