"""Nothing escapes the laws: what the package defines is what is under law, found by walking it."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import update_wrapper
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest
from hypothesis import strategies as st

import suffice
import suffice.bayes
from suffice.families.counts.complement import Complement
from suffice.testing import (
    check,
    density_laws,
    discovery,
    estimator_laws,
    family_laws,
    regressor_laws,
    scorer_laws,
    summary_laws,
    transformer_laws,
)
from suffice.testing.law import is_law, laws_of, unmarked
from suffice.testing.sameness import has_reading
from tests.laws import (
    test_densities,
    test_estimators,
    test_families,
    test_learners,
    test_regressors,
    test_scorers,
    test_summaries,
    test_transformers,
)
from tests.laws.subjects import LEARNERS, SUBJECTS, kinds_in

ONE_COMPONENT = {  # summaries that know no components, with laws of their own
    "Gathered": "tests/estimators/test_gathering.py",
    "StartRows": "tests/summaries/test_start_rows.py",
    "_Truth": "tests/estimators/test_split_sources.py",
}
OTHER_LEARNERS = {  # what is learned inside of a model, under the laws of that model or with tests of its own
    "ColumnLearner": "tests/laws/test_transformers.py",
    "DesignLearner": "tests/estimators/test_table_design.py",
    "FillLearner": "tests/laws/test_transformers.py",
    "FilterLearner": "tests/laws/test_transformers.py",
    "CentroidLearner": "tests/neighbours/test_nearest_centroid.py",
    "JointValueLearner": "tests/laws/test_transformers.py",
    "NormalFillLearner": "tests/laws/test_transformers.py",
    "FirstLook": "tests/linear/test_logistic_regression.py",
    "LevelLearner": "tests/neighbours/test_mixed_neighbours.py",
    "OutsidePass": "tests/clusters/test_landmark_kernel_k_means.py",
    "Gather": "tests/estimators/test_gathering.py",
    "NormalClasses": "tests/laws/test_estimators.py",
    "RememberedRows": "tests/clusters/test_remembered_rows.py",
    "PrincipalLearner": "tests/laws/test_transformers.py",
    "SingularLearner": "tests/laws/test_transformers.py",
    "SingleColumnsLearner": "tests/features/test_normal_imputer.py",
    "TfidfLearner": "tests/laws/test_transformers.py",
    "VarianceLearner": "tests/laws/test_transformers.py",
    "TargetMeansLearner": "tests/features/test_encoders.py",
    "_Rows": "tests/core/test_learner.py",
}
UNDER_LAW: dict[Any, tuple[Any, Any]] = {  # the tests of laws: their subjects, their laws
    test_summaries: (SUBJECTS, summary_laws.LAWS),
    test_families: (test_families.FAMILIES, family_laws.LAWS),
    test_densities: (test_densities.FAMILIES, density_laws.LAWS),
    test_learners: (LEARNERS, (test_learners.whole, test_learners.copies, test_learners.order)),
    test_estimators: (test_estimators.MODELS, estimator_laws.LAWS),
    test_regressors: (test_regressors.MODELS, regressor_laws.LAWS),
    test_scorers: (test_scorers.MODELS, scorer_laws.LAWS),
    test_transformers: (test_transformers.MODELS, transformer_laws.LAWS),
}


def _names(package: str) -> list[str]:
    return [found.name for found in pkgutil.iter_modules(import_module(package).__path__, f"{package}.")]


APART = {  # they add, but tell nothing of rows and classes together
    "Featureless": "tests/bayes/test_saved_answers.py",
    "NearestCentroid": "tests/neighbours/test_nearest_centroid.py",
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


def test_every_family_but_scores_is_a_density_under_law() -> None:
    densities = {type(family) for family in test_densities.FAMILIES}
    assert set(discovery.families()) - densities == {Complement}


def test_every_learner_is_under_law() -> None:
    others = {cls.__name__ for cls in discovery.learners()} - {cls.__name__ for cls in discovery.families()}
    mine = {subject.name.partition(" with ")[0] for subject in LEARNERS}
    assert {subject.name for subject in LEARNERS} == {subject.name for subject in test_learners.LEARNERS}
    assert mine | set(OTHER_LEARNERS) == others
    assert all((Path(__file__).parents[2] / path).is_file() for path in OTHER_LEARNERS.values())


def test_every_one_pass_model_is_under_law() -> None:
    adding = {name for name in suffice.bayes.__all__ if hasattr(getattr(suffice.bayes, name), "merge")}
    public = adding - {*ELSEWHERE, *APART}
    assert {model.__name__ for model in test_estimators.MODELS} == public
    assert public | set(ELSEWHERE) <= set(suffice.__all__)
    others = {model.__name__ for model in (*test_regressors.MODELS, *test_scorers.MODELS)}
    others |= {subject.name for subject in test_transformers.MODELS}
    assert {cls.__name__ for cls in discovery.transformers()} == {subject.name for subject in test_transformers.MODELS}
    alike = [model for model in discovery.one_pass() if not model._chooses]  # these choose first
    assert public | others | set(APART) == {model.__name__ for model in alike} <= set(suffice.__all__)
    assert all((Path(__file__).parents[2] / path).is_file() for path in APART.values())


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


@pytest.mark.parametrize("tests", UNDER_LAW, ids=lambda tests: tests.__name__)
def test_every_subject_gets_fifty_tables_under_every_law(tests: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test of a law holds it on tables of the subject, at least as many as `check.hold` asks, by a seed of its
    own."""
    given = {mark.args[0]: mark.args[1] for mark in tests.test_law.pytestmark}
    laws, (subjects,) = given.pop("law"), given.values()
    assert (list(subjects), list(laws)) == tuple(map(list, UNDER_LAW[tests]))
    names, seen = set(), []

    def hold(law: Any, cases: Any, name: str, least: int = check.LEAST) -> None:
        assert least >= 50
        assert isinstance(cases, st.SearchStrategy)
        names.add(name)
        law(cases)

    monkeypatch.setattr(tests, "hold", hold)
    for law in laws:
        for subject in subjects:
            spy = update_wrapper(lambda one, rows: seen.append((one, rows)), law)
            tests.test_law(subject, spy)
            assert isinstance(seen[-1][1], st.SearchStrategy)
    assert len(names) == len(seen) == len(subjects) * len(laws)


