"""Tables to learn from whose truth is known."""

from suffice.datasets.clinic import Clinic, make_clinic
from suffice.datasets.truth_tables import load_or, load_xor

__all__ = ["Clinic", "load_or", "load_xor", "make_clinic"]
