"""What a machine for two classes says of each row: on which side of the margin it lies, and what it costs.

z_i = y_i f(x_i)      slack xi_i = max(0, 1 - z_i), the hinge loss

z > 1 is outside of the margin, z = 1 on it, z < 1 inside; z < 0 on the wrong side of the boundary. At an optimum
alpha = 0 outside or on, 0 < alpha < C on, alpha = C on or inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad

OUTSIDE, ON, INSIDE = 1, 0, -1


@dataclass(frozen=True)
class MarginReport:
    """The rows of a two-class machine against its margin."""

    signs: Array  # (n,) +1 for the second class, -1 for the first
    score: Array  # (n,) f(x)
    place: Array  # (n,) OUTSIDE (1), ON (0) or INSIDE (-1)
    norm: float  # of w, in the space of the kernel
    threshold: float  # t
    alpha: Array | None  # (n,) multipliers; None where the rows are not those of training
    C: Array | None  # (n,) their upper bounds

    @property
    def margin(self) -> Array:
        """y f(x) of each row (n,)."""
        return np.asarray(self.signs * self.score)

    @property
    def slack(self) -> Array:
        """max(0, 1 - y f(x)) of each row (n,)."""
        return np.maximum(0.0, 1.0 - self.margin)

    @property
    def width(self) -> float:
        """1 / norm(w): from the boundary to the margin."""
        return float(np.inf) if self.norm == 0.0 else 1.0 / self.norm

    @property
    def margin_errors(self) -> Array:
        """Numbers of the rows inside of the margin."""
        return np.flatnonzero(self.place == INSIDE)

    @property
    def errors(self) -> Array:
        """Numbers of the rows on the wrong side of the boundary: slack above 1."""
        return np.flatnonzero(self.margin < 0)

    @property
    def class_margins(self) -> tuple[float, float]:
        """m+ and m-: the least y f(x) of the second and of the first class. Their sum does not depend on t."""
        plus, minus = self.margin[self.signs > 0], self.margin[self.signs < 0]
        return float(plus.min(initial=np.inf)), float(minus.min(initial=np.inf))

    @property
    def balanced_threshold(self) -> float:
        """The t for which m+ = m-: raising t by s takes s from m+ and gives it to m-."""
        plus, minus = self.class_margins
        return self.threshold + 0.5 * (plus - minus)

    @property
    def free(self) -> Array:
        """Numbers of the rows with 0 < alpha < C, which lie on the margin and fix t."""
        alpha, C = self._multipliers()
        return np.flatnonzero((alpha > 0) & (alpha < C))

    @property
    def bounded(self) -> Array:
        """Numbers of the rows with alpha = C, on or inside of the margin."""
        alpha, C = self._multipliers()
        return np.flatnonzero((alpha > 0) & (alpha >= C))

    @property
    def primal_objective(self) -> float:
        """1/2 norm(w)^2 + sum C xi."""
        C, slack = self._multipliers()[1], self.slack
        return 0.5 * self.norm**2 + float((C[slack > 0] * slack[slack > 0]).sum())

    @property
    def dual_objective(self) -> float:
        """sum alpha - 1/2 norm(w)^2: at most the primal one, and as large at the optimum."""
        return float(self._multipliers()[0].sum()) - 0.5 * self.norm**2

    def _multipliers(self) -> tuple[Array, Array]:
        if self.alpha is None or self.C is None:
            given = Said("others")
            raise bad(self, "the rows", "those of training, which have multipliers", given, "Give the table of fit.")
        return self.alpha, self.C


def margin_report(model: Any, X: Any, y: Any, tolerance: float | None = None) -> MarginReport:
    """Read the rows of a fitted SVC for two classes against its margin.

    Parameters
    ----------
    model : a fitted SVC
    X : rows; those of training for their multipliers too
    y : one label a row
    tolerance : how near z must be to 1 to count as on the margin; None: 1e-6, or what the fit left open

    >>> from suffice import SVC
    >>> X, y = [[1, 2], [-1, 2], [-1, -2], [3, 1]], [-1, -1, 1, 1]
    >>> report = margin_report(SVC(kernel="linear", C=0.1).fit(X, y), X, y)
    >>> report.place.tolist(), report.slack.round(6).tolist(), round(report.width, 4)
    ([-1, 0, 0, -1], [0.4, 0.0, 0.0, 0.7], 1.857)
    """
    if not hasattr(model, "kkt_gap_") or len(model.classes_) != 2:
        raise bad("margin_report", "model", "a fitted SVC for two classes", model, "Fit it on rows of two classes.")
    labels = np.asarray(y)
    score = model.decision_function(X)
    if labels.shape != score.shape or not np.isin(labels, model.classes_).all():
        rule = f"{len(score)} labels among {model.classes_.tolist()}"
        raise bad("margin_report", "y", rule, y, "Give one label a row.")
    signs = np.where(labels == model.classes_[1], 1.0, -1.0)
    near = max(1e-6, float(model.kkt_gap_[0])) if tolerance is None else float(tolerance)
    z = signs * score
    place = np.where(z > 1.0 + near, OUTSIDE, np.where(z < 1.0 - near, INSIDE, ON))
    norm = float(np.sqrt(max(0.0, model._state()[0].model.norms[0])))
    alpha, C = _multipliers(model, X, len(score))
    return MarginReport(signs, score, place, norm, -float(model.intercept_[0]), alpha, C)


def _multipliers(model: Any, X: Any, n: int) -> tuple[Array | None, Array | None]:
    """Of the rows of training, known by their number and by the support vectors among them."""
    if n != model.shape_fit_[0]:
        return None, None
    vectors = model.support_vectors_
    state, checked = model._state(X)
    (rows,) = state.block(checked).parts
    if len(vectors) and not np.allclose(rows[model.support_], vectors, rtol=1e-12, atol=0):
        return None, None
    alpha = np.zeros(n)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    return alpha, model._state()[0].model.search.bounds
