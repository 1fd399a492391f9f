"""Progress by partition: one line, written over itself, in a terminal and in a notebook."""

from __future__ import annotations

import sys
from typing import Any, TextIO


class PrintProgress:
    """Called as progress(done, all): prints a line that each partition writes over.

    >>> import io
    >>> line = PrintProgress(io.StringIO())
    >>> line(1, 2), line(2, 2)
    (None, None)
    >>> line.file.getvalue().split("\\r")[1:]
    ['partition 1 of 2', 'partition 2 of 2\\n']
    """

    def __init__(self, file: TextIO | None = None) -> None:
        """Print to a file; None is the standard error, which notebooks show too."""
        self.file: Any = sys.stderr if file is None else file

    def __call__(self, done: int, total: int) -> None:
        """One more partition is done."""
        self.file.write(f"\rpartition {done} of {total}" + ("\n" if done == total else ""))
        self.file.flush()
