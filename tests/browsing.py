"""What the tests of the page share: a browser and a server for each worker, and how to look."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

from serving import Server

PATIENCE = 60_000  # milliseconds until something missing is an error; never a measurement
WIDE: ViewportSize = {"width": 1400, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
ROOT = Path(__file__).resolve().parents[1]

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("site")) as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium")
    assert found, "chromium is not installed: make debian-test"
    with sync_playwright() as playwright:
        # In a container there is no second sandbox to be had; the page is our own.
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


both_widths = pytest.mark.parametrize("page", [WIDE, PHONE], indirect=True, ids=["1400", "390"])


@pytest.fixture
def page(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A new window, of the size that `both_widths` gives.

    While a test lasts nothing may be logged as an error, and nobody else may be asked for anything.
    """
    context = browser.new_context(
        viewport=getattr(request, "param", WIDE), base_url=server.address, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    wrong: list[str] = []

    def is_foreign(address: str) -> bool:
        return not address.startswith((server.address, "data:", "blob:"))

    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: wrong.append(asked.url) if is_foreign(asked.url) else None)
    yield page
    context.close()
    expected = (
        "Failed to load resource: the server responded with a status of 40",
        "Failed to load resource: net::ERR_FAILED",  # a request that a test has aborted
    )
    assert [text for text in wrong if not text.startswith(expected)] == []


@pytest.fixture
def disk(browser: Browser) -> Iterator[Page]:
    """A new window for files: nothing may fail in it, and no server may be asked for anything."""
    context = browser.new_context(viewport=WIDE)
    page, wrong = context.new_page(), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: None if asked.url[:5] == "file:" else wrong.append(asked.url))
    yield page
    context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures of the page go: to `docs` when they are wanted, else nowhere for long."""
    wanted = os.environ.get("SKOLEMATE_PICTURES")
    folder = ROOT / wanted if wanted else tmp_path_factory.mktemp("pictures")
    folder.mkdir(exist_ok=True)
    return folder


def photograph(page: Page, pictures: Path, name: str, only: ViewportSize | None = None) -> None:
    """A picture of what is in sight; one of a phone says so in its name."""
    if only not in (None, page.viewport_size):
        return
    page.mouse.move(0, 0)
    file = pictures / f"{name}{'-phone' if page.viewport_size == PHONE else ''}.png"
    page.screenshot(path=file, animations="disabled")
    assert file.stat().st_size > 10_000, "an empty page"


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'#board [data-cell="{name}"]')


def go(page: Page, address: str) -> None:
    page.goto(f"/#{address}")
    expect(page.locator("#board svg")).to_be_visible()


def opened(page: Page, game: str) -> None:
    go(page, f"game={game}")
    expect(page.locator("#title")).to_contain_text(game.split("(")[0])


def compare(page: Page) -> dict[str, Any]:
    """Ask for a comparison that a server would have made; what the page was told."""
    row = {"variables": 40_193, "clauses": 100_538, "blocks": 17, "seconds": 5.1, "summary": "…"}
    row |= {"pipeline": "caqe", "versions": "CAQE 4.0.2"}
    rows = [
        row | {"encoding": "et", "verdict": "WIN", "reason": None, "one_sided": False},
        row
        | {"encoding": "pairing", "verdict": "UNKNOWN", "reason": "one_sided", "one_sided": True},
    ]
    event = {"worker": "gr", "done": 5, "all": 22}
    told = {"id": "0" * 32, "state": "running", "result": {"rows": rows}, "events": [event]}
    page.route("**/api/compare", lambda route: route.fulfill(json=told))
    page.route("**/api/runs/*", lambda route: route.fulfill(json=told))
    page.locator("#compare-box summary").click()
    page.get_by_role("button", name="Compare").click()
    return told


def moves(page: Page) -> Locator:
    """The moves of the line that is shown; variations are left out."""
    return page.locator("#moves .on")
