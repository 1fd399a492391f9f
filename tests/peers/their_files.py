"""scikit-learn's test files of linear models, calibration and sparse SVC, and the failures that have a reason.

`python -m tests.peers.their_files` runs them whole, and those of features, trees and ensembles, and prints how many
tests passed and how many are excused; with words, such as `tree`, the files whose path has one. In the suite a test
runs in at most `CASES` of its cases: most of them are products of solvers, dtypes and containers that all take one path
here, and all of them together would take as long as the rest of the suite.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import sklearn

from tests.peers.their_tests import Outcome, run_theirs

CASES = 2

PRIVATE = "calls or reads private members of scikit-learn's"
WRITES = "writes into attributes, which are read from the summary here"
SENTENCE = "wants another sentence in the same case"
ONE_SOLVER = "wants a solver to refuse what it cannot do; there is one here, and it can"
DEPRECATED = "wants a warning about a default that scikit-learn will change; ours is the new one"
FOLDS = "wants the folds that scikit-learn draws from a number; ours are drawn by hash, whatever the order of rows"
UNCHECKED = "wants check_input=False to leave out checks or copies; here they ride in the pass, and cost nothing"
GRAM = "hands in products of columns (precompute); here they are the summary itself, and are never taken on trust"
CALLBACKS = "wants a task a step of lbfgs told to callbacks, and a warning of other solvers; here a fit is one task"


@dataclass(frozen=True)
class TheirFile:
    """A test file: where it is, what is replaced in it, and which failures are excused why."""

    path: str  # below sklearn
    ours: tuple[str, ...]  # names that are ours from there on
    excused: dict[str, str]
    removed: tuple[str, ...] = ()  # what is taken out of the text
    only: str = ""  # tests of what is ours, as pytest's option -k names them
    quick: bool = True  # whether it is short enough for the suite; others run by the command alone
    before: str = "from sklearn.utils.fixes import "  # where the import of ours goes
    after: str = ""  # lines after the imports
    slow: tuple[str, ...] = ()  # parts of names of tests that are run by the command alone

    @property
    def name(self) -> str:
        """Its file."""
        return self.path.rsplit("/", 1)[1]

    def run(self, folder: Path, most: int | None) -> Outcome:
        """Run it with our classes."""
        return run_theirs(folder, self.name, *self.texts(), most, self.only)

    def texts(self) -> tuple[str, str]:
        """Its text, and what is run."""
        text = (Path(sklearn.__file__).parent / self.path).read_text(encoding="utf-8")
        anchor = self.before
        assert anchor in text
        more = f"import suffice\nfrom suffice import {', '.join(self.ours)}\n"
        if "svm" in self.path and "SVC" in self.ours:
            more += "svm.SVC = test_svm.svm.SVC = SVC\n"
        replaced = text.replace(anchor, more + self.after + anchor, 1)
        for part in self.removed:
            replaced = replaced.replace(part, "")
        return text, replaced


FILES = (
    TheirFile(
        "linear_model/tests/test_base.py",
        ("LinearRegression",),
        {
            "test_raises_value_error_if_positive_and_sparse": "wants positive=True refused on sparse rows; it works",
            "test_inplace_data_preprocessing": "wants X to be written into with copy_X=False; ours never is",
        },
    ),
    TheirFile(
        "linear_model/tests/test_ridge.py",
        ("LinearRegression", "Ridge", "RidgeClassifier", "RidgeCV"),
        {
            "test_lbfgs_solver_error": ONE_SOLVER,
            "test_ridge_positive_error_test": ONE_SOLVER,
            "test_ridge_fit_intercept_sparse_error": ONE_SOLVER,
            "test_ridge_fit_intercept_sparse_sag": ONE_SOLVER,
            "test_n_iter": "wants as many passes as max_iter, or None of direct solvers; here all rows are met once",
            "test_regularization_limits_ridge_gcv": "wants gcv_mode='svd' warned of on sparse rows; ours takes it",
            "test_ridgecv_alphas_validation": SENTENCE,
            "test_ridge_loo_cv_asym_scoring": "all penalties score alike there; ours then takes the largest",
            "test_ridgecv_alphas_zero": SENTENCE,
            "test_ridgecv_sample_weight": "wants rows of a fold scored without their weights; here they count",
        },
    ),
    TheirFile(
        "linear_model/tests/test_coordinate_descent.py",
        ("ElasticNet", "ElasticNetCV", "Lasso", "LassoCV", "LinearRegression", "Ridge"),
        {
            "test_1d_multioutput_enet_and_multitask_enet_cv": FOLDS,
            "test_1d_multioutput_lasso_and_multitask_lasso_cv": FOLDS,
            "test_lasso_cv": FOLDS,
            "test_check_input_false": UNCHECKED,
            "test_enet_copy_X_False_check_input_False": UNCHECKED,
            "test_elasticnet_precompute_incorrect_gram": GRAM,
            "test_overridden_gram_matrix": GRAM,
            "test_lassoCV_does_not_set_precompute": PRIVATE,
            "test_enet_coordinate_descent_raises_convergence": WRITES,
            "test_enet_nonfinite_params": SENTENCE,
            "test_lassocv_alphas_validation": SENTENCE,
            "test_warm_start_convergence_with_regularizer_decrement": "wants more sweeps for a smaller penalty; ours"
            " solves for what is not 0 after as many of either (41, scikit-learn 171 and 584)",
            "test_warm_start": "wants five sweeps and five more to be ten, before they settle; wide tables choose anew",
            "test_lasso_alpha_warning": "wants alpha=0 warned of; ours solves least squares then",
        },
    ),
    TheirFile(
        "linear_model/tests/test_sparse_coordinate_descent.py",
        ("ElasticNet", "ElasticNetCV", "Lasso", "LassoCV"),
        {"test_sparse_coef": WRITES, "test_sparse_enet_coordinate_descent": WRITES},
    ),
    TheirFile(
        "linear_model/tests/test_logistic.py",
        ("LogisticRegression", "LogisticRegressionCV"),
        {
            "test_check_solver_option": ONE_SOLVER,
            "test_liblinear_dual_random_state": "wants liblinear's dual steps to depend on the seed",
            "test_liblinear_multiclass_raises": ONE_SOLVER,
            "test_liblinear_with_large_values": ONE_SOLVER,
            "test_large_sparse_matrix": ONE_SOLVER,
            "test_dtype_match": "wants float64 coefficients of liblinear on float32 rows",
            "test_max_iter": "wants the sentence of each solver, and as many steps as they take",
            "test_newton_cholesky_fallback_to_lbfgs": "compares the numbers of steps of two solvers",
            "test_zero_max_iter": "wants probabilities of 0.5 before the first step; ours begins at the class shares",
            "test_write_parameters": WRITES,
            "test_logistic_cv_folds_with_classes_missing": WRITES,
            "test_logreg_predict_proba_multinomial": PRIVATE,
            "test_get_default_scorer": PRIVATE,
            "test_logistic_cv_multinomial_score": PRIVATE,
            "test_LogisticRegressionCV_on_folds": FOLDS,
            "test_multinomial_cv_iris": "wants the shapes of l1_ratios=None, the default until 1.10",
            "test_l1_ratio_None_deprecated": DEPRECATED,
            "test_logisticregression_warns_with_n_jobs": DEPRECATED,
            "test_logisticregressioncv_warns_with_use_legacy_attributes": DEPRECATED,
            "test_lr_scoring_warns": DEPRECATED,
            "test_logistic_regression_callback_support": CALLBACKS,
            "test_logistic_regression_callback_support_warning": CALLBACKS,
        },
    ),
    TheirFile("tests/test_calibration.py", ("LogisticRegression", "LinearDiscriminantAnalysis", "MultinomialNB"), {}),
    TheirFile("svm/tests/test_bounds.py", ("LogisticRegression",), {}),
    TheirFile(
        "svm/tests/test_sparse.py",
        ("SVC",),
        {
            "test_timeout": "wants another sentence where max_iter ended the search",
        },
    ),
)


def main() -> None:
    """Print the counts of all files, or of those whose path has one of the words given."""
    from tests.peers.their_ensemble_files import ENSEMBLE_FILES
    from tests.peers.their_feature_files import FEATURES

    odd, words = 0, sys.argv[1:] or [""]
    for file in (*FILES, *FEATURES, *ENSEMBLE_FILES):
        if not any(word in file.path for word in words):
            continue
        with tempfile.TemporaryDirectory() as folder:
            done = file.run(Path(folder), None)
        excused = [name for name in done.failed if name in file.excused]
        odd += len(done.failed) - len(excused)
        print(
            f"{file.path:58} {done.passed:5} passed {len(excused):4} excused {len(done.failed) - len(excused)} failed"
        )
        for name in sorted(set(excused)):
            print(f"    {name}: {file.excused[name]}")
        for name in sorted({name for name in done.failed if name not in file.excused}):
            print(f"    {name}: failed")
    sys.exit(min(odd, 1))


if __name__ == "__main__":
    main()
