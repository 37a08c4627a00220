"""The page as an analysis board: values of moves, boards, variations, pasting, strategies."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

import skolemate
from browsing import PHONE, both_widths, cell, compare, go, moves, opened, photograph
from gdl_descriptions import AGAIN
from samples import FULL
from serving import asking, finished
from skolemate.games import Game, Player, Position
from skolemate.games.family import build
from skolemate.search.reference import Reference
from waiting import eventually

# Games, and the number of moves after which `make test` begins to look at them.
VALUED = {
    "hein(9)": 0,
    "tictactoe": 0,
    "connect(k=4, width=4, height=4)": 6,
    "breakthrough(width=3, height=4)": 2,
    "domineering(width=4, height=4)": 0,
}


# --- values ---------------------------------------------------------------------------------------


class Oracles:
    """Both players' oracles for one game. They keep what they find: without that, the first moves
    of Connect-4 would be searched anew in each of twenty games.
    """

    def __init__(self, game: Game) -> None:
        assert game.horizon is not None
        self._depths = range(game.horizon + 1)
        self._oracles = {player: Reference(player) for player in Player}

    def value(self, position: Position) -> tuple[str, int | None]:
        """Who wins, and in how many plies; or a draw."""
        for player, oracle in self._oracles.items():
            depth = oracle.critical_depth(position, self._depths)
            if depth is not None:
                return player.value, depth
        return "draw", None


def random_line(game: Game, chance: random.Random) -> Iterator[tuple[list[str], Position]]:
    """The positions of a random game in which a move is left, with the moves that lead there."""
    position, played = game.start, list[str]()
    while moves := position.moves():
        yield played, position
        move = chance.choice(moves)
        played, position = [*played, game.move_name(move)], position.play(move)


@pytest.mark.parametrize(("name", "skipped"), VALUED.items())
def test_values_are_the_oracles(name: str, skipped: int, tmp_path: Path) -> None:
    chance, game = random.Random(name), build(name)
    oracles = Oracles(game)
    with asking(tmp_path) as client:
        for _ in range(20 if FULL else 1):
            line = list(random_line(game, chance))
            for played, position in line if FULL else line[skipped:]:
                asked = {"game": name, "moves": " ".join(played)}
                run = finished(client, client.post("/api/value", json=asked).json())
                value = run["result"]["value"]
                assert (value["outcome"], value["plies"]) == oracles.value(position)
                told = {
                    entry["move"]: (entry["outcome"], entry["plies"]) for entry in value["moves"]
                }
                mover = position.to_move
                assert mover is not None
                words = {mover.value: "wins", mover.opponent.value: "loses", "draw": "draws"}
                truth = {}
                for move in position.moves():
                    outcome, plies = oracles.value(position.play(move))
                    counted = None if plies is None else plies + 1  # from before the move
                    truth[game.move_name(move)] = words[outcome], counted
                assert told == truth, asked


@both_widths
def test_every_move_shows_its_value_and_they_follow_the_game(page: Page, pictures: Path) -> None:
    opened(page, "hein(9)")
    expect(page.locator("#worth")).to_have_text("Black wins in 7 plies.")
    expect(page.locator("#board .worth")).to_have_count(11)
    expect(page.locator("#board .worth.wins")).to_have_text("+7")
    expect(page.locator("#board .contour.winning")).to_have_count(1)
    expect(cell(page, "b2")).to_have_attribute("aria-label", "b2, open, can be played, wins in 7")
    expect(cell(page, "a3")).to_have_attribute("aria-label", re.compile("loses in 6$"))
    photograph(page, pictures, "values", only=PHONE)
    cell(page, "a3").click()
    expect(page.locator("#worth")).to_have_text("White wins in 5 plies.")
    expect(page.locator("#board .worth.wins").first).to_have_text("+5")
    page.locator("#values").uncheck()
    expect(page.locator("#board .worth")).to_have_count(0)
    expect(page.locator("#worth")).to_be_empty()
    page.reload()
    expect(page.locator("#title")).to_be_focused()
    expect(page.locator("#values")).not_to_be_checked()
    page.keyboard.press("v")
    expect(page.locator("#board .worth.wins").first).to_be_visible()
    go(page, "game=hein(9)&side=black")  # in a game against the computer they would tell the moves
    expect(page.locator("#values")).not_to_be_checked()
    expect(page.locator("#board .worth")).to_have_count(0)


@both_widths
def test_who_wins_is_one_question_with_both_halves_of_its_proof(page: Page) -> None:
    opened(page, "tictactoe")
    expect(page.locator("#ask [name=question] option:checked")).to_have_text("Who wins?")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#sentence")).to_have_text("A draw.")
    expect(page.locator("#facts")).to_contain_text("White's strategy")
    expect(page.locator("#play-buttons button")).to_have_text(["Play Black", "Play White"])
    too_large = {"error": "a page holds 30000 positions, and this strategy has more"}
    page.route("**/page?*", lambda route: route.fulfill(status=400, json=too_large))
    page.get_by_role("link", name="White's strategy as a page").click()
    expect(page.locator("#error")).to_have_text(too_large["error"])


# --- boards ---------------------------------------------------------------------------------------


@both_widths
def test_a_domino_is_seen_before_it_is_laid(page: Page) -> None:
    opened(page, "domineering(width=4, height=4)")
    expect(page.locator("#board .contour.winning")).to_have_count(4)  # one for each winning move
    box = cell(page, "b2").bounding_box()
    assert box
    lower = {"x": box["width"] / 2, "y": 0.8 * box["height"]}
    upper = {"x": box["width"] / 2, "y": 0.2 * box["height"]}
    cell(page, "b2").hover(position=lower)  # type: ignore[arg-type]
    expect(page.locator("#board .ghost")).to_have_count(2)
    expect(page.locator("#board .contour.domino")).to_have_count(1)
    cell(page, "b2").click(position=upper)  # type: ignore[arg-type]
    expect(moves(page)).to_have_text(["b1-b2"])
    page.locator("#title").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#moves .later")).to_have_count(1)
    page.keyboard.press("b")  # by keys a domino is laid from one cell to the other
    for key in ("Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(moves(page).first).to_have_text(re.compile("-"))


@both_widths
def test_pieces_are_dragged(page: Page) -> None:
    opened(page, "breakthrough(width=3, height=4)")
    expect(page.locator("#board .worth")).to_have_text(["−12"] * 3)  # the best move of each piece

    def drag(start: str, end: str) -> None:
        cell(page, start).hover()
        page.mouse.down()
        cell(page, end).hover()
        page.mouse.up()

    drag("b3", "c4")  # no move
    expect(moves(page)).to_have_count(0)
    drag("b3", "a2")  # a capture
    expect(moves(page)).to_have_text(["b3-a2"])
    cell(page, "b1").click()
    expect(page.locator("#board .target")).not_to_have_count(0)
    expect(page.locator("#board .worth.wins, #board .worth.loses").first).to_be_visible()
    page.locator("#board .target").first.dispatch_event(
        "click"
    )  # nothing: marks let clicks through
    page.keyboard.press("b")
    page.keyboard.press("Escape")
    expect(page.locator("#board .target")).to_have_count(0)


@both_widths
def test_large_boards_can_be_enlarged(page: Page) -> None:
    opened(page, "gomoku(size=19)")
    size = cell(page, "a1").bounding_box()
    assert size
    assert size["width"] >= 24  # a finger hits it from the beginning
    page.get_by_role("button", name="Larger board").click()
    larger = cell(page, "a1").bounding_box()
    assert larger
    assert larger["width"] > 1.3 * size["width"]
    overflow = "document.documentElement.scrollWidth - window.innerWidth"
    assert page.evaluate(overflow) <= 0  # the board is scrolled, not the page
    cell(page, "s19").click()
    expect(moves(page)).to_have_text(["s19"])
    for _ in range(6):
        page.keyboard.press("-")
    expect(page.get_by_role("button", name="Smaller board")).to_be_disabled()


@both_widths
def test_the_rules_are_in_sight(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/sets?*", lambda route: held.append(route))
    go(page, "game=tictactoe&moves=a1 b1")
    expect(page.locator("#called")).to_have_text("Tic-tac-toe")
    expect(page.locator("#aim")).to_have_text(
        "The first with three in a row, also diagonally, wins."
    )
    cell(page, "a2").hover()
    expect(page.locator("#board .ghost")).to_have_count(1)
    assert eventually(lambda: page.title() and held)
    held[0].continue_()  # they come while the pointer rests
    expect(page.locator("#board .set")).to_have_count(2)
    cell(page, "b3").hover()
    expect(page.locator("#board .set")).to_have_count(1)  # the other one has a stone of White's
    page.unroute("**/api/sets?*")
    for name in ("a2", "b2"):
        cell(page, name).click()
        expect(moves(page).last).to_have_text(name)
    for player in ("black", "white"):  # who could win at once
        expect(page.locator(f"#board .badge.{player}")).to_have_count(1)
    cell(page, "a3").click()
    expect(page.locator("#status")).to_have_text("Black has won.")
    expect(page.locator("#board .highlight")).to_have_count(3)
    expect(page.locator("#board .set")).to_have_count(0)

    opened(page, "hex(size=3)")
    expect(page.locator("#goal")).to_have_text("Black joins top and bottom, White left and right.")
    expect(page.locator("#shape")).to_be_hidden()
    go(page, "game=harary(shape=el, board=..../.#../....)")
    expect(page.locator("#shape rect")).to_have_count(3)  # drawn in small


@both_widths
def test_layers_of_qubic_lie_two_by_two(page: Page) -> None:
    opened(page, "qubic")
    one, two, three = (cell(page, f"a1.{layer}").bounding_box() for layer in (1, 2, 3))
    assert one
    assert two
    assert three
    assert one["y"] == two["y"] < three["y"]
    assert one["x"] == three["x"] < two["x"]
    assert one["width"] >= 24


# --- variations -----------------------------------------------------------------------------------


@both_widths
def test_variations_are_a_tree_that_the_address_keeps(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, "tictactoe")
    for name in ("a1", "b2", "c3"):
        cell(page, name).click()
        expect(moves(page).last).to_have_text(name)
    page.locator("#title").focus()
    page.keyboard.press("Home")
    expect(page.locator("#moves .later")).to_have_count(3)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#moves .later")).to_have_count(2)
    cell(page, "b1").click()  # a variation
    expect(moves(page)).to_have_text(["a1", "b1"])
    expect(page.locator("#moves .variation button")).to_have_text(["b1"])
    expect(page.locator("#moves button")).to_have_count(4)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    expect(moves(page)).to_have_text(["a1", "b1"])
    expect(page.locator("#moves button")).to_have_count(4)
    page.locator("#moves").get_by_role("button", name="c3").click()
    expect(moves(page)).to_have_text(["a1", "b2", "c3"])
    page.locator("#title").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    expect(page.locator("#moves [aria-current]")).to_have_text("c3")
    page.locator("#moves").get_by_role("button", name="b2").click()
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator("#moves button")).to_have_text(["a1", "b1"])


# --- a new game, pasting, strategies --------------------------------------------------------------


@both_widths
def test_a_new_game_and_a_filtered_collection(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#games a").first).to_be_visible()
    page.locator("#kind").select_option("pieces")
    expect(page.locator("#puzzles")).to_be_hidden()
    expect(page.locator("#games a:visible").first).to_contain_text("Breakthrough")
    page.locator("#new-game [name=family]").select_option("mnk")
    page.locator("#new-game [name=m]").fill("4")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#name")).to_contain_text("mnk(m=4, n=3, k=3")


DRAWN = "  a b c\n1 X . .\n2 . O .\n3 . . ."
PASTED = [
    ("tictactoe(moves=b2)", "tictactoe"),
    ("#positions\na b c\n#blackwins\na b\nb c", "file_"),
    ("(;FF[4]GM[11]SZ[3];B[b2])", "file_"),
    ("{a1, b1}\n{b1, c1}\n{c1, a1}", "file_"),
    ("a1 b1\nb1 c1\nWhite: a1 c1", "file_"),
    ("X . .\n . O .\n  . . .", "hex(size=3, black=a1, white=b2)"),
]


@pytest.mark.parametrize(("text", "base"), PASTED)
def test_what_is_pasted_becomes_a_game(text: str, base: str, tmp_path: Path) -> None:
    with asking(tmp_path) as client:
        told = client.post("/api/paste", json={"text": text}).json()
        assert told["base"].startswith(base)


def test_what_is_drawn_goes_onto_the_board_that_is_open(tmp_path: Path) -> None:
    with asking(tmp_path) as client:
        told = client.post("/api/paste", json={"text": DRAWN, "game": "tictactoe"}).json()
        assert told["game"] == "tictactoe(black=a1, white=b2)"
        refused = client.post("/api/paste", json={"text": DRAWN})
        assert "does not tell its game" in refused.json()["error"]
        wrong = client.post("/api/paste", json={"text": DRAWN, "game": "gomoku(size=9)"})
        assert "3 by 3" in wrong.json()["error"]
        broken = client.post("/api/paste", json={"text": "X . .\n. O ?\n. . ."})
        assert broken.status_code == 400
        ragged = client.post("/api/paste", json={"text": "X . .\n. O\n. . ."})
        assert "have 3 and 2 and 3 cells" in ragged.json()["error"]


@pytest.mark.parametrize("name", ["hex(size=4, moves=b2 a1)", "breakthrough(width=3, height=4)"])
def test_what_skolemate_draws_is_read_again(name: str, tmp_path: Path) -> None:
    game = build(name)
    text = f"{name}\n\n{skolemate.text(game.start, last=game.last_move)}"
    with asking(tmp_path) as client:
        told = client.post("/api/paste", json={"text": text, "game": str(game.rewound())}).json()
    names = game.board.names
    for player in skolemate.Player:
        stones = [names[c] for c in range(len(names)) if game.start.stones(player) >> c & 1]
        assert told[player.value] == stones


@both_widths
def test_pasting_in_the_page(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Paste …").click()
    page.locator("#pasted").fill("{a1, b1}\n{b1, c1}\n{c1, a1}")
    page.get_by_role("button", name="Open", exact=True).last.click()
    expect(page.locator("#called")).to_have_text("pasted.pg")
    opened(page, "tictactoe")
    page.keyboard.press("e")
    page.get_by_role("button", name="Paste …").click()
    page.locator("#pasted").fill(DRAWN)
    page.get_by_role("button", name="Open", exact=True).last.click()
    expect(page.locator("#name")).to_have_text("tictactoe(black=a1, white=b2)")


def test_a_description_in_gdl_is_played_by_the_names_of_its_moves(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Paste …").click()
    page.locator("#pasted").fill(AGAIN)
    page.get_by_role("button", name="Open", exact=True).last.click()
    expect(page.locator("#aim")).to_contain_text("Black is first and White is second.")
    offered = page.locator("#which button")
    for name, left in (("take(3)", 4), ("take(2)", 2)):
        offered.filter(has_text=name).press("Enter")
        expect(moves(page).last).to_have_text(name)
        expect(page.locator("#board svg")).to_contain_text(f"heap({left})")
        expect(page.locator("#which :focus")).to_have_count(1)
    # Who takes one moves again, and who takes the last one wins.
    expect(offered).to_have_text([re.compile(r"take\(1\).*\+2"), re.compile(r"take\(2\).*\+1")])
    offered.last.click()
    expect(page.locator("#status")).to_have_text("First has won.")
    expect(offered).to_have_count(0)


@both_widths
def test_a_file_in_gdl_is_opened_and_solved(page: Page, tmp_path: Path) -> None:
    page.goto("/")
    file, broken = tmp_path / "again.gdl", tmp_path / "broken.gdl"
    file.write_text(AGAIN)
    page.locator("#files").set_input_files(file)
    expect(page.locator("#title")).to_contain_text("again.gdl")
    page.locator("#solve").click()
    expect(page.locator("#sentence")).to_have_text("Black wins in 5 plies.")
    broken.write_text(AGAIN.replace("(less 7 6)", "(less 7)"))
    page.locator("#files").set_input_files(broken)
    expect(page.locator("#error")).to_contain_text(re.compile(r"broken\.gdl:\d+:\d+: less has"))


@both_widths
def test_a_strategy_is_uploaded_and_explored(page: Page, tmp_path: Path) -> None:
    file, broken, wrong = (tmp_path / name for name in ("s.jsonl", "broken.jsonl", "wrong.jsonl"))
    skolemate.solve("hein(4)", strategy=file)
    lines = file.read_text().splitlines()
    broken.write_text("this is no strategy\n")
    wrong.write_text("\n".join([lines[0], *lines[2:]]) + "\n")  # a node is missing
    page.goto("/")
    page.locator("#files").set_input_files(broken)
    expect(page.locator("#error")).to_contain_text("broken.jsonl")
    page.locator("#files").set_input_files(wrong)
    expect(page.locator("#error")).to_contain_text("wrong.jsonl does not hold")
    page.locator("#files").set_input_files(file)
    expect(page.locator("#name")).to_have_text("hein(4)")
    expect(page.locator("#error")).to_be_hidden()
    expect(page.locator("#tree li").first).to_be_visible()
    page.locator("#tree button").first.click()
    expect(moves(page)).to_have_count(1)


def test_a_strategy_about_a_file_needs_its_game(tmp_path: Path) -> None:
    game, file = tmp_path / "my.pg", tmp_path / "s.jsonl"
    game.write_text("#positions\na b c\n#blackwins\na b\nb c\n")
    skolemate.solve(game, strategy=file)
    upload = {"name": "s.jsonl", "text": file.read_text()}
    with asking(tmp_path / "site") as client:
        run = finished(client, client.post("/api/strategies", json=upload).json())
        assert "open that game first" in run["error"]
        files = [{"name": "my.pg", "text": game.read_text()}]
        base = client.post("/api/files", json={"files": files}).json()["base"]
        run = finished(client, client.post("/api/strategies", json=upload | {"game": base}).json())
        kept = run["result"]
        assert kept["base"] == base
        assert client.get(f"/api/strategies/{kept['id']}/tree").status_code == 200
        run = finished(
            client, client.post("/api/strategies", json=upload | {"game": "tictactoe"}).json()
        )
        assert "belongs to another game" in run["error"]
        large = json.dumps(upload | {"text": "x" * (9 << 20)})
        headers = {"content-type": "application/json"}
        refused = client.post("/api/strategies", content=large, headers=headers)
        assert refused.status_code in (400, 413)


# --- comparing ------------------------------------------------------------------------------------


@both_widths
def test_a_comparison_is_explained(page: Page) -> None:
    opened(page, "hein(4)")
    told = compare(page)
    expect(page.locator("#comparing")).to_have_text("gr, 6 of 22")
    expect(page.locator("#compared")).to_have_js_property("value", 5)
    expect(page.locator("#bars .verdict")).to_have_text(["a win", "no proof: one-sided"])
    expect(page.locator("#bars td").last).to_have_attribute("title", "CAQE 4.0.2")
    expect(page.locator("#compare-box .aside")).to_contain_text("One-sided")
    hidden = "e => [e, ...e.querySelectorAll('.amount')].some(e => e.scrollWidth > e.clientWidth)"
    assert not page.locator("#bars").evaluate(hidden)  # it is read without scrolling
    ended = told | {"state": "done"}
    page.route("**/api/runs/*", lambda route: route.fulfill(json=ended))
    expect(page.locator("#comparison")).to_be_hidden()
