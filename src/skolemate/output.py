"""Writing: numbers with nouns (`2 plies`), text to files or standard output, temporary folders."""

import fcntl
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from math import inf
from pathlib import Path

from skolemate.errors import UserError, brief, reason

File = str | os.PathLike[str]  # the name of one

TEMPORARY = "skolemate-run-"  # how the names of temporary folders begin


def amount(number: int, thing: str, things: str | None = None) -> str:
    """A number of things in words.

    >>> amount(1, "node"), amount(1806, "node")
    ('1 node', '1,806 nodes')
    """
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def plies(number: int) -> str:
    """
    >>> plies(1), plies(2)
    ('1 ply', '2 plies')
    """
    return amount(number, "ply", "plies")


def finite(number: float) -> float | None:
    """A number for JSON; an infinite one becomes None, since JSON has none."""
    return None if number == inf else number


def sentence(words: str) -> str:
    """
    >>> sentence("a draw")
    'A draw.'
    """
    return f"{words[:1].upper()}{words[1:]}."


def shorten(text: str, most: int) -> str:
    """A long text without its middle.

    >>> shorten("hex(size=19, moves=a1 b2 c3 d4 e5)", 20)
    'hex(size=1…c3 d4 e5)'
    """
    return text if len(text) <= most else f"{text[: most // 2]}…{text[1 - most // 2 :]}"


def write_text(path: str, text: str) -> None:
    """Write a text as UTF-8, whatever the locale; `-` is the standard output."""
    write_chunks(path, [text.encode()])


def write_bytes(path: str, data: bytes) -> None:
    """Write bytes as they are; `-` is the standard output."""
    write_chunks(path, [data])


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write many lines one by one; `-` is the standard output."""
    write_chunks(path, (line.encode() for line in lines))


def write_chunks(path: str, chunks: Iterable[bytes]) -> None:
    """Write bytes piece by piece; `-` is the standard output.

    A file appears when it is whole, or not at all; devices, pipes and links stay in place.
    """
    if path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.writelines(chunks)
        sys.stdout.flush()
        return
    stays = os.path.islink(path) or (os.path.exists(path) and not os.path.isfile(path))
    growing = path if stays else f"{path}.new"
    try:
        with open(growing, "wb") as stream:
            stream.writelines(chunks)
        if not stays:
            os.replace(growing, path)
    except BaseException as error:
        if not stays:
            with suppress(OSError, ValueError):
                os.remove(growing)
        if isinstance(error, OSError | ValueError):
            raise UserError(f"cannot write {brief(path, 200)}: {reason(error)}") from None
        raise


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A folder that is removed afterwards; if we are killed, the next process removes it.

    A process that uses a folder holds a lock on it; the kernel drops the lock with the process.
    """
    _remove_abandoned(tempfile.gettempdir())
    lock: int | None = None
    while lock is None:  # another process may find a folder before we have locked it
        folder = tempfile.mkdtemp(prefix=TEMPORARY)
        try:
            lock = _locked(folder)
        except OSError:  # a file system without locks: nobody will remove what is left there
            lock = os.open(folder, os.O_RDONLY)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


@cache  # once in a process
def _remove_abandoned(place: str) -> None:
    """Remove the temporary folders that this user's killed processes have left."""
    for folder in Path(place).glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            if folder.lstat().st_uid == os.geteuid() and (lock := _locked(str(folder))) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)


def _locked(folder: str) -> int | None:
    """Lock a folder; None if somebody else uses or removes it."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.exists(folder):  # else it was removed before we got the lock
            return lock
    except BlockingIOError:
        pass
    except OSError:
        os.close(lock)
        raise
    os.close(lock)
    return None
