"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.linear.scores.basic_linear_classifier import BasicLinearClassifier as BasicLinearClassifier
from suffice.linear.regression.elastic_net import ElasticNet as ElasticNet
from suffice.linear.regression.elastic_net_cv import ElasticNetCV as ElasticNetCV
from suffice.linear.regression.elastic_net import Lasso as Lasso
from suffice.linear.regression.elastic_net_cv import LassoCV as LassoCV
from suffice.linear.scores.least_squares_classifier import LeastSquaresClassifier as LeastSquaresClassifier
from suffice.linear.regression.linear_regression import LinearRegression as LinearRegression
from suffice.linear.logistic.logistic_regression import LogisticRegression as LogisticRegression
from suffice.linear.logistic.logistic_regression_cv import LogisticRegressionCV as LogisticRegressionCV
from suffice.linear.regression.polynomial_regression import PolynomialRegression as PolynomialRegression
from suffice.linear.regression.ridge import Ridge as Ridge
from suffice.linear.regression.ridge_cv import RidgeCV as RidgeCV
from suffice.linear.scores.ridge_classifier import RidgeClassifier as RidgeClassifier
from suffice.linear.regression.total_least_squares import TotalLeastSquares as TotalLeastSquares

__all__ = [
    "BasicLinearClassifier",
    "ElasticNet",
    "ElasticNetCV",
    "Lasso",
    "LassoCV",
    "LeastSquaresClassifier",
    "LinearRegression",
    "LogisticRegression",
    "LogisticRegressionCV",
    "PolynomialRegression",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "TotalLeastSquares",
]
