"""A polynomial as a message: its degree, its coefficients up to a resolution, and what it misses of the data.

The receiver knows x, and to which precision y was recorded. Coefficients belong to polynomials that are orthonormal on
the rows, so that rounding one of them costs the same wherever it is. The resolution is a power of 2 times the precision
and is told too; the one that makes the message shortest is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial.legendre import legvander
from scipy.special import log_ndtr

from suffice.bayes.inference.description_length import Description, integer_bits, shortest
from suffice.core.block import Array
from suffice.core.errors import bad

FINEST, COARSEST = 0, 40  # powers of 2 times the precision


def describe_polynomial(x: Any, y: Any, degree: int, precision: float) -> Description:
    """Bits that tell y given x by a polynomial of this degree and normal errors about it.

    Parameters
    ----------
    x, y : (n,)
    degree : 0 is a constant
    precision : y is told to this precision

    >>> x = np.arange(30.0)
    >>> bits = [describe_polynomial(x, 3.0 * x + np.sin(99 * x), degree, 0.01).total for degree in range(4)]
    >>> int(np.argmin(bits))
    1
    """
    x, y = _columns(x, y, degree)
    if not (np.isfinite(precision) and precision > 0):
        raise bad("describe_polynomial", "precision", "finite and above 0", precision, "0.01 tells two decimals.")
    basis = _orthonormal(x, int(degree))
    coefficients = basis.T @ y
    resolutions = {j: _with(basis, coefficients, y, precision, j) for j in range(FINEST, COARSEST)}
    return resolutions[shortest(resolutions)]


def choose_degree(x: Any, y: Any, precision: float, largest: int = 10) -> dict[int, Description]:
    """The descriptions by all degrees from 0 up to the largest, or to as many as there are distinct x; see `shortest`.

    >>> x = np.linspace(-1, 1, 50)
    >>> shortest(choose_degree(x, 4 * x**3 - x + 0.1 * np.cos(70 * x), 0.01))
    3
    """
    most = min(int(largest), len(np.unique(x)) - 1)
    return {degree: describe_polynomial(x, y, degree, precision) for degree in range(most + 1)}


def _with(basis: Array, coefficients: Array, y: Array, precision: float, j: int) -> Description:
    """The message with coefficients in steps of 2^j times the precision."""
    step = precision * 2.0**j
    told = np.rint(coefficients / step)
    sizes = integer_bits(np.abs(told) + 1.0) + (told != 0)  # a sign where there is one
    error = y - basis @ (told * step)
    model = integer_bits(len(told)) + integer_bits(j + 1) + sizes.sum()
    return Description(*_told(float(model), error, precision))


def _told(model: float, error: Array, precision: float) -> tuple[float, float]:
    """Bits of the model with the width of the errors, and of the errors in cells of this precision.

    The width is told as a whole power of sqrt 2 times the precision: at most 0.05 bits a row are lost by that.
    """
    width = max(float(np.sqrt(error @ error / len(error))), precision / 2.0)
    power = max(int(np.rint(2.0 * np.log2(width / precision))), -2)
    width = precision * 2.0 ** (power / 2.0)
    near = (np.abs(error) - precision / 2.0) / width  # the cell of each row, on the side where tails keep their digits
    far = near + precision / width
    log_cell = log_ndtr(-near) + np.log1p(-np.exp(log_ndtr(-far) - log_ndtr(-near)))
    return model + float(integer_bits(power + 3)), -float(log_cell.sum()) / np.log(2.0)


def _orthonormal(x: Array, degree: int) -> Array:
    """Polynomials up to a degree, orthonormal on the rows (n, degree + 1); x is scaled first, so that none is lost."""
    span = np.ptp(x)
    scaled = 2.0 * (x - x.min()) / span - 1.0 if span > 0 else np.zeros_like(x)
    return np.asarray(np.linalg.qr(legvander(scaled, degree))[0])


def _columns(x: Any, y: Any, degree: Any) -> tuple[Array, Array]:
    columns = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if columns[0].ndim != 1 or columns[0].shape != columns[1].shape or not columns[0].size:
        shapes = [column.shape for column in columns]
        raise bad("describe_polynomial", "x and y", "two columns of one length", shapes, "One number a row each.")
    if not all(np.isfinite(column).all() for column in columns):
        raise bad("describe_polynomial", "x and y", "finite", "NaN or infinity", "Leave the row out.")
    most = len(np.unique(columns[0])) - 1
    if not (0 <= degree <= most and degree == int(degree)):
        rule = f"a whole number from 0 to {most}, one less than there are distinct x"
        raise bad("describe_polynomial", "degree", rule, degree, "A higher one cannot be told apart.")
    return columns
