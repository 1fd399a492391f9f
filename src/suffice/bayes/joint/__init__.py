"""Joint tables of a few discrete variables."""
