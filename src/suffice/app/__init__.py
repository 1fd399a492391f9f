"""What people use without writing Python: the `suffice` command."""
