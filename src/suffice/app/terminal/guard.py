"""Whatever happens, the user gets one sentence and an exit code, never a traceback."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from suffice.app.report.command_words import told
from suffice.app.report.text_table import plain
from suffice.app.terminal.ending import Ended
from suffice.core.errors import SufficeError

NO = 1  # the data or the model says no
USAGE = 2  # the command line cannot be read
OURS = 70  # a mistake of ours
SIGNALLED = 128  # and the number of the signal that ended us, as shells count
INTERRUPTED = 130
UNHEARD = 141  # nobody reads our output any more, as for any program that a pipe ends

DEBUG = "SUFFICE_DEBUG"


def guarded(work: Callable[[], None]) -> int:
    """Do the work; its exit code, after a sentence on standard error where it is not 0."""
    try:
        with _plain_warnings():
            work()
            sys.stdout.flush()
        return 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as lost:
        click.echo(lost.format_message(), err=True)
        return USAGE
    except BrokenPipeError:
        _hear_nothing()
        return UNHEARD
    except BaseException as error:
        if isinstance(error, SystemExit):
            raise
        if os.environ.get(DEBUG):
            traceback.print_exc()
        code, sentence = _told(error)
        say(sentence)
        return code


def say(sentence: str) -> None:
    """One sentence on standard error."""
    with suppress(OSError):
        click.echo(f"suffice: {plain(' '.join(sentence.split()))}", err=True)


def _told(error: BaseException) -> tuple[int, str]:
    """The exit code and the sentence of an error; the first that fits decides."""
    return next(tell(error) for kind, tell in _TELL if isinstance(error, kind))


def _usage(error: Any) -> tuple[int, str]:
    path = error.ctx.command_path if error.ctx is not None else "suffice"
    told = error.format_message().rstrip(".")
    return USAGE, f"{told}{'' if told.endswith('?') else '.'} See `{path} --help`."


def _system(error: Any) -> tuple[int, str]:
    about = f" {os.fsdecode(error.filename)!r}" if isinstance(error.filename, (str, bytes)) else ""
    return NO, f"the system refuses{about}: {error.strerror or error}."


def _unexpected(error: BaseException) -> tuple[int, str]:
    what = f"{type(error).__name__}: {error}".rstrip(".: ")
    hint = "" if os.environ.get(DEBUG) else f" Set {DEBUG}=1 to see where, and please report it."
    return OURS, f"this should not have happened ({what}).{hint}"


_TELL: tuple[tuple[type[BaseException], Callable[[Any], tuple[int, str]]], ...] = (
    (click.UsageError, _usage),
    (click.ClickException, lambda error: (NO, error.format_message())),
    (click.Abort, lambda error: (INTERRUPTED, "interrupted; no file was changed.")),
    (KeyboardInterrupt, lambda error: (INTERRUPTED, "interrupted; no file was changed.")),
    (Ended, lambda error: (SIGNALLED + error.number, "told to end; no file was changed.")),
    (SufficeError, lambda error: (NO, told(error))),
    (MemoryError, lambda error: (NO, "there is not enough memory for this.")),
    (OSError, _system),
    (BaseException, _unexpected),
)


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Warnings as sentences, without file names and source lines."""

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        say(str(message))

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _hear_nothing() -> None:
    """Let what is still in the buffer go nowhere, so that leaving does not fail once more."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
