"""Scores that become probabilities: calibration by rows held out."""
