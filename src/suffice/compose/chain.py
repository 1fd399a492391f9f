"""Chain: steps that map rows, then a model; in one pass where the steps are linear.

f(x) = last(A t(x) + b),     A and b from the rows, t free of them
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from sklearn.base import ClassifierMixin, ClusterMixin, MetaEstimatorMixin, RegressorMixin, TransformerMixin, clone
from sklearn.pipeline import _name_estimators
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.metaestimators import available_if

from suffice.compose.chain_plan import ChainPlan
from suffice.compose.chain_readings import ChainReadings
from suffice.compose.chain_saving import last_restored, last_to_save
from suffice.compose.chain_steps import fit_in_steps
from suffice.core.errors import BadFile, Said, bad, in_our_name
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.targets import Target
from suffice.estimators.faces.classifier import Classifier
from suffice.estimators.faces.clusterer import Clusterer
from suffice.estimators.faces.density import Density
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.faces.regressor import Regressor
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.described import make
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin


class Chain(ChainReadings, OnePass, MetaEstimatorMixin, Estimator):  # type: ignore[misc]
    """Transformers, then a model that learns from what they give; it answers whatever the last answers.

    A step is linear if it maps x to A t(x) + b with t free of the rows, as scalers, encoders and `PCA` do. If all steps
    are, and what the last keeps of rows can be pushed through them (least squares, ridge, lasso, linear scores, normal
    classes), the chain reads its rows once, keeps them in the units of the table, merges, forgets and cross-validates
    without refitting: the steps of a fold come from the other folds. So do `Discretizer` and `NaiveBayes`, which count
    bins in the rankings that the cuts are found in. Otherwise it takes one more pass for each step;
    `passes_` and `reason_` say so, and it does not merge.

    Parameters
    ----------
    steps : transformers of ours, and last any estimator of ours. `set_params(ridge__alpha=3)` changes a parameter of a
        step by the name of its class, or by its place: `set_params(**{"1__alpha": 3})`

    Attributes
    ----------
    steps : the steps and the last, as given; `chain[i]` is the fitted one
    named_steps : by name
    passes_ : how often the rows were read
    reason_ : why

    Examples
    --------
    >>> from suffice import Chain, Ridge, StandardScaler
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [3.0, 5.0, 7.0, 9.0]
    >>> chain = Chain(StandardScaler(), Ridge(alpha=0.0)).fit(X[:2], y[:2])
    >>> chain.merge(Chain(StandardScaler(), Ridge(alpha=0.0)).fit(X[2:], y[2:])).predict([[5.0]]).round(9).tolist()
    [11.0]
    >>> chain[0].mean_.tolist(), chain.passes_
    ([2.5], 1)
    """

    steps: tuple[Any, ...]
    _parameter_constraints: ClassVar[dict[str, Any]] = {}  # the steps check their own
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED}
    __metadata_request__partial_fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "classes": UNUSED}

    def __new__(cls, *steps: Any) -> Self:
        """A chain of the face that its last has."""
        kind: Any = cls
        if cls is Chain and steps:
            kind = _kind(steps)
        made: Self = object.__new__(kind)
        return made

    def __init__(self, *steps: Any) -> None:
        """Keep the steps; nothing is checked before `fit`."""
        self.steps = steps

    @property
    def named_steps(self) -> dict[str, Any]:
        """The steps and the last by the names of their classes; of several alike, numbered."""
        return dict(_name_estimators(self.steps))

    def __len__(self) -> int:
        """Number of steps, the last included."""
        return len(self.steps)

    def __getitem__(self, place: int) -> Any:
        """A step, or the last, fitted: a new estimator that has learned what it did in the chain."""
        model = self._state()[0].model
        fitted: FittedModel = (*model.steps, model.last)[place]
        width = len(fitted.schema.columns)
        known = self._origin.names if place in (0, -len(self.steps)) else None
        origin = Origin(width, known, label_type=self._origin.label_type, flat=self._origin.flat)
        return clone(self.steps[place])._restore(SavedModel(_owner(self.steps[place]), fitted, origin))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The steps by name, and their parameters as name__parameter."""
        named = self.named_steps
        if not deep:
            return named
        inner = {f"{name}__{key}": value for name, step in named.items() for key, value in step.get_params().items()}
        return {**named, **inner}

    def set_params(self, **params: Any) -> Self:
        """Change steps or their parameters; a chain that keeps a summary is read anew from it, without its rows.

        Parameters
        ----------
        params : name=estimator, name__parameter=value; a name is that of a class in lower case, or a place
        """
        with all_or_nothing(self):
            self.steps = _changed(self, params)
            fitted = self._before
            if fitted is not None and fitted.adds and self._one_pass:
                self._validate_params()
                self._adopt(fitted.replan(self._plan()), self._origin)
            return self

    def __sklearn_clone__(self) -> Chain:
        """Fresh copies of the steps."""
        return Chain(*(clone(step) for step in self.steps))

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """As it is written."""
        return f"{self._owner}({', '.join(map(repr, self.steps))})"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : table that the first step takes; or files, a pattern, a stream, rows made by `open_rows`
        y : what the last takes; None where the rows come from files
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        target : the column to predict, where the rows come from files
        """
        self._fit(X, y, sample_weight, target)
        return self

    @available_if(lambda chain: chain._one_pass)  # type: ignore[untyped-decorator]
    def partial_fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, classes: Any = None, target: Any = None
    ) -> Self:
        """Learn from more rows: the same model as `fit` on all of them. A chain that takes passes has none.

        Parameters
        ----------
        X, y, sample_weight, target : as for `fit`
        classes : not needed, because classes are met as they come
        """
        with all_or_nothing(self):
            if self._before is None:
                return self.fit(X, y, sample_weight, target=target)
            self._validate_params()
            self._learn_on(X, y, sample_weight, target)
            return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it: of X what the first step takes, of y what the last does."""
        tags = super().__sklearn_tags__()
        if not self.steps:  # which `fit` refuses
            return tags
        first, last = get_tags(self.steps[0]), get_tags(self.steps[-1])
        tags.input_tags, tags.target_tags = first.input_tags, last.target_tags
        tags.input_tags.allow_nan = first.input_tags.allow_nan and not self._plan().complete
        return tags

    @property
    def threads(self) -> int | None:  # type: ignore[override]
        """As many as the last may take."""
        found: int | None = self.steps[-1].threads
        return found

    @property
    def refusal(self) -> Any:
        """The label that the last gives where it refuses."""
        return self.steps[-1].refusal

    @property
    def ledger(self) -> Any:
        """The ledger that the last asks for, or its key, where it was given after loading."""
        return vars(self).get("_key", self.steps[-1].ledger)

    @ledger.setter
    def ledger(self, key: Any) -> None:
        self._key = key

    @property
    def _owner(self) -> str:
        return "Chain"

    @property
    def _door(self) -> Any:
        return self.steps[0]._door if self.steps else super()._door

    @property
    def _target(self) -> Target:  # type: ignore[override]
        found: Target = self.steps[-1]._target
        return found

    @property
    def _one_pass(self) -> bool:
        return not self._plan().reasons

    @property
    def _chooses(self) -> bool:  # type: ignore[override]
        return not self._one_pass

    def _plan(self) -> ChainPlan:
        *steps, last = self.steps
        plans = tuple(step._plan() for step in steps)
        taken = get_tags(last).input_tags.allow_nan and not any(map(_mixes, plans))
        plan: Any = last._plan()
        ranked = _ranked(plans, plan)
        complete = not (taken or _encodes(plans[0]))
        if complete and hasattr(plan, "without_gaps"):
            plan = plan.without_gaps()
        return ChainPlan(self._owner, plans, plan, complete, () if ranked else tuple(_reasons(plans, last)), ranked)

    def _begin(self) -> None:
        check_steps(self.steps)
        super()._begin()
        for step in self.steps:
            step._validate_params()

    def _declare(self, labels: tuple[Any, ...]) -> Declared:
        found: Declared = self.steps[-1]._declare(labels)
        return found

    def _summarize(
        self, X: Any, y: Any, sample_weight: Any, target: Any = None, declared: Declared | None = None
    ) -> tuple[FittedModel, Origin]:
        if self._one_pass or self._before is not None:
            return super()._summarize(X, y, sample_weight, target, declared)
        return fit_in_steps(self, X, y, sample_weight, target)

    def _saved(self) -> SavedModel:
        return last_to_save(super()._saved(), _owner(self.steps[-1]))

    def _restore(self, value: SavedModel) -> Self:
        *steps, last = self.steps
        self.steps = (*steps, last_restored(value, last, _owner(last)))
        return super()._restore(value)

    def _parameters(self) -> dict[str, Any]:
        return {"steps": [{"name": s._owner, "parameters": s._described().parameters} for s in self.steps]}

    @classmethod
    def _made_of(cls, parameters: Mapping[str, Any]) -> Any:
        import suffice

        made = []
        for step in parameters["steps"]:
            kind = getattr(suffice, step["name"]) if step["name"] in suffice.__all__ else None
            if not (isinstance(kind, type) and issubclass(kind, Estimator)):
                raise BadFile(f"estimator: a step must be an estimator of suffice, got {step['name']!r}.")
            made.append(make(step["name"], step["parameters"]))
        return cls(*made)


