"""The page in a real browser: Debian's chromium, driven by playwright."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from browsing import WIDE, both_widths, cell, go, moves, opened, photograph
from serving import Server, solvers_of
from skolemate.formats import to_pg
from skolemate.games.family import build
from waiting import eventually

OVERFLOW = "document.documentElement.scrollWidth - window.innerWidth"
PROJECTORS: list[ViewportSize] = [
    {"width": 1920, "height": 1080},
    {"width": 2560, "height": 1440},
]


def hein_9_is_solved(page: Page) -> None:
    expect(page.locator("#sentence")).to_have_text("Black wins in 7 plies.")
    expect(page.locator("#facts")).to_contain_text("checked by the rules alone")


def hinted_move(page: Page) -> str:
    """The move that the hint names."""
    status = page.locator("#status")
    expect(status).to_contain_text("is the move of the strategy")
    found = re.match(r"(\w+) is the move", status.inner_text())
    assert found
    return found[1]


# --- the whole way, by clicks and by keys ---------------------------------------------------------


@both_widths
def test_a_puzzle_is_chosen_solved_and_won_by_clicks(page: Page, pictures: Path) -> None:
    page.goto("/")
    expect(page.locator("#puzzles a")).to_have_count(19)  # number 18 is lost as it was published
    assert page.evaluate(OVERFLOW) <= 0
    for image in page.locator("#puzzles img").all()[::6]:  # the others are no different
        image.scroll_into_view_if_needed()
        expect(image).to_have_js_property("complete", True)
        assert image.evaluate("image => image.naturalWidth") > 0
    page.evaluate("window.scrollTo(0, 0)")
    photograph(page, pictures, "collection", only=WIDE)
    page.locator("#by-name input").fill("four")
    expect(page.locator(".cards a:visible")).to_have_text(re.compile("Connect Four 7×6"))
    page.locator("#by-name input").fill("")

    page.locator("#puzzles").get_by_role("link", name="hein(9)").click()
    expect(page.locator("#title")).to_have_text("Hein's puzzle 9 hein(9)")
    assert page.evaluate(OVERFLOW) <= 0
    expect(page.locator("#board .value")).to_have_count(0)  # a puzzle hides its answer
    page.get_by_role("button", name="Solve").click()
    hein_9_is_solved(page)
    expect(cell(page, "b2")).to_have_class(re.compile("winning"))
    expect(page.locator("#board .value.wins")).to_have_count(1)
    page.keyboard.press("b")
    for key in ("ArrowDown", "ArrowUp"):  # labels stay as they were
        page.keyboard.press(key)
        expect(cell(page, "b2")).to_have_attribute(
            "aria-label", "b2, open, can be played, wins in 7"
        )
    page.locator("#title").focus()
    expect(page.locator("#facts")).to_contain_text("7 blocks")
    expect(page.locator("#tree li").first).to_be_visible()  # the strategy's replies
    photograph(page, pictures, "solved", only=WIDE)

    page.get_by_role("button", name="Play Black yourself").click()
    expect(page.locator("#board svg")).to_be_in_viewport(ratio=0.99)  # on a phone, too
    for turn in range(4):
        expect(page.locator("#status")).to_contain_text("It is your turn.")
        page.get_by_role("button", name="Hint").click()
        move = hinted_move(page)
        expect(page.locator("#board .hinted")).to_have_count(1)
        cell(page, move).click()
        expect(moves(page).nth(2 * turn)).to_have_text(move)
        if "You have won!" in page.locator("#status").inner_text():
            break
        expect(page.locator("#status")).to_contain_text(re.compile("your turn|have won"))
    expect(page.locator("#status")).to_contain_text("Black has won. You have won!")
    assert page.locator("#board .cell.highlight").count() >= 4  # the chain from top to bottom
    page.evaluate("window.scrollTo(0, 0)")
    photograph(page, pictures, "won")

    played = moves(page).all_inner_texts()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_contain_text("It is your turn.")
    assert moves(page).all_inner_texts() == played  # what was taken back is still there
    expect(page.locator("#moves .later")).to_have_count(1)
    cell(page, played[-1]).click()
    expect(page.locator("#status")).to_contain_text("You have won!")
    page.get_by_role("button", name="Restart").click()
    expect(page.locator("#moves .later")).to_have_count(len(played))
    for _ in played:
        page.get_by_role("button", name="Forward").click()
    expect(page.locator("#status")).to_contain_text("You have won!")
    assert contrast(page, "#next") > 4.5
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.locator("#name")).to_have_text("hein(10)")
    expect(page.locator("#side")).to_have_value("black")
    page.locator("#home").click()
    expect(page.locator(".tick")).to_have_count(1)
    expect(page.get_by_role("link", name="hein(9) ✓ won")).to_be_visible()


def focus_on(page: Page, target: Locator) -> None:
    """Get somewhere by the Tab key alone."""
    for _ in range(80):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached by keys")


def walk_to(page: Page, target: str) -> None:
    """Go over the board by the arrow keys: first to the row, then along it."""
    page.keyboard.press("b")
    for _ in range(20):
        here = page.evaluate("document.activeElement.dataset.cell")
        column, row = ord(target[0]) - ord(here[0]), int(target[1:]) - int(here[1:])
        if not column and not row:
            return
        vertical = "ArrowDown" if row > 0 else "ArrowUp"
        page.keyboard.press(vertical if row else "ArrowRight" if column > 0 else "ArrowLeft")
    raise AssertionError(f"{target} cannot be reached by arrows")


def test_win_by_keys_alone(page: Page) -> None:
    page.goto("/")
    focus_on(page, page.locator("#by-name input"))
    page.keyboard.type("hein(9)")
    page.keyboard.press("Enter")
    expect(page.locator("#name")).to_have_text("hein(9)")
    page.keyboard.press("s")
    hein_9_is_solved(page)
    focus_on(page, page.get_by_role("button", name="Play Black yourself"))
    page.keyboard.press("Enter")
    for turn in range(4):
        expect(page.locator("#status")).to_contain_text("It is your turn.")
        page.keyboard.press("h")
        move = hinted_move(page)
        walk_to(page, move)
        page.keyboard.press("Enter")
        expect(moves(page).nth(2 * turn)).to_have_text(move)
        expect(page.locator("#status")).to_contain_text(re.compile("your turn|have won"))
        if "You have won!" in page.locator("#status").inner_text():
            break
    expect(page.locator("#status")).to_contain_text("You have won!")
    count = moves(page).count()
    page.keyboard.press("u")
    expect(page.locator("#moves .later")).to_have_count(1)
    page.keyboard.press(",")
    expect(page.locator("#moves .later")).to_have_count(2)
    page.keyboard.press(".")
    page.keyboard.press(".")
    expect(page.locator("#status")).to_contain_text("You have won!")
    page.keyboard.press("r")
    expect(page.locator("#moves .later")).to_have_count(count)


@pytest.mark.slow
def test_play_against_the_strategy_and_jump_in_its_tree(page: Page) -> None:
    opened(page, "hein(9)")
    page.get_by_role("button", name="Solve").click()
    hein_9_is_solved(page)
    page.get_by_role("button", name="Play White against it").click()
    expect(page.locator("#status")).to_contain_text(
        "The computer plays b2. It follows its strategy."
    )
    line = page.locator("#tree > ul > li").nth(2)
    expect(line).to_contain_text("→")
    name, reply = line.locator("button").all_inner_texts()[:2]
    line.locator("button").nth(1).click()
    expect(moves(page)).to_have_text(["b2", name, reply])
    expect(page.locator("#status")).to_contain_text("White to move.")
    page.get_by_role("button", name="Flip sides").click()  # now the computer defends
    expect(moves(page)).to_have_count(4)
    expect(page.locator("#side")).to_have_value("black")
    page.locator("#home").click()
    page.get_by_role("link", name="hein(9): Black wins in 7 plies").click()
    expect(page.locator("#status")).to_contain_text("It follows its strategy.")


@both_widths
def test_the_computer_plays_on_after_steps_back_and_after_an_outage(page: Page) -> None:
    go(page, "game=hein(9)&side=black")
    status = page.locator("#status")
    cell(page, "c2").click()
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(status).to_have_text("Black to move. It is your turn.")
    cell(page, "c2").click()
    expect(status).to_contain_text("The computer plays")
    page.get_by_role("button", name="Back").click()  # only looks
    expect(status).to_have_text("White to move.")
    page.get_by_role("button", name="Let the computer move").click()
    expect(status).to_contain_text("The computer plays")
    expect(page.locator("#moves .later")).to_have_count(0)
    expect(page.locator("#go-on")).to_be_hidden()

    page.route("**/api/*", lambda route: route.abort())  # the server is gone
    cell(page, "a3").click()
    expect(page.locator("#error")).to_contain_text("The server does not answer")
    expect(moves(page)).to_have_count(2)
    page.unroute("**/api/*")
    page.route("**/api/reply", lambda route: route.abort())
    cell(page, "a3").click()
    expect(page.locator("#error")).to_contain_text("The server does not answer")
    expect(moves(page)).to_have_count(3)
    page.unroute("**/api/reply")
    page.get_by_role("button", name="Let the computer move").click()
    expect(moves(page)).to_have_count(4)
    expect(page.locator("#error")).to_be_hidden()

    page.locator("#side").select_option("white")
    page.get_by_role("button", name="Restart").click()
    expect(status).to_contain_text("The computer plays")
    expect(moves(page)).to_have_count(1)


@pytest.mark.parametrize("asked", ["a move", "a hint"])
def test_what_is_found_too_late_is_left(page: Page, asked: str) -> None:
    opened(page, "hex(size=9)")
    if asked == "a move":
        page.keyboard.press("f")  # now the computer begins
        expect(page.locator("#status")).to_contain_text("is thinking")
    else:
        page.get_by_role("button", name="Hint").click()
        expect(page.locator("#status")).to_contain_text("Looking for")
    with page.expect_response(lambda told: '"cancelled"' in told.text()):
        page.keyboard.press("e")
    page.wait_for_timeout(1000)  # more than it takes to show a move
    expect(page.locator("#status")).to_have_text("Click cells to set stones. Black to move.")
    expect(moves(page)).to_have_count(0)


# --- asking --------------------------------------------------------------------------------------


def ask_about_black(page: Page) -> None:
    """The question about one player, with all that can be chosen."""
    page.locator("#ask [name=question]").select_option("black")
    page.locator("#ask details summary").click()


def ask_something_long(page: Page, server: Server) -> None:
    """A question that no solver answers while a test lasts."""
    ask_about_black(page)
    page.locator("#ask [name=encoding]").fill("sa")
    page.locator("#ask [name=kind]").select_option("fixed")
    page.locator("#ask [name=depth]").fill("25")
    page.locator("#ask [name=timeout]").fill("3000")
    page.get_by_role("button", name="Solve").click()
    assert eventually(lambda: solvers_of(server.process.pid))


def test_a_long_run_is_cancelled_with_its_processes(page: Page, server: Server) -> None:
    opened(page, "hein(18)")
    ask_something_long(page, server)
    expect(page.locator("#elapsed")).to_contain_text("s")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#sentence")).to_contain_text("cancelled")
    assert not solvers_of(server.process.pid)
    expect(page.get_by_role("button", name="Solve")).to_be_enabled()


@pytest.mark.slow
def test_whoever_leaves_takes_the_question_along(page: Page, server: Server) -> None:
    opened(page, "hein(18)")
    ask_something_long(page, server)
    expect(page.locator("#worker")).to_contain_text("on sa")  # it has heard of the run
    page.goto("about:blank")
    assert eventually(lambda: not solvers_of(server.process.pid))
    opened(page, "hein(18)")
    ask_something_long(page, server)
    opened(page, "hein(4)")
    assert eventually(lambda: not solvers_of(server.process.pid))
    expect(page.get_by_role("button", name="Solve")).to_be_enabled()
    expect(page.locator("#result")).to_be_hidden()
    page.locator("#ask [name=question]").select_option("")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#sentence")).to_have_text("Black wins in 5 plies.")
    expect(page.locator("#tree li").first).to_be_visible()
    expect(page.locator("#tree")).not_to_contain_text("another position")


def test_a_question_that_cannot_be_asked_is_explained(page: Page) -> None:
    opened(page, "tictactoe")
    ask_about_black(page)
    page.locator("#ask [name=encoding]").fill("et")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#error")).to_contain_text("et cannot encode tictactoe")


def test_several_are_asked_side_by_side_and_must_agree(page: Page) -> None:
    opened(page, "hein(4)")
    ask_about_black(page)
    page.locator("#ask [name=engine]").select_option("both")
    page.locator("#ask [name=encoding]").fill("et,ea")
    page.locator("#ask [name=verify]").check()
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#sentence")).to_have_text("Black wins within 5 plies, and not sooner.")
    expect(page.locator("#note")).to_contain_text("agrees")
    page.locator("#ask [name=encoding]").fill("et,et")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#error")).to_contain_text("is named twice")


@pytest.mark.slow
def test_encodings_are_compared_as_bars(page: Page, pictures: Path) -> None:
    opened(page, "hein(4)")
    page.locator("#compare-box summary").click()
    page.locator("#compare [name=depth]").fill("5")
    page.locator("#compare [name=timeout]").fill("60")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#cancel-compare")).to_be_hidden()
    rows = page.locator("#bars tbody tr")
    assert rows.count() >= 10
    widths = [bar.bounding_box() for bar in rows.first.locator("i").all()]
    assert all(box and box["width"] > 1 for box in widths)
    page.locator("#ask-box > summary").click()
    page.emulate_media(color_scheme="dark")
    photograph(page, pictures, "compared")


@pytest.mark.slow
def test_a_comparison_ends_with_its_game(page: Page, server: Server) -> None:
    opened(page, "hein(18)")
    page.locator("#compare-box summary").click()
    page.locator("#compare [name=depth]").fill("25")
    page.get_by_role("button", name="Compare").click()
    assert eventually(lambda: solvers_of(server.process.pid))
    opened(page, "hein(4)")
    expect(page.locator("#bars")).to_be_empty()
    expect(page.locator("#cancel-compare")).to_be_hidden()
    assert eventually(lambda: not solvers_of(server.process.pid))
    expect(page.locator("#bars")).to_be_empty()


@both_widths
def test_a_verdict_belongs_to_its_position(page: Page) -> None:
    opened(page, "hein(9)")
    page.get_by_role("button", name="Solve").click()
    hein_9_is_solved(page)
    expect(page.locator("#elsewhere")).to_be_hidden()
    page.route("**/api/value", lambda route: route.abort())  # nothing more is answered
    cell(page, "a3").click()  # it loses
    expect(page.locator("#where")).to_have_text("About the start:")
    expect(page.locator("#result")).to_have_class("elsewhere")
    expect(page.locator("#board .value")).to_have_count(0)
    page.unroute("**/api/value")
    page.get_by_role("button", name="Go there").click()
    expect(page.locator("#elsewhere")).to_be_hidden()
    expect(page.locator("#board .value.wins")).to_have_count(1)
    cell(page, "a3").click()  # what is found in time is told by itself
    expect(page.locator("#worth")).to_have_text("White wins in 5 plies.")
    expect(page.locator("#error")).to_be_hidden()


@both_widths
def test_the_answer_comes_at_once_and_its_proof_later(page: Page) -> None:
    opened(page, "domineering(width=6, height=6)")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#sentence")).to_contain_text("Black")
    expect(page.locator("#worker")).to_contain_text("as its proof, at most 100,000 nodes or 60 s")
    expect(page.locator("#share")).to_be_visible()
    expect(page.get_by_role("button", name="Solve")).to_be_enabled()
    page.locator("#play-buttons button").nth(1).click()
    expect(page.locator("#status")).to_contain_text("your turn")
    expect(page.locator("#board svg")).to_be_in_viewport(ratio=0.99)  # on a phone, too
    page.keyboard.press("Escape")
    expect(page.locator("#progress")).to_be_hidden()
    expect(page.locator("#sentence")).to_contain_text("Black")


def test_a_result_that_comes_again_is_left_alone(page: Page) -> None:
    opened(page, "hein(4)")
    with page.expect_response(lambda told: '"strategy":{' in told.text()) as last:
        page.get_by_role("button", name="Solve").click()
    running = last.value.json() | {"state": "running"}  # as if more was being worked out
    page.route("**/api/value", lambda route: route.fulfill(json=running))
    page.route("**/api/runs/*", lambda route: route.fulfill(json=running))
    page.get_by_role("button", name="Solve").click()
    button = page.get_by_role("button", name="Play Black yourself")
    button.focus()
    page.wait_for_timeout(1000)  # some more progress
    expect(button).to_be_focused()


def test_downloads(page: Page, tmp_path: Path) -> None:
    opened(page, "hein(4)")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#facts")).to_contain_text("checked by the rules alone")
    page.locator("#game-box > summary").click()
    expected = {
        "Formula, QDIMACS": "p cnf",
        "Formula, QCIR": "#QCIR-14",
        "Black's strategy, the proof": '"verdict":"WIN"',
        "White's strategy, the proof": '"verdict":"NO_WIN"',
        "Black's strategy as a page": "<!doctype html>",
        "Certificate, AIGER": "The formula is true: Skolem functions",
        "Picture, SVG": "<svg",
        "Game, .pg": "#positions",
        "Game, .sgf": "(;",
    }
    for name, content in expected.items():
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        file = tmp_path / "file"
        download.value.save_as(file)
        assert content.encode() in file.read_bytes(), name


# --- games ---------------------------------------------------------------------------------------


def test_files_are_opened_or_refused_in_words(page: Page, tmp_path: Path) -> None:
    good, broken = tmp_path / "good.pg", tmp_path / "broken.pg"
    good.write_text(to_pg(build("hein(4)")))
    broken.write_text(good.read_text().replace("a1", "<b>", 1))
    page.goto("/")
    page.locator("#files").set_input_files(broken)
    expect(page.locator("#error")).to_contain_text(re.compile(r"broken\.pg:\d+:\d+: "))
    page.locator("#files").set_input_files(good)
    expect(page.locator("#title")).to_contain_text("good.pg")
    expect(page.locator("#error")).to_be_hidden()
    expect(page.locator("#board .stone")).to_have_count(3)
    page.reload()
    expect(page.locator("#title")).to_contain_text("good.pg")
    dropped = page.evaluate_handle(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.pg"));
            return data;
        }""",
        good.read_text(),
    )
    page.dispatch_event("body", "drop", {"dataTransfer": dropped})
    expect(page.locator("#title")).to_contain_text("dropped.pg")


