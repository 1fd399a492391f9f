"""The mixture learner: components of any family, learned in passes over any source of rows.

    p(x) = sum_k tau_k p(x | k),      r_ik = tau_k p(x_i | k) / p(x_i)
    tau_k = (sum_i w_i r_ik + a) / (sum_i w_i + K a),    p(. | k) estimated from the rows with weights w_i r_ik

A pass shares the rows by the model of the pass before and summarizes them as any other weighted rows; what is summed
adds, so that blocks, threads, files and machines can share a pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.product import Factors, Group, Product
from suffice.mixtures.assignment import Assignment, Soft
from suffice.mixtures.expectation import check_height, check_rise
from suffice.mixtures.passes.expected_moments import expected_moments
from suffice.mixtures.passes.log_likelihood_sum import heights, mean_height
from suffice.mixtures.passes.product_pass import product_pass, sole_normals
from suffice.mixtures.passes.tiled_pass import tiled_pass, worth_tiles
from suffice.mixtures.penalties import penalty
from suffice.numerics.log_space import best, log_sum_exp, normalize
from suffice.summaries.full_moments import FullMoments


@saved
@dataclass(frozen=True)
class MixtureModel:
    """Shares of the components, and one distribution for each."""

    log_weights: Array  # (K,)
    factors: Factors
    trace: tuple[float, ...] = ()  # mean penalised log-likelihood of each model before this one

    def log_joint(self, block: Block) -> Array:
        """log p(component, x) (n, K)."""
        return self.factors.log_density(block.parts) + self.log_weights

    def log_posterior(self, block: Block) -> Array:
        """log p(component | x) (n, K); a row impossible under every component gets their shares."""
        return normalize(self.factors.log_evidence(block.parts) + self.log_weights, self.log_weights)

    def log_density(self, block: Block) -> Array:
        """log p(x) (n,)."""
        return np.asarray(log_sum_exp(self.log_joint(block), axis=1))

    def likeliest(self, block: Block) -> Array:
        """The number of the most probable component (n,), the first of equals."""
        return best(self.log_posterior(block))


@dataclass(frozen=True)
class Mixture:
    """Learns a mixture in passes.

    Parameters
    ----------
    product : families of the columns
    assign : how rows are shared among components
    alpha : virtual rows that each component has beforehand, for its share alone; infinite keeps all shares equal
    after : looks at every model that was estimated, and may refuse it
    owner : who speaks in messages
    """

    product: Product
    assign: Assignment = field(default_factory=Soft)
    alpha: float = 0.0
    after: Callable[[MixtureModel], None] | None = None
    owner: str = "Mixture"

    def summarize(self, block: Block, model: MixtureModel | None = None) -> Together:
        """Weights, the families' summaries and the log-likelihood, as the model of the pass before divides the rows."""
        model = self._begun(model)
        normals = sole_normals(model.factors, block.parts)
        if normals is not None:
            way = tiled_pass if worth_tiles(block, normals) else product_pass
            tally, kept, seen = way(block, normals, model.log_weights, self.assign)
            return Together((tally, Together((kept,)), seen))
        R, high = self.assign.divide(model.log_joint(block), model.log_weights, block.w)
        return Together((*self.shared(block, R, model.factors).parts, heights(high, block.w)))

    def shared(self, block: Block, R: Shares, factors: Factors | None = None) -> Together:
        """Weights and the families' summaries of rows whose shares are known."""
        kept = tuple(self._kept(p, block, R, factors) for p in range(len(block.parts)))
        return Together((Tally.of(R), Together(kept)))

    def _kept(self, p: int, block: Block, R: Shares, factors: Factors | None) -> Summary:
        """What is kept of a part; normals that vary together have all of it, and expect what is missing."""
        part = block.parts[p]
        mine = [i for i, group in enumerate(self.product.groups) if group.part == p]
        if isinstance(self.product.groups[mine[0]].family, FullNormal):
            if factors is None:  # nothing can be expected before there is a model
                return FullMoments.of(part, R)
            normals = factors.distributions[mine[0]]
            assert isinstance(normals, JointNormals)
            return expected_moments(part, R, normals)
        alone = (
            tuple(replace(g, part=0) for g in some if g.part == p) for some in (self.product.groups, self.product.later)
        )
        return Product(*alone).summarize((part,), R, block.start).parts[0]

    def begin(self, summary: Any) -> MixtureModel:
        """The model that rows with known shares say."""
        tally, kept = summary.parts
        return self._seen(self._model(tally, kept, ()))

    def estimate(self, summary: Any, model: MixtureModel | None = None) -> MixtureModel:
        """Shares and distributions; the trace grows by the mean log-likelihood of the model of the pass."""
        model = self._begun(model)
        tally, kept, seen = summary.parts
        prior = self._penalty(model, kept)
        trace = (*model.trace, check_height(self.owner, mean_height(seen, prior or 0.0)))
        if prior is not None and len(trace) > 1:
            check_rise(self.owner, trace)
        return self._seen(self._model(tally, kept, trace))

    def settled(self, old: MixtureModel, new: MixtureModel, tol: float) -> bool:
        """Whether the mean log-likelihood changed by less than `tol` from one pass to the next."""
        return len(old.trace) > 0 and abs(new.trace[-1] - old.trace[-1]) < tol

    def _begun(self, model: MixtureModel | None) -> MixtureModel:
        if model is None:
            raise bad(self.owner, "the model of a pass", "one to begin with", model, "Make it by begin.")
        return model

    def _model(self, tally: Tally, kept: Together, trace: tuple[float, ...]) -> MixtureModel:
        return MixtureModel(self._log_weights(tally.weight.value), self.product.estimate(kept), trace)

    def _seen(self, model: MixtureModel) -> MixtureModel:
        if self.after is not None:
            self.after(model)
        return model

    def _log_weights(self, weight: Array) -> Array:
        a, K = self.alpha, len(weight)
        shares = np.full(K, 1.0 / K) if a == np.inf else (weight + a) / max(float(weight.sum()) + K * a, 1e-300)
        with np.errstate(divide="ignore"):
            return np.log(shares)

    def _penalty(self, model: MixtureModel, kept: Together) -> float | None:
        """Log prior of a model but for its constant; None where a family's is not known, and nothing is promised."""
        pairs = zip(self.product.groups, model.factors.distributions, strict=True)
        each = [penalty(g.family, d, _columns(kept.parts[g.part], g)) for g, d in pairs]
        known = [value for value in each if value is not None]
        if len(known) < len(each):
            return None
        finite = 0.0 < self.alpha < np.inf
        return sum(known) + (self.alpha * float(model.log_weights.sum()) if finite else 0.0)


def _columns(kept: Any, group: Group) -> Any:
    """A group's columns of what all columns of its part keep."""
    common: Any = kept.parts[0] if isinstance(kept, Together) else kept
    return common if group.columns is None else common.columns(list(group.columns))
