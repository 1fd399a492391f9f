"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.linear.scores.basic_linear_classifier import BasicLinearClassifier as BasicLinearClassifier
from suffice.linear.design import Design as Design
from suffice.linear.regression.elastic_net import ElasticNet as ElasticNet
from suffice.linear.regression.elastic_net_cv import ElasticNetCV as ElasticNetCV
from suffice.linear.regression.elastic_net import Lasso as Lasso
from suffice.linear.regression.elastic_net_cv import LassoCV as LassoCV
from suffice.linear.scores.least_squares_classifier import LeastSquaresClassifier as LeastSquaresClassifier
from suffice.linear.regression.linear_regression import LinearRegression as LinearRegression
from suffice.linear.regression.linear_results import LinearResults as LinearResults
from suffice.linear.logistic.logistic_regression import LogisticRegression as LogisticRegression
from suffice.linear.logistic.logistic_regression_cv import LogisticRegressionCV as LogisticRegressionCV
from suffice.linear.regression.polynomial_regression import PolynomialRegression as PolynomialRegression
from suffice.linear.regression.ridge import Ridge as Ridge
from suffice.linear.regression.ridge_cv import RidgeCV as RidgeCV
from suffice.linear.scores.ridge_classifier import RidgeClassifier as RidgeClassifier
from suffice.linear.regression.total_least_squares import TotalLeastSquares as TotalLeastSquares
from suffice.linear.regression.univariate import decompose as decompose
from suffice.linear.regression.univariate import descend as descend
from suffice.linear.regression.univariate import error_surface as error_surface
from suffice.linear.regression.univariate import fit_line as fit_line
from suffice.linear.regression.univariate import slope_shift as slope_shift
from suffice.linear.scores.least_squares_classifier import threshold as threshold
from suffice.linear.regression.univariate import two_columns as two_columns

__all__ = [
    "BasicLinearClassifier",
    "Design",
    "ElasticNet",
    "ElasticNetCV",
    "Lasso",
    "LassoCV",
    "LeastSquaresClassifier",
    "LinearRegression",
    "LinearResults",
    "LogisticRegression",
    "LogisticRegressionCV",
    "PolynomialRegression",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "TotalLeastSquares",
    "decompose",
    "descend",
    "error_surface",
    "fit_line",
    "slope_shift",
    "threshold",
    "two_columns",
]
