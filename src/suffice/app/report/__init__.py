"""What a command tells, and how it is written."""
