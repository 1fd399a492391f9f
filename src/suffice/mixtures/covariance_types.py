"""The four shapes of covariance that scikit-learn names, each as a family and as the arrays its users know.

full       C_k, each component its own           diag        diagonal, each component its own
tied       C, one for all components             spherical   s_k^2 times the identity
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import exact
from suffice.core.errors import Said, bad
from suffice.families.family import Family
from suffice.families.normals.covariance_priors import NormalInverseWishart
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.joint_normals import JointNormals, inverse_of_lower
from suffice.families.normals.normal import DiagonalNormal, Normals
from suffice.families.normals.spherical_normal import SphericalNormal
from suffice.families.normals.tied_normal import TiedNormal
from suffice.families.normals.variance_priors import NormalInverseGamma

COLLAPSED = (
    "Fitting the mixture model failed because some components have ill-defined empirical covariance (for instance "
    "caused by singleton or collapsed samples). Try to decrease the number of components, increase reg_covar, or scale "
    "the input data. Or give a prior of virtual rows."
)


class CovarianceType(ABC):
    """A shape of covariance."""

    name: ClassVar[str]
    virtual: ClassVar[type[Any]]  # the prior of virtual rows

    @abstractmethod
    def family(self, prior: Any) -> Family:
        """The family, with its prior."""

    @abstractmethod
    def size(self, K: int, d: int) -> tuple[int, ...]:
        """Shape of the array that scikit-learn's users know."""

    @abstractmethod
    def parameters(self, K: int, d: int) -> int:
        """Number of free parameters of the covariances."""

    @abstractmethod
    def distribution(self, means: Array, covariances: Array) -> Any:
        """From arrays of scikit-learn's shapes."""

    @abstractmethod
    def from_columns(self, normals: Normals, weights: Array) -> Any:
        """The likest distribution to independent columns."""

    @abstractmethod
    def covariances(self, distribution: Any) -> Array:
        """In scikit-learn's shape."""

    @abstractmethod
    def cholesky(self, distribution: Any) -> Array:
        """Factors of the precisions, in scikit-learn's shape: U with U U' the precision, U upper triangular."""

    @abstractmethod
    def precisions(self, cholesky: Array) -> Array:
        """From their factors."""

    @abstractmethod
    def invert(self, precisions: Array) -> Array:
        """Covariances from precisions; raises where they have none."""

    def read(self, owner: str, precisions: Any, K: int, d: int) -> Array:
        """Precisions that a user gives, as covariances."""
        given = np.asarray(precisions, dtype=np.float64)
        size = self.size(K, d)
        if given.shape != size:
            name = f"The parameter '{self.name} precision' should have the shape of {size}, but got {given.shape}"
            raise bad(owner, "precisions_init", f"of shape {size} ({name})", Said(f"{given.shape}"), "Reshape it.")
        try:
            return self.invert(given)
        except (ValueError, np.linalg.LinAlgError):
            rule = f"{self.rule} ('{self.name} precision' should be {self.rule})"
            raise bad(owner, "precisions_init", rule, precisions, "Invert covariances to get them.") from None

    rule: ClassVar[str] = "positive"

    def check(self, owner: str, distribution: Any) -> None:
        """Refuse variances that collapsed to 0."""
        if not (distribution.variance > 0).all():
            raise bad(owner, "every variance", "above 0", Said("one of 0"), COLLAPSED)


