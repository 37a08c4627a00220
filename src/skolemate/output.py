"""Writing results: one function for files and for the standard output."""

from __future__ import annotations

import sys

from skolemate.errors import UserError, brief

__all__ = ["write_text"]


def write_text(path: str, text: str) -> None:
    """Write a text as UTF-8, whatever the locale; `-` is the standard output."""
    if path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.flush()
        return
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UserError(f"cannot write {brief(path, 200)}: {reason.lower()}") from None
