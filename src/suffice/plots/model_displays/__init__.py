"""Pictures of models: regions, surfaces, contours, coefficients, words."""
