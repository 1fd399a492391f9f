"""scikit-learn's own checks and tests pass for estimators around estimators, and none of them is skipped."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sklearn.tests.test_multiclass as theirs
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    check_estimator,
    check_param_validation,
)

from suffice import Decide, GaussianNB, NaiveBayes, OneVsRestClassifier
from tests.peers.their_tests import run_theirs

MODELS = [
    Decide(),
    Decide(GaussianNB(), prior="uniform"),
    OneVsRestClassifier(LogisticRegression(), one_less=True),
    OneVsRestClassifier(NaiveBayes()),
]
WITHOUT_SKIPS = """
import json, warnings
warnings.simplefilter("error")
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import check_estimator
from suffice import Decide, OneVsOneClassifier, OneVsRestClassifier
results = {}
for cls in (Decide, OneVsOneClassifier, OneVsRestClassifier):
    checks = check_estimator(cls(LogisticRegression()), on_fail=None, on_skip=None)
    results[cls.__name__] = [[r["check_name"], r["status"]] for r in checks]
print(json.dumps(results))
"""


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_check_estimator(model: Any) -> None:
    results = check_estimator(model, on_fail=None, on_skip=None)
    odd = {result["check_name"]: result["exception"] for result in results if result["status"] != "passed"}
    assert set(odd) <= {"check_array_api_input"}, odd
    assert len(results) >= 55


@pytest.mark.parametrize("check", [check_dataframe_column_names_consistency, check_param_validation])
@pytest.mark.parametrize("model", [Decide(), OneVsRestClassifier(LogisticRegression())], ids=str)
def test_checks_that_scikit_learn_runs_by_hand(model: Any, check: Any) -> None:
    check(type(model).__name__, model)


def test_nothing_is_skipped_where_the_array_api_is_on() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SKIPS],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name, checks in json.loads(done.stdout).items():
        assert [check for check, status in checks if status != "passed"] == [], name
        assert "check_array_api_input" in dict(checks)


def test_their_tests_of_many_classes_pass(tmp_path: Path) -> None:
    """All of them, with the import replaced."""
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = re.sub(
        r"from sklearn\.multiclass import \([^)]*\)",
        "from sklearn.multiclass import OutputCodeClassifier\n"
        "from suffice import OneVsOneClassifier, OneVsRestClassifier",
        text,
    )
    assert "from suffice import" in replaced
    done = run_theirs(tmp_path, "test_multiclass.py", text, replaced)
    assert not done.failed, done.told[-4000:]
    assert done.passed >= 59