@both_widths
def test_parameters_and_editing(page: Page) -> None:
    opened(page, "hex(size=4)")
    page.locator("#game-box > summary").click()
    page.locator("#parameters [name=size]").fill("3")
    page.get_by_role("button", name="Set").click()
    expect(page.locator("#name")).to_have_text("hex(size=3)")
    page.get_by_role("button", name="Edit the position").click()
    name, palette = page.locator("#name"), page.locator("#palette")
    cell(page, "a1").click()
    expect(name).to_have_text("hex(size=3, black=a1)")
    palette.get_by_role("radio", name="White").check()
    cell(page, "b2").click()
    expect(name).to_have_text("hex(size=3, black=a1, white=b2)")
    page.locator("#first").select_option("white")
    expect(name).to_have_text("hex(size=3, black=a1, white=b2, first=white)")
    palette.get_by_role("radio", name="nothing").check()
    cell(page, "a1").click()
    expect(name).to_have_text("hex(size=3, white=b2, first=white)")
    page.get_by_role("button", name="Undo").click()
    expect(name).to_have_text("hex(size=3, black=a1, white=b2, first=white)")
    page.go_back()  # does the same
    expect(name).to_have_text("hex(size=3, black=a1, white=b2)")
    page.get_by_role("button", name="Clear").click()
    expect(name).to_have_text("hex(size=3)")
    page.get_by_role("button", name="Undo").click()
    expect(name).to_have_text("hex(size=3, black=a1, white=b2)")
    palette.get_by_role("radio", name="White").check()
    cell(page, "b2").click()  # the same stone once more takes it away
    expect(name).to_have_text("hex(size=3, black=a1)")
    page.get_by_role("button", name="Edit the position").click()
    cell(page, "c1").dblclick()  # one move, not two
    expect(moves(page)).to_have_text(["c1"])
    page.get_by_role("button", name="Edit the position").click()
    cell(page, "c2").click()
    expect(moves(page)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(moves(page)).to_have_text(["c1"])
    page.get_by_role("button", name="Set").click()
    expect(page.locator("#status")).to_contain_text("Stones and moves were left behind")
    page.go_back()
    expect(moves(page)).to_have_text(["c1"])
    expect(page.locator("#error")).to_be_hidden()


@pytest.mark.slow
def test_boards_of_every_kind_are_played_on(page: Page) -> None:
    opened(page, "breakthrough(width=3, height=5)")
    cell(page, "b4").click()
    expect(page.locator("#board .target")).to_have_count(3)
    cell(page, "b3").click()
    expect(moves(page)).to_have_text(["b4-b3"])
    cell(page, "a2").click()
    cell(page, "b3").click()
    expect(moves(page)).to_have_text(["b4-b3", "a2-b3"])  # a capture
    expect(page.locator("#board .stone.black")).to_have_count(5)

    opened(page, "harary(shape=el, width=4, height=4, torus=true)")
    expect(page.locator("#board .ghosts .cell")).to_have_count(20)
    expect(page.locator("#shape rect")).to_have_count(3)
    cell(page, "a1").click()
    expect(page.locator("#board .ghosts .stone")).to_have_count(3)  # the corner, wrapped

    opened(page, "qubic(size=3)")
    cell(page, "b2.2").hover()
    expect(page.locator("#board .ghost")).to_have_count(1)
    cell(page, "b2.2").click()
    expect(moves(page)).to_have_text(["b2.2"])

    opened(page, "domineering(width=3, height=3)")
    cell(page, "a1").click()  # the only domino there
    expect(moves(page)).to_have_text(["a1-a2"])


@both_widths
def test_stones_fall_in_columns(page: Page) -> None:
    opened(page, "connect(k=3, width=4, height=4)")
    label = re.compile("^b1, open, falls to b4")
    expect(cell(page, "b1")).to_have_attribute("aria-label", label)
    cell(page, "b1").hover()
    expect(page.locator("#board .ghost")).to_have_count(1)
    expect(page.locator("#board .contour.column")).to_have_count(1)  # the whole column
    cell(page, "b1").click()
    expect(page.locator("#board .stone.black")).to_have_count(1)
    expect(cell(page, "b1")).to_have_attribute("aria-label", re.compile("falls to b3"))
    page.get_by_role("button", name="Undo").click()
    page.keyboard.press("e")
    base = "connect(k=3, width=4, height=4"
    title = page.locator("#name")
    cell(page, "c2").click()
    expect(title).to_have_text(f"{base}, black=c4)")
    cell(page, "c2").click()
    expect(title).to_have_text(f"{base}, black=c3 c4)")
    cell(page, "c4").click()  # it carries c3, so it stays
    page.locator("#palette").get_by_role("radio", name="White").check()
    cell(page, "c4").click()
    expect(title).to_have_text(f"{base}, black=c3, white=c4)")


# --- where one is, and on what -------------------------------------------------------------------


@both_widths
def test_an_address_leads_to_the_same_place(page: Page) -> None:
    page.goto("/")
    go(page, "game=hein(9)&moves=b2 b3 c2 a2&at=3&side=white")
    expect(page.locator("#moves .later")).to_have_text(["a2"])
    expect(page.locator("#status")).to_have_text("White to move. It is your turn.")
    shown = page.locator("#board svg desc").text_content()
    page.reload()
    expect(page.locator("#moves .later")).to_have_text(["a2"])
    assert page.locator("#board svg desc").text_content() == shown
    page.go_back()
    expect(page.locator("#puzzles")).to_be_visible()


def test_a_wrong_address_says_so(page: Page) -> None:
    page.goto("/#game=hexx(size=4)")
    expect(page.locator("#error")).to_contain_text("did you mean hex?")
    page.goto("/#game=<img src=x onerror=alert(1)>")
    expect(page.locator("#error")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator("#error img")).to_have_count(0)


def smallest_text(page: Page) -> float:
    """The size of the smallest words that are to be seen, in pixels."""
    found: float = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("main:not([hidden]) *, header *")]
            .filter((e) => e.checkVisibility() && !e.closest("svg"))
            .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
            .map((e) => parseFloat(getComputedStyle(e).fontSize)))"""
    )
    return found


def test_projector_width(page: Page, pictures: Path) -> None:
    """The page grows with the wall: words are read from afar, and the board takes its place."""
    for size in PROJECTORS:
        page.set_viewport_size(size)
        page.goto("/")
        expect(page.locator("#puzzles a").last).to_be_visible()
        assert smallest_text(page) >= size["height"] / 70
    opened(page, "hein(9)")
    page.get_by_role("button", name="Solve").click()
    hein_9_is_solved(page)
    for size in reversed(PROJECTORS):
        page.set_viewport_size(size)
        assert smallest_text(page) >= size["height"] / 70
        assert page.evaluate(OVERFLOW) <= 0
        board, panel, below = (
            page.locator(part).bounding_box() for part in ("#board svg", ".panel", ".bar")
        )
        assert board
        assert panel
        assert below
        assert board["width"] > 0.5 * size["width"]
        assert board["width"] + panel["width"] > 0.93 * size["width"]
        assert board["height"] > 0.6 * size["height"]
        # All that one plays with is in sight.
        assert below["y"] + below["height"] < size["height"]
    photograph(page, pictures, "projector")


def luminance(colour: str) -> float:
    """Of a colour as browsers tell it, rgb(…), by the definition of WCAG."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(c * weight for c, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(page: Page, element: str) -> float:
    """Of an element's text to the background that it has itself."""
    style = page.locator(element).first.evaluate(
        "e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
    )
    dark, light = sorted(map(luminance, style))
    return (light + 0.05) / (dark + 0.05)


def test_dark_and_light_can_be_read(page: Page) -> None:
    """The choice is kept. Axe looks at the other texts in both."""
    colour = "getComputedStyle(document.body).backgroundColor"
    page.goto("/")
    light = page.evaluate(colour)
    assert contrast(page, "body") > 7
    page.get_by_role("button", name="Dark").click()
    dark = page.evaluate(colour)
    assert light != dark
    assert contrast(page, "body") > 7
    page.reload()
    assert page.evaluate(colour) == dark