class Full(CovarianceType):
    """A covariance for each component."""

    name = "full"
    rule = "symmetric, positive-definite"
    virtual = NormalInverseWishart

    def family(self, prior: Any) -> Family:
        """Full normals."""
        return FullNormal(prior)

    def size(self, K: int, d: int) -> tuple[int, ...]:
        """One matrix a component."""
        return K, d, d

    def parameters(self, K: int, d: int) -> int:
        """Of symmetric matrices."""
        return K * d * (d + 1) // 2

    def distribution(self, means: Array, covariances: Array) -> JointNormals:
        """Joint normals."""
        return JointNormals(exact(means), covariances.reshape(-1, *covariances.shape[-2:]), np.ones(means.shape[1]))

    def from_columns(self, normals: Normals, weights: Array) -> JointNormals:
        """Columns that do not vary together."""
        return JointNormals(normals.mean, normals.variance[:, :, None] * np.eye(len(normals.weights)), normals.weights)

    def covariances(self, distribution: JointNormals) -> Array:
        """As they are."""
        return distribution.covariance

    def cholesky(self, distribution: JointNormals) -> Array:
        """Inverse factors of the covariances, turned."""
        d = distribution.covariance.shape[1]
        factors = np.zeros((len(distribution.covariance), d, d))
        for k, mine in enumerate(distribution.whitenings(np.ones(d, dtype=bool))):
            factors[k][np.ix_(mine.columns, mine.columns)] = mine.W.T  # nothing where a column does not vary
        return factors

    def precisions(self, cholesky: Array) -> Array:
        """U U'."""
        return np.asarray(cholesky @ np.swapaxes(cholesky, -1, -2))

    def invert(self, precisions: Array) -> Array:
        """Each by its factor; symmetric ones only."""
        matrices = precisions.reshape(-1, *precisions.shape[-2:])
        if not np.allclose(matrices, np.swapaxes(matrices, 1, 2)):
            raise ValueError
        roots = [inverse_of_lower(np.linalg.cholesky(P)) for P in matrices]
        return np.stack([root.T @ root for root in roots]).reshape(precisions.shape)

    def check(self, owner: str, distribution: Any) -> None:
        """The family has refused singular covariances; columns that do not vary are left."""
        if not (np.diagonal(distribution.covariance, axis1=1, axis2=2) > 0).all():
            raise bad(owner, "every variance", "above 0", Said("one of 0"), COLLAPSED)


class Tied(Full):
    """One covariance for all components."""

    name = "tied"

    def family(self, prior: Any) -> Family:
        """Tied normals."""
        return TiedNormal(prior)

    def size(self, K: int, d: int) -> tuple[int, ...]:
        """One matrix."""
        return d, d

    def parameters(self, K: int, d: int) -> int:
        """Of one symmetric matrix."""
        return d * (d + 1) // 2

    def from_columns(self, normals: Normals, weights: Array) -> JointNormals:
        """Mean variances."""
        return JointNormals(normals.mean, np.diag(weights @ normals.variance)[None], normals.weights)

    def covariances(self, distribution: JointNormals) -> Array:
        """The only one."""
        return np.asarray(distribution.covariance[0])

    def cholesky(self, distribution: JointNormals) -> Array:
        """The only one."""
        return np.asarray(super().cholesky(distribution)[0])


class Diagonal(CovarianceType):
    """A variance for each component and column."""

    name = "diag"
    virtual = NormalInverseGamma

    def family(self, prior: Any) -> Family:
        """Diagonal normals."""
        return DiagonalNormal(prior)

    def size(self, K: int, d: int) -> tuple[int, ...]:
        """One number a component and column."""
        return K, d

    def parameters(self, K: int, d: int) -> int:
        """All of them."""
        return K * d

    def distribution(self, means: Array, covariances: Array) -> Normals:
        """Independent normals."""
        return Normals(exact(means), np.broadcast_to(covariances, means.shape).copy(), np.ones(means.shape[1]))

    def from_columns(self, normals: Normals, weights: Array) -> Normals:
        """As they are."""
        return normals

    def covariances(self, distribution: Normals) -> Array:
        """As they are."""
        return distribution.variance

    def cholesky(self, distribution: Normals) -> Array:
        """One over the standard deviation."""
        sd = np.sqrt(self.covariances(distribution))
        return np.divide(1.0, sd, out=np.zeros_like(sd), where=sd > 0)  # nothing where a column does not vary

    def precisions(self, cholesky: Array) -> Array:
        """Squares."""
        return np.square(cholesky)

    def invert(self, precisions: Array) -> Array:
        """One by one."""
        if not (precisions > 0).all():
            raise ValueError
        return 1.0 / precisions


class Spherical(Diagonal):
    """A variance for each component."""

    name = "spherical"

    def family(self, prior: Any) -> Family:
        """Spherical normals."""
        return SphericalNormal(prior)

    def size(self, K: int, d: int) -> tuple[int, ...]:
        """One number a component."""
        return (K,)

    def parameters(self, K: int, d: int) -> int:
        """One a component."""
        return K

    def distribution(self, means: Array, covariances: Array) -> Normals:
        """Independent normals, as wide in every column."""
        return super().distribution(means, covariances[:, None])

    def from_columns(self, normals: Normals, weights: Array) -> Normals:
        """Mean variances."""
        return self.distribution(normals.mean.value, normals.variance.mean(axis=1))

    def covariances(self, distribution: Normals) -> Array:
        """Those of the first column."""
        return distribution.variance[:, 0]


TYPES: Mapping[str, CovarianceType] = {one.name: one for one in (Full(), Tied(), Diagonal(), Spherical())}
