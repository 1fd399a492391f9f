"""Flat priors over slopes and over angles: densities that integrate to 1, and what they say of steep lines."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from suffice.bayes import FlatAngle, FlatSlope, maximum_a_posteriori
from suffice.core.errors import BadInput


@pytest.mark.parametrize("degrees", [0.0, 10.0, 45.0, 89.0])
def test_steep_lines_are_what_the_density_says(degrees: float) -> None:
    edge = np.tan(np.radians(degrees))
    for prior, end in ((FlatSlope(100.0), 100.0), (FlatAngle(), np.inf)):
        share = 2 * quad(lambda m, prior=prior: np.exp(prior.log_density(m)), edge, end)[0]
        assert prior.steeper(degrees) == pytest.approx(share, abs=1e-9)


def test_a_wider_flat_prior_is_more_upright_and_a_narrow_one_holds_no_steep_line() -> None:
    shares = [FlatSlope(limit).steeper(45.0) for limit in (1.0, 2.0, 10.0, 1e6)]
    assert shares == pytest.approx([0.0, 0.5, 0.9, 1 - 1e-6], abs=1e-12)
    assert FlatSlope(0.5).steeper(45.0) == 0.0


def test_the_prior_matters_where_rows_are_few() -> None:
    """One point at (1, 3): flat over slopes the best line goes through it, flat over angles it lies flatter."""

    def log_likelihood(t: np.ndarray) -> float:
        return float(-0.5 * (3.0 - t[0]) ** 2)

    steep = maximum_a_posteriori(log_likelihood, lambda t: float(FlatSlope().log_density(t[0])), [1.0])
    fair = maximum_a_posteriori(log_likelihood, lambda t: float(FlatAngle().log_density(t[0])), [1.0])
    assert steep.theta[0] == pytest.approx(3.0, abs=1e-6)
    root = [r.real for r in np.roots([1.0, -3.0, 3.0, -3.0]) if abs(r.imag) < 1e-9]  # (3 - m)(1 + m^2) = 2 m
    assert fair.theta[0] == pytest.approx(root[0], abs=1e-6)


def test_what_is_refused() -> None:
    with pytest.raises(BadInput, match=r"FlatSlope: limit must be finite and above 0, got inf\. A flat density needs"):
        FlatSlope(np.inf)
    for prior in (FlatSlope(), FlatAngle()):
        with pytest.raises(BadInput, match=r"degrees must be from 0 to below 90, got 90\.0\. 45 is a slope of 1"):
            prior.steeper(90.0)
