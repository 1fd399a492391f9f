"""scikit-learn's test files of trees, forests, bagging, boosting and stacking, and the failures that have a reason.

`python -m tests.peers.their_files` runs them whole with the others. Those of voting and nets have tests of their own.
"""

from __future__ import annotations

from tests.peers.their_files import DEPRECATED, PRIVATE, SENTENCE, TheirFile

DENSE = "wants members to see sparse rows; ours look at whole columns, and make them dense once"
FLOAT64 = "wants columns that differ by less than 1e-7 left alone; splits are in double precision here"
OURS = "wants the default member to be scikit-learn's class; it is our tree"
SHAPE = "wants rows of three dimensions handed to members; every row is checked once, at the boundary"
FRIEDMAN = ('        ("friedman_mse", mean_squared_error),\n', '"friedman_mse", ')  # cases of a deprecated criterion
TREE_MODULE = """
from types import ModuleType
theirs_tree, tree = tree, ModuleType("tree")
vars(tree).update(vars(theirs_tree), DecisionTreeClassifier=DecisionTreeClassifier)
tree.DecisionTreeRegressor = DecisionTreeRegressor
"""

ENSEMBLE_FILES = (
    TheirFile(
        "tree/tests/test_tree.py",
        ("DecisionTreeClassifier", "DecisionTreeRegressor"),
        {
            "test_friedman_mse_deprecation": DEPRECATED,
            "test_error": SENTENCE,
            "test_sample_weight_invalid": "wants weights that are all 0 to be learned from; they are refused",
            "test_almost_constant_feature": FLOAT64,
            "test_big_input": "wants numbers beyond float32 refused; they are split in double precision",
            "test_huge_allocations": "wants room for as many nodes as max_leaf_nodes says taken beforehand",
            "test_missing_value_errors": "wants missing cells of sparse rows refused; they work",
            "test_build_pruned_tree_py": PRIVATE,
            "test_build_pruned_tree_infinite_loop": PRIVATE,
        },
        removed=FRIEDMAN,
        after=TREE_MODULE,
        slow=(
            "sparse",
            "prune_tree",
            "arrayrepr",
            "diabetes",
            "non_uniform",
            "importances",
            "pickle",
            "balance",
            "absolute",
            "deterministic",
            "min_impurity",
            "missing",
            "vs_mse",
        ),
    ),
    TheirFile(
        "tree/tests/test_monotonic_tree.py",
        ("DecisionTreeClassifier", "DecisionTreeRegressor", "RandomForestClassifier", "RandomForestRegressor"),
        {
            "test_monotonic_constraints_classifications": (
                "wants the order kept to the last bit; shares of leaves that were moved to one bound differ by 1.4e-17"
            ),
        },
        slow=("constraints", "nodes_values"),
    ),
    TheirFile(
        "ensemble/tests/test_forest.py",
        ("RandomForestClassifier", "RandomForestRegressor"),
        {
            "test_friedman_mse_deprecation": DEPRECATED,
            "test_memory_layout": PRIVATE,
            "test_validate_y_class_weight": PRIVATE,
            "test_class_weights_forest": PRIVATE,
            "test_oob_not_computed_twice": PRIVATE,
            "test_max_samples_geq_one": PRIVATE,
            "test_mse_criterion_object_segfault_smoke_test": PRIVATE,
            "test_backend_respected": "wants trees grown by joblib's workers; they grow in threads of this process",
            "test_class_weight_errors": "wants other classes taken by warm_start, with a warning; they are refused",
            "test_max_samples_bootstrap": SENTENCE,
        },
        removed=FRIEDMAN,
        slow=(
            "importances",
            "regression_criterion",
            "oob",
            "memory_layout",
            "class_weight",
            "sparse",
            "parallel",
            "vs_mse",
            "balance",
            "gridsearch",
            "probability",
            "max_leaf",
            "min_",
            "missing",
            "estimators_samples",
        ),
    ),
    TheirFile(
        "ensemble/tests/test_bagging.py",
        ("BaggingClassifier", "BaggingRegressor"),
        {"test_estimator": OURS},
        slow=(
            "oob",
            "regression",
            "bootstrap",
            "parallel",
            "sparse",
            "probability",
            "gridsearch",
            "metadata",
            "classification",
        ),
    ),
    TheirFile(
        "ensemble/tests/test_weight_boosting.py",
        ("AdaBoostClassifier",),
        {
            "test_classification_toy": "wants labels of a mixed list as words; they keep their types here",
            "test_iris": "wants another seed in each stump; ours draw nothing",
            "test_adaboost_classifier_sample_weight_error": SENTENCE,
            "test_sample_weights_infinite": "wants a warning that weights became infinite; ours cannot",
            "test_sparse_classification": DENSE,
            "test_multidimensional_X": SHAPE,
            "test_adaboost_negative_weight_error": SENTENCE,
            "test_adaboost_numerically_stable_feature_importance_with_small_weights": (
                "gives weights of 1e-263, whose squares are 0; they are refused, with what to do"
            ),
        },
        slow=("sparse", "gridsearch", "diabetes", "pickle"),
    ),
    TheirFile(
        "ensemble/tests/test_stacking.py",
        ("StackingClassifier", "StackingRegressor"),
        {},
        slow=("metadata", "multilabel", "cv_influence", "drop", "sample_weight", "diabetes", "iris", "prefit"),
    ),
)
