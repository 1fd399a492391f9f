"""Written cells: what a text means as a number, a date, a truth value or a label."""
