"""Conjugate updating: what is believed about parameters, and what codes cost."""
