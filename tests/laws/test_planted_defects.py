"""The laws have teeth: each defect, planted in the library, breaks the very law that holds without it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from suffice import GaussianNB, NaiveBayes, Ridge, RidgeClassifier
from suffice.core import by_class, tally
from suffice.core.by_class import ByClass
from suffice.core.double_double import Pair, exact
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.estimators.algebras import one_pass
from suffice.estimators.glue import estimator
from suffice.estimators.glue.one_pass_classifier import OnePassClassifier, OnePassScorer
from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.families.counts import bag
from suffice.families.counts.categorical import Categorical, Categories
from suffice.families.counts.integer_codes import IntegerCodes
from suffice.families.counts.multinomial import Multinomial
from suffice.families.family import Cellwise
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.normal import DiagonalNormal, Normals
from suffice.families.normals.variance_priors import VarianceFloor
from suffice.families.windows.histogram import EqualWidth, Histogram, Histograms
from suffice.summaries import moments as moments_file
from suffice.summaries import power_sums
from suffice.summaries.counts import Counts
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.moments import Moments
from suffice.testing import density_laws, estimator_laws, family_laws, regressor_laws, scorer_laws, summary_laws
from suffice.testing.check import broken
from suffice.testing.model_tables import WIDENING, tables_for
from suffice.testing.regression_tables import regression_tables
from suffice.testing.scorer_laws import scorer_tables
from suffice.testing.tables import rows
from tests.laws import test_inputs, test_learners, test_leaving
from tests.laws.subjects import LEARNERS, SUBJECTS, cells_of
from tests.laws.test_digits import EXACT, exact_moments

NAMED = {subject.name: subject for subject in SUBJECTS}


class Watched(NamedTuple):
    """A law and the cases it is held on."""

    law: Callable[[Any], None]
    cases: Any


def summary(name: str, law: Callable[..., None]) -> Watched:
    return Watched(partial(law, NAMED[name].summarize), NAMED[name].rows())


def family(which: Any, law: Callable[..., None]) -> Watched:
    return Watched(partial(law, which), rows(cells_of(which)))


def model(cls: type[Any], law: Callable[..., None]) -> Watched:
    return Watched(partial(law, cls), tables_for(cls, without=WIDENING))


def regressor(law: Callable[..., None]) -> Watched:
    return Watched(partial(law, Ridge), regression_tables())


def scorer(law: Callable[..., None]) -> Watched:
    return Watched(partial(law, RidgeClassifier), scorer_tables())


def learner(name: str, law: Callable[..., None]) -> Watched:
    subject = next(subject for subject in LEARNERS if subject.name == name)
    return Watched(partial(law, subject), subject.rows())


def container(name: str) -> Watched:
    return Watched(partial(test_inputs.one_model, GaussianNB, test_inputs.FRAMES[name]), tables_for(GaussianNB))


def lost_shift(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Moments, "about", lambda self, shift: replace(self, shift=shift))


def smoothing_in_the_state(patch: pytest.MonkeyPatch) -> None:
    plain = Counts.of

    def smoothed(part: Any, R: Shares) -> Counts:
        counts = plain(part, R)
        return replace(counts, weight=counts.weight + 1.0)

    patch.setattr(Counts, "of", staticmethod(smoothed))


def intersection_of_vocabularies(patch: pytest.MonkeyPatch) -> None:
    plain = Counts.sum

    def shared_only(parts: Any) -> Counts:
        united = plain(parts)
        keep = [set(v).intersection(*(part.labels[j] for part in parts)) for j, v in enumerate(united.labels)]
        live = np.array([label in keep[j] for j, v in enumerate(united.labels) for label in v], dtype=bool)
        labels = tuple(tuple(label for label in v if label in keep[j]) for j, v in enumerate(united.labels))
        return Counts(labels, united.rows[:, live], united.weight[:, live])

    patch.setattr(Counts, "sum", staticmethod(shared_only))


def weights_ignored(patch: pytest.MonkeyPatch) -> None:
    plain = power_sums.twin
    patch.setattr(power_sums, "twin", lambda X, R, c: plain(X, Shares.hard(R.codes[:, 0], R.K), c))


def the_mean_rounded(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.mean.fget  # type: ignore[attr-defined]
    patch.setattr(Moments, "mean", property(lambda self: exact(plain(self).value)))


def sums_rounded_at_every_merge(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.sum

    def rounded(parts: Any) -> Moments:
        total = plain(parts)
        return replace(total, first=exact(total.first.value), second=exact(total.second.value))

    patch.setattr(Moments, "sum", staticmethod(rounded))


def missing_cells_count_as_0(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.of
    patch.setattr(Moments, "of", staticmethod(lambda X, R, shift=None: plain(np.nan_to_num(X, nan=0.0), R, shift)))


def a_missing_cell_loses_its_row(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.of

    def complete_rows(X: Any, R: Shares, shift: Any = None) -> Moments:
        return plain(np.where(np.isnan(X).any(axis=1, keepdims=True), np.nan, X), R, shift)

    patch.setattr(Moments, "of", staticmethod(complete_rows))


def residue_of_weights_keeps_labels(patch: pytest.MonkeyPatch) -> None:
    def all_kept(self: Counts, other: Counts) -> Counts:
        return Counts.sum([self, replace(other, rows=-other.rows, weight=-other.weight)])

    patch.setattr(Counts, "__sub__", all_kept)


def classes_in_order_of_arrival(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(by_class, "canonical", lambda labels: tuple(dict.fromkeys(labels)))


def epsilon_of_the_last_chunk(patch: pytest.MonkeyPatch) -> None:
    plain, last = Moments.of, []

    def remembered(X: Any, R: Shares, shift: Any = None) -> Moments:
        last[:] = [plain(X, R, shift)]
        return last[0]

    patch.setattr(Moments, "of", staticmethod(remembered))
    patch.setattr(VarianceFloor, "floor", lambda self, kept: self.share * float(last[0].pooled().variance.max()))


def rows_never_added_are_taken_away(patch: pytest.MonkeyPatch) -> None:
    for file in (tally, moments_file):
        patch.setattr(file, "remaining", lambda rows, taken: np.maximum(rows - taken, 0))


def rounding_stays_where_a_column_became_constant(patch: pytest.MonkeyPatch) -> None:
    plain = FullMoments.scatter.fget  # type: ignore[attr-defined]
    patch.setattr(FullMoments, "scatter", property(lambda self: plain(replace(self, noise=np.zeros_like(self.noise)))))


def decay_forgets_the_squares(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.scale
    patch.setattr(Moments, "scale", lambda self, factor: replace(plain(self, factor), second=self.second))


def components_move_one_place_too_far(patch: pytest.MonkeyPatch) -> None:
    plain = Tally.spread
    patch.setattr(Tally, "spread", lambda self, index, K: plain(self, (np.asarray(index) + 1) % K, K))


def the_loop_drops_the_low_halves(patch: pytest.MonkeyPatch) -> None:
    plain = power_sums.scattered

    def rounded(X: Any, R: Shares, shift: Any) -> Any:
        counted, *sums = plain(X, R, shift)
        return counted, *(exact(pair.high) for pair in sums)

    patch.setattr(power_sums, "scattered", rounded)


def shares_are_not_weighed(patch: pytest.MonkeyPatch) -> None:
    plain = power_sums.shared
    patch.setattr(power_sums, "shared", lambda X, R, c: plain(X, replace(R, share=(R.share > 0) * 1.0), c))


def files_keep_only_the_high_halves(patch: pytest.MonkeyPatch) -> None:
    plain = summary_laws.from_bytes

    def rounded(data: bytes) -> Any:
        loaded = plain(data)
        return replace(loaded, first=Pair(loaded.first.high, np.zeros_like(loaded.first.low)))

    patch.setattr(summary_laws, "from_bytes", rounded)


def sums_are_averages(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.sum
    patch.setattr(Moments, "sum", staticmethod(lambda parts: plain(parts).scale(1.0 / len(parts))))


def an_empty_shard_counts_a_row(patch: pytest.MonkeyPatch) -> None:
    plain = Tally.sum

    def generous(parts: Any) -> Tally:
        total = plain(parts)
        return replace(total, rows=total.rows + sum(not part.rows.any() for part in parts))

    patch.setattr(Tally, "sum", staticmethod(generous))


def long_sums_lose_their_last_term(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.sum
    patch.setattr(Moments, "sum", staticmethod(lambda parts: plain(parts[:2] if len(parts) > 2 else parts)))


def summarizing_moves_the_rows(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.of

    def moving(X: Any, R: Shares, shift: Any = None) -> Moments:
        X += 1.0
        return plain(X, R, shift)

    patch.setattr(Moments, "of", staticmethod(moving))


def densities_lose_their_constant(patch: pytest.MonkeyPatch) -> None:
    plain = Normals.log_density
    patch.setattr(Normals, "log_density", lambda self, part: plain(self, part) + 1.0)


def the_first_row_is_not_seen(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.of

    def late(X: Any, R: Shares, shift: Any = None) -> Moments:
        seen = np.arange(len(X))[:, None] > 0
        return plain(np.where(seen, X, np.nan), R, shift)

    patch.setattr(Moments, "of", staticmethod(late))


def classes_stay_without_rows(patch: pytest.MonkeyPatch) -> None:
    def all_kept(self: ByClass, other: ByClass) -> ByClass:
        other = other.align(self.labels)
        return ByClass(self.labels, self.tally - other.tally, self.summary - other.summary)

    patch.setattr(ByClass, "__sub__", all_kept)


def sums_a_billionth_too_large(patch: pytest.MonkeyPatch) -> None:
    plain = LeastSquaresSummary.sum

    def careless(parts: Any) -> Any:
        total = plain(parts)
        return LeastSquaresSummary(total.moments.scale(1.0 + 1e-9), None, np.zeros_like(total.taken))

    patch.setattr(LeastSquaresSummary, "sum", careless)


def frames_turn_a_column_round(patch: pytest.MonkeyPatch) -> None:
    plain = test_inputs.named

    def turned(X: Any) -> dict[str, Any]:
        first, *others = plain(X).items()
        return dict([(first[0], first[1][::-1]), *others])

    patch.setattr(test_inputs, "named", turned)


def a_sum_changes_its_first_term(patch: pytest.MonkeyPatch, cls: type[Any]) -> None:
    patch.setattr(cls, "__add__", lambda self, other: self.merge(other))


def half_changed_when_a_call_fails(patch: pytest.MonkeyPatch) -> None:
    for file in (one_pass, estimator):
        patch.setattr(file, "all_or_nothing", lambda changed: nullcontext())


def parameters_ignored_after_the_fit(patch: pytest.MonkeyPatch, cls: type[Any]) -> None:
    patch.setattr(cls, "set_params", BaseEstimator.set_params)


def predicting_leaves_a_mark(patch: pytest.MonkeyPatch, cls: type[Any], verb: str) -> None:
    plain = getattr(cls, verb)

    def marking(self: Any, X: Any) -> Any:
        self.last_ = plain(self, X)
        return self.last_

    patch.setattr(cls, verb, marking)


def more_rows_begin_anew(patch: pytest.MonkeyPatch, cls: type[Any]) -> None:
    patch.setattr(cls, "partial_fit", lambda self, X, y, sample_weight=None: self.fit(X, y, sample_weight))


def merging_leaves_the_last_model_out(patch: pytest.MonkeyPatch, cls: type[Any]) -> None:
    plain = cls.merge
    patch.setattr(cls, "merge", lambda self, *others: plain(self, *others[:-1]))


def forgetting_does_nothing(patch: pytest.MonkeyPatch, cls: type[Any]) -> None:
    patch.setattr(cls, "forget", lambda self, X, y, sample_weight=None: self)


def weights_are_not_learned(patch: pytest.MonkeyPatch, cls: type[Any]) -> None:
    plain = cls.fit
    patch.setattr(cls, "fit", lambda self, X, y, sample_weight=None: plain(self, X, y))


def files_keep_every_row_twice(patch: pytest.MonkeyPatch) -> None:
    plain = estimator_laws.from_bytes

    def doubled(data: bytes) -> Any:
        value = plain(data)
        return value.holding(replace(value.fitted, state=value.fitted.summary.scale(2.0)))

    patch.setattr(estimator_laws, "from_bytes", doubled)


def what_is_impossible_is_certain(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cellwise, "log_density", Cellwise.log_evidence)


def tails_that_never_end(patch: pytest.MonkeyPatch) -> None:
    plain = Histograms._tail
    patch.setattr(Histograms, "_tail", lambda self, j, k, away: plain(self, j, k, 0.0 * away))


def virtual_rows_that_are_counted_twice(patch: pytest.MonkeyPatch) -> None:
    plain = Histogram._column

    def doubled(self: Histogram, values: Any, weight: Any) -> Any:
        edges, logs = plain(self, values, weight)
        return edges, np.concatenate([logs[:, :-1], logs[:, -1:] + np.log(2.0)], axis=1)

    patch.setattr(Histogram, "_column", doubled)


def unseen_labels_are_certain(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Categories, "log_density", Categories.log_evidence)


def words_in_one_order_only(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(bag, "log_ways", lambda counts: np.zeros(counts.shape[0]))


def variances_of_half_the_size(patch: pytest.MonkeyPatch) -> None:
    plain = JointNormals._height
    patch.setattr(JointNormals, "_height", lambda self, mine: plain(self, mine) + 0.5 * np.log(2.0))


def what_all_exclude_excludes_them(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cellwise, "log_evidence", Cellwise.log_density)


NUMBERS, SYMBOLS = DiagonalNormal(), Categorical()
BINS = Histogram(EqualWidth(4), strength=0.0)
CODES = IntegerCodes()
DEFECTS: list[tuple[Any, ...]] = [  # how it is planted, the law that it must break, and where
    (lost_shift, summary("Moments", summary_laws.whole)),
    (smoothing_in_the_state, family(SYMBOLS, family_laws.whole)),
    (intersection_of_vocabularies, summary("Counts", summary_laws.whole)),
    (weights_ignored, family(NUMBERS, family_laws.copies)),
    (the_mean_rounded, Watched(exact_moments, EXACT)),
    (sums_rounded_at_every_merge, summary("Moments", summary_laws.whole)),
    (missing_cells_count_as_0, family(NUMBERS, family_laws.missing)),
    (a_missing_cell_loses_its_row, family(NUMBERS, family_laws.missing)),
    (residue_of_weights_keeps_labels, summary("Counts", summary_laws.undone)),
    (classes_in_order_of_arrival, summary("Bayes", summary_laws.commutative)),
    (epsilon_of_the_last_chunk, model(GaussianNB, estimator_laws.chunks)),
    (rows_never_added_are_taken_away, summary("Moments", summary_laws.never_added)),
    (rounding_stays_where_a_column_became_constant, summary("FullMoments", summary_laws.undone)),
    (decay_forgets_the_squares, summary("Moments", summary_laws.scaled)),
    (components_move_one_place_too_far, summary("Tally", summary_laws.spread_out)),
    (the_loop_drops_the_low_halves, family(NUMBERS, family_laws.routes)),
    (shares_are_not_weighed, family(NUMBERS, family_laws.shares)),
    (files_keep_only_the_high_halves, summary("Moments", summary_laws.saved)),
    (sums_are_averages, summary("Moments", summary_laws.associative)),
    (an_empty_shard_counts_a_row, summary("Tally", summary_laws.zero)),
    (long_sums_lose_their_last_term, summary("Moments", summary_laws.folded)),
    (weights_ignored, summary("Moments", summary_laws.copies)),
    (summarizing_moves_the_rows, summary("Moments", summary_laws.values)),
    (densities_lose_their_constant, family(NUMBERS, family_laws.cells)),
    (lost_shift, learner("Bayes", test_learners.whole)),
    (weights_ignored, learner("Product", test_learners.copies)),
    (the_first_row_is_not_seen, learner("Product", test_learners.order)),
    (classes_stay_without_rows, model(NaiveBayes, test_leaving.a_class_leaves)),
    (frames_turn_a_column_round, container("pandas")),
    (merging_leaves_the_last_model_out, model(NaiveBayes, estimator_laws.merged), OnePassClassifier),
    (a_sum_changes_its_first_term, model(NaiveBayes, estimator_laws.added), OnePassClassifier),
    (forgetting_does_nothing, model(NaiveBayes, estimator_laws.forgotten), OnePassClassifier),
    (weights_are_not_learned, model(NaiveBayes, estimator_laws.copies), OnePassClassifier),
    (files_keep_every_row_twice, model(NaiveBayes, estimator_laws.saved)),
    (parameters_ignored_after_the_fit, model(NaiveBayes, estimator_laws.read_anew), OnePassClassifier),
    (predicting_leaves_a_mark, model(NaiveBayes, estimator_laws.predicting), OnePassClassifier, "predict_proba"),
    (half_changed_when_a_call_fails, model(NaiveBayes, estimator_laws.failing)),
    (more_rows_begin_anew, regressor(regressor_laws.chunks), OnePassRegressor),
    (sums_a_billionth_too_large, regressor(regressor_laws.merged)),
    (a_sum_changes_its_first_term, regressor(regressor_laws.added), OnePassRegressor),
    (forgetting_does_nothing, regressor(regressor_laws.forgotten), OnePassRegressor),
    (weights_are_not_learned, regressor(regressor_laws.copies), OnePassRegressor),
    (files_keep_every_row_twice, regressor(regressor_laws.saved)),
    (parameters_ignored_after_the_fit, regressor(regressor_laws.read_anew), OnePassRegressor),
    (predicting_leaves_a_mark, regressor(regressor_laws.predicting), OnePassRegressor, "predict"),
    (half_changed_when_a_call_fails, regressor(regressor_laws.failing)),
    (merging_leaves_the_last_model_out, scorer(scorer_laws.merged), OnePassScorer),
    (forgetting_does_nothing, scorer(scorer_laws.forgotten), OnePassScorer),
    (weights_are_not_learned, scorer(scorer_laws.copies), OnePassScorer),
    (files_keep_every_row_twice, scorer(scorer_laws.saved)),
    (half_changed_when_a_call_fails, scorer(scorer_laws.failing)),
    (what_is_impossible_is_certain, family(BINS, density_laws.whole)),
    (tails_that_never_end, family(Histogram(), density_laws.whole)),
    (virtual_rows_that_are_counted_twice, family(Histogram(), density_laws.whole)),
    (unseen_labels_are_certain, family(CODES, density_laws.whole)),
    (words_in_one_order_only, family(Multinomial(), density_laws.whole)),
    (variances_of_half_the_size, family(FullNormal(), density_laws.whole)),
    (what_all_exclude_excludes_them, family(BINS, density_laws.evidence)),
]


def law_of(defect: tuple[Any, ...]) -> Any:
    """The law that a defect must break."""
    law = defect[1].law
    return law.func if isinstance(law, partial) else law


def named(defect: tuple[Any, ...]) -> str:
    law = law_of(defect)
    return f"{defect[0].__name__}-{law.__module__.split('.')[-1]}.{law.__name__}"


PLANTED = [law_of(defect) for defect in DEFECTS]  # what tests/laws/test_complete.py counts


@pytest.mark.filterwarnings("ignore::UserWarning")  # nasty tables are ill-conditioned on purpose; models warn of that
@pytest.mark.parametrize("defect", DEFECTS, ids=named)
def test_a_planted_defect_breaks_its_law(defect: tuple[Any, ...]) -> None:
    plant, watched, *where = defect
    assert not broken(*watched), "the law does not hold in the first place"
    with pytest.MonkeyPatch.context() as patch:
        plant(patch, *where)
        assert broken(*watched), f"{plant.__name__} was not caught"
