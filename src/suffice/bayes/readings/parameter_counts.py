"""How many numbers a fitted classifier has learned: what the Bayesian information criterion charges for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.core.errors import bad
from suffice.families.counts.bag import Bags
from suffice.families.counts.binomial import BetaBinomials, Binomials
from suffice.families.counts.categorical import Categories
from suffice.families.counts.dirichlet_multinomial import DirichletMultinomials
from suffice.families.counts.geometric import BetaGeometrics, Geometrics
from suffice.families.counts.poisson import NegativeBinomials, Poissons
from suffice.families.normals.normal import Normals
from suffice.families.normals.student import Students

OWN: dict[type[Any], Callable[[Any], int]] = {  # of the distributions of our naive Bayes
    Bags: lambda d: d.gain.size - (len(d.gain) if d.length is not None else 0),  # shares of words sum to 1
    BetaBinomials: lambda d: d.yes.size,
    BetaGeometrics: lambda d: d.yes.size,
    Binomials: lambda d: d.theta.size,
    Categories: lambda d: sum(len(d.log_theta) * (len(labels) - 1) for labels in d.labels if len(labels) > 1),
    DirichletMultinomials: lambda d: len(d.alpha) * (len(d.labels) - 1),
    Geometrics: lambda d: d.theta.size,
    NegativeBinomials: lambda d: d.events.size,
    Normals: lambda d: 2 * d.variance.size,
    Poissons: lambda d: d.rate.size,
    Students: lambda d: 2 * d.variance.size,
}
FOREIGN = "coef_", "intercept_", "theta_", "var_", "means_", "covariance_", "feature_log_prob_"


def count_parameters(owner: str, name: str, model: Any) -> int:
    """The numbers that a fitted model has learned from the rows, class shares included.

    >>> import numpy as np
    >>> from suffice import GaussianNB
    >>> count_parameters("me", "normal", GaussianNB().fit(np.array([[1.0, 2.0], [3.0, 5.0]]), ["a", "b"]))
    9
    """
    if hasattr(model, "n_parameters_"):
        return int(model.n_parameters_)
    shares = len(model.classes_) - 1
    fitted = vars(model).get("fitted_")
    distributions = getattr(getattr(getattr(fitted, "model", None), "factors", None), "distributions", None)
    if distributions is not None and all(type(d) in OWN for d in distributions):
        return shares + sum(OWN[type(d)](d) for d in distributions)
    found = [getattr(model, attribute) for attribute in FOREIGN if hasattr(model, attribute)]
    if not found and not hasattr(model, "class_prior_"):
        rule = "a model whose learned numbers can be counted"
        raise bad(owner, f"model {name!r}", rule, model, "Give their number in `n_parameters`.")
    generative = 0 if hasattr(model, "coef_") else shares
    return generative + sum(int(np.size(array)) for array in found)
