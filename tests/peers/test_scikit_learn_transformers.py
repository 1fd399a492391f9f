"""scikit-learn's checks of transformers, which its list of checks leaves to be run by hand."""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
import pytest
from sklearn.utils import all_estimators
from sklearn.utils import estimator_checks as checks

from suffice import (
    NMF,
    PCA,
    Autoassociator,
    Binarizer,
    Calibrate,
    CartesianProduct,
    ClassImputer,
    Discretizer,
    GroupCategories,
    IncrementalPCA,
    Isomap,
    KBinsDiscretizer,
    KNNImputer,
    LogisticRegression,
    MatrixCompletion,
    MaxAbsScaler,
    MinMaxScaler,
    MissingAsValue,
    ModelImputer,
    NormalImputer,
    Normalizer,
    OneHotEncoder,
    OrderCategories,
    OrdinalEncoder,
    PolynomialFeatures,
    ProductTerms,
    RobustScaler,
    SelectFromModel,
    SelectKBest,
    SelectPercentile,
    SelfOrganizingMap,
    SequentialFeatureSelector,
    SimpleImputer,
    SixSigmaScaler,
    StandardScaler,
    SubgroupFeatures,
    TableEncoder,
    TargetEncoder,
    TfidfTransformer,
    Threshold,
    TruncatedSVD,
    VarianceScaler,
    VarianceThreshold,
)
from suffice.testing.discovery import public_estimators

TRANSFORMERS = [
    Autoassociator(max_iter=2, random_state=0),
    Binarizer(),
    Calibrate(),
    CartesianProduct(),
    ClassImputer(),
    Discretizer(),
    GroupCategories(),
    IncrementalPCA(2),
    Isomap(),
    KBinsDiscretizer(encode="onehot-dense", strategy="uniform"),
    KNNImputer(),
    MatrixCompletion(),
    MaxAbsScaler(),
    MinMaxScaler(),
    MissingAsValue(),
    ModelImputer(),
    NMF(2, max_iter=500),
    NormalImputer(),
    Normalizer(),
    PCA(2),
    OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    OrderCategories(),
    OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
    PolynomialFeatures(),
    ProductTerms(),
    RobustScaler(),
    SelectFromModel(),
    SelectKBest(k=1),
    SelectPercentile(percentile=50),
    SelfOrganizingMap(2, 3),
    SequentialFeatureSelector(cv=2),
    SimpleImputer(),
    SixSigmaScaler(),
    StandardScaler(),
    SubgroupFeatures(),
    TableEncoder(),
    TargetEncoder(),
    TfidfTransformer(),
    Threshold(),
    TruncatedSVD(2),
    VarianceScaler(),
    VarianceThreshold(),
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


THEIRS = dict(all_estimators(type_filter="transformer"))
MAPPING = {name for name, cls in THEIRS.items() if "estimators" not in signature(cls).parameters}  # rows, not answers


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "cls", [cls for cls in public_estimators() if cls.__name__ in MAPPING], ids=lambda c: c.__name__
)
def test_float32_is_kept_where_scikit_learn_keeps_it(cls: type[Any]) -> None:
    rows, y = np.abs(np.random.default_rng(0).normal(size=(60, 4))).astype(np.float32), np.arange(60) % 2
    around = {"estimator": LogisticRegression()} if "estimator" in signature(cls).parameters else {}
    ours, theirs = (one(**around).fit(rows, y) for one in (cls, THEIRS[cls.__name__]))
    if not hasattr(ours, "transform"):  # TSNE maps its rows alone
        return
    assert theirs.transform(rows).dtype != np.float32 or ours.transform(rows).dtype == np.float32


@pytest.mark.filterwarnings("ignore:Isomap. the number of connected components")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # two epochs are enough to check names
@pytest.mark.filterwarnings("ignore:X (has|does not have valid) feature names")  # what the checks provoke
@pytest.mark.parametrize("check", BY_HAND, ids=lambda check: check.__name__)
@pytest.mark.parametrize("transformer", TRANSFORMERS, ids=lambda one: type(one).__name__)
def test_check(transformer: Any, check: Any) -> None:
    check(type(transformer).__name__, transformer)
