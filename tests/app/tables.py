"""Tables to run the command line on."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from suffice.datasets import make_clinic
from suffice.datasets.frames import cells_of

PLAY = """outlook,temperature,windy,play
sunny,29.5,no,no
sunny,26,yes,no
overcast,28.5,no,yes
rainy,21,no,yes
rainy,20,no,yes
rainy,18,yes,no
overcast,17.5,yes,yes
sunny,22,no,no
sunny,20.5,no,yes
rainy,24,no,yes
sunny,24,yes,yes
overcast,22,yes,yes
overcast,27,no,yes
rainy,21.5,yes,no
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def write_rows(path: Path, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Path:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    return path


def clinic_rows(n: int, seed: int = 0) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The clinic with its diagnosis last, as texts and numbers, None where missing."""
    clinic = make_clinic(n, random_state=seed)
    columns = {name: cells_of(column, clinic.kinds[name]) for name, column in clinic.data.items()}
    columns["diagnosis"] = clinic.target.tolist()
    return list(columns), list(zip(*columns.values(), strict=True))


def titanic(path: Path, n: int = 891, seed: int = 0) -> Path:
    """People on a ship: names, numbers with gaps, a column that is nearly empty, codes, free text in tickets."""
    random = Random(seed)
    rows = []
    for number in range(1, n + 1):
        sex, deck = random.choice(["male", "male", "female"]), random.choice([1, 2, 3, 3])
        title = "Mrs." if sex == "female" else "Mr."
        saved = int(random.random() < (0.75 if sex == "female" else 0.2) + (0.15 if deck == 1 else -0.05))
        age = "" if random.random() < 0.2 else f"{max(0.4, random.gauss(30, 13)):g}"
        fare = f"{random.expovariate(deck / 60):.4f}"
        cabin = "" if random.random() < 0.77 else random.choice("ABCDEF") + str(random.randrange(120))
        ticket = random.choice(["", "", "A/5 ", "PC "]) + str(random.randrange(10_000, 400_000))
        name = f'Smith{number}, {title} "Jo" {number}'
        port, kin = random.choice("SSSCQ"), random.randrange(3)
        rows.append([number, saved, deck, name, sex, age, kin, ticket, fare, cabin, port])
    names = ["PassengerId", "Survived", "Pclass", "Name", "Sex", "Age", "SibSp", "Ticket", "Fare", "Cabin", "Embarked"]
    return write_rows(path, names, rows)
