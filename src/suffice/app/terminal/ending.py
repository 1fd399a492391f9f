"""Being told to end: a signal unwinds the command like an interruption does, so that nothing half-written is left."""

from __future__ import annotations

import signal
from typing import Any

SIGNALS = ("SIGTERM", "SIGHUP")  # the second where there are terminals to lose


class Ended(BaseException):
    """A signal asked the process to end."""

    def __init__(self, number: int) -> None:
        """The number of the signal."""
        super().__init__(number)
        self.number = number


def heed() -> None:
    """Take signals as a wish to end in order; one that is ignored, as by nohup, stays so."""
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: Any) -> None:
    signal.signal(number, signal.SIG_DFL)  # who asks again does not want to wait
    raise Ended(number)
