"""Matrices as products of few factors: non-negative, Boolean, with weights, with entries missing."""
