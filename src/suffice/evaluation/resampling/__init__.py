"""Bootstrap, out-of-bag errors, bias and variance."""
