"""scikit-learn's own checks pass for every estimator, and none of them is skipped."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from sklearn.utils.estimator_checks import (
    check_all_zero_sample_weights_error,
    check_dataframe_column_names_consistency,
    check_estimator,
    check_inplace_ensure_writeable,
    check_param_validation,
)

import suffice
from suffice.testing import discovery

# Perceptrons need not settle on random labels; scikit-learn's own run of its checks ignores these warnings too.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def needs_another(cls: type[Any]) -> bool:
    """Whether an estimator cannot be made without another."""
    return cls.__name__ == "Chain" or any(p.default is p.empty for p in inspect.signature(cls).parameters.values())


PUBLIC = discovery.public_estimators()
NEEDY = [cls for cls in PUBLIC if needs_another(cls)]  # tests/compose/test_scikit_learn.py checks these around others
ESTIMATORS = [cls for cls in PUBLIC if cls not in NEEDY]
NOT_YIELDED = [  # scikit-learn runs these on itself by hand; the others are for transformers
    check_all_zero_sample_weights_error,
    check_dataframe_column_names_consistency,
    check_inplace_ensure_writeable,
    check_param_validation,
]
COPIES = {  # on a row of weight w perceptrons take one step w times as long, as scikit-learn's does and is excused for
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
}
NEGATIVE = {"check_class_weight_classifiers"}  # its rows are below 0, whatever the tag positive_only says
EXCUSED = {  # classes without an inverse covariance, refused as scikit-learn's own tests want; see its own file
    "QuadraticDiscriminantAnalysis": {
        "check_array_api_input",
        "check_sample_weights_shape",
        "check_sample_weights_not_overwritten",
        "check_sample_weight_equivalence_on_dense_data",
    },
    "CategoricalNB": NEGATIVE,
    "KernelPerceptron": COPIES,
    "MultinomialNB": NEGATIVE,
    "Perceptron": COPIES,
    "PerceptronRegressor": COPIES,
}
MADE = {"OneHotEncoder": {"handle_unknown": "ignore"}}  # as scikit-learn makes its own for these checks
UNDER_ARRAY_API = """
import json, warnings
warnings.simplefilter("error")
import suffice, sys
from sklearn.exceptions import ConvergenceWarning
warnings.simplefilter("ignore", ConvergenceWarning)
from sklearn.utils.estimator_checks import estimator_checks_generator
results = {}
for name in sys.argv[1:]:
    given = {'handle_unknown': 'ignore'} if name == 'OneHotEncoder' else {}
    checks = list(estimator_checks_generator(getattr(suffice, name)(**given)))
    chosen = [(model, check) for model, check in checks if check.func.__name__ == "check_array_api_input"]
    results[name] = []
    for model, check in chosen:
        try:
            check(model)
            results[name].append("passed")
        except Exception as error:
            results[name].append(type(error).__name__)
print(json.dumps(results))
"""


def by_name(thing: Any) -> str:
    return str(thing.__name__)


def made(cls: type[Any]) -> Any:
    return cls(**MADE.get(cls.__name__, {}))


def test_every_estimator_is_found() -> None:
    """All that a user imports and can fit, but for what has no face of scikit-learn's: counts of hidden coins."""
    fit = {name for name in suffice.__all__ if hasattr(getattr(suffice, name), "fit")}
    assert {cls.__name__ for cls in (*ESTIMATORS, *NEEDY)} == fit
    assert {cls.__name__ for cls in NEEDY} == {"Chain", "OneVsOneClassifier", "OneVsRestClassifier"}
    assert set(EXCUSED) <= {cls.__name__ for cls in ESTIMATORS}


@pytest.mark.parametrize("cls", ESTIMATORS, ids=by_name)
def test_check_estimator(cls: type[Any]) -> None:
    results = check_estimator(made(cls), on_fail=None, on_skip=None)
    odd = {result["check_name"]: result["exception"] for result in results if result["status"] != "passed"}
    assert set(odd) <= {"check_array_api_input", *EXCUSED.get(cls.__name__, ())}, odd
    assert len(results) > 40  # those without targets get fewer


def test_check_estimator_where_no_check_may_skip() -> None:
    """The check that others skip passes with SciPy's array API, which is switched on from the start of a process."""
    done = subprocess.run(
        [sys.executable, "-c", UNDER_ARRAY_API, *map(by_name, ESTIMATORS)],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    excused = {name for name, checks in EXCUSED.items() if "check_array_api_input" in checks}
    results = json.loads(done.stdout)
    assert {name: results.pop(name) for name in excused} == {"QuadraticDiscriminantAnalysis": ["NoInverse"]}
    assert results == {cls.__name__: ["passed"] for cls in ESTIMATORS if cls.__name__ not in excused}


@pytest.mark.parametrize("check", NOT_YIELDED, ids=by_name)
@pytest.mark.parametrize("cls", ESTIMATORS, ids=by_name)
def test_checks_that_scikit_learn_runs_by_hand(cls: type[Any], check: Any) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")  # what the check provokes
        check(cls.__name__, made(cls))


def test_transformer_checks_are_run_elsewhere() -> None:
    """Feature names out and `set_output` are about transformers: each has these checks in a file of its own."""
    elsewhere = {
        "LinearDiscriminantAnalysis": "test_scikit_learn_discriminants.py",
        "OneHotEncoder": "test_scikit_learn_transformers.py",
        "StandardScaler": "test_scikit_learn_transformers.py",
    }
    assert {cls.__name__ for cls in ESTIMATORS if hasattr(cls, "transform")} == set(elsewhere)
    assert all((Path(__file__).parent / name).is_file() for name in elsewhere.values())
