"""A new model edits its file and its room's `__init__`: every list, law and check finds it by itself.

The package is copied, a model is added as CONTRIBUTING says, and the tests, not one of them edited, run on the copy.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import suffice
from suffice.testing.registry import main

NAME, MODULE, SAVED = "UnitRidge", "unit_ridge", "UnitPenalty"
FILE = f'''"""{NAME}: ridge regression whose penalty is 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from suffice.core.double_double import Pair
from suffice.core.registry import saved
from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.linear.regression.linear_plan import LinearPlan
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.coefficients import Coefficients
from suffice.linear.regression.solvers import Shrunken


@saved
@dataclass(frozen=True)
class {SAVED}:
    """The least sum of squares plus the squares of the coefficients."""

    def solve(self, problem: Problem, owner: str) -> Pair:
        """Coefficients (p, t)."""
        return Shrunken((1.0,)).solve(problem, owner)


class {NAME}(Coefficients, OnePassRegressor):
    """Ridge regression whose penalty is 1.

    Parameters
    ----------
    kinds : mapping column -> kind, overriding what the column shows
    threads : number of threads; None takes all processors
    ledger : True, or a key, keeps a digest of every row
    """

    def __init__(
        self, *, kinds: Mapping[Any, Any] | None = None, threads: int | None = None, ledger: Any = None
    ) -> None:
        """Keep the parameters."""
        self.kinds = kinds
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> LinearPlan:
        return LinearPlan(self._owner, {SAVED}(), kinds=dict(self.kinds or {{}}))
'''
FINDERS = {  # test files that must find the model, with the tests of them that are run for it
    "tests/laws/test_regressors.py": {"test_law"},
    "tests/test_public_names.py": {"test_every_public_name_is_found_by_name_and_where_it_lives"},
    "tests/persistence/test_registry.py": {"test_every_home_leads_to_its_class"},
    "tests/peers/test_scikit_learn_checks.py": {
        "test_check_estimator",
        "test_checks_that_scikit_learn_runs_by_hand",
    },
}
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with one model more: its file, and one line in its room's `__init__`."""
    package = tmp_path_factory.mktemp("src") / "suffice"
    shutil.copytree(Path(suffice.__file__).parent, package)  # with what was compiled, which saves minutes
    (package / "linear" / f"{MODULE}.py").write_text(FILE)
    room = package / "linear" / "__init__.py"
    room.write_text(
        room.read_text().replace("_HOMES = {\n", f'_HOMES = {{\n    "{NAME}": "suffice.linear.{MODULE}",\n', 1)
    )
    return package


def test_the_list_of_saved_classes_wants_to_be_made_anew(copy: Path) -> None:
    assert main(["--check"], copy) is not None
    assert main([], copy) is None
    assert f'"{SAVED}": "suffice.linear.{MODULE}"' in (copy / "core" / "saved_classes.py").read_text()


def test_laws_checks_and_names_find_the_model(copy: Path) -> None:
    main([], copy)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-k", f"{NAME} or {SAVED}", *FINDERS],
        env={**os.environ, "PYTHONPATH": str(copy.parent)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    ran = re.findall(r"^(\S+)::(\w+)\[.*PASSED", done.stdout, flags=re.MULTILINE)
    assert {file: {test for where, test in ran if where == file} for file in FINDERS} == FINDERS
    assert ran.count(("tests/laws/test_regressors.py", "test_law")) >= 9  # every law of regressors
