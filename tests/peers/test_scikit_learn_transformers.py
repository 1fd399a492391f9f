"""scikit-learn's checks of transformers, which its list of checks leaves to be run by hand."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils import estimator_checks as checks

from suffice import Autoassociator, OneHotEncoder, SelectKBest, SelectPercentile, StandardScaler

TRANSFORMERS = [
    StandardScaler(),
    OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    Autoassociator(max_iter=2, random_state=0),
    SelectKBest(k=1),
    SelectPercentile(percentile=50),
]
BY_HAND = [
    checks.check_get_feature_names_out_error,
    checks.check_transformer_get_feature_names_out,
    checks.check_transformer_get_feature_names_out_pandas,
    checks.check_set_output_transform,
    checks.check_set_output_transform_pandas,
    checks.check_set_output_transform_polars,
    checks.check_global_output_transform_pandas,
    checks.check_global_set_output_transform_polars,
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # two epochs are enough to check names
@pytest.mark.filterwarnings("ignore:X (has|does not have valid) feature names")  # what the checks provoke
@pytest.mark.parametrize("check", BY_HAND, ids=lambda check: check.__name__)
@pytest.mark.parametrize("transformer", TRANSFORMERS, ids=lambda one: type(one).__name__)
def test_check(transformer: Any, check: Any) -> None:
    check(type(transformer).__name__, transformer)
