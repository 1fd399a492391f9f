"""Missing cells: filled by what is known of the others, drawn, or given a value of their own."""
