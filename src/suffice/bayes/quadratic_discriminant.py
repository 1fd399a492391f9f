"""QuadraticDiscriminantAnalysis: normal classes, each of its own covariance, on moments that add.

x | k ~ N(m_k, C_k)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.bayes.discriminant import Discriminant
from suffice.bayes.discriminant_axes import NoInverse
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.fitted import FittedModel
from suffice.families.covariance_priors import CovariancePrior
from suffice.families.discriminant_readings import WithinEach
from suffice.families.full_normal import FullNormal


class QuadraticDiscriminantAnalysis(Discriminant):
    """Quadratic discriminant analysis for scikit-learn users: one pass, exact, mergeable, forgetting, weighted.

    Parameters
    ----------
    solver : 'svd' (takes `reg_param`) or 'eigen' (takes `shrinkage`); both read one summary
    shrinkage : None, a number from 0 to 1, 'auto' (Ledoit-Wolf) or 'oas'; not with 'svd'
    priors : class shares in the order of the classes; None counts them
    reg_param : share of the identity in the covariance of each class; in the squared unit of the columns
    store_covariance : whether there is a `covariance_`
    tol : deviation of correlations along an axis below which a covariance counts as singular
    covariance_estimator : fitted to the rows of each class, which are then held in memory and do not add
    missing : 'error', or 'marginalise': incomplete rows are learned from and predicted, exactly
    prior_strength : virtual rows as spread out as the whole table, added to each class; above 0, any table will do
    refusal : the label that `predict` gives where it refuses
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, means_, priors_, covariance_, rotations_, scalings_, n_features_in_, feature_names_in_ : as in
        scikit-learn
    passes_ : how often the rows were read

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import QuadraticDiscriminantAnalysis
    >>> X = np.array([[-1.0, -1.0], [-2.0, -1.0], [-3.0, -2.0], [1.0, 1.0], [2.0, 1.0], [3.0, 2.0]])
    >>> QuadraticDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2]).predict([[-0.8, -1.0]])
    array([1])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Discriminant._parameter_constraints,
        "solver": [StrOptions({"svd", "eigen"})],
        "reg_param": [Interval(Real, 0, 1, closed="both")],
    }

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
        missing: str = "error",
        prior_strength: float = 0.0,
        refusal: Any = None,
        threads: int | None = None,
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

    def _family(self) -> FullNormal:
        return FullNormal(_READINGS[self.solver](self))

    def _check_fitted(self, fitted: FittedModel) -> None:
        rows, classes = fitted.declared.over(fitted.summary).tally.rows, fitted.model.classes
        if len(classes) < 2:
            rule = "two or more (The number of classes has to be greater than one. Got 1 class.)"
            raise bad(self._owner, "the classes", rule, list(classes), "Give rows of another class.")
        for label, count in zip(classes, rows, strict=True):
            if count < 2:
                told = f"y has only {count} sample in class {label}, covariance is ill defined."
                remedy = "Give more, or a prior_strength above 0."
                raise bad(self._owner, "the rows", f"two or more in each class ({told})", int(count), remedy)
        self._check_rank(fitted, rows)

    def _check_rank(self, fitted: FittedModel, rows: Array) -> None:
        """Refuse classes whose covariance has no inverse."""
        (normals,) = fitted.model.factors.distributions
        d = normals.covariance.shape[1]
        for label, C, count in zip(fitted.model.classes, normals.covariance, rows, strict=True):
            few = self.solver == "svd" and count <= d
            if not ((few and count < d) or _singular(C, float(self.tol))):
                continue
            remedy = (
                "When using `solver='svd'` the number of samples in each class should be more than the number of "
                f"features, but class {label} has {count} samples and {d} features. Try using `solver='eigen'` and "
                "setting the parameter `shrinkage`, or `prior_strength`."
                if few
                else f"Increase `{'reg_param' if self.solver == 'svd' else 'shrinkage'}` or `prior_strength`."
            )
            raise NoInverse(
                f"{self._owner}: the covariance of every class must have an inverse, got a singular one. The "
                f"covariance matrix of class {label} is not full rank. {remedy}"
            )

    @property
    def covariance_(self) -> list[Array]:
        """Covariance of each class (d, d)."""
        self._state()
        if not self.store_covariance:
            raise AttributeError("covariance_ is there where store_covariance=True.")
        return [self._typed(C) for C in self._distribution.covariance]

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
        return [(self._typed(values[::-1]), self._typed(vectors[:, ::-1])) for values, vectors in found]


def _regularized(model: QuadraticDiscriminantAnalysis) -> CovariancePrior:
    model._unshrunk("covariance_estimator is not supported with solver='svd'. Try solver='eigen' instead.")
    return WithinEach(model._virtual(), identity=float(model.reg_param), tol=float(model.tol))


def _shrunk(model: QuadraticDiscriminantAnalysis) -> CovariancePrior:
    return WithinEach(model._virtual(), model._shrinkage(), tol=float(model.tol))


_READINGS: Mapping[str, Callable[[QuadraticDiscriminantAnalysis], CovariancePrior]] = {
    "svd": _regularized,
    "eigen": _shrunk,
}


def _singular(C: Array, tol: float) -> bool:
    """Whether a column does not vary, or follows from others."""
    variance = np.diagonal(C)
    if not (variance > 0).all():
        return True
    sd = np.sqrt(variance)
    try:  # a root is there if and only if no axis is as short; finding the axes takes ten times as long
        np.linalg.cholesky(C / sd / sd[:, None] - tol * tol * np.eye(len(C)))
    except np.linalg.LinAlgError:
        return True
    return False
