"""What follows a posterior, in plain NumPy: exchange the prior, weigh the costs, refuse, decide."""

from suffice.decision.decision import REFUSE, Decision
from suffice.decision.log_space import log_sum_exp, normalize
from suffice.decision.posterior import Posterior
from suffice.decision.reading import read_costs, read_prior, uniform

__all__ = [
    "REFUSE",
    "Decision",
    "Posterior",
    "log_sum_exp",
    "normalize",
    "read_costs",
    "read_prior",
    "uniform",
]
