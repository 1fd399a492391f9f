"""One Display a picture."""
