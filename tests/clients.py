"""A client that does what the page does: looks, asks, plays. For tests with many at once."""

from __future__ import annotations

import time
from typing import Any

import httpx2 as httpx

__all__ = ["visit"]

ANSWERS = (
    ("hein(4)", "WIN"),
    ("tictactoe", "NO_WIN"),
    ("hex(size=3)", "WIN"),
    ("domineering(width=3, height=2)", "WIN"),
)
PATIENCE = 300  # seconds for a whole visit's waiting; never a measurement


def visit(address: str, number: int) -> None:
    """One visit; different numbers ask different questions. Raises if anything goes wrong."""
    game, verdict = ANSWERS[number % len(ANSWERS)]
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        _fetched(client, "/")
        _fetched(client, "/api/games")
        _fetched(client, "/api/describe", game=game)
        question = {"game": game, "player": "black", "depth": "auto", "strategy": number % 2 == 0}
        if number % 8 == 0:
            question["engine"] = "qbf"
        answer = _done(client, "/api/solve", question)["answer"]
        assert answer["verdict"] == verdict
        moved = _done(client, "/api/reply", {"game": game})["move"]
        told = _fetched(client, "/api/describe", game=game, moves=moved).json()
        assert told["played"] == [moved]


def _fetched(client: httpx.Client, path: str, **query: str) -> httpx.Response:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer


def _done(client: httpx.Client, path: str, asked: dict[str, Any]) -> dict[str, Any]:
    """The result of a run; a full pool is asked again, as it says."""
    end = time.monotonic() + PATIENCE
    while (answer := client.post(path, json=asked)).status_code == 429:
        assert time.monotonic() < end, "the pool stays full"
        time.sleep(float(answer.headers["retry-after"]))
    assert answer.status_code == 202, answer.text
    run = answer.json()
    while run["state"] in ("waiting", "running"):
        assert time.monotonic() < end, f"a run never ends: {run}"
        time.sleep(0.1)
        run = _fetched(client, f"/api/runs/{run['id']}").json()
    assert run["state"] == "done", run
    result: dict[str, Any] = run["result"]
    return result
