"""Models, summaries and schemas as files."""

from suffice.persistence.files import WHOLE, from_bytes, load, save, to_bytes

__all__ = ["WHOLE", "from_bytes", "load", "save", "to_bytes"]
