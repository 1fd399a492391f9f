"""Linear models: least squares in one pass, with and without a penalty, and linear classifiers of the same summary."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "BasicLinearClassifier": "suffice.linear.basic_linear",
    "ElasticNet": "suffice.linear.elastic_net",
    "ElasticNetCV": "suffice.linear.elastic_net_cv",
    "Lasso": "suffice.linear.elastic_net",
    "LassoCV": "suffice.linear.elastic_net_cv",
    "LeastSquaresClassifier": "suffice.linear.least_squares_classifier",
    "LinearRegression": "suffice.linear.linear_regression",
    "LogisticRegression": "suffice.linear.logistic_regression",
    "LogisticRegressionCV": "suffice.linear.logistic_regression_cv",
    "PolynomialRegression": "suffice.linear.polynomial",
    "Ridge": "suffice.linear.ridge",
    "RidgeCV": "suffice.linear.ridge_cv",
    "RidgeClassifier": "suffice.linear.ridge_classifier",
    "TotalLeastSquares": "suffice.linear.total",
}

_TOP = _HOMES.keys()  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
