"""TemperatureMap: one number that makes all log-probabilities milder or bolder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.decision.curves.ranked_scores import read_scored
from suffice.decision.maps.score_map import ScoreMap
from suffice.numerics.log_space import log_sum_exp, normalize

LEAST, MOST = 1e-4, 1e4  # temperatures outside are as good as 0 and infinity
FAINT = float(np.log(1e-12))  # what an impossible class counts as, unless a class was met that is fainter
FLAT = 1e-30  # of a unit of log likelihood
STEPS = 200


@saved
@dataclass(frozen=True)
class TemperatureMap(ScoreMap):
    """Log-probabilities divided by a temperature, then normalised; the order of the classes stays.

        p(class k | s) = e^(s_k / T) / sum_c e^(s_c / T)

    One column of scores is the log-odds of two classes. T is the one of greatest likelihood, from 1e-4 to 1e4; above 1
    the scores were too bold. Log-probabilities below `floor` count as `floor`: the least one met in learning, but at
    most log 1e-12, so that impossible classes (-inf) leave a finite likelihood. Learned in passes over all rows.

    Parameters
    ----------
    temperature : T
    floor : the least log-probability below the largest of its row
    width : number of columns of scores

    Examples
    --------
    >>> bold = np.log([[0.999, 0.001], [0.999, 0.001], [0.001, 0.999], [0.999, 0.001]])
    >>> map = TemperatureMap.of(bold, [0, 0, 1, 1])
    >>> map(bold)[0].round(4)
    array([0.75, 0.25])

    References
    ----------
    C. Guo, G. Pleiss, Y. Sun and K. Weinberger, On calibration of modern neural networks (2017).
    """

    temperature: float
    floor: float = FAINT
    width: int = 2

    def __post_init__(self) -> None:
        """Check the temperature."""
        T = self.temperature
        if isinstance(T, bool) or not isinstance(T, (int, float, np.number)) or not 0.0 < T < np.inf:
            raise bad(self, "temperature", "a finite number above 0", T)

    @classmethod
    def of(cls, scores: Any, labels: Any, weights: Any = None, classes: Any = None) -> TemperatureMap:
        """Learn from rows.

        Parameters
        ----------
        scores : (n, K) log-probabilities, up to a number of the row's own; (n,) log-odds for two classes
        labels, weights, classes : as for `rank_scores`
        """
        s, codes, w, _ = read_scored(cls.__name__, scores, labels, weights, classes)
        below = _below(cls.__name__, s)
        finite = below[np.isfinite(below)]
        floor = min(FAINT, float(finite.min(initial=0.0)))
        weight = np.full(len(codes), 1.0 / len(codes)) if w is None else w / w.sum()
        return cls(1.0 / _best(np.maximum(below, floor), codes, weight), floor, s.shape[1])

    def _map(self, s: Array) -> Array:
        missing = np.isnan(s).any(axis=1, keepdims=True)
        below = np.maximum(_below(type(self).__name__, np.where(missing, 0.0, s)), self.floor)
        p = np.where(missing, np.nan, np.exp(normalize(below / self.temperature)))
        return p[:, 1] if self.width == 1 else p


def _below(owner: str, s: Array) -> Array:
    """How far each log-probability lies below the largest of its row (n, K), at most 0."""
    wide = np.column_stack([np.zeros(len(s)), s[:, 0]]) if s.shape[1] == 1 else s
    top = wide.max(axis=1, keepdims=True)
    odd = np.isnan(wide).any(axis=1) | (~np.isfinite(top[:, 0]) & (s.shape[1] > 1))  # log-odds may be infinite
    if odd.any():
        rule = "log-probabilities, in every row some above -inf and none NaN or +inf"
        raise bad(owner, "scores", rule, wide[odd][0].tolist(), f"Correct row {int(odd.argmax())}.")
    with np.errstate(invalid="ignore"):
        return np.where(wide == top, 0.0, wide - top)


def _best(below: Array, codes: Array, weight: Array) -> float:
    """The inverse temperature of greatest likelihood: where the expected score is the score of the true class.

    The derivative sum w (E[z] - z_true) rises with the inverse temperature: Newton's method, kept between two bounds.
    """
    true = float(weight @ below[np.arange(len(below)), codes])
    low, high, at = 1.0 / MOST, 1.0 / LEAST, 1.0
    for _ in range(STEPS):
        p = np.exp(at * below - log_sum_exp(at * below)[:, None])
        expected = (p * below).sum(axis=1)
        slope = float(weight @ expected) - true
        bend = float(weight @ ((p * below**2).sum(axis=1) - expected**2))
        if slope * slope <= FLAT * bend:  # what could still be gained is rounding
            break
        low, high = (low, at) if slope > 0.0 else (at, high)
        ahead = at - slope / bend if bend > 0.0 else np.inf
        if not low < ahead < high:
            ahead = float(np.sqrt(low * high))
        if abs(ahead - at) <= 1e-14 * at:
            break
        at = ahead
    return at