def test_a_law_that_saw_too_few_tables_does_not_pass() -> None:
    seen: list[int] = []
    check.hold(seen.append, st.integers())
    assert len(seen) >= check.LEAST >= 50
    with pytest.raises(AssertionError, match="only 4 cases were tried, 50 are due"):
        check.hold(lambda case: None, st.integers(0, 3))

    def small(case: int) -> None:
        assert case < 1000

    with pytest.raises(AssertionError):
        check.hold(small, st.integers())
    assert check.broken(small, st.integers())
    assert not check.broken(lambda case: None, st.integers())


LAW_FILES = [import_module(name) for name in _names("suffice.testing") if name.endswith("_laws")]
TEST_FILES = [import_module(name) for name in _names("tests.laws") if ".test_" in name and name != __name__]
LAWS = [thing for file in (*LAW_FILES, *TEST_FILES) for thing in laws_of(file.__name__)]


def test_what_looks_like_a_law_is_one() -> None:
    """A law that is defined, but not marked, would be held by nobody."""
    assert {file.__name__: unmarked(file) for file in (*LAW_FILES, *TEST_FILES) if unmarked(file)} == {}
    assert len(LAWS) >= 50


def test_a_law_that_is_not_marked_is_found() -> None:
    file = ModuleType("little_laws")
    exec(  # functions as a file of laws has them
        "from __future__ import annotations\n"
        "def forgotten(cls: type, table: ModelTable) -> None: ...\n"
        "def assert_same(a: object, table: ModelTable) -> None: ...\n"
        "def fitted(cls: type, table: ModelTable) -> object: ...\n",
        vars(file),
    )
    assert unmarked(file) == ["forgotten"]


@pytest.mark.parametrize("file", LAW_FILES, ids=lambda file: file.__name__)
def test_a_file_of_laws_lists_all_of_them(file: ModuleType) -> None:
    assert list(file.LAWS) == list(laws_of(file.__name__)) != []


def test_every_law_is_held_by_a_test() -> None:
    tests = [
        thing
        for file in TEST_FILES
        for name, thing in vars(file).items()
        if name.startswith("test_") and callable(thing)
    ]
    held = [law for test in tests if "planted" not in test.__name__ for law in _held_by(test)]
    assert [told(law) for law in LAWS if law not in held] == []


def test_every_law_has_its_planted_defect() -> None:
    planted = [law for file in TEST_FILES for law in getattr(file, "PLANTED", ())]
    assert [told(law) for law in LAWS if law not in planted] == []
    assert [told(law) for law in planted if law not in LAWS] == []


def told(law: Any) -> str:
    return f"{law.__module__}.{law.__name__}"


def _held_by(test: Any) -> Iterator[Any]:
    """The laws that a test is given one by one, or calls by name."""
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize":
            given = (each if isinstance(each, tuple) else (each,) for each in mark.args[1])
            yield from (value for values in given for value in values if is_law(value))
    yield from (value for name in _names_in(test.__code__) if is_law(value := test.__globals__.get(name)))


def _names_in(code: CodeType) -> set[str]:
    inner = [_names_in(part) for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*inner)
