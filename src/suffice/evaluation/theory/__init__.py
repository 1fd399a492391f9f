"""Learning theory: hypotheses, empirical risk, bounds, version spaces, shattering."""
