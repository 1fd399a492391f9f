"""Nothing escapes the laws: what the package defines is what is under law, found by walking it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import suffice
import suffice.bayes
from suffice.linear.penalty_search import PenaltySearch
from suffice.testing import check, discovery, estimator_laws, family_laws, regressor_laws, scorer_laws, summary_laws
from suffice.testing.sameness import has_reading
from tests.laws import test_estimators, test_families, test_learners, test_regressors, test_scorers, test_summaries
from tests.laws.subjects import LEARNERS, SUBJECTS, kinds_in

ONE_COMPONENT = {  # summaries that know no components, with laws of their own
    "Gathered": "tests/estimators/test_gathering.py",
    "StartRows": "tests/summaries/test_start_rows.py",
}
ELSEWHERE = {"JointTable": "tests/bayes/test_joint_table_algebra.py"}  # adds, but is no summary: it has laws of its own


def test_every_kind_of_summary_is_under_law() -> None:
    made: set[type[Any]] = set()
    for subject in SUBJECTS:
        check.hold(
            lambda rows, subject=subject: made.update(kinds_in(subject.summarize(rows))), subject.rows(), least=5
        )
    assert made == {cls for cls in discovery.summaries() if cls.__name__ not in ONE_COMPONENT}
    assert all((Path(__file__).parents[2] / path).is_file() for path in ONE_COMPONENT.values())


def test_every_summary_is_compared_by_what_it_says() -> None:
    assert {cls.__name__ for cls in discovery.summaries() if not has_reading(cls)} == set(ONE_COMPONENT)


def test_every_family_is_under_law() -> None:
    assert {type(family) for family in test_families.FAMILIES} == set(discovery.families())


def test_every_learner_is_under_law() -> None:
    others = {cls.__name__ for cls in discovery.learners()} - {cls.__name__ for cls in discovery.families()}
    assert {subject.name for subject in LEARNERS} == others == {subject.name for subject in test_learners.LEARNERS}


def test_every_one_pass_model_is_under_law() -> None:
    adding = {name for name in suffice.bayes.__all__ if hasattr(getattr(suffice.bayes, name), "merge")}
    public = adding - set(ELSEWHERE)
    assert {model.__name__ for model in test_estimators.MODELS} == public
    assert public | set(ELSEWHERE) <= set(suffice.__all__)
    others = {model.__name__ for model in (*test_regressors.MODELS, *test_scorers.MODELS)}
    alike = [model for model in discovery.one_pass() if not issubclass(model, PenaltySearch)]  # these choose first
    assert public | others == {model.__name__ for model in alike} <= set(suffice.__all__)


def test_what_adds_but_is_no_summary_has_laws_of_its_own() -> None:
    adding = {
        cls.__name__
        for cls in discovery.classes()
        if hasattr(cls, "sum") and "__add__" in vars(cls) and "__sub__" in vars(cls)
    }
    known = {cls.__name__ for cls in discovery.summaries()} | {"Summary", "Pair"}
    assert adding - known == set(ELSEWHERE)
    root = Path(__file__).parents[2]
    assert all((root / path).is_file() for path in ELSEWHERE.values())


def test_every_subject_gets_fifty_tables_under_every_law() -> None:
    """`check.hold` counts the tables and fails below this number; every law test runs through it."""
    assert check.LEAST >= 50
    for tests in (test_summaries, test_families, test_learners, test_estimators, test_regressors, test_scorers):
        assert "hold(" in Path(str(tests.__file__)).read_text(encoding="utf-8")


def test_every_law_is_listed() -> None:
    for laws in (summary_laws, family_laws, estimator_laws, regressor_laws, scorer_laws):
        listed = {law.__name__ for law in laws.LAWS}
        assert len(listed) == len(laws.LAWS)
        assert listed <= {name for name, value in vars(laws).items() if callable(value)}
