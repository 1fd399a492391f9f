"""LeastSquaresClassifier: least squares on classes coded +1 and -1.

w = (X'X)^-1 (n+ mu+ - n- mu-),   the second class where w . x > t;   one column: t as `threshold` says
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from suffice.core.errors import Said, bad
from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.missing_option import gap_door
from suffice.estimators.glue.one_pass_classifier import OnePassScorer
from suffice.linear.regression.solvers import LeastSquares
from suffice.linear.scores.score_options import SCORER_CONSTRAINTS
from suffice.linear.scores.score_plan import ScorePlan
from suffice.linear.scores.score_readings import Scoring
from suffice.linear.scores.score_rules import Regressed


class LeastSquaresClassifier(Scoring, OnePassScorer):
    """Regression on labels: one pass, mergeable, forgetting. Far rows pull the boundary, and may cost a separation.

    Parameters
    ----------
    fit_intercept : whether the boundary need not pass through 0; without it, columns are not centred
    uncorrelated : whether each term is taken by itself, as if terms told nothing of one another
    ties : what is answered on the boundary: the "first" class, the "last", or "refuse"
    kinds : mapping column -> kind, overriding what the column shows
    missing : "indicator" gives the missing cells of a column a coefficient of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
    refusal : the label of refused rows
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, coef_, intercept_, n_features_in_, feature_names_in_ : as in scikit-learn's linear classifiers

    Examples
    --------
    >>> from suffice import LeastSquaresClassifier
    >>> model = LeastSquaresClassifier().fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> model.coef_.round(9).tolist(), model.intercept_.round(9).tolist(), model.predict([[1.9]]).tolist()
    ([[0.6]], [-1.2], [0])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SCORER_CONSTRAINTS,
        "fit_intercept": ["boolean"],
        "uncorrelated": ["boolean"],
    }

    _door = property(gap_door)

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        uncorrelated: bool = False,
        ties: str = "first",
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        refusal: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.fit_intercept = fit_intercept
        self.uncorrelated = uncorrelated
        self.ties = ties
        self.kinds = kinds
        self.missing = missing
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> ScorePlan:
        rule = Regressed(LeastSquares(), bool(self.fit_intercept), None, bool(self.uncorrelated))
        return ScorePlan(self._owner, rule, dict(self.kinds or {}), ties=self.ties, gaps=takes_gaps(self))


def threshold(mean_positive: float, mean_negative: float, variance: float, share: float) -> float:
    """Where least squares on one column and two classes changes sides.

    x0 = mean - (pos - neg) / (2 pos neg) * variance / (mu+ - mu-)

    Parameters
    ----------
    mean_positive, mean_negative : the means of the classes
    variance : of all rows (divisor n)
    share : of the positive class

    >>> threshold(3.5, 0.5, 2.5, 0.5)
    2.0
    """
    if not 0.0 < share < 1.0:
        raise bad("threshold", "share", "between 0 and 1", share, "Both classes must have rows.")
    if mean_positive == mean_negative:
        raise bad("threshold", "the means", "different", Said("equal ones"), "No threshold tells the classes apart.")
    mean = share * mean_positive + (1.0 - share) * mean_negative
    return mean - (2.0 * share - 1.0) / (2.0 * share * (1.0 - share)) * variance / (mean_positive - mean_negative)
