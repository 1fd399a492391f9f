"""Ensembles: many models that vote, average or correct one another."""
