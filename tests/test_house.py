"""The house stands as it was planned: `python -m suffice.testing.house` prints what is held here."""

from __future__ import annotations

import pytest

from suffice.testing import house
from suffice.testing.house import House


@pytest.fixture(scope="module")
def measured() -> House:
    return house.measure()


def test_no_estimator_has_a_long_chain_of_ancestors(measured: House) -> None:
    assert {name: n for name, n in measured.chains.items() if n > house.CHAIN} == {}


def test_no_estimator_stands_on_many_classes(measured: House) -> None:
    assert {name: n for name, n in measured.above.items() if n > house.ABOVE} == {}


def test_no_file_is_long(measured: House) -> None:
    assert {file: n for file, n in measured.lines.items() if n > house.LINES} == {}


def test_no_room_is_full(measured: House) -> None:
    assert {room for room, n in measured.rooms.items() if n > house.FILES} == set()


def test_a_class_name_means_one_thing(measured: House) -> None:
    assert set(measured.twice) == set()


def test_nothing_else_is_at_fault(measured: House) -> None:
    """Whatever the house comes to measure counts here too."""
    assert measured.faults() == []


def test_the_measures_see_something(measured: House) -> None:
    assert measured.chains.keys() == measured.above.keys() >= {"NaiveBayes", "Ridge", "SVC"}
    assert len(measured.lines) > 100
    assert sum(measured.rooms.values()) == sum(not file.endswith("__init__.py") for file in measured.lines)
    worse = measured._replace(chains={"Tall": 4}, above={"Wide": 7}, lines={"long.py": 401}, rooms={"full": 26})
    assert len(worse._replace(twice={"Twin": ["a.py", "b.py"]}).faults()) == 5
