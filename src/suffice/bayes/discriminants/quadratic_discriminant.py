"""QuadraticDiscriminantAnalysis: normal classes, each of its own covariance, on moments that add.

x | k ~ N(m_k, C_k)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.bayes.class_priors import ClassPrior
from suffice.bayes.discriminants import discriminant as shared
from suffice.bayes.discriminants.discriminant_needs import InverseOfEach
from suffice.bayes.discriminants.discriminant_plan import DiscriminantPlan
from suffice.bayes.naive.drop_in import DropIn
from suffice.bayes.naive.given_shares import ordered_prior, read_shares
from suffice.bayes.readings.generative import Generative
from suffice.core.block import Array
from suffice.estimators.state.fitted import FittedModel
from suffice.families.normals.covariance_priors import CovariancePrior
from suffice.families.normals.discriminant_readings import WithinEach
from suffice.families.normals.full_normal import FullNormal


class QuadraticDiscriminantAnalysis(Generative, DropIn):
    """Quadratic discriminant analysis for scikit-learn users: one pass, exact, mergeable, forgetting, weighted.

    A column of symbols is an indicator for each of its levels but the first; levels may come at any time, and go when
    their last row is forgotten. A missing cell, and in prediction a level never met, are marginalised over.
    A class that lacks a level has a singular covariance, which is refused by the name of the column unless `reg_param`,
    `shrinkage` or `prior_strength` is set.

    Parameters
    ----------
    solver : 'svd' (takes `reg_param`) or 'eigen' (takes `shrinkage`); both read one summary
    shrinkage : None, a number from 0 to 1, 'auto' (Ledoit-Wolf) or 'oas'; not with 'svd'
    priors : class shares in the order of the classes; None counts them
    reg_param : share of the identity in the covariance of each class; in the squared unit of the columns
    store_covariance : whether there is a `covariance_`
    tol : deviation of correlations along an axis below which a covariance counts as singular
    covariance_estimator : fitted to the rows of each class, which are then held in memory and do not add
    missing : 'marginalise' learns from and predicts incomplete rows, exactly; 'error' refuses them; None refuses those
        of arrays alone, as scikit-learn does, and all where the rows themselves are needed (`shrinkage='auto'`)
    prior_strength : virtual rows as spread out as the whole table, added to each class; above 0, any table will do
    refusal : the label that `predict` gives where it refuses
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, means_, priors_, covariance_, rotations_, scalings_, n_features_in_, feature_names_in_ : as in
        scikit-learn
    passes_ : how often the rows were read
    factor_names_ : what the columns of `means_` are: numbers by their names, `column=level`

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import QuadraticDiscriminantAnalysis
    >>> X = np.array([[-1.0, -1.0], [-2.0, -1.0], [-3.0, -2.0], [1.0, 1.0], [2.0, 1.0], [3.0, 2.0]])
    >>> QuadraticDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2]).predict([[-0.8, -1.0]])
    array([1])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **shared.PARAMETERS,
        "solver": [StrOptions({"svd", "eigen"})],
        "reg_param": [Interval(Real, 0, 1, closed="both")],
    }

    fit = shared.fit
    means_ = property(shared.means)
    priors_ = property(shared.priors)
    passes_ = property(shared.passes)
    factor_names_ = property(shared.factor_names)
    _door = property(shared.door)
    _summarize = shared.summarize

    def __init__(
        self,
        *,
        solver: str = "svd",
        shrinkage: Any = None,
        priors: Any = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
        missing: str | None = None,
        prior_strength: float = 0.0,
        refusal: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters."""
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.missing = missing
        self.prior_strength = prior_strength
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    def _family(self) -> FullNormal:
        return FullNormal(_READINGS[self.solver](self))

    def _class_prior(self) -> ClassPrior:
        return ordered_prior(self._owner, read_shares(self._owner, self.priors, shared.NEGATIVE))

    def _plan(self) -> DiscriminantPlan:
        return shared.plan_of(self, InverseOfEach(self.solver == "svd", float(self.tol)))

    def _parameters(self) -> dict[str, Any]:
        return shared.saved_parameters(self)

    def _follows(self, fitted: FittedModel) -> None:
        """Refuse rows from which no model follows."""
        fitted.model.factors.groups  # noqa: B018  (says why, where there are no densities yet)

    def _folds_add(self) -> bool:
        """An estimator of covariances needs the rows."""
        return self.covariance_estimator is None

    def __sklearn_tags__(self) -> Any:
        """What kinds of tables it takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "marginalise"
        return tags

    def decision_function(self, X: Any) -> Array:
        """Log posterior of each class but for a number a row (n, K); of two classes, log odds of the second (n,)."""
        return shared.two_sided(shared.joint_scores(self, X))

    @property
    def covariance_(self) -> list[Array]:
        """Covariance of each class (d, d)."""
        self._state()
        if not self.store_covariance:
            raise AttributeError("covariance_ is there where store_covariance=True.")
        return [shared.typed(self, C) for C in self._distribution.covariance]

    @property
    def rotations_(self) -> list[Array]:
        """Principal axes of each class, longest first (d, d)."""
        return [vectors for _, vectors in self._axes()]

    @property
    def scalings_(self) -> list[Array]:
        """Variance along the principal axes of each class (d,)."""
        return [values for values, _ in self._axes()]

    def _axes(self) -> list[tuple[Array, Array]]:
        self._state()
        found = (np.linalg.eigh(C) for C in self._distribution.covariance)
        return [(shared.typed(self, values[::-1]), shared.typed(self, vectors[:, ::-1])) for values, vectors in found]


def _regularized(model: QuadraticDiscriminantAnalysis) -> CovariancePrior:
    shared.unshrunk(model, "covariance_estimator is not supported with solver='svd'. Try solver='eigen' instead.")
    return WithinEach(shared.virtual(model), identity=float(model.reg_param), tol=float(model.tol))


def _shrunk(model: QuadraticDiscriminantAnalysis) -> CovariancePrior:
    return WithinEach(shared.virtual(model), shared.shrinkage(model), tol=float(model.tol))


_READINGS: Mapping[str, Callable[[QuadraticDiscriminantAnalysis], CovariancePrior]] = {
    "svd": _regularized,
    "eigen": _shrunk,
}
