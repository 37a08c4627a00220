"""Fixtures for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_solvers import fakes as fakes

collect_ignore = ["fuzz.py"]  # a program of its own, with a library of its own

PUBLISHED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of published inputs. It is not part of the project, and may be absent."""
    if not PUBLISHED.is_dir():
        pytest.skip("the published inputs (../shared/data) are absent; named games cover the same")
    return PUBLISHED
