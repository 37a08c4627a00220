"""Published pages: opened from disk they play, check themselves, and refuse what was tampered with.

The checker in JavaScript runs under Chromium, and is compared with Python's on mutants.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import skolemate
from browsing import PHONE
from skolemate.cli import main
from skolemate.strategies import check_file
from skolemate.strategies.claim import canonical
from test_strategy_mutations import MUTATIONS, SOUND, sound

GAMES = [
    ("hein(9)", 7),
    ("tictactoe", 9),  # a block
    ("harary(shape=tippy, width=5, height=5)", 9),
]
EACH = 8  # mutants of each kind and strategy


@pytest.fixture
def page(disk: Page) -> Page:
    return disk


def published(name: str, depth: int, folder: Path) -> Path:
    file = str(folder / "proof.jsonl")
    skolemate.solve(name, depth, strategy=file)
    return skolemate.publish(file, folder / "site")


@pytest.mark.parametrize(("name", "depth"), GAMES)
def test_fifty_random_games_are_not_lost(name: str, depth: int, page: Page, tmp_path: Path) -> None:
    page.goto(published(name, depth, tmp_path).as_uri())
    expect(page.locator("#verdict")).to_contain_text("accepts")
    assert page.evaluate("randomGames(match, 50)") == 0
    for _ in range(30):  # one game by hand
        choices = page.locator("#moves button")
        if not choices.count():
            break
        choices.first.click()
        assert page.locator("#said").inner_text()
    expect(page.locator("#said")).to_contain_text("kept its claim")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_keeps_nobody_out(scheme: str, page: Page, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size(PHONE)
    page.goto(published("hein(9)", 7, tmp_path).as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.keyboard.press("Tab")
    assert Axe().run(page).response["violations"] == []


def test_a_tampered_page_is_refused(page: Page, tmp_path: Path) -> None:
    site = published("hein(9)", 7, tmp_path)
    text = site.read_text()
    site.write_text(text.replace('\\"move\\":\\"b2\\"', '\\"move\\":\\"a2\\"'))
    assert site.read_text() != text
    page.goto(site.as_uri())
    expect(page.locator("#verdict")).to_contain_text("its SHA-256 is not the one of this page")
    expect(page.locator("#play")).to_be_hidden()


def test_a_tampered_file_is_refused(page: Page, tmp_path: Path) -> None:
    site = published("hein(9)", 7, tmp_path)
    file = site.parent / "strategy.jsonl"
    assert hashlib.sha256(file.read_bytes()).hexdigest() in site.read_text()
    page.goto(site.as_uri())
    page.set_input_files("#file", file)
    expect(page.locator("#file-verdict")).to_contain_text("accepts")
    tampered = tmp_path / "tampered.jsonl"
    tampered.write_text(file.read_text().replace('"move":"b2"', '"move":"a2"'))
    page.set_input_files("#file", tampered)
    expect(page.locator("#file-verdict")).to_contain_text("refused")


def test_only_what_holds_is_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = published("hein(9)", 7, tmp_path)
    file = site.parent / "strategy.jsonl"
    assert main(["publish", str(file), "-o", str(tmp_path / "other"), "--title", "<b>"]) == 0
    assert "<h1>&lt;b&gt;</h1>" in (tmp_path / "other" / "index.html").read_text()
    file.write_text(file.read_text().replace('"move":"b2"', '"move":"a2"'))
    assert main(["publish", str(file), "-o", str(tmp_path / "third")]) == 2
    assert "does not hold" in capsys.readouterr().err


def test_both_checkers_agree_on_mutants(page: Page, tmp_path: Path) -> None:
    page.goto(published("hein(9)", 7, tmp_path).as_uri())
    rng, compared = random.Random(9), 0
    for arguments in SOUND:
        strategy = sound(*arguments)
        rules, texts, holds = canonical(strategy.game), list[str](), list[bool]()
        mutants = [mutate(strategy, rng) for mutate in MUTATIONS for _ in range(EACH)]
        for mutant in [strategy, *mutants]:
            if mutant is None:
                continue
            file = tmp_path / "mutant.jsonl"
            try:
                mutant.save(str(file))
                report = check_file(str(file), strategy.game)
            except (skolemate.UserError, IndexError, KeyError, AssertionError):
                continue  # a mutant that cannot be written or read
            texts.append(file.read_text())
            holds.append(report.holds)
        verdicts = page.evaluate(
            "([rules, texts]) => texts.map((text) => check(rules, text).verdict)", [rules, texts]
        )
        said = [verdict == "accepted" for verdict in verdicts]
        assert said == holds, (arguments, said.index(True) if True in said else None)
        compared += len(texts)
    print(f"{compared} files of {len(SOUND)} strategies compared")
    assert compared > 1000


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ('"version":1', '"version":2', "not covered"),
        ('"turn":"black"', '"turn":"black","turn":"black"', "rejected"),
        ('"left":7', '"left":7.0', "rejected"),
        ('"left":7', '"left":7,"more":1', "not covered"),
        ('"depth":7', '"depth":5', "rejected"),
    ],
)
def test_what_is_not_covered_is_refused(
    old: str, new: str, verdict: str, page: Page, tmp_path: Path
) -> None:
    site = published("hein(9)", 7, tmp_path)
    page.goto(site.as_uri())
    text = (site.parent / "strategy.jsonl").read_text()
    assert old in text
    rules = canonical(skolemate.load("hein(9)"))
    both = [text, text.replace(old, new)]
    said = page.evaluate(
        "([rules, texts]) => texts.map((text) => check(rules, text).verdict)", [rules, both]
    )
    assert said == ["accepted", verdict]
    network = json.dumps([[], [], 0, []])
    report = page.evaluate("([rules, text]) => check(rules, text).reason", [network, text])
    assert "GDL" in report
