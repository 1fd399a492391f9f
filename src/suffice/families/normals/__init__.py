"""Normal distributions of every shape: priors, shrinkage, geometry, missing cells."""
