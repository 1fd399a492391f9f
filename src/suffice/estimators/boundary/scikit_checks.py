"""What scikit-learn refuses, refused as one of our errors, in its own words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from suffice.core.errors import BadInput, BadType, SufficeError, quoted


@contextmanager
def in_our_name(owner: str) -> Iterator[None]:
    """Around a call of scikit-learn's checks: their sentences say what came and what to do, but not who asked."""
    try:
        yield
    except SufficeError:
        raise
    except TypeError as error:
        raise quoted(BadType, owner, str(error)) from error
    except ValueError as error:
        raise quoted(BadInput, owner, str(error)) from error
