"""Statistics of columns, and which of them each kind permits."""
