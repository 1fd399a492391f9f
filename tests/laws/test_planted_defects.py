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

from suffice import GaussianNB, NaiveBayes
from suffice.core import by_class, tally
from suffice.core.pairs import Pair, exact
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.estimators.algebras import one_pass
from suffice.estimators.glue.one_pass_classifier import OnePassClassifier
from suffice.families import bag
from suffice.families.categorical import Categorical, Categories
from suffice.families.family import Cellwise
from suffice.families.full_normal import FullNormal
from suffice.families.histogram import EqualWidth, Histogram, Histograms
from suffice.families.integer_codes import IntegerCodes
from suffice.families.joint_normals import JointNormals
from suffice.families.multinomial import Multinomial
from suffice.families.normal import DiagonalNormal, Normals
from suffice.families.variance_priors import VarianceFloor
from suffice.summaries import moments as moments_file
from suffice.summaries import power_sums
from suffice.summaries.counts import Counts
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments
from suffice.testing import density_laws, estimator_laws, family_laws, summary_laws
from suffice.testing.check import broken
from suffice.testing.model_tables import WIDENING, tables_for
from suffice.testing.tables import rows
from tests.laws.subjects import SUBJECTS, cells_of
from tests.laws.test_digits import EXACT, exact_moments

Plant = Callable[[pytest.MonkeyPatch], None]
NAMED = {subject.name: subject for subject in SUBJECTS}


class Watched(NamedTuple):
    """A law and the cases it is held on."""

    law: Callable[[Any], None]
    cases: Any


def summary(name: str, law: Callable[..., None]) -> Watched:
    return Watched(partial(law, NAMED[name].summarize), NAMED[name].rows())


def family(which: Any, law: Callable[..., None]) -> Watched:
    return Watched(partial(law, which), rows(cells_of(which)))


def model(cls: type[Any], law: Callable[..., None], **options: Any) -> Watched:
    return Watched(partial(law, cls), tables_for(cls, **options))


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


def a_sum_changes_its_first_term(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(OnePassClassifier, "__add__", lambda self, other: self.merge(other))


def half_changed_when_a_call_fails(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(one_pass, "all_or_nothing", lambda estimator: nullcontext())


def parameters_ignored_after_the_fit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(OnePassClassifier, "set_params", BaseEstimator.set_params)


def predicting_leaves_a_mark(patch: pytest.MonkeyPatch) -> None:
    plain = OnePassClassifier.predict_proba

    def marking(self: Any, X: Any) -> Any:
        self.last_ = plain(self, X)
        return self.last_

    patch.setattr(OnePassClassifier, "predict_proba", marking)


def a_sum_is_a_mean(patch: pytest.MonkeyPatch) -> None:
    plain = Tally.sum
    patch.setattr(Tally, "sum", staticmethod(lambda parts: plain(parts).scale(1.0 / len(parts))))


def rounding_is_left_where_no_row_is(patch: pytest.MonkeyPatch) -> None:
    plain = Moments.__sub__

    def left(self: Moments, other: Moments) -> Moments:
        rest = plain(self, other)
        return replace(rest, first=rest.first + exact(np.full_like(rest.first.high, 1e-30)))

    patch.setattr(Moments, "__sub__", left)


def the_last_of_many_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    plain = Counts.sum
    patch.setattr(Counts, "sum", staticmethod(lambda parts: plain(parts if len(parts) < 3 else parts[:-1])))


def sums_grow_in_the_first_term(patch: pytest.MonkeyPatch) -> None:
    plain = Tally.sum

    def grown(parts: Any) -> Tally:
        total = plain(parts)
        parts[0].rows[...] = total.rows
        return total

    patch.setattr(Tally, "sum", staticmethod(grown))


def a_missing_cell_tells_a_little(patch: pytest.MonkeyPatch) -> None:
    plain = Normals.cells
    patch.setattr(Normals, "cells", lambda self, part, k: plain(self, part, k) + 1e-15 * np.isnan(part))


def the_last_model_is_not_merged(patch: pytest.MonkeyPatch) -> None:
    plain = OnePassClassifier.merge
    patch.setattr(OnePassClassifier, "merge", lambda self, *others: plain(self, *others[:-1]))


def nothing_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(OnePassClassifier, "forget", lambda self, X, y=None, sample_weight=None, **other: self)


def files_keep_half_the_weights(patch: pytest.MonkeyPatch) -> None:
    plain = estimator_laws.from_bytes

    def halved(data: bytes) -> Any:
        value = plain(data)
        return replace(value, fitted=replace(value.fitted, state=value.fitted.state.scale(0.5)))

    patch.setattr(estimator_laws, "from_bytes", halved)


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
DEFECTS: list[tuple[Plant, Watched]] = [
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
    (a_sum_changes_its_first_term, model(NaiveBayes, estimator_laws.added)),
    (half_changed_when_a_call_fails, model(GaussianNB, estimator_laws.failing)),
    (parameters_ignored_after_the_fit, model(GaussianNB, estimator_laws.read_anew)),
    (predicting_leaves_a_mark, model(NaiveBayes, estimator_laws.predicting)),
    (a_sum_is_a_mean, summary("Tally", summary_laws.associative)),
    (rounding_is_left_where_no_row_is, summary("Moments", summary_laws.zero)),
    (the_last_of_many_is_forgotten, summary("Counts", summary_laws.folded)),
    (weights_ignored, summary("Moments", summary_laws.copies)),
    (sums_grow_in_the_first_term, summary("Tally", summary_laws.values)),
    (a_missing_cell_tells_a_little, family(NUMBERS, family_laws.cells)),
    (the_last_model_is_not_merged, model(GaussianNB, estimator_laws.merged)),
    (nothing_is_forgotten, model(GaussianNB, estimator_laws.forgotten, without=WIDENING)),
    (weights_ignored, model(GaussianNB, estimator_laws.copies, without=WIDENING)),
    (files_keep_half_the_weights, model(GaussianNB, estimator_laws.saved, without=WIDENING)),
    (what_is_impossible_is_certain, family(BINS, density_laws.whole)),
    (tails_that_never_end, family(Histogram(), density_laws.whole)),
    (virtual_rows_that_are_counted_twice, family(Histogram(), density_laws.whole)),
    (unseen_labels_are_certain, family(CODES, density_laws.whole)),
    (words_in_one_order_only, family(Multinomial(), density_laws.whole)),
    (variances_of_half_the_size, family(FullNormal(), density_laws.whole)),
    (what_all_exclude_excludes_them, family(BINS, density_laws.evidence)),
]


@pytest.mark.parametrize(("plant", "watched"), DEFECTS, ids=[plant.__name__ for plant, _ in DEFECTS])
def test_a_planted_defect_breaks_its_law(plant: Plant, watched: Watched) -> None:
    assert not broken(*watched), "the law does not hold in the first place"
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        assert broken(*watched), f"{plant.__name__} was not caught"


def test_every_law_of_summaries_families_and_models_is_shown_to_fail() -> None:
    watched = {_law_of(defect) for defect in DEFECTS}
    for laws in (summary_laws, family_laws, estimator_laws):
        assert [law.__name__ for law in laws.LAWS if law not in watched] == []


def _law_of(defect: tuple[Plant, Watched]) -> Any:
    law = defect[1].law
    return law.func if isinstance(law, partial) else law
