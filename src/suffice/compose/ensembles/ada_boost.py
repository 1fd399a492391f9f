"""AdaBoostClassifier: members that each look hardest at the rows that those before it got wrong.

f(x) = sum_t alpha_t y_t(x),   alpha_t = ln((1 - eps_t) / eps_t),   w_i <- w_i exp(alpha_t [wrong]) / sum
"""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import has_fit_parameter

from suffice.compose.ensembles.boosted_model import BoostedModel, real_votes
from suffice.compose.ensembles.boosted_plan import BoostedPlan
from suffice.compose.ensembles.boosted_readings import BoostedReadings
from suffice.compose.ensembles.boosting_steps import boost_step
from suffice.compose.held import Held, to_save
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.schema import Schema
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.glue.memory_probabilistic import MemoryProbabilistic
from suffice.estimators.state.described import plain
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin
from suffice.numerics.loop import pays
from suffice.sources.engines.memory import MemorySource
from suffice.trees.decision_tree_classifier import CELLS, DecisionTreeClassifier, as_array
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.boosted_stumps import STUMP, boosted_stumps
from suffice.trees.growth.growth_options import read_classes
from suffice.trees.growth.numeric_trees import NODES, grow_binned
from suffice.trees.growth.targets import ClassSums
from suffice.trees.impurities import CLASS_IMPURITIES
from suffice.trees.nodes import TreeNodes
from suffice.trees.tree_models import ClassTree


