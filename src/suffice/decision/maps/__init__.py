"""Maps from score to probability."""
