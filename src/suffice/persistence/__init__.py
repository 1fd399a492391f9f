"""Models, summaries and schemas as files."""

from suffice.persistence.files import from_bytes, load, save, to_bytes

__all__ = ["from_bytes", "load", "save", "to_bytes"]
