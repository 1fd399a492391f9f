"""Learn from files where they lie: two worker processes of Dask read them, and only summaries travel.

Run it by `make cluster`, or by `.venv/bin/python examples/cluster.py`.
"""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from distributed import Client, LocalCluster

from suffice import GaussianMixture, NaiveBayes
from suffice.datasets import make_clinic
from suffice.evaluation import cross_validate
from suffice.sources import PrintProgress, Roles, open_engine

KINDS = {"patient": "identifier", "notes": "text", "severity": ["mild", "moderate", "severe"]}


def main() -> None:
    """Fit, cross-validate and predict; then again while a worker is killed."""
    with tempfile.TemporaryDirectory() as name, LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster:
        table = write_parts(Path(name))
        with Client(cluster) as client:
            rows = open_engine(name, "dask", target="diagnosis", kinds=KINDS, progress=PrintProgress())
            model = NaiveBayes().fit(rows)
            alone = NaiveBayes(kinds=KINDS).fit(table.drop(columns="diagnosis"), table.diagnosis)
            print("Against memory:", gap(model, alone, table))
            print("Five folds, two passes: accuracy", cross_validate(NaiveBayes(), rows).total.accuracy)
            print(model.predict_proba(rows).head(3))

            killed = next(iter(client.run(os.getpid).values()))
            os.kill(killed, signal.SIGKILL)
            print(f"After worker {killed} was killed:", gap(NaiveBayes().fit(rows), alone, table))
            numbers = Roles(ignore=("patient", "notes", "severity", "diagnosis", *symbols(table)))
            mixture = GaussianMixture(3, random_state=0, max_iter=5, tol=1.0).fit(open_engine(name, "dask", roles=numbers))
            print("A mixture in", mixture.n_iter_, "passes; shares", mixture.weights_.round(3))


def write_parts(folder: Path) -> pd.DataFrame:
    """Sixteen files of a made-up clinic."""
    clinic = make_clinic(16_000, random_state=0)
    table = clinic.frame("pandas").assign(diagnosis=clinic.target)
    for number in range(16):
        table[1000 * number : 1000 * number + 1000].to_parquet(folder / f"part-{number:02}.parquet", index=False)
    return table


def symbols(table: pd.DataFrame) -> list[str]:
    """Columns that are no numbers, or have missing cells, which a mixture does not take."""
    known = ("patient", "notes", "severity", "diagnosis")
    return [n for n in table.columns if n not in known and (table[n].dtype.kind not in "if" or table[n].isna().any())]


def gap(a: NaiveBayes, b: NaiveBayes, table: pd.DataFrame) -> str:
    """How far two models are apart."""
    rows = table.drop(columns="diagnosis")[:1000]
    return f"probabilities differ by at most {np.abs(a.predict_proba(rows) - b.predict_proba(rows)).max():.1e}"


if __name__ == "__main__":
    main()
