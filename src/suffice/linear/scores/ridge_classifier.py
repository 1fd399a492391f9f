"""RidgeClassifier: ridge regression on classes coded +1 and -1.

score(x) = intercept + x . coef,     the least sum of w (+-1 - score)^2 + alpha sum_j coef_j^2
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from sklearn.utils._param_validation import StrOptions

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.label_tables import LabelOrIndicators
from suffice.estimators.boundary.targets import Target
from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.missing_option import gap_door
from suffice.estimators.faces.several_labels import SeveralLabels, by_labels
from suffice.estimators.glue.one_pass_classifier import OnePassScorer
from suffice.estimators.state.fitted import FittedModel
from suffice.linear.regression.ridge import Ridge, read_penalty
from suffice.linear.regression.solvers import Positive, Shrunken
from suffice.linear.scores.linear_scores import LabelScores
from suffice.linear.scores.score_options import SCORER_CONSTRAINTS
from suffice.linear.scores.score_plan import ScorePlan
from suffice.linear.scores.score_readings import Scoring
from suffice.linear.scores.score_rules import Regressed


class RidgeClassifier(Scoring, OnePassScorer):
    """Ridge on labels for scikit-learn users: one pass, mergeable, forgetting; another alpha needs no rows.

    y may be a table of 0 and 1 with a column for each of several labels (n, K), which `predict` then answers.

    Parameters
    ----------
    alpha : the penalty, at least 0
    fit_intercept : whether the boundary need not pass through 0
    copy_X, max_iter, tol, solver, random_state : taken for the sake of scikit-learn's interface; the answer is exact
    class_weight : label -> weight, or "balanced": as if all classes weighed alike
    positive : whether no coefficient may be below 0
    ties : what is answered on the boundary: the "first" class, the "last", or "refuse"
    kinds : mapping column -> kind, overriding what the column shows
    missing : "indicator" gives the missing cells of a column a coefficient of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
    refusal : the label of refused rows
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, coef_, intercept_, n_features_in_, feature_names_in_, n_iter_, solver_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import RidgeClassifier
    >>> RidgeClassifier().fit([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"]).predict([[3.5]]).tolist()
    ['b']
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **{
            name: Ridge._parameter_constraints[name]
            for name in ("alpha", "fit_intercept", "copy_X", "max_iter", "tol", "solver", "positive", "random_state")
        },
        **SCORER_CONSTRAINTS,
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }
    _target: Target = LabelOrIndicators()

    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)  # draws nothing here, and cannot always be saved

    _door = property(gap_door)

    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        class_weight: Any = None,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
        ties: str = "first",
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        refusal: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.ties = ties
        self.kinds = kinds
        self.missing = missing
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> ScorePlan:
        solver = (Positive if self.positive else Shrunken)(read_penalty(self._owner, self.alpha))
        rule = Regressed(solver, bool(self.fit_intercept), self._read_class_weight())
        return ScorePlan(self._owner, rule, dict(self.kinds or {}), ties=self.ties, gaps=takes_gaps(self))

    def predict(self, X: Any) -> Array:
        """The label of the largest score; of several labels, which of them each row has (n, K), 0 or 1.

        Parameters
        ----------
        X : table
        """
        several = isinstance(self._state()[0].model, LabelScores)
        return SeveralLabels.predict(self, X) if several else super().predict(X)

    def _adopt(self, fitted: FittedModel, origin: Any) -> Self:
        if isinstance(fitted.model, LabelScores):
            if self.class_weight is not None:
                remedy = "Give weights of rows: sample_weight."
                raise bad(self._owner, "class_weight", "None where rows have several labels", self.class_weight, remedy)
            fitted = by_labels(fitted)
        adopted: Self = super()._adopt(fitted, origin)
        return adopted

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _read_class_weight(self) -> Any:
        if not isinstance(self.class_weight, Mapping):
            return self.class_weight
        odd = {label: w for label, w in self.class_weight.items() if not w >= 0}
        if odd:
            raise bad(self._owner, "class_weight", "numbers of at least 0", odd, "0 leaves a class out.")
        return dict(self.class_weight)

    @property
    def n_iter_(self) -> int:
        """The rows are met once."""
        return 1

    @property
    def solver_(self) -> str:
        """Which of scikit-learn's solvers comes nearest to what was done."""
        return "lbfgs" if self.positive else "svd"
