"""BasicLinearClassifier: the class whose mean is nearest.

w = M^-1 (mu+ - mu-),   t = w . (mu+ + mu-) / 2,   the second class where w . x > t
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions

from suffice.core.block import Array
from suffice.core.errors import NeverAdded, refusal
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.missing_option import gap_door
from suffice.estimators.glue.one_pass_classifier import OnePassScorer
from suffice.linear.scores.score_options import SCORER_CONSTRAINTS
from suffice.linear.scores.score_plan import ScorePlan
from suffice.linear.scores.score_readings import Scoring
from suffice.linear.scores.score_rules import METRICS, NearestMean, read_metric
from suffice.sources.tables.labels import code_labels


class BasicLinearClassifier(Scoring, OnePassScorer):
    """The perpendicular bisector of the class means; for many classes, the nearest. One pass, mergeable, forgetting.

    It is Bayes-optimal where classes are equally likely, normal and spread alike in all directions.

    Parameters
    ----------
    metric : how distances are measured: "identity", "spherical" (the same boundary), "diagonal" (terms divided by
        their variance) or "full" (by all covariances), over all rows
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
    means_ : mean of each class (K, p)

    Examples
    --------
    >>> from suffice import BasicLinearClassifier
    >>> model = BasicLinearClassifier().fit([[0.0, 0.0], [0.0, 2.0], [4.0, 1.0]], ["no", "no", "yes"])
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.predict([[3.0, 0.0]]).tolist()
    ([[4.0, 0.0]], [-8.0], ['yes'])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SCORER_CONSTRAINTS,
        "metric": [StrOptions(set(METRICS))],
    }

    _door = property(gap_door)

    def __init__(
        self,
        metric: str = "identity",
        *,
        ties: str = "first",
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        refusal: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.metric = metric
        self.ties = ties
        self.kinds = kinds
        self.missing = missing
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> ScorePlan:
        return ScorePlan(
            self._owner,
            NearestMean(read_metric(self._owner, self.metric)),
            dict(self.kinds or {}),
            ties=self.ties,
            gaps=takes_gaps(self),
        )

    @property
    def means_(self) -> Array:
        """Mean of each class and term (K, p)."""
        state: Any = self._state()[0]
        kept = state.summary.summary.filled(state.model.means).align(state.model.terms)
        return np.asarray(kept.summary.moments.mean.value)

    def dual_coef(self, y: Any, sample_weight: Any = None) -> Array:
        """How much each training row counts in the mean of its class (n, K): coefficients of the dual form.

        With G the products of rows, G @ dual_coef are the products of rows with the means: no means are needed.

        Parameters
        ----------
        y : the labels of all rows learned from
        sample_weight : their weights
        """
        labels = code_labels(y)
        place = {label: k for k, label in enumerate(self._state()[0].model.classes)}
        strange = [label for label in labels.labels[0] if label not in place]
        if strange:
            raise refusal(
                NeverAdded, self._owner, "labels", "learned", strange[0], "Give those of fit.", "must have been"
            )
        codes = np.array([place[label] for label in labels.labels[0]], dtype=np.intp)[labels.codes[:, 0]]
        w = read_weights(self._owner, sample_weight, len(codes))
        out = np.zeros((len(codes), len(place)))
        out[np.arange(len(codes)), codes] = 1.0 if w is None else w
        return np.asarray(out / out.sum(axis=0))
