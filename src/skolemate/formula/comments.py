"""Comments in files: ASCII only, whatever they say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

__all__ = ["write_comments"]


def write_comments(comments: Iterable[str], stream: TextIO, mark: str) -> None:
    """Write comments, each line of them behind a mark."""
    for comment in comments:
        ascii_only = comment.encode("ascii", "backslashreplace").decode()
        for line in ascii_only.splitlines() or [""]:
            stream.write(f"{mark} {line}".rstrip() + "\n")
