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
pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:Isomap. the number of connected components"),
]


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
CROSSED = {  # fit_transform maps rows by models of other folds; scikit-learn's checks know its TargetEncoder by name
    "check_transformer_data_not_an_array",
    "check_transformer_general",
}
DRAWN = {**dict.fromkeys(["BisectingKMeans", "KMeans", "MiniBatchKMeans"], COPIES)}  # starts go by the numbers of rows
DRAWN |= dict.fromkeys(["FuzzyCMeans", "KExemplars", "KernelKMeans", "LandmarkKernelKMeans"], COPIES)
NO_SCORES = {"check_classifiers_multilabel_output_format_decision_function"}  # skipped: they have none
NO_PROBABILITIES = {"check_classifiers_multilabel_output_format_predict_proba"}  # likewise
NEGATIVE = {"check_class_weight_classifiers"}  # its rows are below 0, whatever the tag positive_only says
EXCUSED = {  # classes without an inverse covariance, refused as scikit-learn's own tests want; see its own file
    "QuadraticDiscriminantAnalysis": {
        "check_array_api_input",
        "check_sample_weights_shape",
        "check_sample_weights_not_overwritten",
        "check_sample_weight_equivalence_on_dense_data",
    },
    "Calibrate": CROSSED,
    **DRAWN,  # with starts that are given their laws hold: tests/laws/test_clusterers.py
    "Autoassociator": COPIES,
    "KernelPerceptron": COPIES,
    "LogisticNeuron": COPIES,
    "MLPClassifier": COPIES | NO_SCORES,
    "MLPRegressor": COPIES,
    "CategoricalNB": NEGATIVE,
    "MultinomialNB": NEGATIVE,
    "Perceptron": COPIES,
    "PerceptronRegressor": COPIES,
    "BaggingClassifier": COPIES,  # draws depend on the numbers of rows
    "BaggingRegressor": COPIES,
    "Forest": COPIES,
    "RegressionForest": COPIES,
    "RandomForestClassifier": COPIES | NO_SCORES,
    **dict.fromkeys(("DecisionTreeClassifier", "KNeighborsClassifier", "RadiusNeighborsClassifier"), NO_SCORES),
    "RandomForestRegressor": COPIES,
    "RidgeClassifier": NO_PROBABILITIES,
}
FEW = {"n_estimators": 5}
MADE: dict[str, dict[str, Any]] = {  # as scikit-learn makes its own for these checks, or without warnings
    "KBinsDiscretizer": {"strategy": "uniform"},
    "NMF": {"max_iter": 500, "n_components": 1},
    "OneHotEncoder": {"handle_unknown": "ignore"},
    "OrdinalEncoder": {"handle_unknown": "use_encoded_value", "unknown_value": -1},
    "SelectKBest": {"k": 1},
    "SelfOrganizingMap": {"rows": 2, "columns": 3},
    "TSNE": {"perplexity": 0.5, "max_iter": 30, "n_components": 1},
    "RadiusNeighborsClassifier": {
        "radius": 100.0,
        "weights": "distance",
    },  # rows without neighbours are refused, or warned of
    "RadiusNeighborsRegressor": {"radius": 100.0, "weights": "distance"},
    **dict.fromkeys(("AdaBoostClassifier", "BaggingClassifier", "BaggingRegressor"), FEW),
    **dict.fromkeys(("RandomForestClassifier", "RandomForestRegressor"), FEW),
    "BoostedRules": {"n_rules": 5},
    "Forest": {"n_trees": 5},
    "RegressionForest": {"n_trees": 5},
}
UNDER_ARRAY_API = """
import json, sys, warnings
warnings.simplefilter("error")
import suffice, sys
from sklearn.exceptions import ConvergenceWarning
warnings.simplefilter("ignore", ConvergenceWarning)
warnings.filterwarnings("ignore", "Isomap: the number of connected components")
from sklearn.utils.estimator_checks import estimator_checks_generator
results = {}
made = json.loads(sys.argv[1])
for name in sys.argv[2:]:
    given = made.get(name, {})
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
    others = {f"{kind}{what}" for kind in ("Stacking", "Voting") for what in ("Classifier", "Regressor")}
    assert {cls.__name__ for cls in NEEDY} == {"Chain", "OneVsOneClassifier", "OneVsRestClassifier"} | others
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
        [sys.executable, "-c", UNDER_ARRAY_API, json.dumps(MADE), *map(by_name, ESTIMATORS)],
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


def by_hand() -> list[Any]:
    """Each estimator with each check; that of weights where it takes some."""
    both = [(cls, check) for cls in ESTIMATORS for check in NOT_YIELDED]
    weighs = {cls for cls in ESTIMATORS if "sample_weight" in inspect.signature(cls.fit).parameters}
    return [(cls, check) for cls, check in both if cls in weighs or check is not check_all_zero_sample_weights_error]


@pytest.mark.parametrize(("cls", "check"), by_hand(), ids=by_name)
def test_checks_that_scikit_learn_runs_by_hand(cls: type[Any], check: Any) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")  # what the check provokes
        check(cls.__name__, made(cls))


def test_transformer_checks_are_run_elsewhere() -> None:
    """Feature names out and `set_output` are about transformers: each has these checks in a file of its own."""
    clusters = ("BisectingKMeans", "FeatureAgglomeration", "KMeans", "MiniBatchKMeans")
    elsewhere = {
        "LinearDiscriminantAnalysis": "test_scikit_learn_discriminants.py",
        **dict.fromkeys(clusters, "test_scikit_learn_clusters.py"),
    }
    found = {cls.__name__ for cls in ESTIMATORS if hasattr(cls, "transform")}
    named = (Path(__file__).parent / "test_scikit_learn_transformers.py").read_text(encoding="utf-8")
    assert {name for name in found if f"    {name}(" not in named} == set(elsewhere)
    assert all((Path(__file__).parent / name).is_file() for name in elsewhere.values())
