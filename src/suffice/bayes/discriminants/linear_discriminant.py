"""LinearDiscriminantAnalysis: normal classes of one covariance, on moments that add.

x | k ~ N(m_k, C),     log p(k | x) = w_k . x + b_k + a number that is the same for all classes
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.bayes.class_priors import ClassPrior
from suffice.bayes.discriminants import discriminant as shared
from suffice.bayes.discriminants.discriminant_axes import (
    Classes,
    DiscriminantRule,
    binary,
    by_eigenvalues,
    by_least_squares,
    by_singular_values,
)
from suffice.bayes.discriminants.discriminant_needs import MoreThanClasses
from suffice.bayes.discriminants.discriminant_plan import DiscriminantPlan
from suffice.bayes.discriminants.factor_moments import FactorMoments
from suffice.bayes.discriminants.mixed_classes import is_mixed
from suffice.bayes.discriminants.wide_discriminant import WideDiscriminantModel, is_wide, wide_discriminant
from suffice.bayes.naive.drop_in import DropIn
from suffice.bayes.naive.given_shares import ordered_prior, read_shares
from suffice.bayes.readings.generative import Generative
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.origin import Origin
from suffice.families.normals.covariance_priors import CovariancePrior
from suffice.families.normals.discriminant_readings import WithinAll, WithinEach
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.missing_columns import Gaps
from suffice.families.normals.tied_normal import TiedNormal
from suffice.summaries.pattern_moments import PatternMoments

SINGULAR = 1e-7  # deviation of correlations that is rounding
SOLVERS: Mapping[str, Callable[[Classes], DiscriminantRule]] = {
    "svd": by_singular_values,
    "lsqr": by_least_squares,
    "eigen": by_eigenvalues,
}


class LinearDiscriminantAnalysis(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Generative, DropIn):  # type: ignore[misc]
    """Linear discriminant analysis for scikit-learn users: one pass, exact, mergeable, forgetting, weighted.

    A column of symbols is an indicator for each of its levels but the first; levels may come at any time, and go when
    their last row is forgotten. A missing cell, and in prediction a level never met, are marginalised over.

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
    missing : 'marginalise' learns from and predicts incomplete rows, exactly; 'error' refuses them; None refuses those
        of arrays alone, as scikit-learn does, and all where the rows themselves are needed (`shrinkage='auto'`)
    prior_strength : virtual rows as spread out as the whole table, added beforehand; above 0, any table will do
    refusal : the label that `predict` gives where it refuses
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, coef_, intercept_, means_, priors_, covariance_, scalings_, xbar_, explained_variance_ratio_, \
n_features_in_, feature_names_in_ : as in scikit-learn
    passes_ : how often the rows were read
    factor_names_ : what the columns of `coef_`, `means_` and `scalings_` are: numbers by their names, `column=level`

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import LinearDiscriminantAnalysis
    >>> X = np.array([[-1.0, -1.0], [-2.0, -1.0], [-3.0, -2.0], [1.0, 1.0], [2.0, 1.0], [3.0, 2.0]])
    >>> LinearDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2]).predict([[-0.8, -1.0]])
    array([1])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **shared.PARAMETERS,
        "solver": [StrOptions(set(SOLVERS))],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
    }

    fit = shared.fit
    means_ = property(shared.means)
    priors_ = property(shared.priors)
    passes_ = property(shared.passes)
    factor_names_ = property(shared.factor_names)
    _door = property(shared.door)

    def _summarize(
        self, X: Any, y: Any, sample_weight: Any, target: Any = None, declared: Declared | None = None
    ) -> tuple[FittedModel, Origin]:
        """A summary; or a model alone, where columns are so many that products of rows are the shorter way."""
        alone = self._before is None and declared is None and target is None
        if not (alone and is_wide(X) and self._short()):
            return shared.summarize(self, X, y, sample_weight, target, declared)
        opened, known = self._open(X, y, sample_weight)
        source: Any = opened.source
        if is_mixed(source.schema):
            return shared.summarize(self, X, y, sample_weight, target, declared)
        if not np.isfinite(np.sum(source.table.X)):
            if shared.incomplete(self):
                return shared.summarize(self, X, y, sample_weight, target, declared)
            odd = self._named(source)
            if odd is not None:
                raise odd
        model = wide_discriminant(source.block(slice(0, source.table.n)), opened.plan.bayes.prior, float(self.tol))  # type: ignore[attr-defined]
        MoreThanClasses().rows(self._owner, model.classes, model.moments.tally.rows)
        return FittedModel(opened.plan, source.schema, Found(model, 1), known), opened.origin(source.schema)

    def _short(self) -> bool:
        """Whether all that is asked follows from products of rows."""
        asked = self.shrinkage, self.covariance_estimator, self.ledger
        plain = self.solver == "svd" and not self.store_covariance and not self.prior_strength
        return plain and self.missing != "marginalise" and all(each is None for each in asked)

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
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.missing = missing
        self.prior_strength = prior_strength
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    def _family(self) -> TiedNormal:
        return TiedNormal(_READINGS[self.solver](self))

    def _class_prior(self) -> ClassPrior:
        return ordered_prior(self._owner, _shares(self))

    def _plan(self) -> DiscriminantPlan:
        return shared.plan_of(self, MoreThanClasses())

    def _parameters(self) -> dict[str, Any]:
        return shared.saved_parameters(self)

    def _follows(self, fitted: FittedModel) -> None:
        """Refuse rows from which no model, or not as many axes as are asked for, follow."""
        self._components(fitted)
        if not isinstance(fitted.model, WideDiscriminantModel):
            fitted.model.factors.groups  # noqa: B018  (says why, where there are no densities yet)

    def _folds_add(self) -> bool:
        """An estimator of covariances needs the rows."""
        return self.covariance_estimator is None

    def __sklearn_tags__(self) -> Any:
        """What kinds of tables it takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "marginalise"
        return tags

    def _components(self, fitted: FittedModel) -> int:
        """The number of axes asked for."""
        K, d = len(fitted.model.classes), len(fitted.schema.columns)
        if is_mixed(fitted.schema):
            d = len(fitted.model.factors.factors)
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

    def _rule(self) -> DiscriminantRule:
        model = self._state()[0].model
        if isinstance(model, WideDiscriminantModel):
            return model.rule
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
        if isinstance(part, FactorMoments):
            part = part.align(self._state()[0].model.factors.factors).moments
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
            raise shared.NotOffered(
                f"{self._owner}: transform not implemented for 'lsqr' solver (use 'svd' or 'eigen'). The solver must "
                f"be one that finds axes, got {self.solver!r}. Fit with another."
            )
        cells = self._expected(shared.cells_of(self, state, checked), checked)
        origin = self.xbar_ if self.solver == "svd" else np.zeros(1, dtype=cells.dtype)
        return np.asarray((cells - origin) @ shared.typed(self, rule.scalings)[:, : self._components(state)])

    def _expected(self, cells: Array, rows: Any) -> Array:
        """Rows with what is expected of their missing cells, given the others and whatever class it may be."""
        odd = np.isinf(cells) if getattr(self._state()[0].plan, "gaps", False) else ~np.isfinite(cells)
        if odd.any():
            rule = "finite, and present unless missing='marginalise' (Input X contains NaN or infinity)"
            raise bad(self._owner, "every cell", rule, Said("one that is not"), "Correct it, or leave the row out.")
        if not np.isnan(cells).any():
            return cells
        normals = self._distribution
        state = self._state()[0]
        centre = np.exp(state.map(rows, state.model.log_posterior, self.threads)) @ normals.mean.value
        return Gaps(~np.isnan(cells)).fill(cells, centre, normals.covariance[0], normals.tol)

    def decision_function(self, X: Any) -> Array:
        """Log posterior of each class but for a number a row (n, K); of two classes, log odds of the second (n,)."""
        cells = shared.cells_of(self, *self._state(X))
        if not np.isfinite(cells).all():
            return shared.two_sided(shared.joint_scores(self, X))
        rule = self._rule()  # linear scores, where no cell is missing
        return shared.two_sided(cells @ shared.typed(self, rule.coef).T + shared.typed(self, rule.intercept))

    @property
    def coef_(self) -> Array:
        """Weights of the columns in the score of each class (K, d); of two classes, of the second's log odds (1, d)."""
        return shared.typed(self, binary(self._rule().coef))

    @property
    def intercept_(self) -> Array:
        """Score of each class at 0 (K,), or of the log odds (1,)."""
        return shared.typed(self, binary(self._rule().intercept))

    @property
    def covariance_(self) -> Array:
        """Covariance within classes (d, d)."""
        self._state()
        if self.solver == "svd" and not self.store_covariance:
            raise AttributeError("covariance_ is there where store_covariance=True, or with another solver.")
        if self._moments is None or self.solver != "svd":
            return shared.typed(self, self._distribution.covariance[0])
        return shared.typed(self, _within_each(self).tied(self._moments).covariance[0])

    @property
    def xbar_(self) -> Array:
        """Mean of all rows, classes weighted by their shares (d,)."""
        self._only("xbar_", "svd")
        model = self._state()[0].model
        wide = isinstance(model, WideDiscriminantModel)
        return shared.typed(self, model.xbar if wide else self._classes().xbar)

    @property
    def scalings_(self) -> Array:
        """Axes that separate the classes best (d, r)."""
        self._only("scalings_", "svd", "eigen")
        return shared.typed(self, self._rule().scalings)  # type: ignore[arg-type]

    @property
    def explained_variance_ratio_(self) -> Array:
        """Share of the variance between classes along each axis."""
        self._only("explained_variance_ratio_", "svd", "eigen")
        return shared.typed(self, self._rule().ratio[: self._max_components])  # type: ignore[index]

    def _only(self, name: str, *solvers: str) -> None:
        self._state()
        if self.solver not in solvers:
            raise AttributeError(f"{name} is there with solver in {solvers}, not with {self.solver!r}.")


def _within_all(model: LinearDiscriminantAnalysis) -> CovariancePrior:
    shared.unshrunk(model, "covariance estimator is not supported with svd solver. Try another solver")
    return WithinAll(shared.virtual(model), float(model.tol))


def _within_each(model: LinearDiscriminantAnalysis) -> CovariancePrior:
    return WithinEach(shared.virtual(model), shared.shrinkage(model), 0.0, _shares(model), SINGULAR)


_READINGS: Mapping[str, Callable[[LinearDiscriminantAnalysis], CovariancePrior]] = {
    "svd": _within_all,
    "lsqr": _within_each,
    "eigen": _within_each,
}


def _between(means: Array, shares: Array) -> Array:
    """Covariance of the class means (d, d)."""
    away = means - shares @ means
    return np.asarray((shares[:, None] * away).T @ away)


def _shares(model: LinearDiscriminantAnalysis) -> tuple[float, ...] | None:
    """Class shares that were given, divided by their sum; None where they are counted."""
    given = read_shares(model._owner, model.priors, shared.NEGATIVE)
    total = 1.0 if given is None else sum(given)
    if given is None or abs(total - 1.0) <= 1e-5 or total == 0:
        return given
    warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=2)
    return tuple((np.array(given) / total).tolist())