class AdaBoostClassifier(BoostedReadings, MetaEstimatorMixin, MemoryProbabilistic):  # type: ignore[misc]
    """Boosting by reweighting, or by drawing rows anew. In memory.

    It stops when a member makes no error, or errs as often as chance; that member is dropped unless it is the first.

    Parameters
    ----------
    estimator : a classifier whose `fit` takes weights; None is the tree of one split
    n_estimators : most rounds
    learning_rate : factor of alpha
    random_state : seed or generator, for members that take one and for drawing rows
    algorithm : "discrete", with alpha = ln((1 - eps) / eps); "half", with the factor 1/2; "real", where members say
        probabilities. The first two give the same answers
    resample : whether each member is fitted to rows drawn by their weights, for members that take none
    keep_weights : whether `weights_by_round_` is kept
    refusal : the label that `predict` gives where it refuses

    Attributes
    ----------
    estimators_, estimator_weights_, estimator_errors_, classes_, n_classes_, feature_importances_, n_features_in_,
        feature_names_in_ : as in scikit-learn; members know the classes by their numbers
    weights_by_round_ : the weight of each row before every round and after the last

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import AdaBoostClassifier
    >>> X, y = np.arange(10.0)[:, None], np.array(list("+++---+++-"))
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.estimator_errors_.round(4), float(model.score(X, y))
    (array([0.3   , 0.2143, 0.1818]), 1.0)

    References
    ----------
    Y. Freund and R. Schapire, A decision-theoretic generalization of on-line learning (1997). J. Zhu et al.,
    Multi-class AdaBoost (2009).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
        "algorithm": [StrOptions({"discrete", "half", "real"})],
        "resample": ["boolean"],
        "keep_weights": ["boolean"],
        "refusal": "no_validation",
    }
    _door = NumberRows(CELLS, learned=as_array, predicted=as_array)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        random_state: Any = None,
        algorithm: str = "discrete",
        resample: bool = False,
        keep_weights: bool = False,
        refusal: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.algorithm = algorithm
        self.resample = resample
        self.keep_weights = keep_weights
        self.refusal = refusal

    @property
    def estimators_(self) -> list[Any]:
        """The members; they know the classes by their numbers."""
        return [held.live for held in self._state()[0].model.helds]

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    @property
    def feature_importances_(self) -> Array:
        """The importances of the members, by their weights (d,)."""
        weights = np.abs(self.estimator_weights_)
        parts = [w * one.feature_importances_ for w, one in zip(weights, self.estimators_, strict=True)]
        return np.asarray(np.sum(parts, axis=0) / weights.sum())

    def _plan(self) -> BoostedPlan:
        return BoostedPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Round after round."""
        block = source.block(slice(0, source.table.n))
        X = np.asarray(as_array(block.parts[0]), dtype=np.float64)
        codes, classes, w = read_classes(self._owner, block.y, block.w)  # type: ignore[arg-type]
        if self.estimator is not None and not self.resample and not has_fit_parameter(self.estimator, "sample_weight"):
            rule = f"one whose fit takes weights ({type(self.estimator).__name__} doesn't support sample_weight)"
            raise bad(self._owner, "estimator", rule, Said("one that does not"), "Use resample=True.")
        rounds = _Rounds(self, X, codes, len(classes), w / w.sum(), source.schema)
        total = np.bincount(codes, w, len(classes))
        helds, alphas, errors, history = rounds.run()
        made = (tuple(helds), np.array(alphas), np.array(errors), classes, total / total.sum())
        kept = np.array(history) if self.keep_weights else None
        return Found(BoostedModel(*made, real=self.algorithm == "real", history=kept))

    def _saved(self) -> SavedModel:
        """Members are written as their own files would be."""
        return SavedModel(self._owner, to_save(self._owner, self._state()[0]), self._origin, plain(self._parameters()))

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held: members too."""
        model = value.fitted.model.holding(Held.restored)
        return super()._restore(replace(value, fitted=replace(value.fitted, state=Found(model))))


class _Rounds:
    """Boosting in progress."""

    def __init__(self, boost: AdaBoostClassifier, X: Array, codes: Array, K: int, w: Array, schema: Schema) -> None:
        """Begin with the weights that were given."""
        self.boost, self.X, self.codes, self.K, self.w, self.schema = boost, X, codes, K, w, schema
        self.random = check_random_state(boost.random_state)
        self.cells = BinnedCells.of(X, np.zeros(X.shape[1], dtype=np.int64)) if boost.estimator is None else None

    def run(self) -> tuple[list[Held], list[float], list[float], list[Array]]:
        """Members, their weights and errors, and the weights of the rows."""
        helds: list[Held] = []
        alphas: list[float] = []
        errors: list[float] = []
        history, real = [self.w], self.boost.algorithm == "real"
        if not real:
            self._in_one_loop(helds, alphas, errors, history)
        for _ in range(int(self.boost.n_estimators) - len(helds)):
            member, said = self._member()
            wrong = said != self.codes
            error = float(self.w[wrong].sum())
            if error <= 0.0 or (real and self.K == 1):
                helds, alphas, errors = [*helds, Held(member)], [*alphas, 1.0], [*errors, 0.0]
                history.append(self.w)
                break
            if error >= 1.0 - 1.0 / self.K - 1e-12 and not real:
                if not helds:
                    rule = "better than chance (BaseClassifier in AdaBoostClassifier ensemble is worse than random)"
                    raise bad(self.boost._owner, "the first member", rule, error, "Use another estimator.")
                break
            if real:
                alpha, self.w = 1.0, self._real(member)
            else:
                rate, half = float(self.boost.learning_rate), self.boost.algorithm == "half"
                _, alpha, self.w = boost_step(self.w, wrong, half, self.K, rate)
            helds, alphas, errors = [*helds, Held(member)], [*alphas, alpha], [*errors, error]
            history.append(self.w)
        return helds, alphas, errors, history

    def _in_one_loop(self, helds: list[Held], alphas: list[float], errors: list[float], history: list[Array]) -> None:
        """Rounds with stumps of a large table; they are added to those there are."""
        rounds, n = int(self.boost.n_estimators), len(self.codes)
        if self.cells is None or self.boost.resample or not pays(NODES * n * self.X.shape[1] * rounds):
            return
        target = ClassSums(self.codes, self.K, self.w, CLASS_IMPURITIES["gini"])
        keep = bool(self.boost.keep_weights)
        found = boosted_stumps(self.cells, target, rounds, float(self.boost.learning_rate), keep)
        if found is None or found.nodes is None:
            return
        half = 0.5 if self.boost.algorithm == "half" else 1.0
        helds += [Held(self._as_member(found.nodes.tree(t))) for t in range(len(found.errors))]
        alphas += (half * found.alphas).tolist()
        errors += found.errors.tolist()
        history += list(found.history) if keep else []
        self.w = found.weights

    def _real(self, member: Any) -> Array:
        """Weights after a member that says probabilities."""
        votes = real_votes(np.asarray(member.predict_proba(self.X)))
        mine = votes[np.arange(len(votes)), self.codes]
        after = self.w * np.exp(-float(self.boost.learning_rate) * mine / self.K)
        return np.asarray(after / after.sum())

    def _member(self) -> tuple[Any, Array]:
        """The next member, and what it says of the rows."""
        if self.boost.estimator is None and not self.boost.resample:
            return self._stump()
        member = self._fitted()
        return member, np.asarray(member.predict(self.X))

    def _fitted(self) -> Any:
        member = DecisionTreeClassifier(max_depth=1) if self.boost.estimator is None else clone(self.boost.estimator)
        if "random_state" in member.get_params(deep=False):
            member.set_params(random_state=int(self.random.randint(np.iinfo(np.int32).max)))
        if not self.boost.resample:
            return member.fit(self.X, self.codes, sample_weight=self.w)
        rows = self.random.choice(len(self.w), len(self.w), p=self.w)
        if len(np.unique(self.codes[rows])) < self.K:  # every class must be met: one row of each is added
            rows = np.append(rows, np.unique(self.codes, return_index=True)[1])
        return member.fit(self.X[rows], self.codes[rows])

    def _stump(self) -> tuple[DecisionTreeClassifier, Array]:
        """The best split of these weights, by cells that were sorted once, and what it says of the rows."""
        assert self.cells is not None
        target = ClassSums(self.codes, self.K, self.w, CLASS_IMPURITIES["gini"])
        nodes = grow_binned(self.cells, target, STUMP, trees=int(self.boost.n_estimators))
        return self._as_member(nodes), nodes.value.argmax(axis=1)[nodes.leaf_of(self.X)]

    def _as_member(self, nodes: TreeNodes) -> DecisionTreeClassifier:
        """A stump as an estimator of its own."""
        member = DecisionTreeClassifier(max_depth=1)
        member.n_features_in_ = self.X.shape[1]
        tree = ClassTree(nodes, tuple(range(self.K)), np.zeros(self.K))
        origin = Origin(self.X.shape[1], None, None, "<i8")
        made: DecisionTreeClassifier = member._adopt(FittedModel(member._plan(), self.schema, Found(tree)), origin)
        return made
