"""Subgroups: the beam search beside a search of all conjunctions, the table, and the columns."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score
from sklearn.pipeline import make_pipeline

from suffice import GaussianNB, SubgroupFeatures, load
from suffice.core.errors import BadInput

RNG = np.random.default_rng(1)
N = 300
TABLE = pd.DataFrame({name: RNG.choice(list("xyz"), N) for name in "abcd"})
INSIDE = ((TABLE["a"] == "x") & (TABLE["b"] == "y")).to_numpy()
Y = np.where(RNG.random(N) < np.where(INSIDE, 0.9, 0.25), "yes", "no")


def everything() -> dict[str, np.ndarray]:
    """All conjunctions of up to two conditions, and the rows they cover."""
    single = {f"{c} is {v}": (TABLE[c] == v).to_numpy() for c, v in product("abcd", "xyz")}
    pairs = {f"{p} and {q}": single[p] & single[q] for p, q in combinations(single, 2) if p[0] != q[0]}
    return {**single, **pairs}


def weighted_relative_accuracy(cover: np.ndarray) -> float:
    hit = Y == "yes"
    return float(cover.mean() * (hit[cover].mean() - hit.mean()))


def test_the_best_conjunction_is_found_and_told_with_its_numbers() -> None:
    found = SubgroupFeatures(1, max_conditions=2, beam=20).fit(TABLE, Y)
    (line,) = found.table()
    qualities = {name: weighted_relative_accuracy(cover) for name, cover in everything().items() if cover.any()}
    assert line.quality == pytest.approx(max(qualities.values()), abs=1e-15)
    cover = everything().get(line.description, INSIDE)
    assert line.coverage == pytest.approx(cover.mean(), abs=1e-15)
    assert line.share == pytest.approx((Y[cover] == "yes").mean(), abs=1e-15)
    assert line.low < line.share < line.high
    np.testing.assert_array_equal(found.transform(TABLE).ravel(), cover)


@pytest.mark.parametrize("quality", ["chi_square", "information_gain"])
def test_other_qualities_are_those_of_the_textbooks(quality: str) -> None:
    for line in SubgroupFeatures(4, quality=quality, max_conditions=1).fit(TABLE, Y).table():
        cover = everything()[line.description]
        table = pd.crosstab(cover, Y)
        known = {
            "chi_square": lambda t=table: chi2_contingency(t, correction=False).statistic,
            "information_gain": lambda c=cover: mutual_info_score(c, Y) / np.log(2),
        }
        assert line.quality == pytest.approx(known[quality](), rel=1e-12)


def test_columns_for_a_classifier_and_a_file(tmp_path: Path) -> None:
    found = SubgroupFeatures(3, target_class="no").fit(TABLE, Y)
    assert {line.target for line in found.table()} == {"no"}
    found.save(tmp_path / "m.suffice")
    loaded = load(tmp_path / "m.suffice")
    np.testing.assert_array_equal(loaded.transform(TABLE), found.transform(TABLE))
    assert str(loaded.table()) == str(found.table())
    assert make_pipeline(SubgroupFeatures(3), GaussianNB()).fit(TABLE, Y).score(TABLE, Y) > 0.75


def test_three_classes_each_get_their_own() -> None:
    y = np.where(TABLE["a"] == "x", "p", np.where(TABLE["b"] == "y", "q", "r"))
    table = SubgroupFeatures(1).fit(TABLE, y).table()
    assert [line.target for line in table] == ["p", "q", "r"]
    assert table[0].description == "a is x"
    assert table[0].share == 1.0


def test_a_missing_cell_fulfils_no_condition() -> None:
    found = SubgroupFeatures(1, max_conditions=1).fit(TABLE, Y)
    gone = TABLE.iloc[:1].copy()
    gone[:] = None
    assert found.transform(gone).tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"n_subgroups": 0}, "n_subgroups"),
        ({"quality": "lift"}, "quality"),
        ({"target_class": "maybe"}, "target_class"),
    ],
)
def test_bad_input_in_one_sentence(options: dict[str, Any], told: str) -> None:
    with pytest.raises((BadInput, ValueError), match=told):
        SubgroupFeatures(**options).fit(TABLE, Y)
