"""The people of the clinic: three diagnoses, how common they are, and the signs each of them shows.

Two signs break naive Bayes: temperature and systolic pressure are correlated within each diagnosis, and cough,
breathlessness and chills are driven together by a factor that is not in the table.
"""

from __future__ import annotations

import numpy as np

from suffice.datasets.signs import Bounded, Day, Linked, LogNormal, NormalPair, Notes, PoissonSign, Sign, Symbol

CLASSES = ("cold", "flu", "pneumonia")
PRIOR = (0.6, 0.3, 0.1)
SEVERITIES = ("mild", "moderate", "severe")

SIGNS: tuple[Sign, ...] = (
    Day(("admitted",), "date", np.datetime64("2024-01-01"), 366),
    Bounded(("age",), "quantitative", 18.0, 95.0, np.array([2.0, 2.0, 3.0]), np.array([2.6, 2.4, 2.0])),
    NormalPair(
        ("temperature", "systolic"),
        "quantitative",
        np.array([[37.4, 124.0], [38.2, 121.0], [38.4, 112.0]]),
        np.array([[0.6, 14.0], [0.7, 14.0], [0.8, 16.0]]),
        np.array([0.6, 0.7, -0.5]),
    ),
    LogNormal(("crp",), "quantitative", np.log([8.0, 16.0, 45.0]), np.array([0.9, 0.9, 1.0])),
    PoissonSign(("visits",), "count", np.array([1.0, 1.2, 2.0])),
    PoissonSign(("medicines",), "count", np.array([1.5, 1.5, 2.5])),
    Linked(
        ("cough", "breathless", "chills"),
        "boolean",
        np.array([[0.8, 0.2], [0.45, 0.55], [0.25, 0.75]]),
        np.array([[0.3, 0.9], [0.1, 0.8], [0.15, 0.85]]),
    ),
    Symbol(("smoker",), "boolean", (False, True), np.array([[0.78, 0.22], [0.78, 0.22], [0.6, 0.4]])),
    Symbol(("vaccinated",), "boolean", (False, True), np.array([[0.45, 0.55], [0.7, 0.3], [0.55, 0.45]])),
    Symbol(
        ("ward",),
        "categorical",
        ("east", "north", "south", "west"),
        np.array([[0.25, 0.25, 0.25, 0.25], [0.3, 0.3, 0.2, 0.2], [0.2, 0.2, 0.2, 0.4]]),
    ),
    Symbol(("blood",), "categorical", ("A", "AB", "B", "O"), np.array([[0.42, 0.05, 0.1, 0.43]] * 3)),
    Symbol(("severity",), "ordinal", SEVERITIES, np.array([[0.65, 0.3, 0.05], [0.4, 0.45, 0.15], [0.15, 0.45, 0.4]])),
)

FREQUENCIES = {  # how often a word is written in the notes on a cold, a flu, a pneumonia
    "patient": (8, 8, 8),
    "reports": (6, 6, 6),
    "since": (5, 5, 5),
    "yesterday": (4, 4, 3),
    "tired": (5, 6, 6),
    "slept": (4, 3, 3),
    "nose": (9, 5, 3),
    "sneezing": (8, 4, 2),
    "throat": (7, 5, 3),
    "hoarse": (5, 3, 2),
    "headache": (4, 7, 4),
    "muscles": (2, 6, 3),
    "aching": (3, 7, 4),
    "fever": (3, 7, 7),
    "weak": (3, 5, 6),
    "pain": (3, 4, 6),
    "chest": (3, 4, 8),
    "sputum": (2, 2, 5),
    "crackles": (1, 1, 4),
    "oxygen": (1, 1, 3),
}


def words() -> Notes:
    """The notes: three to eight word"""
    table = np.array(list(FREQUENCIES.values()), dtype=np.float64).T
    return Notes(("notes",), "text", tuple(FREQUENCIES), table / table.sum(axis=1, keepdims=True), 3, 8)


NOTES = words()
