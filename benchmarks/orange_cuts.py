"""Cuts by description length on ten data sets that come with PyPI packages, as Orange's EntropyMDL finds them.

Orange wants older numpy and pandas, so that this runs in an environment of its own, and writes what the tests compare
with: `tests/peers/orange_cuts.json`, and the cells of the data sets that do not come with scikit-learn.

    python -m venv orange && orange/bin/pip install Orange3 statsmodels scikit-learn
    orange/bin/python benchmarks/orange_cuts.py tests/peers
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

PLAIN = ("iris", "wine", "breast_cancer", "digits")


def tables() -> dict[str, tuple[Any, Any]]:
    """Cells and classes by name; a target that is a number is cut at its median."""
    from sklearn import datasets

    found = {name: getattr(datasets, f"load_{name}")(return_X_y=True) for name in PLAIN}
    X, y = datasets.load_diabetes(return_X_y=True, scaled=False)
    found["diabetes"] = X, y > np.median(y)
    return found


def others() -> dict[str, tuple[Any, Any]]:
    """The same of data sets whose cells are stored beside the cuts."""
    from Orange.data import Table
    from statsmodels import datasets

    heart = Table("heart_disease")
    numbers = [a for a in heart.domain.attributes if a.is_continuous]
    found: dict[str, tuple[Any, Any]] = {"heart_disease": (heart.transform(_only(numbers)).X, heart.Y)}
    housing = Table("housing")
    found["housing"] = housing.X, np.median(housing.Y) < housing.Y
    for name, target in (("spector", "GRADE"), ("anes96", "vote"), ("modechoice", "choice")):
        table = getattr(datasets, name).load_pandas().data.astype(float)
        found[name] = table.drop(columns=[target]).to_numpy(), table[target].to_numpy()
    return found


def _only(attributes: Any) -> Any:
    from Orange.data import Domain

    return Domain(attributes)


def orange_cuts(X: Any, y: Any) -> list[list[float]]:
    """The cuts of each column."""
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
    from Orange.preprocess.discretize import EntropyMDL

    labels, codes = np.unique(y, return_inverse=True)
    names = [ContinuousVariable(f"x{j}") for j in range(X.shape[1])]
    target = DiscreteVariable("y", values=tuple(map(str, labels)))
    table = Table.from_numpy(Domain(names, target), np.asarray(X, dtype=float), codes.astype(float))
    found = [EntropyMDL()(table, name).compute_value for name in names]
    return [[] if one is None else [float(cut) for cut in one.points] for one in found]


def main(folder: Path) -> None:
    """Write both files."""
    stored = others()
    cuts = {name: orange_cuts(*table) for name, table in (tables() | stored).items()}
    (folder / "orange_cuts.json").write_text(json.dumps(cuts, separators=(",", ":")).replace('],"', '],\n"') + "\n")
    cells = {f"{name}_{part}": some for name, table in stored.items() for part, some in zip("Xy", table, strict=True)}
    np.savez_compressed(folder / "orange_tables.npz", **cells)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
