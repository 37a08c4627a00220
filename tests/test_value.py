"""The value of a position, against brute force and the literature."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

import skolemate
from bddl_models import random_bddl_game, random_connect_game, random_packing_game
from commands import check_interruption
from fake_solvers import Fakes
from gdl_descriptions import random_gdl_game
from harary import CRITICAL
from samples import (
    FULL,
    random_drawn_game,
    random_graph_game,
    random_hypergraph_game,
    random_misere_game,
    random_shape_game,
)
from skolemate import Outcome, Player, Verdict, check, value
from skolemate.ask.search import Search
from skolemate.ask.value import settle
from skolemate.cli import main
from skolemate.games import Game, Position, Question, Stuck
from skolemate.games.family import build
from skolemate.limits import Budget, Reason
from test_for_ever import LANE

SHORT = """\
#blackinitials
#whiteinitials
#times
t1 t2 t3
#blackturns
t1
#positions
a b c d
#blackwins
a b c
"""

# --- brute force ----------------------------------------------------------------------------------


def reachable(start: Position, most: int) -> dict[Position, list[Position]] | None:
    """Every position from here on, with those that follow; None if there are too many."""
    found: dict[Position, list[Position]] = {}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found[here] = [here.play(move) for move in here.moves()]
            waiting += found[here]
            if len(found) > most:
                return None
    return found


def decided(position: Position) -> tuple[Player, int] | None:
    """Who has won where no move is left, and how many plies that takes."""
    if position.winner is not None:
        return position.winner, 0
    if position.to_move is None or position.game.stuck(position) is Stuck.DRAW:
        return None
    return position.to_move.opponent, 1


def brute_force(following: dict[Position, list[Position]]) -> dict[Position, tuple[Player, int]]:
    """Who wins each position under best play, and in how many plies; draws are left out.

    Ply after ply, from the ends backwards, until a further ply wins no further position. So it
    holds also where games can go on for ever.
    """
    ends = {here: decided(here) for here, others in following.items() if not others}
    won = {here: end for here, end in ends.items() if end is not None and end[1] == 0}
    for depth in range(1, len(following) + 2):
        fresh = {here: end for here, end in ends.items() if end is not None and end[1] == depth}
        for here, others in following.items():
            if here in won or not others:
                continue
            winners = [won[after][0] if after in won else None for after in others]
            mover = here.to_move
            assert mover is not None, "a move is left"
            if mover in winners:
                fresh[here] = mover, depth
            elif set(winners) == {mover.opponent}:
                fresh[here] = mover.opponent, depth
        if not fresh and depth > 1:
            return won
        won |= fresh
    return won


def expected(end: tuple[Player, int] | None) -> tuple[Outcome, int | None]:
    return (Outcome.DRAW, None) if end is None else (Outcome(end[0].value), end[1])


def hex_position(rng: random.Random) -> Game:
    """Hex on a few cells, most of them taken."""
    game = build(f"hex(size=3, first={rng.choice(['black', 'white'])})")
    names = rng.sample(game.board.names, 9)
    black = rng.randrange(2)
    return game.set_up(" ".join(names[:black]), " ".join(names[black : rng.choice([3, 4])]), None)


def avoiding(rng: random.Random) -> Game:
    """An Avoider-Enforcer game."""
    while True:
        game = random_misere_game(rng, rng.choice([4, 5, 6]))
        if game.breaker is not None:
            return game


def later(rng: random.Random, *names: str) -> Game:
    """One of these games, up to three moves later."""
    game = build(rng.choice(names))
    for _ in range(rng.randrange(4)):
        moves = game.start.moves()
        game = game.after([rng.choice(moves)]) if moves else game
    return game


NOTAKTO = [
    f"notakto(k={k}, width={w}, height={h})" for k, w, h in [(3, 3, 3), (2, 4, 2), (3, 4, 2)]
]
FALLING = [
    "connect(k=3, width=3, height=3, misere=true)",
    "connect(k=3, width=3, height=2, misere=true)",
]


def described(rng: random.Random) -> Game:
    """A game in GDL, asked by either side."""
    game = random_gdl_game(rng)
    return game.swapped() if rng.random() < 0.5 else game


KINDS: dict[str, Callable[[random.Random], Game]] = {
    "sets": lambda rng: random_hypergraph_game(rng, rng.choice([4, 5, 6, 7])),
    "paths": lambda rng: random_graph_game(rng, rng.choice([5, 6, 7])),
    "shapes": random_shape_game,
    "hex": hex_position,
    "falling": random_connect_game,
    "pieces": random_bddl_game,
    "packing": random_packing_game,
    "misère": lambda rng: random_misere_game(rng, rng.choice([4, 5, 6])),
    "avoiding": avoiding,
    "crosses": lambda rng: later(rng, *NOTAKTO),
    "falling, misère": lambda rng: later(rng, *FALLING),
    "drawn": random_drawn_game,
    "GDL": described,
}
GAMES = 2000 if FULL else 75  # of each kind
DRAWN = {"sets", "shapes", "falling", "pieces", "misère", "falling, misère", "drawn", "GDL"}
MOST = 1500 if FULL else 500  # positions of a game


@pytest.mark.parametrize("kind", KINDS)
def test_the_value_is_that_of_brute_force(kind: str) -> None:
    rng, seen = random.Random(kind), Counter[Outcome]()
    for number in range(GAMES):
        following = None
        while following is None:
            game = KINDS[kind](rng)
            following = reachable(game.start, MOST)
        won = brute_force(following)
        found = value(game, all_moves=number % 5 == 0, jobs=1)
        seen[found.outcome] += 1
        assert (found.outcome, found.plies) == expected(won.get(game.start)), game
        for move, after in found.moves or ():
            end = won.get(game.start.play(move))
            assert (after.outcome, after.plies) == expected(end), (game, move)
    # Games of the other kinds always have a winner.
    outcomes = {Outcome.BLACK, Outcome.WHITE, *([Outcome.DRAW] if kind in DRAWN else [])}
    assert set(seen) == outcomes
    assert min(seen.values()) > GAMES // 25, seen


# --- the literature -------------------------------------------------------------------------------

KNOWN = {
    "tictactoe": None,
    "tictactoe(maker_breaker=true)": 7,
    "mnk(m=4, n=3, k=3)": 7,
    "mnk(m=4, n=4, k=3)": 5,
    "mnk(m=4, n=4, k=4)": None,
    "mnk(m=5, n=5, k=4, maker_breaker=true)": 9,
    "hex(size=2)": 3,
    "hex(size=3)": 5,
    "hex(size=4)": 9,
    "connect(k=3, width=3, height=4)": None,
    "connect(k=3, width=4, height=3)": 9,
    "connect(k=4, width=4, height=4)": None,
    "breakthrough(width=2, height=4)": -8,
    "breakthrough(width=2, height=5)": -10,
    "breakthrough(width=2, height=6)": 15,
    "breakthrough(width=3, height=4)": -12,
    "domineering(width=3, height=3)": 4,
    "domineering(width=4, height=4)": 8,
    "evader_pursuer(size=4, x=1, y=2)": -2,
    **{
        f"harary(shape={shape}, width={side}, height={side})": CRITICAL[side].get(shape)
        for side, shapes in {3: "domino el tic elly tippy fatty", 4: "tic elly", 5: "tic"}.items()
        for shape in shapes.split()
    },
}


@pytest.mark.parametrize("game", KNOWN)
def test_values_of_the_literature(game: str) -> None:
    """The plies in which Black wins, or with a minus White; None: a draw."""
    plies, found = KNOWN[game], value(game)
    if plies is None:
        assert (found.outcome, found.plies) == (Outcome.DRAW, None)
    else:
        winner = Player.BLACK if plies > 0 else Player.WHITE
        assert (found.winner, found.plies) == (winner, abs(plies))


# --- what it is made of ---------------------------------------------------------------------------


@pytest.mark.parametrize("means", [{"engine": "reference"}, {"encoding": "cor+"}])
def test_other_methods_find_the_same(means: dict[str, str]) -> None:
    for name in ("tictactoe(moves=b2 a2)", "tictactoe(moves=b2 a1 c3)", "hein(4)"):
        game = build(name)
        found, again = value(game, all_moves=True), value(game, all_moves=True, **means)  # type: ignore[arg-type]
        assert again.black.method == ("reference" if "engine" in means else "qbf")
        told = [(v.outcome, v.plies) for v in (found, again)]
        assert told[0] == told[1]
        assert [after.plies for _, after in found.moves or ()] == [
            after.plies for _, after in again.moves or ()
        ]


CLAIMS = {
    "tictactoe": {"black": "NO_WIN 9 white", "white": "NO_WIN 9 black"},
    "hein(9)": {"black": "WIN 7 black", "white": "NO_WIN 6 black"},
    "tictactoe(maker_breaker=true, moves=b2 a1)": {
        "black": "WIN 5 black",
        "white": "NO_WIN 4 black",
    },
    "mnk(m=3, n=2, k=3, maker_breaker=true)": {"white": "WIN 6 white"},
    "breakthrough(width=2, height=4)": {"black": "NO_WIN 7 white", "white": "WIN 8 white"},
    "evader_pursuer(size=4, x=2, y=3)": {"black": "WIN 3 black", "white": "NO_WIN 2 black"},
}


@pytest.mark.parametrize("game", CLAIMS)
def test_each_player_has_a_strategy_that_proves_the_value(game: str, tmp_path: Path) -> None:
    for means in ("search", "reference"):
        folder = tmp_path / means
        folder.mkdir()
        value(game, engine=means, strategy=folder / "proof.jsonl")
        files = {f"proof-{owner}.jsonl": claim for owner, claim in CLAIMS[game].items()}
        assert {file.name for file in folder.iterdir()} == set(files)
        for name, claim in files.items():
            assert check(folder / name, game, claim=claim).holds


def test_a_draw_in_a_game_without_end_is_for_ever(tmp_path: Path) -> None:
    found = value(LANE, strategy=tmp_path / "lane.jsonl")
    assert found.outcome is Outcome.DRAW
    assert str(found).endswith(": a draw: each player can prevent a win for ever")
    for player in Player:
        assert found.answer(player).every_depth
        report = check(tmp_path / f"lane-{player.value}.jsonl", LANE)
        assert report.holds
        assert "at any depth" in str(report)


def test_a_file_that_ends_with_its_turns_is_valued_up_to_there(tmp_path: Path) -> None:
    file = tmp_path / "short.pg"
    file.write_text(SHORT)
    found = value(file)
    assert found.outcome is Outcome.WHITE
    assert found.note == "the file states 3 plies, and the game ends there"


# --- limits ---------------------------------------------------------------------------------------


def test_what_is_known_is_told_when_time_is_up() -> None:
    game = build("mnk(m=5, n=5, k=4)")
    found = value(game, max_depth=5)
    assert found.outcome is Outcome.UNKNOWN
    assert found.possible == (Outcome.BLACK, Outcome.WHITE, Outcome.DRAW)
    assert str(found) == (
        f"{game}: not known who wins (depth); Black cannot force a win within 5 plies; "
        "White cannot force a win within 5 plies"
    )
    stop = Event()
    stop.set()
    assert value(game, cancel=stop).reason is Reason.CANCELLED


def test_ctrl_c_ends_the_work_and_tells_what_is_known(fakes: Fakes) -> None:
    check_interruption(fakes, "value", "hein(9)")


def test_moves_without_a_value_have_a_reason() -> None:
    found = value("tictactoe(moves=b2 a2)", all_moves=True, max_depth=5)
    assert (found.outcome, found.plies, found.reason) == (Outcome.BLACK, 5, Reason.DEPTH)
    told = {found.game.move_name(m): v.for_player(Player.BLACK, 1) for m, v in found.moves or ()}
    assert (told["a1"], told["c2"]) == ("wins in 5", "not known")
    assert found.ranked_moves()[-1][0] == found.game.board.cell("c2")


def test_half_a_value_is_told_as_such() -> None:
    def slow(question: Question, budget: Budget | None = None) -> skolemate.Answer:
        """White's questions are answered, Black's only up to depth 3."""
        if question.player is Player.BLACK and question.depth > 3:
            reason, depth = Reason.TIME, question.depth
            return skolemate.Answer(
                question.game, question.player, depth, Verdict.UNKNOWN, "slow", reason
            )
        return Search()(question, budget)

    draw = settle(slow, build("tictactoe"))
    assert draw.possible == (Outcome.BLACK, Outcome.DRAW)
    assert str(draw) == (
        "tictactoe: Black wins or draws; which is not known (time); "
        "Black cannot force a win within 4 plies"
    )
    assert [half.player for half in draw.halves] == [Player.WHITE]
    won = settle(slow, build("hex(size=3)"))
    assert (won.winner, won.plies) == (Player.BLACK, None)
    assert str(won) == (
        "hex(size=3): Black wins; the number of plies is not known (time); "
        "Black cannot force a win within 4 plies"
    )
    assert won.for_player(Player.WHITE) == "loses"
    assert draw.for_player(Player.WHITE) == "loses or draws"


# --- the command ----------------------------------------------------------------------------------

Output = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ("tictactoe", 0),
        ("hein(9)", 10),
        ("domineering(width=4, height=2)", 20),
        ("tictactoe(moves=a1 b1 a2 b2 a3)", 10),
        ("mnk(m=5, n=5, k=4) --max-depth 1", 30),
    ],
)
def test_exit_codes(game: str, code: int, capsys: Output) -> None:
    name, *option = game.partition(" --")
    words = ["value", name, *"".join(option).split()]
    assert main(words) == main([*words, "--json"]) == code
    capsys.readouterr()


def test_moves_are_told_from_the_best_to_the_worst(capsys: Output) -> None:
    main(["value", "tictactoe", "--moves", "b2 a2 a1 c3", "--all-moves"])
    assert capsys.readouterr().out.splitlines()[:3] == [
        "tictactoe(moves=b2 a2 a1 c3): Black wins in 3 plies.",
        "Wins in 3: b1, c1.",
        "Draws: a3, b3, c2.",
    ]
    main(["value", "tictactoe(moves=b2)", "--all-moves", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["outcome"] == "draw"
    assert told["possible"] == ["draw"]
    assert told["moves"][:2] == [
        {"move": "a1", "outcome": "draw", "possible": ["draw"], "plies": None},
        {"move": "a2", "outcome": "black", "possible": ["black"], "plies": 6},
    ]
    assert set(told["black"]) == set(skolemate.solve("hein(4)").as_json())
