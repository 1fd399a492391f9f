"""What an estimator answers: classes, probabilities, numbers, densities, clusters, tables. No scikit-learn."""
