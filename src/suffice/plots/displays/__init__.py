"""Pictures of scores: one Display a curve."""
