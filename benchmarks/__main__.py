"""Run the benchmarks of `make bench`, or those named: `python -m benchmarks [naive_bayes decisions ...]`."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

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
    for name in names:
        if find_spec(f"benchmarks.{name}") is None:
            print(f"There is no benchmark {name!r}. `make bench` runs: {', '.join(ROOMS)}.", file=sys.stderr)
            return 2
    print(HEAD)
    met = True
    for name in names or ROOMS:
        for line in import_module(f"benchmarks.{name}").lines():
            print(line, flush=True)
            met &= line.met
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
