"""The numbers behind pictures. No matplotlib."""
