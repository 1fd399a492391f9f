"""Pictures of tables: their columns, and rows as lines, points and anchors."""
