"""scikit-learn's own tests of features pass with the import replaced, less named lists."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.peers.their_feature_files import FEATURES
from tests.peers.their_files import TheirFile
from tests.peers.their_tests import run_theirs

BINS = {
    "test_fit_transform": "one case of k-means: a cell that lies on an edge but for rounding",
    "test_invalid_n_bins_array": "wants its own sentences",
    "test_nonuniform_strategies": "one case of k-means: which row an empty bin starts from",
    "test_consistent_dtype": "sparse indicators of float32 rows are float64",
    "test_invalid_quantile_method_with_sample_weight": "wants a refusal; whole weights are copies for all methods",
}
TARGETS = {
    "test_custom_categories": "gives random_state, which is deprecated there",
    "test_use_regression_target": "gives random_state too, and wants a warning about it",
    "test_target_encoder_shuffle_random_state_deprecated": "about the deprecation",
}
CASES: dict[str, tuple[str, list[tuple[str, str]], dict[str, str], int]] = {
    "KBinsDiscretizer": (
        "test_discretization",
        [
            (
                "from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder",
                "from sklearn.preprocessing import OneHotEncoder\nfrom suffice import KBinsDiscretizer",
            )
        ],
        BINS,
        90,
    ),
    "TargetEncoder": (
        "test_target_encoder",
        [
            ("    TargetEncoder,\n", ""),
            ("from sklearn.utils.fixes", "from suffice import TargetEncoder\nfrom sklearn.utils.fixes"),
        ],
        TARGETS,
        50,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_only_the_named_tests_fail(name: str, tmp_path: Path) -> None:
    file, pairs, failing, least = CASES[name]
    spec: Any = find_spec(f"sklearn.preprocessing.tests.{file}")
    text = Path(spec.origin).read_text(encoding="utf-8")
    replaced = text
    for old, new in pairs:
        assert old in replaced
        replaced = replaced.replace(old, new, 1)
    done = run_theirs(tmp_path, f"{file}.py", text, replaced)
    assert set(done.failed) <= set(failing), done.told[-4000:]
    assert done.passed >= least


@pytest.mark.parametrize("file", [file for file in FEATURES if file.quick], ids=lambda file: file.name)
def test_only_the_excused_tests_fail(file: TheirFile, tmp_path: Path) -> None:
    done = file.run(tmp_path, 1)
    assert set(done.failed) <= set(file.excused), (set(done.failed) - set(file.excused), done.told[-4000:])
    assert done.passed > 0