class ProbabilisticChain(Probabilistic, ClassifierMixin, Chain):  # type: ignore[misc]
    """A chain that ends in a classifier with probabilities."""


class ClassifierChain(Classifier, ClassifierMixin, Chain):  # type: ignore[misc]
    """A chain that ends in a classifier by scores."""


class RegressorChain(Regressor, RegressorMixin, Chain):  # type: ignore[misc]
    """A chain that ends in a regressor."""


class DensityChain(Density, Chain):
    """A chain that ends in a density."""


class ClustererChain(Clusterer, ClusterMixin, Chain):  # type: ignore[misc]
    """A chain that ends in a clusterer."""


class TransformerChain(Transformer, TransformerMixin, Chain):  # type: ignore[misc]
    """A chain of transformers."""

    transform = Transformer.transform  # set_output wraps what a class itself defines


KINDS: Mapping[type[Any], type[Chain]] = {
    Probabilistic: ProbabilisticChain,
    Classifier: ClassifierChain,
    Regressor: RegressorChain,
    Density: DensityChain,
    Clusterer: ClustererChain,
    Transformer: TransformerChain,
}


def _kind(steps: tuple[Any, ...]) -> type[Chain]:
    """The chain for what the last answers first."""
    last = steps[-1]
    asked = getattr(last, "gives_proba", False)  # a classifier by scores may have been asked for probabilities
    found = [kind for face, kind in KINDS.items() if isinstance(last, face) or (asked and face is Probabilistic)]
    if isinstance(last, Chain) or not isinstance(last, Estimator) or not found:
        ours = type(last).__module__.startswith("suffice.") and not isinstance(last, Estimator)
        why = ", which is scikit-learn's own class underneath" if ours else ""
        rule, remedy = f"an estimator of suffice{' throughout' * ours}", "Use scikit-learn's Pipeline for others."
        raise bad("Chain", "the last step", rule, Said(f"{_owner(last)}{why}"), remedy)
    return found[0]


