"""EA, EN and ET: explicit boards after Black's moves only (Shaik et al. 2023, §3.1, 4.2, 4.5).

Numbers in parentheses are the paper's. White's code of a taken cell, or of no cell, does nothing.
MUSTPLAY is ET in which Black is told to interfere with White's virtual connections.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts import problems
from skolemate.encodings.parts.boards import (
    Boards,
    about,
    bit_labels,
    decided,
    encoded,
    matching,
    new_board,
    owns_a_set,
    stone_is_forced,
)
from skolemate.encodings.parts.links import Obligation, obligations
from skolemate.formula import FALSE, Builder, Literals, constants
from skolemate.games.game import Player
from skolemate.games.symmetry import cells_of

# --- the game -------------------------------------------------------------------------------------
# §3.1. The prefix is ∃M^1 P^1 ∀M^2 ∃M^3 P^3 …: codes of moves, and boards P = (b, w) at Black's
# plies.


def black_boards(
    builder: Builder,
    problem: problems.Problem,
    boards: Boards,
    duties: Sequence[Obligation] = (),
) -> Literals:
    """State the game up to Black's last ply; returns the black stones on the final board.

    `duties` are what White's virtual connections oblige Black to, after each of his plies.
    """
    count = len(problem.cells)
    black, white = constants(FALSE, count), constants(FALSE, count)
    reply: Literals | None = None  # the bits of White's code since the last board
    for ply, player in enumerate(problem.schedule, 1):
        if player is Player.WHITE:
            reply = builder.forall("move", [f"t{ply}"], bit_labels(count))[0]
            boards.note_code(reply, ply)
            continue
        bits = builder.exists("move", [f"t{ply}"], bit_labels(count))[0]
        now_black = new_board(builder, problem, ply, "black")
        now_white = builder.exists("white", problem.names, [f"t{ply}"])[:, 0]
        builder.add(-white, now_white)  # (2)
        if reply is not None:
            stone_is_forced(builder, problem, ply - 1, reply, now_white, black)  # (3)
        builder.add(-now_white, -now_black)  # (4)
        builder.add(matching(bits, count), black[:, None], -now_black[:, None])  # (5), (6)
        black, white = now_black, now_white
        _duties_are_met(builder, problem, duties, black, white)
        boards.note_board(Player.BLACK, black, ply, bits)
    return black


# --- EA: all winning sets (§3.1) ------------------------------------------------------------------


@encoding("ea", paper=problems.PAPER, views=("hypergraph",), refuses=problems.refuses_other_games)
@about(problems.set_problem)
def ea(self: Encoding, problem: problems.SetProblem) -> Encoded:
    """Explicit board after Black's moves only, listed winning sets; Maker-Breaker."""
    builder, boards = Builder(), Boards(problem)
    black = black_boards(builder, problem, boards)
    owns_a_set(builder, problem.black_sets, black)  # (7), (8), (9)
    return encoded(self, builder, boards)


# --- EN: a path of neighbours (§4.2) --------------------------------------------------------------


@encoding("en", paper=problems.PAPER, views=("connection",), refuses=problems.refuses_other_games)
@about(problems.connection_problem)
def en(self: Encoding, problem: problems.ConnectionProblem) -> Encoded:
    """Explicit board after Black's moves only, a black path step by step; connection games."""
    builder, boards = Builder(), Boards(problem)
    black = black_boards(builder, problem, boards)
    steps = problem.schedule.count(Player.BLACK)
    labels = [f"step{i}" for i in range(steps)]
    path = builder.exists("path", labels, problem.names)  # (10)
    black_path(builder, problem.graph(problem.goal), path, black)
    return encoded(self, builder, boards)


def black_path(
    builder: Builder,
    graph: problems.CodedGraph,
    path: Literals,
    black: Literals,
    unless: int | np.int32 = FALSE,
) -> None:
    """path[i, v]: v is the i-th cell of a black path from border to border."""
    builder.add(-path, black)  # (11)
    builder.add(unless, [path[0, graph.start]])  # (12)
    inner = np.setdiff1d(np.arange(len(black)), graph.end)
    onward = graph.neighbour_table()[inner]
    for here, following in pairwise(path):
        builder.add(-here[inner], [np.append(following, FALSE)[onward]])  # (13)
    builder.add(-path[-1, inner])  # (14)


# --- ET: no path for White (§4.5) -----------------------------------------------------------------
# If exactly one player gets connected (Hex), Black has won when White would be cut off even if all
# open cells were white. So the roles are exchanged here: White's stones, and the cells that are of
# no use to Black, are contracted; Black's stones are cut out.


@encoding(
    "et",
    paper=problems.PAPER,
    views=("connection", "transversal"),
    refuses=problems.refuses_other_games,
)
@about(problems.connection_problem)
def et(self: Encoding, problem: problems.ConnectionProblem) -> Encoded:
    """Explicit board after Black's moves only, White is cut off; Hex boards."""
    return _cut_off_at_last(self, problem, virtual_connections=False)


def _cut_off_at_last(
    encoding: Encoding, problem: problems.ConnectionProblem, virtual_connections: bool
) -> Encoded:
    game = problem.question.game
    whites = game.start.white | problem.given_away
    if game.transversal().met(whites):
        return decided(encoding, problem.question, False)
    builder, boards = Builder(), Boards(problem)
    duties: Sequence[Obligation] = ()
    if virtual_connections:
        duties = obligations(game.transversal(), whites, game.start.black)
    black = black_boards(builder, problem, boards, duties)
    goal = game.transversal().contracted(whites, game.start.black)
    _white_is_cut_off(builder, problem.graph(goal), problem.names, black)
    return encoded(encoding, builder, boards)


def _white_is_cut_off(
    builder: Builder, graph: problems.CodedGraph, names: list[str], black: Literals
) -> None:
    """reach(v): White's first border reaches v over cells that are not black."""
    reach = builder.exists("reach", names)  # (15)
    source, target = graph.edges.T
    builder.add(black[graph.start], reach[graph.start])  # (16)
    builder.add(-reach[source], black[target], reach[target])  # (17)
    builder.add(-reach[graph.end])  # (18)


# --- MUSTPLAY: White's virtual connections --------------------------------------------------------
# What a player of Hex sees at once: if White has a virtual connection from border to border, Black
# must interfere now. The connections are found once, on the board of the question, and may need
# white stones that are not there yet. Each is a clause for every ply of Black's.
#
# The clauses are implied. If one fails after Black's stone, White wins from there, so Black has not
# won and will not. White stones that were not placed, which ET allows, help Black here no more than
# elsewhere.


@encoding(
    "mustplay",
    paper="Skolemate; after Shaik et al.: Implicit State and Goals in QBF Encodings, 2023",
    views=("connection", "transversal"),
    refuses=problems.refuses_other_games,
)
@about(problems.connection_problem)
def mustplay(self: Encoding, problem: problems.ConnectionProblem) -> Encoded:
    """ET in which Black must interfere with White's virtual connections; Hex boards."""
    return _cut_off_at_last(self, problem, virtual_connections=True)


def _duties_are_met(
    builder: Builder,
    problem: problems.Problem,
    duties: Sequence[Obligation],
    black: Literals,
    white: Literals,
) -> None:
    """If White has the stones of a duty, Black has one of its cells."""
    code = {cell: number for number, cell in enumerate(problem.cells)}
    for duty in duties:
        has_not = (-int(white[code[cell]]) for cell in cells_of(duty.stones))
        builder.clause(*has_not, *(int(black[code[cell]]) for cell in cells_of(duty.cells)))
