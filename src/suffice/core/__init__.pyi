"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.core.learner import Always as Always
from suffice.core.errors import BadFile as BadFile
from suffice.core.errors import BadInput as BadInput
from suffice.core.errors import BadType as BadType
from suffice.core.block import Block as Block
from suffice.core.by_class import ByClass as ByClass
from suffice.core.block import Coded as Coded
from suffice.core.schema import Column as Column
from suffice.core.kinds import Kind as Kind
from suffice.core.learner import Learner as Learner
from suffice.core.errors import NegativeCounts as NegativeCounts
from suffice.core.errors import NeverAdded as NeverAdded
from suffice.core.errors import NotASummary as NotASummary
from suffice.core.double_double import Pair as Pair
from suffice.core.learner import PassLearner as PassLearner
from suffice.core.learner import Passes as Passes
from suffice.core.schema import Schema as Schema
from suffice.core.shares import Shares as Shares
from suffice.core.learner import Source as Source
from suffice.core.kinds import Storage as Storage
from suffice.core.errors import SufficeError as SufficeError
from suffice.core.summary import Summary as Summary
from suffice.core.tally import Tally as Tally
from suffice.core.summary import Together as Together
from suffice.core.block import Words as Words
from suffice.core.learner import iterate as iterate
from suffice.core.learner import learn as learn
from suffice.core.learner import learn_folds as learn_folds

__all__ = [
    "Always",
    "BadFile",
    "BadInput",
    "BadType",
    "Block",
    "ByClass",
    "Coded",
    "Column",
    "Kind",
    "Learner",
    "NegativeCounts",
    "NeverAdded",
    "NotASummary",
    "Pair",
    "PassLearner",
    "Passes",
    "Schema",
    "Shares",
    "Source",
    "Storage",
    "SufficeError",
    "Summary",
    "Tally",
    "Together",
    "Words",
    "iterate",
    "learn",
    "learn_folds",
]
