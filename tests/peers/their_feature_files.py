"""scikit-learn's test files of encoders, scalers, imputers and selectors, and the failures that have a reason."""

from __future__ import annotations

from tests.peers.their_files import PRIVATE, SENTENCE, TheirFile

SPARSE = "wants sparse rows where categories or columns are looked for one by one"
EMPTY = "wants a table without columns, where no product is asked for"
LISTED = "has thousands of millions of columns, each of which is listed here, or private members"
ABSENT = "a missing cell is NaN whether it was None or NaN, and both are one category"
AT_ONCE = "a parameter that is set after fit counts at once; scikit-learn's waits for the next fit"
ALREADY = "wants the error when rows are mapped; here it comes when they are learned"
EXACT = "wants tiny variances taken for rounding; here they are kept to twice the digits, and are real"
LATER = "wants the error when rows are learned; shards may have it, so that it comes when rows are mapped"
FLOATS = "numbers are float64 or float32; whole and half-precision ones become so"
BYTES = "bytes and texts are different values, whatever their letters"
IN_PLACE = "wants X itself changed by copy=False; it never is"
WORKS = "wants a refusal of what works here"
SEQUENTIAL = "partial_fit of a selector around an estimator"

KNN = "from sklearn.metrics.pairwise import nan_euclidean_distances"
SELECTION = "from sklearn.pipeline import make_pipeline"
FIXES = "from sklearn.utils.fixes import "

FEATURES = (
    TheirFile(
        "preprocessing/tests/test_encoders.py",
        ("OneHotEncoder", "OrdinalEncoder"),
        {
            "test_X_is_not_1D_pandas": SENTENCE,
            "test_encoder_dtypes": "wants categories of the type of the rows, objects and fixed-width texts too",
            "test_encoders_string_categories": BYTES,
            "test_mixed_string_bytes_categoricals": SENTENCE,
            "test_ohe_missing_values_get_feature_names": ABSENT,
            "test_ohe_more_informative_error_message": SENTENCE,
            "test_one_hot_encoder_categories": ABSENT,
            "test_one_hot_encoder_custom_feature_name_combiner": ABSENT,
            "test_one_hot_encoder_drop_manual": ABSENT,
            "test_one_hot_encoder_drop_reset": AT_ONCE,
            "test_one_hot_encoder_set_output": SENTENCE,
            "test_one_hot_encoder_specified_categories": ABSENT,
            "test_one_hot_encoder_specified_categories_mixed_columns": "wants categories of objects where X is one",
            "test_one_hot_encoder_unsorted_categories": WORKS,
            "test_ordinal_encoder_encoded_missing_value_error": SENTENCE,
            "test_ordinal_encoder_passthrough_missing_values_float_errors_dtype": SENTENCE,
            "test_ordinal_encoder_raise_categories_shape": SENTENCE,
            "test_ordinal_encoder_sparse": SPARSE,
        },
    ),
    TheirFile(
        "preprocessing/tests/test_polynomial.py",
        ("PolynomialFeatures",),
        {
            "test_num_combinations": PRIVATE,
            "test_polynomial_features_one_feature": EMPTY,
            "test_polynomial_features_two_features": EMPTY,
            "test_csr_polynomial_expansion_index_overflow_non_regression": LISTED,
            "test_csr_polynomial_expansion_index_overflow": LISTED,
            "test_csr_polynomial_expansion_too_large_to_index": LISTED,
        },
        only="not spline",
    ),
    TheirFile(
        "preprocessing/tests/test_data.py",
        ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "Binarizer", "Normalizer"),
        {
            "test_standard_scaler_1d": "rows that are one number each are rows of one column",
            "test_standard_scaler_dtype": FLOATS,
            "test_standard_scaler_near_constant_features": EXACT,
            "test_scaler_2d_arrays": WORKS,
            "test_robust_scaler_invalid_range": SENTENCE,
            "test_binarizer": IN_PLACE,
            "test_normalizer_l1_l2_max": IN_PLACE,
            "test_normalizer_l1_l2_max_non_csr": "wants sparse columns back as rows; they come back as they came",
            "test_standard_scaler_raise_error_for_1d_input": SENTENCE,
        },
        only="(scaler or scale or minmax or binarizer or normalizer) and not quantile and not power",
        quick=False,
    ),
    TheirFile(
        "impute/tests/test_impute.py",
        ("SimpleImputer", "KNNImputer"),
        {
            "test_imputation_copy": IN_PLACE,
            "test_imputer_without_indicator": "the indicator is no transformer of its own",
            "test_imputation_constant_object": "a column of numbers alone is one of numbers, filled by numbers",
            "test_imputation_mean_median_error_invalid_type": SENTENCE,
            "test_imputation_mean_median_error_invalid_type_list_pandas": SENTENCE,
            "test_imputation_const_mostf_error_invalid_types": WORKS,
            "test_imputation_constant_error_invalid_type": SENTENCE,
            "test_inconsistent_dtype_X_missing_values": WORKS,
            "test_simple_imputation_inverse_transform_exceptions": SENTENCE,
            "test_simple_imputer_constant_fill_value_casting": FLOATS,
        },
        only="not iterative and not missing_indicator",
    ),
    TheirFile(
        "impute/tests/test_knn.py",
        ("KNNImputer",),
        {},
        before=KNN,
    ),
    TheirFile(
        "feature_selection/tests/test_from_model.py",
        ("SelectFromModel",),
        {
            "test_invalid_input": ALREADY,
            "test_max_features_error": SENTENCE,
            "test_max_features_tiebreak": PRIVATE,
            "test_sample_weight": PRIVATE,
            "test_threshold_and_max_features": FLOATS,
            "test_prefit": SEQUENTIAL,
            "test_prefit_max_features": "wants most columns by a function refused before fit; they are known from X",
            "test_threshold_without_refitting": "what was chosen stays until the next fit",
            "test_fit_accepts_nan_inf": "wants an estimator without importances fitted; here it is refused at once",
            "test_transform_accepts_nan_inf": "wants infinite cells let through",
            "test_partial_fit": SEQUENTIAL,
            "test_partial_fit_validate_feature_names": SEQUENTIAL,
            "test_from_model_estimator_attribute_error": SEQUENTIAL,
        },
        before=SELECTION,
        quick=False,
    ),
    TheirFile(
        "feature_selection/tests/test_variance_threshold.py",
        ("VarianceThreshold",),
        {"test_zero_variance_value_error": LATER, "test_zero_variance_floating_point_error": LATER},
    ),
    TheirFile(
        "feature_selection/tests/test_sequential.py",
        ("SequentialFeatureSelector",),
        {
            "test_n_features_to_select_auto": "wants a column dropped though all help; backward search then keeps all",
            "test_no_y_validation_model_fit": "y is not read where the estimator learns without targets",
            "test_sparse_support": SPARSE,
            "test_fit_rejects_params_with_no_routing_enabled": "wants another error for weights; it takes none",
        },
        quick=False,
    ),
)
