"""The atlas as a site: from disk it is filtered and sorted, and every proof's page accepts it."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import skolemate.publishing
from browsing import PHONE, WIDE
from skolemate.campaigns.atlas import Atlas, Entry, shape_game
from skolemate.cli import main
from skolemate.limits import Limit

TIPPY, TORUS, FATTY = (
    Entry("3x3", shape_game(shape, 3, torus, weak=False))
    for shape, torus in (("tippy", False), ("tippy", True), ("fatty", False))
)
UNASKED = Entry("5x5", shape_game("u", 5, torus=True, weak=False))


@pytest.fixture
def page(disk: Page) -> Page:
    return disk


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Two wins, a block, and an entry that stays open."""
    atlas = Atlas(str(tmp_path_factory.mktemp("atlas")))
    atlas.fill([TIPPY, TORUS, FATTY], limit=Limit(60.0, 1 << 30), jobs=2)
    atlas.fill([UNASKED], limit=Limit(0.001, 1 << 30))
    return atlas


@pytest.fixture
def index(atlas: Atlas, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["atlas", "-o", str(atlas.folder), "--publish", str(tmp_path / "site")]) == 0
    told = capsys.readouterr()
    assert told.err == "5 proofs checked and published.\n"
    return Path(told.out.strip())


def games(page: Page) -> list[str]:
    """The games that are shown, from the top."""
    return page.locator("#games tbody tr:not([hidden]) th").all_inner_texts()


def test_the_index_is_filtered_and_sorted(index: Path, page: Page) -> None:
    page.goto(index.as_uri())
    assert games(page) == [entry.game for entry in (FATTY, TIPPY, TORUS, UNASKED)]
    expect(page.locator("#shown")).to_have_text("4 of 4 entries")
    page.fill("#words", "Tippy torus")
    assert games(page) == [TORUS.game]
    expect(page.locator("#shown")).to_have_text("1 of 4 entries")
    page.fill("#words", "")
    page.select_option("#kind", "open")
    assert games(page) == [UNASKED.game]
    page.select_option("#kind", "NO_WIN")
    assert games(page) == [FATTY.game]
    page.select_option("#section", "5x5")
    assert games(page) == []
    page.select_option("#section", "3x3")
    page.select_option("#kind", "WIN")
    plies = page.get_by_role("button", name="plies")
    plies.click()
    assert games(page) == [TORUS.game, TIPPY.game]
    plies.click()
    assert games(page) == [TIPPY.game, TORUS.game]
    expect(page.locator("#games th[aria-sort]")).to_have_attribute("aria-sort", "descending")


def test_the_tables_say_what_the_atlas_says(index: Path, page: Page) -> None:
    page.goto(index.as_uri())
    assert page.locator("main > p").first.inner_text().count("4 entries, 3 of them proved") == 1
    least = page.get_by_role("region", name="The least boards of polyominoes")
    row = least.get_by_role("row").filter(has_text="tippy").locator("th, td").all_inner_texts()
    assert row == ["tippy", "3x3 in 9", "", "3x3 in 7", ""]
    assert "fatty\tnot on 3x3" in least.inner_text()


def test_every_page_accepts_its_strategy(index: Path, page: Page) -> None:
    page.goto(index.as_uri())
    links = page.locator("#games a").evaluate_all("links => links.map((link) => link.href)")
    assert len(links) == 5
    for link in links:
        page.goto(link)
        expect(page.locator("#verdict")).to_contain_text("accepts")
        assert page.evaluate("randomGames(match, 10)") == 0
    page.get_by_role("link", name="All games").click()
    expect(page.locator("h1")).to_have_text("An atlas of small games")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["390", "1400"])
def test_the_site_keeps_nobody_out(
    scheme: str,
    size: dict[str, int],
    index: Path,
    page: Page,
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    for file in (index, *sorted(index.parent.glob("proofs/*/index.html"))[:1]):
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert Axe().run(page).response["violations"] == []


def test_a_large_strategy_is_checked_when_it_is_chosen(
    atlas: Atlas,
    page: Page,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proof = atlas.findings()[TIPPY].proof
    assert proof is not None
    size = atlas.file(proof).stat().st_size
    monkeypatch.setattr(skolemate.publishing, "LARGEST", size - 1)
    made = skolemate.publish(atlas.file(proof), tmp_path / "large")
    file = made.with_name("strategy.jsonl")
    assert file.read_text().splitlines()[-1].replace('"', '\\"') not in made.read_text()
    page.goto(made.as_uri())
    expect(page.locator("#verdict")).to_contain_text("too large to be opened with its page")
    expect(page.locator("#play")).to_be_hidden()
    tampered = tmp_path / "tampered.jsonl"
    tampered.write_text("\n".join(file.read_text().splitlines()[:-1]) + "\n")
    page.set_input_files("#file", tampered)
    expect(page.locator("#file-verdict")).to_contain_text("refused")
    expect(page.locator("#play")).to_be_hidden()
    page.set_input_files("#file", file)
    expect(page.locator("#verdict")).to_contain_text("accepts")
    expect(page.locator("#play")).to_be_visible()
    assert page.evaluate("randomGames(match, 10)") == 0


def test_a_tampered_proof_is_not_published(
    atlas: Atlas, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = atlas.findings()[TIPPY].proof
    assert proof is not None
    file = atlas.file(proof)
    whole = file.read_bytes()
    site = tmp_path / "site"
    command = ["atlas", "-o", str(atlas.folder), "--publish", str(site)]
    try:
        file.write_bytes(whole[:-2] + b" ]\n")
        assert main(command) == 2
        assert "does not have the content that its name states" in capsys.readouterr().err
        assert not (site / "index.html").exists()
    finally:
        file.write_bytes(whole)


def test_a_tampered_page_is_refused(index: Path, page: Page) -> None:
    page.goto(index.as_uri())
    page.locator("#games a").first.click()
    made = Path(page.url.removeprefix("file://"))
    text = made.read_text()
    made.write_text(text.replace('\\"left\\":9', '\\"left\\":7'))
    assert made.read_text() != text
    page.reload()
    expect(page.locator("#verdict")).to_contain_text("its SHA-256 is not the one of this page")
    expect(page.locator("#play")).to_be_hidden()


def test_an_atlas_without_entries_is_not_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["atlas", "-o", str(tmp_path), "--publish", str(tmp_path / "site")]) == 2
    assert "has no entry to publish" in capsys.readouterr().err
