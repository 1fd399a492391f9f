"""Pictures of learning: errors by epoch, hidden outputs, bounds beside observed gaps."""
