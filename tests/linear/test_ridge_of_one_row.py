"""RidgeCV of one row: there is no other to predict it by."""

from __future__ import annotations

import numpy as np
import pytest

from suffice import Ridge, RidgeCV
from suffice.core.errors import BadInput


@pytest.mark.parametrize("intercept", [True, False])
def test_one_row_cannot_be_left_out(intercept: bool) -> None:
    """NumPy's warning of a division reached the user, and the score was no number."""
    with pytest.raises(BadInput, match=r"RidgeCV: the rows must be two or more, .* got 1\. Give more, or use Ridge\."):
        RidgeCV(fit_intercept=intercept).fit(np.ones((1, 3)), [1.0])
    assert Ridge().fit(np.ones((1, 3)), [1.0]).predict([[5.0, 5.0, 5.0]]) == 1.0
