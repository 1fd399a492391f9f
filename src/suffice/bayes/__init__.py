"""bayes."""
