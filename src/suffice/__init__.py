"""suffice."""
