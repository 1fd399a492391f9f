"""scikit-learn's own tests of its univariate selectors pass with the import replaced, less a named list."""

from __future__ import annotations

from pathlib import Path

import sklearn.feature_selection.tests.test_feature_select as theirs

from tests.peers.their_tests import run_theirs

OURS = "from suffice import SelectKBest, SelectPercentile\n"
AFTER = "from sklearn.utils import safe_mask\n"
NOT_OURS = {
    "test_dataframe_output_dtypes",  # columns of intervals and symbols, scored by a function of its own
    "test_mutual_info_classif",  # functions that need all rows at once: scikit-learn's own selector
    "test_mutual_info_regression",
    "test_scorefunc_multilabel",
    "test_selectkbest_tiebreaking",
    "test_selectpercentile_tiebreaking",
    "test_unsupervised_filter",
}


def test_their_tests_pass(tmp_path: Path) -> None:
    text = Path(theirs.__file__).read_text(encoding="utf-8")
    replaced = text.replace(AFTER, AFTER + OURS)
    done = run_theirs(tmp_path, "test_feature_select.py", text, replaced)
    assert set(done.failed) == NOT_OURS, (sorted(set(done.failed)), done.told[-4000:])
    assert done.passed >= 40
