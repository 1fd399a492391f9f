"""What is sent to workers: values in our file format, read once a process; what has state is nobody else's."""

from __future__ import annotations

import numpy as np

import suffice as S
from suffice.core.folds import DrawnFolds
from suffice.sources.engines.wire_format import SMALL, pack, unpack, value_of


def test_the_model_of_a_pass_is_read_once_and_folds_are_their_own():
    model = S.GaussianNB().fit(np.arange(12.0).reshape(6, 2), [0, 1] * 3).fitted_
    data = pack((model, DrawnFolds(3, 0)))
    (one, mine), (other, theirs) = unpack(data), unpack(data)
    assert one is other
    assert one.rows == model.rows == 6
    assert mine is not theirs


def test_large_values_are_not_kept():
    from suffice.core.saving import value_bytes

    data = value_bytes((np.zeros(SMALL // 8),))
    assert len(data) > SMALL
    assert value_of(data)[0] is not value_of(data)[0]
    small = value_bytes((np.zeros(4),))
    assert value_of(small)[0] is value_of(small)[0]
