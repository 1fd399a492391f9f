"""Three related tables flattened as featuretools flattens them (its mock customers, and its answers, are kept beside).

`python -m tests.peers.test_featuretools` makes both anew, where featuretools 1.31 with pandas 2 is installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice.features import Propositionalise

HERE = Path(__file__).parent / "related_tables"
HOW = ("count", "min", "max", "mean", "sum")
SAME = {  # theirs of what is two tables away, as ours
    "COUNT(transactions)": "SUM(sessions.COUNT(transactions))",
    "MAX(transactions.amount)": "MAX(sessions.MAX(transactions.amount))",
    "MIN(transactions.amount)": "MIN(sessions.MIN(transactions.amount))",
    "SUM(transactions.amount)": "SUM(sessions.SUM(transactions.amount))",
}


def tables() -> dict[str, Any]:
    return {name: pd.read_csv(HERE / f"{name}.csv") for name in ("customers", "sessions", "transactions")}


@pytest.fixture(scope="module")
def both() -> tuple[Any, Any]:
    """Ours and theirs, customer by customer."""
    found = tables()
    cases = found.pop("customers")
    keys = {"sessions": "customer_id", "transactions": ("session_id", "sessions")}
    theirs = pd.read_csv(HERE / "featuretools.csv").set_index("customer_id").loc[cases["customer_id"]]
    return Propositionalise(found, keys)(cases), theirs.reset_index()


def test_columns_that_both_make_are_equal(both: tuple[Any, Any]) -> None:
    """A sum over no rows is missing here, and 0 there: nothing was added up."""
    ours, theirs = both
    shared = sorted(set(ours.columns) & set(theirs.columns) - {"customer_id", "zip_code"})
    assert len(shared) == 17
    for theirs_name, name in [*zip(shared, shared, strict=True), *SAME.items()]:
        mine, wanted = (side.to_numpy(dtype=float) for side in (ours[name], theirs[theirs_name]))
        mine = np.where(np.isnan(mine) & (ours["COUNT(sessions)"] == 0) & name.startswith("SUM"), 0.0, mine)
        np.testing.assert_allclose(mine, wanted, rtol=1e-12, err_msg=name)


def test_nothing_of_theirs_is_lacking(both: tuple[Any, Any]) -> None:
    """The mean over all transactions of a customer is their sum over their number."""
    ours, theirs = both
    left = set(theirs.columns) - set(ours.columns) - set(SAME)
    assert left == {"MEAN(transactions.amount)"}
    mean = ours[SAME["SUM(transactions.amount)"]] / ours[SAME["COUNT(transactions)"]]
    np.testing.assert_allclose(mean, theirs["MEAN(transactions.amount)"], rtol=1e-12)


def main() -> None:
    """Make the tables and their answers anew."""
    import featuretools as ft  # type: ignore[import-not-found,unused-ignore]

    made = ft.demo.load_mock_customer(12, 5, 40, 300, random_seed=3)
    columns = {
        "customers": ["zip_code"],
        "sessions": ["customer_id", "device"],
        "transactions": ["session_id", "amount"],
    }
    shop = ft.EntitySet("shop")
    for name, some in columns.items():
        table = made[name][[f"{name[:-1]}_id", *some]]
        table.to_csv(HERE / f"{name}.csv", index=False)
        shop.add_dataframe(dataframe_name=name, dataframe=table.copy(), index=f"{name[:-1]}_id")
    shop.add_relationship("customers", "customer_id", "sessions", "customer_id")
    shop.add_relationship("sessions", "session_id", "transactions", "session_id")
    answers = ft.dfs(
        entityset=shop, target_dataframe_name="customers", agg_primitives=HOW, trans_primitives=[], max_depth=2
    )
    answers[0].reset_index().to_csv(HERE / "featuretools.csv", index=False)


if __name__ == "__main__":
    main()
