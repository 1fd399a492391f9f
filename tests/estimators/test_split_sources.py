"""The truth of rows, gathered in one pass: labels and weights one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.core.errors import NotASummary
from suffice.estimators.folds.split_sources import _Truth

A, B, C = (_Truth([label], np.array([weight])) for label, weight in (("a", 1.0), ("b", 2.0), ("c", 0.5)))


def test_truth_adds_in_the_order_of_its_parts() -> None:
    for total in (_Truth.sum([A, B, C]), (A + B) + C, A + (B + C)):
        assert total.labels == ["a", "b", "c"]
        assert np.array_equal(total.w, [1.0, 2.0, 0.5])
    assert _Truth.sum([_Truth(["a"], None), _Truth(["b"], None)]).w is None


def test_truth_is_only_added_to() -> None:
    with pytest.raises(NotASummary, match="labels must only be added, got labels to take away"):
        A - A


def test_truth_has_one_component_and_no_scale() -> None:
    assert A.scale(3.0) is A
    assert A.spread([0], 1) is A
