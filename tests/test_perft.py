"""Move counts against OpenSpiel, whose rules were written by others."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pyspiel
import pytest

from skolemate.games import Board, Cube, Grid, HexGrid, Player, Position, Stuck
from skolemate.games.family import build

CASES = [
    ("tictactoe", "tic_tac_toe", 9),
    ("mnk(m=3, n=3, k=3)", "mnk(m=3,n=3,k=3)", 9),
    ("mnk(m=4, n=3, k=3)", "mnk(m=4,n=3,k=3)", 6),
    ("mnk(m=3, n=4, k=2)", "mnk(m=3,n=4,k=2)", 5),
    ("mnk(m=5, n=4, k=4)", "mnk(m=5,n=4,k=4)", 4),
    ("gomoku(size=5)", "gomoku(size=5)", 4),
    ("gomoku(size=9)", "gomoku(size=9)", 2),
    ("mnk(m=4, n=4, k=3)", "gomoku(size=4,connect=3)", 5),
    ("qubic(size=2)", "gomoku(size=2,connect=2,dims=3)", 8),
    ("qubic", "gomoku(size=4,connect=4,dims=3)", 2),
    ("hex(size=2)", "hex(board_size=2)", 4),
    ("hex(size=3)", "hex(board_size=3)", 9),
    ("hex(size=4)", "hex(board_size=4)", 5),
    ("hex(size=7)", "hex(board_size=7)", 2),
    ("connect(k=4, width=7, height=6)", "connect_four", 4),
    ("connect(k=4, width=5, height=4)", "connect_four(rows=4,columns=5)", 6),
    ("connect(k=3, width=4, height=3)", "connect_four(rows=3,columns=4,x_in_row=3)", 8),
    ("connect(k=2, width=3, height=3)", "connect_four(rows=3,columns=3,x_in_row=2)", 9),
    ("breakthrough(width=8, height=8)", "breakthrough", 3),
    ("breakthrough(width=5, height=6)", "breakthrough(rows=6,columns=5)", 3),
    ("breakthrough(width=2, height=6)", "breakthrough(rows=6,columns=2)", 8),
    # Below six rows OpenSpiel has one row of pawns a side.
    (
        "breakthrough(width=3, height=5, black=a5 b5 c5, white=a1 b1 c1)",
        "breakthrough(rows=5,columns=3)",
        5,
    ),
    (
        "breakthrough(width=2, height=5, black=a5 b5, white=a1 b1)",
        "breakthrough(rows=5,columns=2)",
        12,
    ),
]


@cache  # by transposition
def leaves(position: Position, depth: int) -> tuple[int, int]:
    """How many lines of play there are up to a depth, and how many end with a winner."""
    moves = position.moves()
    if depth == 0 or not moves:
        # OpenSpiel ends a game with the last capture, before the other player finds no move.
        lost = not moves and position.game.stuck(position) is Stuck.LOSES
        return 1, int(lost or position.winner is not None)
    counts = [leaves(position.play(move), depth - 1) for move in moves]
    return sum(c[0] for c in counts), sum(c[1] for c in counts)


Counts = dict[tuple[str, int, int], tuple[int, int]]


def leaves_of_openspiel(state: Any, depth: int, known: Counts) -> tuple[int, int]:
    if state.is_terminal():
        return 1, int(any(state.returns()))
    if depth == 0:
        return 1, 0
    here = str(state), state.current_player(), depth
    if here not in known:
        after = [state.child(action) for action in state.legal_actions()]
        counts = [leaves_of_openspiel(child, depth - 1, known) for child in after]
        known[here] = sum(c[0] for c in counts), sum(c[1] for c in counts)
    return known[here]


@pytest.mark.parametrize(("ours", "theirs", "depth"), CASES)
def test_perft_agrees_with_openspiel(ours: str, theirs: str, depth: int) -> None:
    found = leaves(build(ours).start, depth)
    assert found == leaves_of_openspiel(pyspiel.load_game(theirs).new_initial_state(), depth, {})
    assert found[0] > 1


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("mnk(m=5, n=4, k=3)", "mnk(m=5,n=4,k=3)"),
        ("gomoku(size=9)", "gomoku(size=9)"),
        ("gomoku", "gomoku"),
        ("qubic", "gomoku(size=4,connect=4,dims=3)"),
        ("hex(size=5)", "hex(board_size=5)"),
        ("hex(size=11)", "hex(board_size=11)"),
    ],
)
def test_random_games_go_the_same_way_in_openspiel(ours: str, theirs: str) -> None:
    """Perft sees few wins on large boards; whole games see them all."""
    game = build(ours)
    actions = openspiel_actions(game.board)
    rng = random.Random(ours)
    results = set()
    for _ in range(30):
        position, state = game.start, pyspiel.load_game(theirs).new_initial_state()
        while not state.is_terminal():
            assert {actions[move] for move in position.moves()} == set(state.legal_actions())
            move = rng.choice(position.moves())
            position = position.play(move)
            state.apply_action(actions[move])
        winners = {1.0: Player.BLACK, -1.0: Player.WHITE, 0.0: None}
        assert not position.moves()
        assert position.winner is winners[state.returns()[0]]
        results.add(position.winner)
    assert {Player.BLACK, Player.WHITE} <= results


def openspiel_actions(board: Board) -> list[int]:
    """OpenSpiel numbers cells row by row; in a cube any order of the axes will do."""
    if isinstance(board, Cube):
        return list(range(board.size))
    assert isinstance(board, Grid | HexGrid)
    return [y * board.width + x for x, y in board.places]
