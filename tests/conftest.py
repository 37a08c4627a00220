"""Fixtures for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from browsing import browser as browser
from browsing import disk as disk
from browsing import page as page
from browsing import pictures as pictures
from browsing import server as server
from fake_solvers import fakes as fakes
from samples import FULL

collect_ignore = ["fuzz.py"]  # a program of its own, with a library of its own


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what is slow, and say so: workers cannot tell what they deselect."""
    if not FULL:
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="slow: `make test-all` runs it"))


PUBLISHED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of published inputs. It is not part of the project, and may be absent."""
    if not PUBLISHED.is_dir():
        pytest.skip("the published inputs (../shared/data) are absent; named games cover the same")
    return PUBLISHED
