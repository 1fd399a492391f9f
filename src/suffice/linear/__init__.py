"""Linear models: least squares in one pass, with and without a penalty, and linear classifiers of the same summary."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "BasicLinearClassifier": "suffice.linear.scores.basic_linear_classifier",
    "Design": "suffice.linear.design",
    "ElasticNet": "suffice.linear.regression.elastic_net",
    "ElasticNetCV": "suffice.linear.regression.elastic_net_cv",
    "Lasso": "suffice.linear.regression.elastic_net",
    "LassoCV": "suffice.linear.regression.elastic_net_cv",
    "LeastSquaresClassifier": "suffice.linear.scores.least_squares_classifier",
    "LinearRegression": "suffice.linear.regression.linear_regression",
    "LinearResults": "suffice.linear.regression.linear_results",
    "LogisticRegression": "suffice.linear.logistic.logistic_regression",
    "LogisticRegressionCV": "suffice.linear.logistic.logistic_regression_cv",
    "PolynomialRegression": "suffice.linear.regression.polynomial_regression",
    "Ridge": "suffice.linear.regression.ridge",
    "RidgeCV": "suffice.linear.regression.ridge_cv",
    "RidgeClassifier": "suffice.linear.scores.ridge_classifier",
    "TotalLeastSquares": "suffice.linear.regression.total_least_squares",
    "decompose": "suffice.linear.regression.univariate",
    "descend": "suffice.linear.regression.univariate",
    "error_surface": "suffice.linear.regression.univariate",
    "fit_line": "suffice.linear.regression.univariate",
    "slope_shift": "suffice.linear.regression.univariate",
    "threshold": "suffice.linear.scores.least_squares_classifier",
    "two_columns": "suffice.linear.regression.univariate",
}

_TOP = _HOMES.keys() - {
    "Design",
    "LinearResults",
    "decompose",
    "descend",
    "error_surface",
    "fit_line",
    "slope_shift",
    "threshold",
    "two_columns",
}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
