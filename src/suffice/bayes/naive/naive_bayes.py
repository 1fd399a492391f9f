"""NaiveBayes: one naive Bayes for tables of every kind.

p(class k | x) ~ p_k prod_j p(x_j | k)^(v_j)        over the cells that are present
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from suffice.bayes.class_priors import ClassPrior, EqualPrior, GivenPrior, LearnedPrior, weighed_prior
from suffice.bayes.naive.naive_plan import DEFAULTS, NaivePlan
from suffice.bayes.readings.generative import Generative
from suffice.bayes.readings.probability_tables import show_tables
from suffice.core.errors import BadInput, bad
from suffice.core.kinds import Kind
from suffice.decision.decide.read_wishes import read_prior
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.one_pass_classifier import OnePassClassifier
from suffice.families.family import Family
from suffice.sources.tables.analyzer import read_analyzer
from suffice.sources.tables.labels import code_labels

KINDS = [kind.value for kind in DEFAULTS]


def read_by_kind(owner: str, given: Mapping[Any, Family]) -> dict[str, Family]:
    """Families by the names of kinds."""
    named = {kind.value if isinstance(kind, Kind) else kind: family for kind, family in given.items()}
    for name in named:
        if name not in KINDS:
            raise bad(owner, "by_kind", f"about kinds ({', '.join(KINDS)})", name, "Correct the kind.")
    return named


def read_feature_weights(owner: str, given: Mapping[Any, Any]) -> dict[Any, float]:
    """Weights by column, none below 0."""
    for name, value in given.items():
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not (number and np.isfinite(value) and value >= 0):
            rule = "a finite number of at least 0"
            raise bad(owner, f"the weight of column {name!r}", rule, value, "1 counts a column once.")
    return {name: float(value) for name, value in given.items()}


def read_classes(owner: str, given: Any) -> tuple[Any, ...]:
    """Labels that exist whether or not rows have them, read as the labels of rows are."""
    if given is None:
        return ()
    try:
        found: tuple[Any, ...] = tuple(code_labels(given).labels[0])
        whole = len(found) == len(given) > 0
    except BadInput:
        whole = False
    if not whole:
        rule = "None or a list of labels, none of them missing or named twice"
        raise bad(owner, "classes", rule, given, "Name each class once.")
    return found


def read_class_prior(owner: str, given: Any) -> ClassPrior:
    """How class shares are found."""
    made = not isinstance(given, type)  # Dirichlet(1), not Dirichlet
    if given is None or (made and hasattr(given, "over")):
        return LearnedPrior() if given is None else LearnedPrior(given)
    if made and hasattr(given, "estimate"):
        return given  # type: ignore[no-any-return]
    if isinstance(given, Mapping):
        shares = read_prior(owner, given, tuple(given))
        return GivenPrior(dict(zip(given, shares.tolist(), strict=True)))
    if isinstance(given, str) and given == "uniform":
        return EqualPrior()
    rule = 'None, "uniform", a mapping label -> share, or pseudo-counts such as Dirichlet(1)'
    raise bad(owner, "prior", rule, given, "Choose one of these.")


class NaiveBayes(Generative, OnePassClassifier):
    """Naive Bayes that reads the kinds of columns from the table and mixes families; missing cells are left out.

    One pass: models add, merge and forget exactly. Booleans are Bernoulli, symbols categorical with room for the
    unseen, numbers and dates normal with a unit-free prior, texts multinomial with one word for all unknown ones.

    Parameters
    ----------
    kinds : mapping column -> kind, overriding what the column shows; a list of values, lowest first, is an ordinal
    families : mapping column -> family, overriding the kind's
    by_kind : mapping kind -> family, overriding the default of a kind
    prior : None counts class shares; "uniform", label -> share, or pseudo-counts to count with, such as Dirichlet(1),
        whose posterior mean is taken; `LearnedPrior(Dirichlet(2), Reading.MODE)` takes its mode
    feature_weights : mapping column -> weight v_j (1 by default, 0 leaves a column out)
    analyzer : how texts become words: an `Analyzer`, or a scikit-learn vectorizer whose options are taken over
    class_weight : label -> weight of its rows towards the share of the class, "balanced" for classes all alike
    refusal : the label that `predict` gives where it refuses
    classes : labels that exist even if no row has them; others may still come. Such a class has the share that `prior`
        gives it (none where classes are only counted), and what the families' priors say of its cells
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Examples
    --------
    >>> from suffice import NaiveBayes
    >>> X = {"fever": [39.2, 36.8, None, 36.6], "cough": [True, False, True, False]}
    >>> model = NaiveBayes().fit(X, ["flu", "well", "flu", "well"])
    >>> str(model.predict({"fever": [39.0], "cough": [None]})[0])
    'flu'

    References
    ----------
    P. Domingos and M. Pazzani, On the optimality of the simple Bayesian classifier under zero-one loss (1997).
    """

    _door = AnyTable(allow_nan=True)
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassClassifier._parameter_constraints,
        "kinds": [Mapping, None],
        "families": [Mapping, None],
        "by_kind": [Mapping, None],
        "prior": "no_validation",
        "class_weight": "no_validation",
        "feature_weights": [Mapping, None],
        "analyzer": "no_validation",
        "classes": "no_validation",
    }

    def __init__(
        self,
        kinds: Mapping[Any, Any] | None = None,
        families: Mapping[Any, Any] | None = None,
        by_kind: Mapping[str, Any] | None = None,
        prior: Any = None,
        feature_weights: Mapping[Any, float] | None = None,
        analyzer: Any = None,
        class_weight: Any = None,
        refusal: Any = None,
        threads: int | None = None,
        classes: Any = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.kinds = kinds
        self.families = families
        self.by_kind = by_kind
        self.prior = prior
        self.feature_weights = feature_weights
        self.analyzer = analyzer
        self.class_weight = class_weight
        self.refusal = refusal
        self.threads = threads
        self.classes = classes
        self.ledger = ledger

    def __str__(self) -> str:
        """The tables of conditional probabilities once fitted."""
        return show_tables(self.fitted_, self._words) if "fitted_" in vars(self) else repr(self)

    def _plan(self) -> NaivePlan:
        return NaivePlan(
            families=dict(self.families or {}),
            by_kind=read_by_kind(self._owner, self.by_kind or {}),
            prior=weighed_prior(self._owner, read_class_prior(self._owner, self.prior), self.class_weight),
            weights=read_feature_weights(self._owner, self.feature_weights or {}),
            kinds=dict(self.kinds or {}),
            analyzer=read_analyzer(self._owner, self.analyzer),
            classes=read_classes(self._owner, self.classes),
        )

    def _parameters(self) -> dict[str, Any]:
        return {
            **super()._parameters(),
            "analyzer": self.analyzer and read_analyzer(self._owner, self.analyzer),
            "classes": list(read_classes(self._owner, self.classes)) or None,
        }
