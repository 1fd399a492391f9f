"""Tests of differences between models."""
