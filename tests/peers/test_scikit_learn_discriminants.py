"""scikit-learn's own tests of discriminant analysis pass with the import replaced, less a named list with reasons."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
import sklearn.tests.test_discriminant_analysis as theirs
from sklearn.utils import estimator_checks

import suffice
from tests.peers.their_tests import run_theirs

FAILING: dict[str, str] = {}
TRANSFORMING = [
    "check_get_feature_names_out_error",
    "check_global_set_output_transform_polars",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
]


def test_only_the_named_tests_fail(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = text.replace(
        "from sklearn.discriminant_analysis import (\n    LinearDiscriminantAnalysis,\n"
        "    QuadraticDiscriminantAnalysis,\n    _cov,\n)",
        "from suffice import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis\n"
        "from sklearn.discriminant_analysis import _cov",  # a private function that has a test of its own
    )
    done = run_theirs(tmp_path, "test_discriminant_analysis.py", text, replaced)
    assert set(done.failed) == set(FAILING), done.told[-4000:]
    assert done.passed >= 50, done.told[-4000:]


@pytest.mark.parametrize("missing", ["error", "marginalise"])
@pytest.mark.parametrize("name", ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])
def test_check_estimator_with_virtual_rows(name: str, missing: str) -> None:
    """Some of the checks have classes without an inverse covariance; with virtual rows, every check passes."""
    model: Any = getattr(suffice, name)(prior_strength=1.0, missing=missing)
    results = estimator_checks.check_estimator(model, on_fail=None, on_skip=None)
    odd = {result["check_name"]: result["exception"] for result in results if result["status"] != "passed"}
    assert set(odd) <= {"check_array_api_input"}, odd
    assert len(results) > 60


@pytest.mark.parametrize("check", TRANSFORMING)
def test_checks_of_transformers(check: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X (has|does not have valid) feature names, but")  # what the checks provoke
        getattr(estimator_checks, check)("LinearDiscriminantAnalysis", suffice.LinearDiscriminantAnalysis())
