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

from suffice import NaiveBayes, Tree
from suffice.datasets import make_clinic
from suffice.evaluation import cross_validate
from suffice.sources import PrintProgress, Roles, open_engine

APART = ("patient", "notes", "diagnosis")
KINDS = {"patient": "identifier", "notes": "text", "severity": ["mild", "moderate", "severe"]}


def main() -> None:
    """Fit, cross-validate and predict; then again while a worker is killed."""
    with (
        tempfile.TemporaryDirectory() as name,
        LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
    ):
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
            roles = Roles(target="diagnosis", ignore=("patient", "notes"))
            tree = Tree(max_depth=2).fit(open_engine(name, "dask", roles=roles))
            print("A tree, level by level over the files:", tree.predict(table.drop(columns=list(APART))[:5]))


def write_parts(folder: Path) -> pd.DataFrame:
    """Sixteen files of a made-up clinic."""
    clinic = make_clinic(16_000, random_state=0)
    table = clinic.frame("pandas").assign(diagnosis=clinic.target)
    for number in range(16):
        table[1000 * number : 1000 * number + 1000].to_parquet(folder / f"part-{number:02}.parquet", index=False)
    return table


def gap(a: NaiveBayes, b: NaiveBayes, table: pd.DataFrame) -> str:
    """How far two models are apart."""
    rows = table.drop(columns="diagnosis")[:1000]
    return f"probabilities differ by at most {np.abs(a.predict_proba(rows) - b.predict_proba(rows)).max():.1e}"


if __name__ == "__main__":
    main()
