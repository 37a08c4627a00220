"""The server: its HTTP interface, what it refuses, and what it leaves behind."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks
from starlette.testclient import TestClient

from clients import visit
from serving import LONG, PORT, Server, asking, finished, is_alive, solvers_of
from skolemate.api import describe, oracle
from skolemate.cli import main
from skolemate.formats import to_pg
from skolemate.games.board import HexGrid
from skolemate.games.family import FAMILIES, build
from skolemate.games.game import turns
from skolemate.games.goals import hex_goals
from skolemate.games.positional import PositionalGame
from skolemate.play.match import threats
from skolemate.play.web import tasks, views
from skolemate.play.web.app import LARGEST_BODY, application
from skolemate.play.web.handlers import ENDPOINTS, Endpoint
from skolemate.strategies import Strategy
from waiting import eventually

Client = TestClient


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with asking(tmp_path) as client:
        yield client


def solved(client: httpx.Client, game: str, **asked: Any) -> dict[str, Any]:
    question = {"game": game, "player": "black", "depth": "auto", **asked}
    started = client.post("/api/solve", json=question)
    assert started.status_code == 202, started.text
    run = finished(client, started.json())
    assert run["state"] == "done", run
    result: dict[str, Any] = run["result"]
    return result


# --- games ---------------------------------------------------------------------------------------


def test_the_collection_has_every_family_and_every_puzzle(client: Client) -> None:
    listed = client.get("/api/games").json()
    assert [family["name"] for family in listed["families"]] == [f.name for f in FAMILIES]
    assert len(listed["puzzles"]) == 19
    assert "hein(18)" in listed["games"]  # no puzzle: Black, who is to move, loses it
    for game in listed["puzzles"] + listed["games"]:
        assert client.get("/api/svg", params={"game": game}).text == build(game).start._repr_svg_()


def test_a_position_is_described_as_in_python(client: Client) -> None:
    told = client.get("/api/describe", params={"game": "hein(9)", "moves": "b2 b3"}).json()
    expected = describe("hein(9, moves=b2 b3)", views=False)
    assert {key: told[key] for key in expected} == expected
    assert told["base"] == "hein(9)"
    assert {"move": "c2", "short": "c2", "cells": ["c2"]} in told["choices"]


def test_a_position_tells_threats_and_how_it_was_won(client: Client) -> None:
    asked = {"game": "tictactoe", "moves": "a1 b1 a2 b2"}
    told = client.get("/api/describe", params=asked).json()
    assert told["threats"] == {"black": ["a3"], "white": ["b3"]}
    told = client.get("/api/describe", params=asked | {"moves": "a1 b1 a2 b2 a3"}).json()
    assert (told["over"], told["winner"], told["won"]) == (True, "black", ["a1", "a2", "a3"])
    assert told["threats"] == {"black": [], "white": []}


@pytest.mark.parametrize("example", [family.examples[-1] for family in FAMILIES])
def test_threats_are_the_moves_that_win_at_once(example: str) -> None:
    position = build(example).start
    for _ in range(6):
        moves = position.moves()
        if not moves:
            break
        assert position.to_move is not None
        wins = [m for m in moves if position.play(m).winner is position.to_move]
        if position.game.breaker is not position.to_move:
            assert list(threats(position, position.to_move)) == wins
        position = position.play(moves[len(moves) // 2])


def test_the_loser_of_a_game_without_moves_is_told(client: Client) -> None:
    told = client.get(
        "/api/describe", params={"game": "domineering(width=1, height=2)", "moves": "a1-a2"}
    ).json()
    assert (told["over"], told["winner"]) == (True, "black")


def test_dropped_files_become_games(client: Client) -> None:
    for suffix in ("pg", "sgf", "json"):
        written = client.get(
            "/api/convert", params={"game": "hein(4, moves=a2 a3)", "format": suffix}
        )
        files = [{"name": f"my.{suffix}", "text": written.text}]
        told = client.post("/api/files", json={"files": files}).json()
        assert (told["black"], told["white"]) == (["a1", "a2"], ["a3", "b1", "c2"])
        again = client.get("/api/describe", params={"game": told["game"]}).json()
        assert again == told
        moved = client.get("/api/describe", params={"game": told["game"], "moves": "b2"}).json()
        assert moved["game"].endswith("b2)")


def test_a_problem_and_its_domain_are_dropped_together(client: Client) -> None:
    whole = client.get(
        "/api/convert", params={"game": "breakthrough(width=2, height=4)", "format": "bddl"}
    ).text
    start = whole.index("#boardsize")
    rules, problem = whole[:start], whole[start:]
    files = [{"name": "p.bddl", "text": problem}, {"name": "domain.bddl", "text": rules}]
    told = client.post("/api/files", json={"files": files}).json()
    assert told["title"] == "p.bddl"
    assert told["moves"] == describe("breakthrough(width=2, height=4)")["moves"]


def test_a_broken_file_is_refused_with_its_place(client: Client) -> None:
    text = client.get("/api/convert", params={"game": "tictactoe", "format": "pg"}).text
    line = 1 + text[: text.index("#blackwins")].count("\n") + 1
    files = [{"name": "broken.pg", "text": text.replace("#blackwins\na1", "#blackwins\nz9")}]
    answer = client.post("/api/files", json={"files": files})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(f"broken.pg:{line}:1: ")


@pytest.mark.parametrize(
    ("game", "black", "white", "first", "expected"),
    [
        ("hein(9)", ["a1"], ["b2"], "white", "hex(size=4, black=a1, white=b2, first=white)"),
        ("hex(size=3, moves=a1)", ["a2"], [], "black", "hex(size=3, black=a2)"),
        ("tictactoe", ["a1"], ["b2"], "black", "tictactoe(black=a1, white=b2)"),
        (
            *("breakthrough(width=2, height=4)", ["a4"], ["b1"], "white"),
            "breakthrough(width=2, height=4, black=a4, white=b1, first=white)",
        ),
    ],
)
def test_editing(
    client: Client, game: str, black: list[str], white: list[str], first: str, expected: str
) -> None:
    asked = {"game": game, "black": black, "white": white, "first": first}
    told = client.post("/api/edit", json=asked).json()
    assert told["game"] == expected
    assert (told["black"], told["white"], told["to_move"]) == (black, white, first)


def test_stones_of_an_opening_stay(client: Client) -> None:
    asked = {"game": "connect6(opening=mickey_mouse)", "black": [], "white": [], "first": "white"}
    answer = client.post("/api/edit", json=asked)
    assert answer.status_code == 400
    assert "cannot be changed" in answer.json()["error"]


def test_stones_do_not_float(client: Client) -> None:
    asked = {"game": "connect(k=3, width=4, height=4)", "white": [], "first": "white"}
    answer = client.post("/api/edit", json=asked | {"black": ["b4", "c2"]})
    assert answer.json()["error"] == "stones fall: the cell under c2 is empty"
    assert client.post("/api/edit", json=asked | {"black": ["b3", "b4"]}).status_code == 200


def test_what_is_nearly_hex_does_not_become_hex(client: Client) -> None:
    board = HexGrid(4, 4)
    black, white = reversed(hex_goals(board))
    game = PositionalGame("", board, black, white, turns(board.size))
    files = [{"name": "my.pg", "text": to_pg(game, "board")}]
    told = client.post("/api/files", json={"files": files}).json()
    assert told["formats"] == ["pg", "json"]
    asked = {"game": told["game"], "black": ["a1"], "white": [], "first": "black"}
    edited = client.post("/api/edit", json=asked).json()
    assert edited["game"] == f"{told['game']}(black=a1)"
    asked["game"] = "hex(width=4, height=3, white=b2)"
    assert client.post("/api/edit", json=asked).json()["game"] == (
        "hex(width=4, height=3, black=a1)"
    )


# --- questions -----------------------------------------------------------------------------------


def test_solving_tells_progress_answer_sizes_and_a_checked_strategy(client: Client) -> None:
    result = solved(client, "hein(9)", strategy=True)
    answer = result["answer"]
    assert (answer["verdict"], answer["critical_depth"]) == ("WIN", 7)
    assert answer["first_moves"] == ["b2"]
    assert result["sizes"]["blocks"] == 7
    name = result["strategy"]["id"]
    assert client.get(f"/api/strategies/{name}/check").json()["holds"]
    tree = client.get(f"/api/strategies/{name}/tree", params={"plies": 2, "width": 50}).json()
    [first] = tree["branches"]
    assert first["move"] == "b2"
    assert len(first["branches"]) == 10
    page = client.get(f"/api/strategies/{name}/page").text
    later = client.get(f"/api/strategies/{name}/page", params={"moves": "b2"}).text
    assert later.startswith("<!doctype html>")
    assert len(later) < len(page)
    [data] = re.findall(r'<script[^>]* id="data"[^>]*>(.*?)</script>', page, re.S)
    assert len(json.loads(data)["positions"]) > 10


def test_moves_are_told_as_people_write_them(client: Client) -> None:
    result = solved(client, "domineering(width=3, height=2)")
    [move] = result["moves"]
    assert move == {"move": "vertical(2,1)", "short": "b1-b2", "cells": ["b1", "b2"]}
    assert result["answer"]["first_moves_complete"]
    result = solved(client, "tictactoe(maker_breaker=true)")
    assert [move["move"] for move in result["moves"]] == result["answer"]["first_moves"]
    assert len(result["moves"]) == len(oracle("tictactoe(maker_breaker=true)").first_moves or ())


def test_progress_names_depths_and_workers(client: Client) -> None:
    asked = {"game": "hein(4)", "player": "black", "depth": "auto"}
    for engine, worker in (("auto", "search"), ("qbf", "simplify+caqe on mustplay")):
        started = client.post("/api/solve", json=asked | {"engine": engine}).json()
        events = finished(client, started)["events"]
        assert [e["depth"] for e in events if e["verdict"]] == [0, 1, 3, 5]
        assert {event["worker"] for event in events} == {worker}


@pytest.mark.parametrize("game", ["hein(4)", "tictactoe", "domineering(width=3, height=2)"])
@pytest.mark.parametrize("engine", ["search", "qbf"])
def test_answers_are_the_oracles(client: Client, game: str, engine: str) -> None:
    answer, expected = solved(client, game, engine=engine)["answer"], oracle(game).as_json()
    for key in ("verdict", "critical_depth", "every_depth", "first_moves"):
        assert answer[key] == expected[key], key


def test_the_computer_wins_by_its_strategy_whatever_is_played(client: Client) -> None:
    name = solved(client, "hein(4)", strategy=True)["strategy"]["id"]
    waiting, won = [""], 0
    while waiting:
        moves = waiting.pop()
        run = client.post(
            "/api/reply", json={"game": "hein(4)", "moves": moves, "strategy": name}
        ).json()
        moves = f"{moves} {finished(client, run)['result']['move']}".strip()
        told = client.get("/api/describe", params={"game": "hein(4)", "moves": moves}).json()
        assert len(told["played"]) <= 5
        if told["over"]:
            assert told["winner"] == "black"
            won += 1
        waiting += [f"{moves} {choice['move']}" for choice in told["choices"]]
    assert won > 5


def test_without_a_strategy_the_computer_solves_as_it_goes(client: Client) -> None:
    run = client.post("/api/reply", json={"game": "hein(9)"}).json()
    result = finished(client, run)["result"]
    assert (result["move"], result["promised"]) == ("b2", 6)


def test_hints(client: Client) -> None:
    def hint(**asked: str) -> Any:
        return finished(client, client.post("/api/hint", json=asked).json())["result"]

    assert hint(game="hein(9)")["sentence"] == "b2 wins within 7 plies."
    assert hint(game="tictactoe")["sentence"] == "You cannot force a win. a1 draws."
    name = solved(client, "hein(9)", strategy=True)["strategy"]["id"]
    assert hint(game="hein(9)", strategy=name)["sentence"] == "b2 is the move of the strategy."


def test_comparing_gives_sizes_and_answers(client: Client) -> None:
    asked = {"game": "hein(4)", "player": "black", "depth": 3, "timeout": 20}
    rows = finished(client, client.post("/api/compare", json=asked).json())["result"]["rows"]
    assert {"et", "cor+", "sn", "lifted"} <= {row["encoding"] for row in rows}
    for row in rows:
        one_sided = row["reason"] == "one_sided"
        assert one_sided or row["verdict"] == "NO_WIN", row
        assert row["clauses"] > 0


def test_formulas_are_those_of_the_command(client: Client, tmp_path: Path) -> None:
    for suffix in ("qdimacs", "qcir"):
        asked = {"game": "hein(9)", "depth": "7", "encoding": "ln", "format": suffix}
        file = tmp_path / f"x.{suffix}"
        main(["encode", "hein(9)", "-d", "7", "-e", "ln", "-o", str(file)])
        assert client.get("/api/encode", params=asked).text == file.read_text()


def test_several_are_asked_side_by_side(client: Client) -> None:
    result = solved(client, "hein(4)", encoding="et,cor+", pipeline="caqe,depqbf", strategy=True)
    assert result["answer"]["critical_depth"] == 5
    assert result["strategy"]["verdict"] == "WIN"
    result = solved(client, "hein(4)", engine="both", encoding="et", verify=True)
    assert result["note"] in ("search agrees", "simplify+caqe on et agrees")
    asked = {"game": "hein(4)", "player": "black", "depth": 5}
    started = client.post("/api/solve", json=asked | {"encoding": "et,ea,en,cor,cor+"})
    assert started.status_code == 400
    assert "at most 4 formulas" in started.json()["error"]
    [event, *_] = finished(
        client, client.post("/api/solve", json=asked | {"engine": "both", "encoding": "et"}).json()
    )["events"]
    assert event["worker"] == "search, simplify+caqe on et"


def test_certificates_are_those_of_the_command(client: Client, tmp_path: Path) -> None:
    strategy = solved(client, "hein(4)", strategy=True)["strategy"]
    assert strategy["certifies"] == "mustplay"
    path = f"/api/strategies/{strategy['id']}"
    file = tmp_path / "strategy.jsonl"
    file.write_bytes(client.get(f"{path}/file").content)
    for suffix, encoding in (("aag", "mustplay"), ("aag", "et"), ("aig", "cor+")):
        answer = client.get(f"{path}/certificate", params={"encoding": encoding, "format": suffix})
        assert answer.status_code == 200, answer.text
        expected = tmp_path / f"expected.{suffix}"
        assert main(["certify", str(file), "-e", encoding, "-o", str(expected)]) == 0
        assert answer.content == expected.read_bytes()


def test_a_dropped_file_is_certified_without_a_win(client: Client) -> None:
    asked = {"game": "tictactoe", "moves": "a1 b2", "format": "pg"}
    files = [{"name": "my.pg", "text": client.get("/api/convert", params=asked).text}]
    game = client.post("/api/files", json={"files": files}).json()["game"]
    result = solved(client, game, depth=3, strategy=True)
    assert result["answer"]["verdict"] == "NO_WIN"
    strategy = result["strategy"]
    asked = {"encoding": strategy["certifies"], "format": "aag"}
    answer = client.get(f"/api/strategies/{strategy['id']}/certificate", params=asked)
    assert b"The formula is false: Herbrand functions" in answer.content


def test_a_certificate_that_cannot_be_made_is_explained(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = solved(client, "tictactoe", depth=5, strategy=True)["strategy"]["id"]

    def refused(encoding: str) -> str:
        asked = {"encoding": encoding, "format": "aig"}
        answer = client.get(f"/api/strategies/{name}/certificate", params=asked)
        assert answer.status_code == 400
        told: str = answer.json()["error"]
        return told

    assert "et cannot encode tictactoe" in refused("et")
    assert "one-sided" in refused("pairing")
    assert "unknown encoding" in refused("nothing")
    monkeypatch.setattr("skolemate.play.web.handlers.DOWNLOAD_SECONDS", 0.01)
    assert "takes too" in refused("cor+")
    assert eventually(lambda: not solvers_of(os.getpid()))


# One that is stopped on the way, and one of 75 nodes that is finished before progress is told.
@pytest.mark.parametrize("size", ["width=5, height=6", "width=4, height=4"])
def test_a_strategy_too_large_for_the_page_is_told(
    size: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "MOST_NODES", 50)
    result = solved(client, f"domineering({size})", strategy=True)
    assert result["strategy"] is None
    assert "more than 50 nodes; use the command line" in result["note"]
    assert result["answer"]["verdict"] == "WIN"


def test_a_wrong_question_fails_in_words(client: Client) -> None:
    run = client.post(
        "/api/solve",
        json={"game": "tictactoe", "player": "black", "depth": 3, "encoding": "et"},
    ).json()
    told = finished(client, run)
    assert told["state"] == "failed"
    assert "et cannot encode tictactoe" in told["error"]


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": f"evil.example:{PORT}"},
        {"host": f"127.0.0.1:{PORT + 1}"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_foreign_requests_are_refused(client: Client, headers: dict[str, str]) -> None:
    asked = {"game": "hein(9)"}
    assert client.get("/api/describe", params=asked, headers=headers).status_code == 403
    answer = client.post("/api/hint", json=asked, headers=headers)
    assert answer.status_code == 403
    assert client.get("/api/describe", params=asked).status_code == 200


def test_a_link_elsewhere_may_lead_to_the_page(client: Client) -> None:
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_other_names_are_taken_when_told(tmp_path: Path) -> None:
    with asking(tmp_path, names=["games.example"]) as client:
        answer = client.get("/api/games", headers={"host": f"games.example:{PORT}"})
        assert answer.status_code == 200


def test_every_answer_carries_the_policy(client: Client) -> None:
    for path in ("/", "/api/games", "/nothing", "/static/style.css", "/api/describe"):
        headers = client.get(path).headers
        assert "script-src 'self';" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "game",
    [
        *("/etc/passwd", "../../puzzle.pg", "-", "file_../../x", "README.md", "hex(size=100)"),
        *("hex(size=99999999999)", "mnk(m=25, n=25, k=5)", "qubic(size=25)", "x" * 7000, "hex\0"),
    ],
)
def test_paths_and_absurd_sizes_are_refused(client: Client, game: str) -> None:
    assert client.get("/api/describe", params={"game": game}).status_code in (400, 404)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"depth": 401}, {"depth": -1}, {"depth": "deep"}, {"depth": 3.5}, {"depth": True}),
        *({"player": "red"}, {"timeout": 10**6}, {"encoding": "; rm -rf /"}, {"pipeline": "sh -c"}),
        *({"moves": "z9"}, {"unknown": 1}, {"game": 7}, {"strategy": "yes"}),
    ],
)
def test_wrong_questions_are_refused(client: Client, wrong: dict[str, Any]) -> None:
    asked = {"game": "hein(9)", "player": "black", "depth": 7} | wrong
    assert client.post("/api/solve", json=asked).status_code == 400


def test_a_formula_too_large_for_the_page_is_refused(client: Client) -> None:
    asked = {"game": "hex(size=19)", "depth": "361", "encoding": "et", "format": "qdimacs"}
    answer = client.get("/api/encode", params=asked)
    assert answer.status_code == 400
    assert "use the command line" in answer.json()["error"]


def test_large_bodies_are_refused_however_they_come(client: Client) -> None:
    large = b" " * (LARGEST_BODY + 1)
    typed = {"content-type": "application/json"}
    assert client.post("/api/files", content=large, headers=typed).status_code == 413
    pieces = (large[:100_000] for _ in range(11))
    assert client.post("/api/files", content=pieces, headers=typed).status_code == 413


def test_a_body_must_be_json(client: Client) -> None:
    asked = json.dumps({"game": "hein(9)"})
    assert client.post("/api/hint", content=asked).status_code == 415
    typed = {"content-type": "application/json"}
    for wrong in ("{", "[" * 100_000, "\xff", "[]", "null"):
        assert client.post("/api/hint", content=wrong, headers=typed).status_code == 400


def test_halves_of_characters_are_refused(client: Client) -> None:
    files = '{"files": [{"name": "a.pg", "text": "\\ud800"}]}'
    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/files", content=files, headers=headers)
    assert answer.status_code == 400
    assert answer.json() == {"error": "text holds halves of characters"}


def test_what_nobody_has_foreseen_is_told_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "collection", lambda: 1 // 0)
    app = application(tmp_path, port=PORT)
    client = TestClient(app, f"http://127.0.0.1:{PORT}", raise_server_exceptions=False)
    answer = client.get("/api/games")
    assert answer.status_code == 500
    assert "error in Skolemate itself (ZeroDivisionError)" in answer.json()["error"]


def test_a_folder_that_is_gone_is_told(client: Client, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "files")
    files = [{"name": "my.pg", "text": to_pg(build("tictactoe"))}]
    answer = client.post("/api/files", json={"files": files})
    assert answer.status_code == 400
    assert "cannot keep anything" in answer.json()["error"]


def test_what_cannot_be_kept_leaves_nothing_behind(client: Client, tmp_path: Path) -> None:
    files = [{"name": "my.pg", "text": to_pg(build("tictactoe"))}]
    client.post("/api/files", json={"files": files})
    [kept] = (tmp_path / "files").iterdir()
    kept.unlink()
    kept.mkdir()  # a file cannot take its place
    assert client.post("/api/files", json={"files": files}).status_code == 400
    assert list((tmp_path / "files").iterdir()) == [kept]


def test_html_in_names_stays_text(client: Client) -> None:
    name = "<img src=x onerror=alert(1)>.pg"
    pg = client.get("/api/convert", params={"game": "tictactoe", "format": "pg"}).text
    told = client.post("/api/files", json={"files": [{"name": name, "text": pg}]}).json()
    assert told["title"] == name
    assert "<img" not in told["svg"]


def test_more_runs_than_the_pool_are_refused(tmp_path: Path) -> None:
    with asking(tmp_path, at_a_time=1, waiting=1) as client:
        runs = [client.post("/api/solve", json=LONG).json() for _ in range(2)]
        assert [run["state"] for run in runs] == ["running", "waiting"]
        refused = client.post("/api/solve", json=LONG)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        for run in reversed(runs):
            client.delete(f"/api/runs/{run['id']}")
        assert [finished(client, run)["state"] for run in runs] == ["cancelled"] * 2
        assert client.post("/api/hint", json={"game": "hein(4)"}).status_code == 202


def test_cancelling_ends_the_solver(client: Client) -> None:
    run = client.post("/api/solve", json=LONG).json()
    assert eventually(lambda: solvers_of(os.getpid()))
    client.delete(f"/api/runs/{run['id']}")
    assert finished(client, run)["state"] == "cancelled"
    assert not solvers_of(os.getpid())


def test_a_run_that_nobody_asks_about_is_stopped(tmp_path: Path) -> None:
    with asking(tmp_path, patience=5) as client:
        run = client.post("/api/solve", json=LONG).json()
        assert eventually(lambda: solvers_of(os.getpid()))
        assert eventually(lambda: not solvers_of(os.getpid()))
        assert finished(client, run)["state"] == "cancelled"


def test_who_waits_for_a_file_need_not_ask_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*asked: object) -> str:
        time.sleep(1)
        return "p cnf 0 0"

    monkeypatch.setattr("skolemate.play.web.tasks.encode", slow)
    query = {"game": "hein(4)", "depth": "5", "encoding": "et", "format": "qdimacs"}
    with asking(tmp_path, patience=0.2) as client:
        assert client.get("/api/encode", params=query).text == "p cnf 0 0"


def test_who_asks_says_how_soon_it_asks_again(client: Client) -> None:
    run = client.post("/api/solve", json=LONG).json()
    assert eventually(lambda: solvers_of(os.getpid()))
    client.get(f"/api/runs/{run['id']}", params={"patience": 1})
    assert eventually(lambda: not solvers_of(os.getpid()))
    assert finished(client, run)["state"] == "cancelled"


def test_a_run_whose_starter_is_gone_is_stopped(tmp_path: Path) -> None:
    received = [{"type": "http.request", "body": json.dumps(LONG).encode(), "more_body": False}]

    async def receive() -> dict[str, Any]:
        return received.pop() if received else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pass

    headers = {"host": f"127.0.0.1:{PORT}", "content-type": "application/json"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/solve",
        "raw_path": b"/api/solve",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    with asking(tmp_path, at_a_time=1) as client:
        assert client.portal is not None
        client.portal.call(client.app, scope, receive, send)
        # The only place in the pool becomes free for others.
        assert solved(client, "hein(4)")["answer"]["verdict"] == "WIN"


# --- the description -----------------------------------------------------------------------------


@pytest.fixture
def described(tmp_path: Path) -> Any:
    """An application of its own for each test: schemathesis ends it with the test."""
    app = application(tmp_path, port=PORT, names=["testserver"])
    return schemathesis.openapi.from_asgi("/api/openapi.json", app)


@pytest.mark.parametrize(
    ("endpoint", "mode"),
    [(e, m) for e in ENDPOINTS for m in GenerationMode if e.has_parameters or m.is_positive],
    ids=lambda value: value.value if isinstance(value, GenerationMode) else value.name,
)
def test_no_request_makes_the_server_fail(
    described: Any, endpoint: Endpoint, mode: GenerationMode
) -> None:
    """Requests that fit the description, and requests that do not."""
    operation = described[endpoint.path][endpoint.method]

    @settings(
        max_examples=12,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def fits(case: Any) -> None:
        case.call_and_validate(
            checks=[
                schemathesis.checks.not_a_server_error,
                checks.status_code_conformance,
                checks.content_type_conformance,
                checks.response_schema_conformance,
                checks.negative_data_rejection,
            ]
        )

    fits()


def test_every_endpoint_is_described(client: Client) -> None:
    told = client.get("/api/openapi.json").json()
    listed = {(method.upper(), path) for path, entry in told["paths"].items() for method in entry}
    assert listed == {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}


# --- the command ---------------------------------------------------------------------------------


def test_a_killed_server_leaves_no_solver_and_a_restarted_one_knows_its_strategies(
    tmp_path: Path,
) -> None:
    with Server(tmp_path) as server, server.client() as client:
        name = solved(client, "hein(4)", strategy=True)["strategy"]["id"]
        kept = client.get(f"/api/strategies/{name}/file").text
        client.post("/api/solve", json=LONG)
        [solver] = eventually(lambda: solvers_of(server.process.pid))
        server.kill()
        assert eventually(lambda: not is_alive(solver))
    with Server(tmp_path) as server, server.client() as client:
        assert [entry["id"] for entry in client.get("/api/strategies").json()] == [name]
        assert client.get(f"/api/strategies/{name}/file").text == kept
        run = client.post("/api/reply", json={"game": "hein(4)", "strategy": name}).json()
        assert finished(client, run)["result"]["sentence"] == "It follows its strategy."
    file = tmp_path / "copy.jsonl"
    file.write_text(kept)
    assert Strategy.load(str(file)).check().holds


def test_ctrl_c_ends_the_server_and_its_solvers(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as client:
        client.post("/api/solve", json=LONG)
        [solver] = eventually(lambda: solvers_of(server.process.pid))
        server.stop()
        assert eventually(lambda: not is_alive(solver))


def test_a_client_that_leaves_in_the_middle_costs_one_line(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        address = urlsplit(server.address)
        host = address.netloc
        with socket.create_connection((address.hostname, address.port)) as half:
            head = f"POST /api/solve HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json"
            half.sendall(f'{head}\r\nContent-Length: 99\r\n\r\n{{"game":'.encode())
        assert server.process.stderr is not None
        said = server.process.stderr.readline()
        assert said == "skolemate: a client left in the middle of POST /api/solve\n"
        with server.client() as client:
            assert solved(client, "hein(4)")["answer"]["verdict"] == "WIN"
        server.stop()
        assert server.process.stderr.read() == ""


def test_twenty_clients_at_once(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        with ThreadPoolExecutor(20) as pool:
            list(pool.map(lambda number: visit(server.address, number), range(20)))
        assert not solvers_of(server.process.pid)
        with server.client() as client:
            assert client.get("/api/games").status_code == 200


def test_the_server_listens_on_this_machine_only(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        listening = f":{int(server.address.rstrip('/').rpartition(':')[2]):04X} "
        lines = Path("/proc/net/tcp").read_text().splitlines()
        [line] = [line for line in lines if listening in line and " 0A " in line]
        assert line.split()[1].startswith("0100007F:")
        assert not any(listening in row for row in Path("/proc/net/tcp6").read_text().splitlines())


def test_a_missing_server_package_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve"]) == 2
    assert "uvicorn is not installed: pip install 'skolemate[web]'" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["65536", "0000099999", "-1", "x"])
def test_what_is_no_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", f"--port={port}"])
    assert "is not a port" in capsys.readouterr().err


def test_a_taken_port_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(tmp_path) as server:
        port = server.address.rstrip("/").rpartition(":")[2]
        assert main(["serve", "--port", port, "--data", str(tmp_path), "--no-browser"]) == 2
    assert "address already in use; try another port" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    taken = str(tmp_path / "file")
    assert main(["serve", "--port", "0", "--data", taken, "--no-browser"]) == 2
    assert "cannot keep anything in" in capsys.readouterr().err
