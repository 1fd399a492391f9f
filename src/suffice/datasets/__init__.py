"""Tables to learn from whose truth is known."""

from suffice.datasets.clinic import Clinic, make_clinic

__all__ = ["Clinic", "make_clinic"]
