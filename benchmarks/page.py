"""How quick the page is: first paint, stones, values, bytes of the landing page: `make bench-page`.

Times are by the clock in the browser, the least and the median of some rounds, each in a window of
its own with an empty cache. The bounds are those that the page must keep on a machine with nothing
else to do; the load is printed, too.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from browsing import PHONE, WIDE
from serving import Server

ROUNDS = 5
PAINT, STONE, VALUES, LANDING = 500, 100, 2000, 200_000  # milliseconds, and bytes
VALUED = ("hein(9)", "tictactoe", "domineering(width=4, height=4)")
expect.set_options(timeout=60_000)

# From the click until the stone is on the board.
CLICK = """name => new Promise((resolve) => {
    const board = document.getElementById("board"), begin = performance.now();
    const before = board.querySelectorAll(".stones .stone").length;
    new MutationObserver((_, observer) => {
        if (board.querySelectorAll(".stones .stone").length === before) return;
        observer.disconnect();
        resolve(performance.now() - begin);
    }).observe(board, {childList: true, subtree: true});
    const cell = board.querySelector(`[data-cell="${name}"]`);
    cell.dispatchEvent(new MouseEvent("click", {bubbles: true}));
})"""


def painted(page: Page) -> float:
    """Milliseconds until something was to be seen."""
    entry = "performance.getEntriesByName('first-contentful-paint')[0]"
    return float(page.evaluate(f"{entry} ? {entry}.startTime : NaN"))


def visited(page: Page, address: str) -> tuple[int, int]:
    """The bytes of the landing page, and its pictures that did not come from the cache."""
    loaded: list[tuple[str, int]] = []
    client = page.context.new_cdp_session(page)
    urls: dict[str, str] = {}
    client.send("Network.enable")
    client.on(
        "Network.requestWillBeSent", lambda e: urls.update({e["requestId"]: e["request"]["url"]})
    )
    client.on(
        "Network.loadingFinished",
        lambda e: loaded.append((urls.get(e["requestId"], ""), int(e["encodedDataLength"]))),
    )
    page.goto(address)
    expect(page.locator("#games a").last).to_be_visible()
    page.wait_for_load_state("networkidle")
    client.detach()
    pictures = sum(1 for url, size in loaded if "/api/svg" in url and size)
    return sum(size for _, size in loaded), pictures


def valued(page: Page, game: str) -> float:
    """Milliseconds from opening a game until its values are there."""
    page.goto("about:blank")
    page.goto(f"/#game={game}")
    expect(page.locator("#board .worth").first).to_be_visible()
    return float(page.evaluate("performance.now()"))


def rounds(browser: Browser, address: str) -> dict[str, tuple[list[float], float]]:
    found: dict[str, tuple[list[float], float]] = {}

    def note(what: str, figure: float, bound: float) -> None:
        found.setdefault(what, ([], bound))[0].append(figure)

    for _ in range(ROUNDS):
        for size in (WIDE, PHONE):
            context = browser.new_context(viewport=size, base_url=address)
            page, wide = context.new_page(), f"{size['width']} pixels"
            sent, _ = visited(page, "/")
            note(f"landing page, {wide}, bytes", sent, LANDING)
            note(f"first paint of the collection, {wide}, ms", painted(page), PAINT)
            page.goto("about:blank")
            _, again = visited(page, "/")
            note(f"pictures fetched again, {wide}", again, 0)
            for game in VALUED:
                note(f"values of {game}, {wide}, ms", valued(page, game), VALUES)
            page.goto("about:blank")
            page.goto("/#game=hein(9)")
            expect(page.locator("#board svg")).to_be_visible()
            note(f"first paint of a board, {wide}, ms", painted(page), PAINT)
            note(f"a stone after a click, {wide}, ms", page.evaluate(CLICK, "b2"), STONE)
            context.close()
    return found


def main() -> int:
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        found = rounds(browser, server.address)
        browser.close()
    print("| what | least | median | bound |\n|---|---|---|---|")
    for what, (figures, bound) in found.items():
        print(f"| {what} | {min(figures):,.0f} | {statistics.median(figures):,.0f} | {bound:,} |")
    return 0 if all(min(figures) <= bound for figures, bound in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
