"""Rows held out, and class weights chosen on them one class at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.decision.curves.best_cut import CLOSE, sweep


class HeldOut(NamedTuple):
    """Rows to choose class weights by: argmax_c weight(c) p(x | c) shall cost little on them."""

    log_likelihood: Array  # (n, K) up to a term for each row
    codes: Array  # (n,)
    paid: Array  # (n, K) what each answer costs in each row

    def cost(self, answers: Array) -> float:
        """Of all rows."""
        return float(self.paid[np.arange(len(answers)), answers].sum())

    def one_by_one(self, path: Sequence[int], old: Array) -> Array:
        """Logs of the weights, each class separated from those before it on the rows of these classes."""
        log_w = np.full(len(old), -np.inf)
        log_w[path[0]] = np.log(old[path[0]])
        for place, c in enumerate(path[1:], start=1):
            rows = np.isin(self.codes, path[: place + 1])
            log_w = self._separate(c, np.array(path[:place]), rows, log_w, -float(np.log(old[c])))
        return log_w

    def again(self, path: Sequence[int], log_w: Array, rounds: int) -> Array:
        """Each weight anew given all others, until a round changes none."""
        rows = np.ones(len(self.codes), dtype=bool)
        for _ in range(rounds):
            before = log_w
            for c in path:
                others = np.array([other for other in path if other != c], dtype=np.intp)
                if np.isfinite(log_w[others]).any():  # else it is the only class that is answered
                    log_w = self._separate(c, others, rows, log_w, -float(log_w[c]))
            if np.array_equal(log_w, before):
                break
        return log_w

    def _separate(self, c: int, others: Array, rows: Array, log_w: Array, start: float) -> Array:
        """Set the weight of one class by the sweep over its lead over the best of some others."""
        log_w = log_w.copy()
        if not rows.any():
            log_w[c] = -start
            return log_w
        others = np.sort(others)  # the first of equals, as in a decision
        joint = self.log_likelihood[rows][:, others] + log_w[others]
        best = joint.argmax(axis=1)
        lead = self.log_likelihood[rows, c] - joint[np.arange(len(best)), best]
        paid = self.paid[rows]
        cut = sweep(lead, paid[np.arange(len(best)), others[best]], paid[:, c], start, CLOSE)
        if cut.threshold == -np.inf:
            log_w[others], log_w[c] = -np.inf, 0.0
        else:
            log_w[c] = -cut.threshold
        return log_w
