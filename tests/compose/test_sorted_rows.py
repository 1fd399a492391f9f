"""The order of the rows tells nothing: folds of our own drawing survive a sorted table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB as PeerNB

from suffice import CalibratedClassifier, Decide, NaiveBayes, OneVsRestClassifier
from suffice.compose.calibration.calibrating import MAPS

DECKS = 20


def _passengers() -> tuple[pd.DataFrame, np.ndarray]:
    """1,309 rows sorted by class, and in each class by deck.

    A fold of neighbours then holds all rows of a deck that are of one class: the model without it has met the deck in
    the other class alone, and says the opposite of what is so.
    """
    rng = np.random.default_rng(0)
    share = np.linspace(1.0, 9.0, DECKS)
    decks = [np.sort(rng.choice(DECKS, n, p=p / p.sum())) for n, p in ((809, share[::-1]), (500, share))]
    return pd.DataFrame({"deck": np.concatenate(decks).astype(str)}), np.repeat(["died", "lived"], [809, 500])


TABLE, LABELS = _passengers()
NUMBERS = TABLE.astype(int).to_numpy()


@pytest.mark.parametrize("ensemble", [False, True])
@pytest.mark.parametrize("map", [name for name in MAPS if name != "means"])
@pytest.mark.parametrize(
    ("base", "rows"),
    [(NaiveBayes(), TABLE), (PeerNB(min_categories=DECKS), NUMBERS)],
    ids=["one pass", "trained anew"],
)
def test_a_sorted_table_is_answered_as_by_the_classifier_itself(base: Any, rows: Any, map: str, ensemble: bool) -> None:
    """The map rises with the score, so that two classes of about equal doubt are told apart where they were."""
    plain = clone(base).fit(rows, LABELS).predict(rows)
    assert len(np.unique(plain)) == 2
    answers = CalibratedClassifier(base, map=map, ensemble=ensemble).fit(rows, LABELS).predict(rows)
    assert np.mean(answers == plain) > 0.95
    assert np.mean(answers == LABELS) > 0.7


@pytest.mark.parametrize("seed", range(3))
def test_sorted_and_shuffled_rows_give_nearly_the_same_map(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(LABELS))
    straight = CalibratedClassifier(NaiveBayes(), map="logistic").fit(TABLE, LABELS).predict_proba(TABLE)
    mixed = CalibratedClassifier(NaiveBayes(), map="logistic").fit(TABLE.iloc[order], LABELS[order])
    assert np.abs(mixed.predict_proba(TABLE) - straight).max() < 0.05


def test_a_splitter_that_is_given_is_used_as_it_is() -> None:
    """Folds of neighbours mislead, as ever, who asks for them: one class for all rows."""
    model = CalibratedClassifier(NaiveBayes(), cv=StratifiedKFold(5)).fit(TABLE, LABELS)
    assert np.unique(model.predict(TABLE)).tolist() == ["died"]


def test_around_one_another() -> None:
    for model in (Decide(CalibratedClassifier(NaiveBayes())), CalibratedClassifier(OneVsRestClassifier(NaiveBayes()))):
        assert model.fit(TABLE, LABELS).score(TABLE, LABELS) > 0.7
