"""Waiting for what happens in other processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

__all__ = ["PATIENCE", "eventually"]

PATIENCE = 60  # seconds until something missing is an error; never a measurement


def eventually(look: Callable[[], Any]) -> Any:
    """What is found as soon as there is something; after a long time, nothing."""
    end = time.monotonic() + PATIENCE
    while not (found := look()) and time.monotonic() < end:
        time.sleep(0.01)
    return found
