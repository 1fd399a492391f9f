"""Vector quantisation: an image, or any rows, by a few prototypes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.clusters.centres.k_means import KMeans
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.nearest_centre import nearest_centre


@dataclass(frozen=True)
class Palette:
    """A few colours, the number of the colour of each pixel, and what is lost."""

    colours: Array  # (K, channels), in the type of the image
    codes: Array  # (rows, columns)
    error: float  # mean squared difference of a channel

    @property
    def image(self) -> Array:
        """The image in these colours."""
        return np.asarray(self.colours[self.codes])

    @property
    def bits(self) -> int:
        """Bits that a pixel takes."""
        return max(1, int(np.ceil(np.log2(max(len(self.colours), 2)))))


def quantise_image(image: Any, colours: int = 64, *, sample: int = 10_000, random_state: Any = 0) -> Palette:
    """An image (rows, columns, channels) or (rows, columns) in a few colours, found by k-means on some pixels.

    Parameters
    ----------
    image : numbers
    colours : how many, at most
    sample : pixels that k-means sees; different colours are counted, not pixels
    random_state : seed

    >>> picture = np.array([[0, 0, 250], [2, 0, 255]], dtype=np.uint8)
    >>> quantise_image(picture, 2).image.tolist()
    [[0, 0, 252], [0, 0, 252]]
    """
    pixels = np.asarray(image)
    if pixels.ndim not in (2, 3) or not pixels.size or pixels.dtype.kind not in "biuf":
        raise bad("quantise_image", "image", "rows and columns of numbers", Said(f"shape {pixels.shape}"), "One image.")
    if colours < 1:
        raise bad("quantise_image", "colours", "at least 1", colours, "64 is usual.")
    flat = pixels.reshape(pixels.shape[0] * pixels.shape[1], -1).astype(np.float64)
    if not np.isfinite(flat).all():
        raise bad("quantise_image", "image", "finite", Said("NaN or infinity"), "Fill the missing pixels first.")
    rng = np.random.RandomState(random_state)
    some = flat if len(flat) <= sample else flat[rng.choice(len(flat), size=sample, replace=False)]
    distinct, counts = np.unique(some, axis=0, return_counts=True)
    if len(distinct) <= colours:
        centres = distinct
    else:
        model = KMeans(colours, random_state=rng).fit(distinct, sample_weight=counts)
        centres = model.cluster_centers_
    centres = np.rint(centres) if pixels.dtype.kind in "biu" else centres
    codes = nearest_centre(flat, centres)
    error = float(((flat - centres[codes]) ** 2).mean())
    shape = (len(centres), *pixels.shape[2:])
    return Palette(centres.astype(pixels.dtype).reshape(shape), codes.reshape(pixels.shape[:2]), error)