def _owner(step: Any) -> str:
    return step.__name__ if isinstance(step, type) else type(step).__name__


def check_steps(steps: tuple[Any, ...]) -> None:
    """Refuse steps that are no transformers of ours."""
    if len(steps) < 2:
        raise bad("Chain", "the steps", "a transformer and a model at least", Said(str(len(steps))), "Give it two.")
    for step in steps[:-1]:
        if not (isinstance(step, Estimator) and isinstance(step, Transformer) and isinstance(step, OnePass)):
            remedy = "Use scikit-learn's Pipeline for others."
            raise bad("Chain", "a step before the last", "a transformer of suffice", Said(_owner(step)), remedy)


def _ranked(plans: tuple[Any, ...], last: Any) -> bool:
    """Whether the one step is a discretiser whose rankings tell what the last counts."""
    return len(plans) == 1 and getattr(plans[0], "tells_bins", False) and getattr(last, "by_column", False)


def _reasons(plans: tuple[Any, ...], last: Any) -> Iterator[str]:
    """Why one pass is not enough, if it is not."""
    yield from (f"{plan.owner} is not linear" for plan in plans if not plan.linear)
    yield from (f"{plan.owner} is not linear behind another step" for plan in plans[1:] if _first_alone(plan))
    plan, mixing = last._plan(), [plan for plan in plans if _mixes(plan)]
    if mixing:
        after = plans[plans.index(mixing[0]) + 1 :]
        yield from (
            f"{each.owner} keeps single columns, which {mixing[0].owner} mixes" for each in after if not _mixes(each)
        )
        if any(map(_encodes, plans)):
            yield f"{mixing[0].owner} can't keep symbols before they are encoded"
    if not (getattr(plan, "pushes", False) and isinstance(last, OnePass)):
        yield f"what {_owner(last)} learns from rows can't be pushed through a step"
    elif any(map(_encodes, plans)) and not getattr(plan, "symbols", False):
        yield f"{_owner(last)} can't keep symbols before they are encoded"
    elif mixing and not getattr(plan, "mixed", False):
        yield f"{_owner(last)} keeps single columns, which {mixing[0].owner} mixes"
    elif not last._folds_add() and getattr(last, "covariance_estimator", None) is None:
        yield f"{_owner(last)} chooses a parameter from the rows"
    elif getattr(last, "covariance_estimator", None) is not None:
        yield f"the covariance_estimator of {_owner(last)} needs the rows"


def _encodes(plan: Any) -> bool:
    """Whether a step makes columns of symbols others, missing cells among them."""
    return bool(getattr(plan, "encodes", False))


def _mixes(plan: Any) -> bool:
    """Whether new columns of a step are sums of several old ones."""
    return bool(getattr(plan, "mixes", False))


def _first_alone(plan: Any) -> bool:
    """Whether what a step keeps of rows can't be pushed through others: indicators, rankings."""
    return _encodes(plan) or bool(getattr(plan, "ranks", False))


def _changed(chain: Chain, params: Mapping[str, Any]) -> tuple[Any, ...]:
    """The steps with other parameters: changed steps are new ones, so that whoever shares the old keeps them."""
    names = list(chain.named_steps)
    steps, inner = list(chain.steps), dict[int, dict[str, Any]]()
    for key, value in params.items():
        name, _, rest = key.partition("__")
        if not (name in names or (name.isdigit() and int(name) < len(names))):
            rule = f"among {names} (Invalid parameter {name!r})"
            raise bad(chain._owner, "a parameter", rule, name, "Correct its name.")
        place = names.index(name) if name in names else int(name)
        if rest:
            inner.setdefault(place, {})[rest] = value
        else:
            steps[place] = value
    check_steps(tuple(steps))
    for place, given in inner.items():
        with in_our_name(chain._owner):
            steps[place] = clone(steps[place]).set_params(**given)
    if _kind(tuple(steps)) is not type(chain):
        rule = f"one that answers what {_owner(chain.steps[-1])} does"
        raise bad(chain._owner, "the last step", rule, Said(_owner(steps[-1])), "Make a new chain.")
    return tuple(steps)
