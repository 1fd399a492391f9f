"""LinearDiscriminantAnalysis: normal classes of one covariance, on moments that add.

x | k ~ N(m_k, C),     log p(k | x) = w_k . x + b_k + a number that is the same for all classes
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.bayes.discriminant import Discriminant
from suffice.bayes.discriminant_axes import Classes, Rule, binary, by_eigenvalues, by_least_squares, by_singular_values
from suffice.bayes.discriminant_plan import NotOffered
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.fitted import FittedModel
from suffice.estimators.origin import Origin
from suffice.families.covariance_priors import CovariancePrior
from suffice.families.discriminant_readings import WithinAll, WithinEach
from suffice.families.gaps import Gaps
from suffice.families.joint_normals import JointNormals
from suffice.families.tied_normal import TiedNormal
from suffice.summaries.pattern_moments import PatternMoments

SINGULAR = 1e-7  # deviation of correlations that is rounding
SOLVERS: Mapping[str, Callable[[Classes], Rule]] = {
    "svd": by_singular_values,
    "lsqr": by_least_squares,
    "eigen": by_eigenvalues,
}


class LinearDiscriminantAnalysis(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Discriminant):  # type: ignore[misc]
    """Linear discriminant analysis for scikit-learn users: one pass, exact, mergeable, forgetting, weighted.

    Parameters
    ----------
    solver : 'svd' (the scatter within all classes; singular covariances are no trouble), 'lsqr' or 'eigen' (the mean of
        the covariances of the classes, weighted by their shares; shrinkage); all read one summary
    shrinkage : None, a number from 0 to 1, 'auto' (Ledoit-Wolf) or 'oas'; not with 'svd'
    priors : class shares in the order of the classes; None counts them
    n_components : number of axes that `transform` gives; None: as many as there are
    store_covariance : whether there is a `covariance_` with solver='svd' too
    tol : for 'svd': deviation of correlations along an axis below which it is left out
    covariance_estimator : fitted to the rows of each class, which are then held in memory and do not add
    missing : 'error', or 'marginalise': incomplete rows are learned from and predicted, exactly
    prior_strength : virtual rows as spread out as the whole table, added beforehand; above 0, any table will do
    refusal : the label that `predict` gives where it refuses
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, coef_, intercept_, means_, priors_, covariance_, scalings_, xbar_, explained_variance_ratio_, \
n_features_in_, feature_names_in_ : as in scikit-learn
    passes_ : how often the rows were read

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import LinearDiscriminantAnalysis
    >>> X = np.array([[-1.0, -1.0], [-2.0, -1.0], [-3.0, -2.0], [1.0, 1.0], [2.0, 1.0], [3.0, 2.0]])
    >>> LinearDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2]).predict([[-0.8, -1.0]])
    array([1])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Discriminant._parameter_constraints,
        "solver": [StrOptions(set(SOLVERS))],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        solver: str = "svd",
        shrinkage: Any = None,
        priors: Any = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
        *,
        missing: str = "error",
        prior_strength: float = 0.0,
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters."""
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.missing = missing
        self.prior_strength = prior_strength
        self.refusal = refusal
        self.threads = threads

    def _family(self) -> TiedNormal:
        return TiedNormal(_READINGS[self.solver](self))

    def _read_shares(self, given: Any) -> tuple[float, ...]:
        shares = np.array(super()._read_shares(given))
        total = float(shares.sum())
        if abs(total - 1.0) > 1e-5 and total > 0:
            warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=2)
            shares = shares / total
        return tuple(shares.tolist())

    def _check_fitted(self, fitted: FittedModel) -> None:
        tally = fitted.summary.tally
        if tally.rows.sum() <= len(tally.rows):
            rule = "more than the classes (The number of samples must be more than the number of classes.)"
            remedy = "Give more rows, or a prior_strength above 0."
            raise bad(
                self._owner,
                "the rows",
                rule,
                Said(f"{tally.rows.sum()} sample(s) (n_samples={tally.rows.sum()})"),
                remedy,
            )

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        self._components(fitted)
        return super()._adopt(fitted, origin)

    def _components(self, fitted: FittedModel) -> int:
        """The number of axes asked for."""
        K, d = len(fitted.model.classes), len(fitted.schema.columns)
        most = min(K - 1, d)
        if self.n_components is not None and self.n_components > most:
            rule = f"at most {most} (n_components cannot be larger than min(n_features, n_classes - 1).)"
            remedy = f"Ask for fewer: there are {d} column(s) and {K} class(es)."
            raise bad(self._owner, "n_components", rule, self.n_components, remedy)
        return most if self.n_components is None else int(self.n_components)

    @property
    def _max_components(self) -> int:
        return self._components(self._state()[0])

    @property
    def _n_features_out(self) -> int:
        return self._max_components

    def _rule(self) -> Rule:
        return SOLVERS[self.solver](self._classes())

    def _classes(self) -> Classes:
        """What the axes follow from."""
        normals, shares = self._distribution, np.exp(self._state()[0].model.log_prior)
        assert isinstance(normals, JointNormals)
        means, within = normals.mean.value, normals.covariance[0]
        if self._moments is None:
            total = within + _between(means, shares)
        else:
            total = self._read_by.prior.shape(self._moments.pooled()).covariance[0]
        return Classes(means, shares, within, total, float(self.tol))

    @property
    def _moments(self) -> Any:
        """Moments of complete rows; None where rows lack cells."""
        part = self._part
        if isinstance(part, PatternMoments):
            return part.complete if part.is_complete else None
        return part

    def transform(self, X: Any) -> Array:
        """Rows along the axes that separate the classes best (n, n_components); where cells are missing, as expected.

        Parameters
        ----------
        X : table
        """
        state, checked = self._state(X)
        rule = self._rule()
        if rule.scalings is None:
            raise NotOffered(
                f"{self._owner}: transform not implemented for 'lsqr' solver (use 'svd' or 'eigen'). The solver must "
                f"be one that finds axes, got {self.solver!r}. Fit with another."
            )
        cells = self._expected(checked.X)
        origin = self.xbar_ if self.solver == "svd" else np.zeros(1, dtype=cells.dtype)
        return np.asarray((cells - origin) @ self._typed(rule.scalings)[:, : self._components(state)])

    def _expected(self, cells: Array) -> Array:
        """Rows with what is expected of their missing cells, given the others and whatever class it may be."""
        odd = np.isinf(cells) if self.missing == "marginalise" else ~np.isfinite(cells)
        if odd.any():
            rule = "finite, and present unless missing='marginalise' (Input X contains NaN or infinity)"
            raise bad(self._owner, "every cell", rule, Said("one that is not"), "Correct it, or leave the row out.")
        if not np.isnan(cells).any():
            return cells
        normals = self._distribution
        centre = self.predict_proba(cells) @ normals.mean.value
        return Gaps(~np.isnan(cells)).fill(cells, centre, normals.covariance[0], normals.tol)

    def _scores(self, X: Any) -> Array:
        """Linear scores, where no cell is missing."""
        cells = self._state(X)[1].X
        if not np.isfinite(cells).all():
            return super()._scores(X)
        rule = self._rule()
        return np.asarray(cells @ self._typed(rule.coef).T + self._typed(rule.intercept))

    @property
    def coef_(self) -> Array:
        """Weights of the columns in the score of each class (K, d); of two classes, of the second's log odds (1, d)."""
        return self._typed(binary(self._rule().coef))

    @property
    def intercept_(self) -> Array:
        """Score of each class at 0 (K,), or of the log odds (1,)."""
        return self._typed(binary(self._rule().intercept))

    @property
    def covariance_(self) -> Array:
        """Covariance within classes (d, d)."""
        self._state()
        if self.solver == "svd" and not self.store_covariance:
            raise AttributeError("covariance_ is there where store_covariance=True, or with another solver.")
        if self._moments is None or self.solver != "svd":
            return self._typed(self._distribution.covariance[0])
        return self._typed(_within_each(self).tied(self._moments).covariance[0])

    @property
    def xbar_(self) -> Array:
        """Mean of all rows, classes weighted by their shares (d,)."""
        self._only("xbar_", "svd")
        return self._typed(self._classes().xbar)

    @property
    def scalings_(self) -> Array:
        """Axes that separate the classes best (d, r)."""
        self._only("scalings_", "svd", "eigen")
        return self._typed(self._rule().scalings)  # type: ignore[arg-type]

    @property
    def explained_variance_ratio_(self) -> Array:
        """Share of the variance between classes along each axis."""
        self._only("explained_variance_ratio_", "svd", "eigen")
        return self._typed(self._rule().ratio[: self._max_components])  # type: ignore[index]

    def _only(self, name: str, *solvers: str) -> None:
        self._state()
        if self.solver not in solvers:
            raise AttributeError(f"{name} is there with solver in {solvers}, not with {self.solver!r}.")


def _within_all(model: LinearDiscriminantAnalysis) -> CovariancePrior:
    model._unshrunk("covariance estimator is not supported with svd solver. Try another solver")
    return WithinAll(model._virtual(), float(model.tol))


def _within_each(model: LinearDiscriminantAnalysis) -> CovariancePrior:
    shares = None if model.priors is None else model._read_shares(model.priors)
    return WithinEach(model._virtual(), model._shrinkage(), 0.0, shares, SINGULAR)


_READINGS: Mapping[str, Callable[[LinearDiscriminantAnalysis], CovariancePrior]] = {
    "svd": _within_all,
    "lsqr": _within_each,
    "eigen": _within_each,
}


def _between(means: Array, shares: Array) -> Array:
    """Covariance of the class means (d, d)."""
    away = means - shares @ means
    return np.asarray((shares[:, None] * away).T @ away)
