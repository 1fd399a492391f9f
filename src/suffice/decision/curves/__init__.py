"""ROC, coverage, precision-recall and cost curves, their hulls and areas."""
