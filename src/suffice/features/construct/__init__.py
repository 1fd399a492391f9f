"""Columns made of others."""
