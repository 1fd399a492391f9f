"""What is under law: everything in the package that summarizes rows, each with rows it can take."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from suffice.bayes.discriminants.discriminant_learner import NormalClasses
from suffice.bayes.discriminants.mixed_classes import MixedClasses
from suffice.bayes.learner import Bayes
from suffice.bayes.naive.featureless_plan import FeaturelessLearner
from suffice.compose.chain_plan import ChainLearner, ChainPlan
from suffice.core.block import Array, Block, Coded
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Schema
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.estimators.design.factor_columns import FactorColumns
from suffice.evaluation.comparing.paired_errors import PairedErrors
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.regression_scores import RegressionScores
from suffice.families.counts.binomial import Binomial
from suffice.families.counts.categorical import Bernoulli, Categorical
from suffice.families.counts.complement import Complement
from suffice.families.counts.geometric import Geometric
from suffice.families.counts.integer_codes import IntegerCodes
from suffice.families.counts.multinomial import Multinomial
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Dirichlet, MEstimate
from suffice.families.counts.rate_priors import Gamma
from suffice.families.counts.truncated_counts import TruncatedCounts
from suffice.families.family import Reading
from suffice.families.normals.covariance_priors import NormalInverseWishart
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.normals.spherical_normal import SphericalNormal
from suffice.families.normals.tied_normal import TiedNormal
from suffice.families.normals.variance_priors import NormalInverseGamma, VarianceFloor
from suffice.families.product import Group, Product
from suffice.families.windows.bandwidths import LeaveOneOut
from suffice.families.windows.histogram import EqualFrequency, Histogram
from suffice.families.windows.ranked import FixedWidth
from suffice.families.windows.sheather_jones import SheatherJones
from suffice.families.windows.window_density import WindowDensity
from suffice.features.indicators import IndicatorPlan
from suffice.features.scaling import ScalingPlan
from suffice.linear.design import Design
from suffice.linear.logistic.gradients import Slopes
from suffice.linear.logistic.logistic_learner import LogisticLearner, LogisticModel
from suffice.linear.logistic.proximal_newton import CoefficientPenalty
from suffice.linear.regression.linear_learner import LinearLearner
from suffice.linear.regression.solvers import Shrunken
from suffice.linear.scores.linear_scores import ScoreLearner
from suffice.linear.scores.score_plan import ScorePlan
from suffice.linear.scores.score_rules import NearestMean
from suffice.linear.terms import Factor
from suffice.summaries.counts import Counts
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.moments import Moments
from suffice.summaries.quartic_moments import QuarticMoments
from suffice.summaries.rows_summary import RowsSummary
from suffice.summaries.triangular import TriangularFactor
from suffice.testing import discovery
from suffice.testing.rows import LawRows
from suffice.testing.tables import (
    BENIGN,
    EVENTS,
    FINITE,
    LEAVING,
    SUCCESSES,
    TRIALS,
    WAITS,
    YES_NO,
    Fill,
    codes,
    numbers,
    rows,
    symbols,
    words,
)

COMPLETE = numbers(FINITE, missing=False)
CELLS = {Storage.NUMBERS: numbers(), Storage.SYMBOLS: symbols(), Storage.WORDS: words()}
OWN_CELLS = {  # families that take only some numbers or labels
    Bernoulli: symbols(YES_NO, unseen=False),
    Binomial: numbers(SUCCESSES),
    Complement: words(matrix=True),  # its prior has no word for the unknown
    FullNormal: COMPLETE,  # missing cells are estimated in iterations, which have a test of their own
    Geometric: numbers(WAITS),
    IntegerCodes: codes,
    Poisson: numbers(EVENTS),
    TiedNormal: COMPLETE,
}
VARIANTS = {  # beside the default and its readings
    Categorical: [Categorical(MEstimate(2.5)), Categorical(Dirichlet(0.0))],
    Complement: [Complement(norm=True)],
    DiagonalNormal: [
        DiagonalNormal(VarianceFloor()),
        DiagonalNormal(NormalInverseGamma(2.0, 1.5)),
        DiagonalNormal(NormalInverseGamma(reading=Reading.MODE)),
        DiagonalNormal(NormalInverseGamma(2.0, 1.5, reading=Reading.PREDICTIVE)),
    ],
    FullNormal: [FullNormal(NormalInverseWishart(2.0, 1.5)), FullNormal(NormalInverseWishart(reading=Reading.MODE))],
    Histogram: [Histogram(EqualFrequency(3)), Histogram(FixedWidth(0.5), strength=0.0)],
    Poisson: [Poisson(Gamma(2.0, 0.5))],
    SphericalNormal: [SphericalNormal(NormalInverseGamma(2.0, 1.5)), SphericalNormal(VarianceFloor())],
    TiedNormal: [TiedNormal(NormalInverseWishart(2.0, 1.5))],
    TruncatedCounts: [TruncatedCounts(2), TruncatedCounts(2, threshold=1.0)],
    WindowDensity: [
        WindowDensity(0.75, "epanechnikov", strength=1.0),
        WindowDensity(SheatherJones(), "exponential"),
        WindowDensity(LeaveOneOut()),
    ],
}
PLAIN = {Binomial: Binomial(TRIALS)}  # a family whose cells need a parameter


class Subject(NamedTuple):
    """Something that summarizes rows."""

    name: str
    summarize: Callable[[LawRows], Any]
    cells: tuple[Fill, ...]
    reach: Array | None = None  # of the numbers it keeps, where these are not the cells

    def rows(self) -> st.SearchStrategy[LawRows]:
        """Rows it can take."""
        return rows(*self.cells, reach=self.reach)


def family_instances(cls: type[Any]) -> Iterator[Any]:
    """A family as it comes, with every reading it offers, and its variants."""
    family = PLAIN.get(cls) or cls()
    yield family
    if "reading" in {field.name for field in fields(family)}:
        yield from (replace(family, reading=reading) for reading in Reading if reading is not family.reading)
    yield from VARIANTS.get(cls, [])


def cells_of(family: Any) -> Fill:
    """Cells that a family can take."""
    return OWN_CELLS.get(type(family), CELLS[family.storage])


def of_family(family: Any) -> Subject:
    """The summary a family keeps."""
    return Subject(repr(family), lambda r: family.summarize(r.part, r.shares), (cells_of(family),))


def levels(rng: Any, k: Any, width: int) -> tuple[Coded, Coded]:
    """Columns of symbols of which none is missing."""
    known = [("a", "b", "c")[: rng.integers(1, 4)] for _ in range(width)]

    def fill(n: int) -> Coded:
        cells = [rng.integers(0, len(labels), n) for labels in known]
        return Coded(np.stack(cells, axis=1).astype(np.int32), tuple(known))

    return fill(len(k)), fill(6)


def linear(parts: Any) -> LinearLearner:
    """The learner of tables with these parts; a penalty makes its answers unique."""
    numbers, symbols = parts
    kinds = [Kind.QUANTITATIVE] * numbers.shape[1] + [Kind.CATEGORICAL] * len(symbols.labels)
    return LinearLearner(Design("LinearLearner", Schema.numbered(kinds)), Shrunken((1.0,)))


def linear_with_gaps(parts: Any) -> LinearLearner:
    """The same of tables in which cells may be missing."""
    learner = linear(parts)
    return replace(learner, design=replace(learner.design, gaps=True))


def mixed_normals(parts: Any) -> MixedClasses:
    """The learner of normal classes over numbers and indicators."""
    columns = FactorColumns("MixedClasses", linear(parts).design.schema, gaps=True)
    return MixedClasses(Product((Group(0, TiedNormal()),)), columns=columns)


def scores(parts: Any) -> ScoreLearner:
    """The learner of classes by their means."""
    return ScoreLearner(linear(parts).design, NearestMean())


def regression(r: LawRows) -> Block:
    """Rows with their component for a target."""
    return Block(r.parts, r.codes[:, None].astype(float), r.w)


MIXED = Product((Group(0, DiagonalNormal()), Group(1, Categorical()), Group(2, Multinomial())))
MIXED_CELLS = (CELLS[Storage.NUMBERS], CELLS[Storage.SYMBOLS], words(matrix=False))
BLIND, NORMALS = FeaturelessLearner(Bayes(MIXED)), NormalClasses(Product((Group(0, TiedNormal()),)))
SCALING = ScalingPlan("StandardScaler")
ENCODING = IndicatorPlan("OneHotEncoder")


def chained(parts: Any) -> ChainLearner:
    """A scaler, then the learner of classes by their means."""
    schema = Schema.numbered([Kind.QUANTITATIVE] * parts[0].shape[1])
    return ChainLearner(ChainPlan("Chain", (SCALING,), ScorePlan("ScoreLearner", NearestMean())), schema)


LEARNERS = [
    Subject("ScaleLearner", lambda r: SCALING.learner(Schema(())).shared(Block(r.parts), r.shares), (numbers(),)),
    Subject("IndicatorLearner", lambda r: ENCODING.learner(Schema(())).shared(Block(r.parts), r.shares), (symbols(),)),
    Subject("ChainLearner", lambda r: chained(r.parts).summarize(r.block), (COMPLETE,)),
    Subject("Product", lambda r: MIXED.summarize(r.parts, r.shares), MIXED_CELLS),
    Subject("Bayes", lambda r: Bayes(MIXED).summarize(r.block), MIXED_CELLS),
    Subject("FeaturelessLearner", lambda r: BLIND.summarize(r.block), MIXED_CELLS),
    Subject("NormalClasses", lambda r: NORMALS.summarize(r.block), (COMPLETE,)),
    Subject("MixedClasses", lambda r: mixed_normals(r.parts).summarize(r.block), (COMPLETE, levels)),
    Subject(
        "MixedClasses with gaps",
        lambda r: mixed_normals(r.parts).summarize(r.block),
        (numbers(BENIGN), symbols()),
    ),
    Subject("LinearLearner", lambda r: linear(r.parts).summarize(regression(r)), (COMPLETE, levels)),
    Subject(
        "LinearLearner with gaps",
        lambda r: linear_with_gaps(r.parts).summarize(regression(r)),
        (numbers(BENIGN), symbols()),
    ),
    Subject("ScoreLearner", lambda r: scores(r.parts).summarize(r.block), (COMPLETE, levels)),
]
FAMILIES = [of_family(PLAIN.get(cls) or cls()) for cls in discovery.families()]
PARTS = {"Array": numbers(), "Coded": symbols()}  # by what `of` says it takes
FOURTH = {name: FINITE[name] for name in (*BENIGN, *LEAVING, "offset", "apart")}  # whose fourth powers are numbers
OWN_PARTS = {
    FullMoments: COMPLETE,
    LeastSquaresSummary: COMPLETE,
    QuarticMoments: numbers(FOURTH, missing=False),
    RowsSummary: COMPLETE,
    TriangularFactor: COMPLETE,
}


def by_itself(cls: type[Any]) -> Subject:
    """A summary that is made by `of(part, shares)`; what part it takes is read from the signature."""
    cells = OWN_PARTS[cls] if cls in OWN_PARTS else PARTS[takes(cls)]
    return Subject(cls.__name__, lambda r: cls.of(r.part, r.shares), (cells,))


def takes(cls: type[Any]) -> str:
    """The type that the first parameter of `of` is said to have, where the second are shares."""
    of = getattr(cls, "of", None)
    said = [str(parameter.annotation) for parameter in inspect.signature(of).parameters.values()] if of else []
    return said[0] if said[1:2] == ["Shares"] else "nothing"


def scored(r: LawRows) -> Scores:
    """Scores of made-up predictions: impossible ones, refused ones, and a true class that is not known."""
    r = r.at(np.flatnonzero(r.codes >= 0))
    p, answer = r.part.T
    predicted = [None if a < 0.3 else f"class {int(a > 0.7)}" for a in answer.tolist()]
    y = [f"class {k}" for k in r.codes.tolist()]
    return Scores.of(y, np.column_stack([p, 1.0 - p]), ("class 0", "class 1"), predicted, r.w)


def paired(r: LawRows) -> PairedErrors:
    """Which of two made-up classifiers is wrong, group by group."""
    return PairedErrors.of_shares(r.part[:, 0] > 0.5, r.part[:, 1] > 0.7, r.shares)


def sloped(r: LawRows) -> Slopes:
    """The slope and curvature of a logistic loss at a model that depends on no row, component by component."""
    classes, d = tuple(f"class {k}" for k in range(4)), r.part.shape[1]
    theta = np.random.default_rng(d).normal(size=(len(classes), 1 + d)) / 8.0
    design = Design("Slopes", Schema.numbered([Kind.QUANTITATIVE] * d))
    terms = tuple((Factor(column.name),) for column in design.schema.columns)
    model = LogisticModel(classes, np.log(np.full(4, 0.25)), design, terms, {}, np.zeros(d), np.ones(d), theta)

    def of(r: LawRows) -> Slopes:  # the label of a row is a question of its cells, not of its component
        y = Coded((np.abs(r.part[:, :1]) * 8.0).astype(np.int32) % 4, (classes,))
        return LogisticLearner(CoefficientPenalty()).summarize(Block(r.parts, y, r.w), model)

    return Slopes.sum([of(r.at(np.flatnonzero(r.codes == k))).spread([k], r.K) for k in range(r.K)])


def predictions(rng: Any, k: Any, width: int) -> Any:
    """A probability and a number that decides what is answered, per row."""
    cells = np.column_stack([rng.choice([0.0, 1.0, rng.random()], len(k)), rng.random(len(k))])
    return cells, cells


def regressed(r: LawRows) -> RegressionScores:
    """Scores of predicted numbers, group by group."""
    y, predicted = r.part.T
    return RegressionScores.of_shares(y, predicted, r.shares)


def targets(rng: Any, k: Any, width: int) -> Any:
    """Numbers far from 0, all the same or not, and predictions near them."""
    y = 1e8 + rng.choice([0.0, 1.0]) * rng.normal(size=len(k)).clip(-9.0, 9.0)
    cells = np.column_stack([y, y + rng.choice([0.0, 1.0], len(k)) * rng.normal(size=len(k)).clip(-9.0, 9.0)])
    return cells, cells


SUMMARIES = [
    *(by_itself(cls) for cls in discovery.summaries() if takes(cls) in PARTS),
    Subject("Scores", scored, (predictions,), np.array([50.0, 1.0])),
    Subject("PairedErrors", paired, (predictions,), np.array([1.0, 1.0])),
    Subject("RegressionScores", regressed, (targets,), np.array([100.0, 100.0, 100.0, 1e4])),
    Subject("Slopes", sloped, (numbers(BENIGN, missing=False),)),
    Subject("Tally", lambda r: Tally.of(r.shares), ()),
    Subject("Counts of words", lambda r: Counts.of_words(r.part, r.shares), (words(),)),
    Subject("Counts of presence", lambda r: Counts.of_words(r.part, r.shares, 1.0), (words(),)),
    Subject("Together", lambda r: Together((Tally.of(r.shares), Moments.of(r.part, r.shares))), (numbers(),)),
]
SUBJECTS = [*SUMMARIES, *FAMILIES, *LEARNERS]


def kinds_in(summary: Any) -> set[type[Summary]]:
    """The kinds of summary that a summary is made of."""
    inner = [*getattr(summary, "parts", ()), *(v for v in vars(summary).values() if isinstance(v, Summary))]
    return {type(summary)}.union(*(kinds_in(part) for part in inner))
