"""Who can use the page: axe in many states, and what it cannot see: names, focus, targets."""

from __future__ import annotations

from itertools import cycle
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from browsing import PHONE, WIDE, both_widths, cell, compare, go, opened
from samples import FULL

AXE = Axe()
Look = tuple[ViewportSize, Literal["light", "dark"]]
LOOKS: list[Look] = [(WIDE, "light"), (PHONE, "dark"), (WIDE, "dark"), (PHONE, "light")]
# `make test` looks at one state wide in the light and at the next one narrow in the dark; all of
# them are looked at in every way by `make test-all`.
SESSIONS = [[look] for look in LOOKS] if FULL else [LOOKS[:2]]


def named(looks: list[Look]) -> str:
    return " and ".join(f"{size['width']} {scheme}" for size, scheme in looks)


@pytest.mark.parametrize("looks", SESSIONS, ids=named)
def test_axe_finds_nothing(page: Page, looks: list[Look]) -> None:
    """Fourteen states."""
    turn = cycle(looks)

    def no_violations(state: str) -> None:
        size, scheme = next(turn)
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        found = AXE.run(page)
        assert found.violations_count == 0, f"{state}: {found.generate_report()}"

    page.goto("/")
    expect(page.locator("#games a").first).to_be_visible()
    no_violations("collection")
    page.get_by_role("button", name="Paste …").click()
    no_violations("pasting")
    page.keyboard.press("Escape")
    opened(page, "hein(4)")
    expect(page.locator("#board .worth").first).to_be_visible()
    no_violations("values")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#tree li").first).to_be_visible()
    no_violations("solved")
    cell(page, "c1").click()
    expect(page.locator("#elsewhere")).to_be_visible()
    no_violations("a verdict about another position")
    page.locator("#ask [name=question]").select_option("black")
    page.locator("#ask details summary").click()
    page.locator("#game-box summary").click()
    compare(page)
    expect(page.locator("#bars tr")).to_have_count(3)
    no_violations("compared, all boxes open")
    page.keyboard.press("?")
    no_violations("help")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Edit the position").click()
    no_violations("editing")
    go(page, "game=tictactoe&moves=a1 b1 a2 b2&lines=a1 b1 a2 b2|a1 c3&side=black")
    expect(page.locator("#moves .variation")).to_be_visible()
    no_violations("variations and threats")
    cell(page, "a3").click()
    expect(page.locator("#status")).to_contain_text("You have won")
    no_violations("won")
    opened(page, "breakthrough(width=3, height=4)")
    cell(page, "b3").click()
    expect(page.locator("#board .target")).not_to_have_count(0)
    no_violations("a piece that is selected")
    opened(page, "gomoku(size=19)")
    page.get_by_role("button", name="Larger board").click()
    no_violations("a board that is enlarged")
    page.goto("/#game=hexx")
    expect(page.locator("#error")).to_be_visible()
    no_violations("an error")


@both_widths
def test_every_target_can_be_hit_and_has_a_name(page: Page) -> None:
    addresses = ["", "game=hein(9)", "game=connect(k=4, width=7, height=6)&edit=1", "game=qubic"]
    for address in addresses:
        page.goto(f"/#{address}")
        expect(page.locator("#board svg" if address else "#games a").first).to_be_visible()
        page.locator("details:not([open]) > summary").evaluate_all(
            "all => all.forEach(e => e.click())"
        )
        wrong = page.evaluate(
            """(kinds) => [...document.querySelectorAll(kinds)]
                .filter((e) => e.checkVisibility() && !e.closest("#board .mark"))
                .map((e) => [e.id || e.name || e.textContent, e.getBoundingClientRect(), e])
                .filter(([, box, e]) => Math.min(box.width, box.height) < 24
                    || !(e.ariaLabel || e.textContent.trim() || (e.labels && e.labels.length)))
                .map(([name, box]) => `${name} ${box.width}x${box.height}`)""",
            "button, input, select, textarea, summary, [role=button]",
        )
        assert wrong == [], address


@both_widths
def test_letters_can_be_switched_off_and_the_header_skipped(page: Page) -> None:
    opened(page, "hein(9)")
    edit = page.locator("#edit")
    page.keyboard.press("e")
    expect(edit).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("e")
    expect(edit).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.locator("#letters").uncheck()
    page.get_by_role("button", name="Close").press("Enter")
    expect(page.locator("#keys")).to_be_hidden()
    page.reload()  # the choice is kept
    expect(page.locator("#title")).to_be_focused()
    for key in "?e":
        page.keyboard.press(key)
    expect(page.locator("#keys")).to_be_hidden()
    expect(edit).to_have_attribute("aria-pressed", "false")
    page.locator("#skip").focus()
    expect(page.locator("#skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#board :focus")).to_have_count(1)


@both_widths
def test_the_focus_stays_in_sight_and_where_it_was(page: Page) -> None:
    opened(page, "hein(9)")
    expect(page.locator("#title")).to_be_focused()
    page.keyboard.press("b")
    expect(page.locator("#board :focus")).to_be_in_viewport()
    expect(page.locator("#board .contour.cursor")).to_have_count(1)  # which one has it is seen
    page.keyboard.press("Enter")
    expect(page.locator("#moves button")).to_have_count(1)
    expect(page.locator("#board :focus")).to_have_count(1)  # though the picture is a new one
    page.get_by_role("button", name="Back").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#moves .later")).to_have_count(1)
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    outline = page.locator("#hint").evaluate(
        "e => { e.focus({focusVisible: true}); return getComputedStyle(e).outlineStyle; }"
    )
    assert outline == "solid"


@both_widths
def test_a_stone_has_one_colour_in_every_theme(page: Page) -> None:
    go(page, "game=tictactoe&moves=a1 b1")
    styles = """() => {
        const all = (kind) => [...document.querySelectorAll(kind)];
        const chip = (e) => getComputedStyle(e, "::before").backgroundImage;
        const fill = (e) => getComputedStyle(e).fill;
        return [...all("#moves .chip").map(chip), ...all("#board .stone").map(fill)];
    }"""
    light = page.evaluate(styles)
    assert "rgb(26, 28, 33)" in light[0]  # Black is dark, in the list and on the board
    assert "rgb(255, 255, 255)" in light[1]
    assert light[2:] == ["rgb(26, 28, 33)", "rgb(255, 255, 255)"]
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(styles) == light
