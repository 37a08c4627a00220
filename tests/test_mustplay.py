"""MUSTPLAY: White's virtual connections are what they claim to be, and so are the formulas."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from differential import ENOUGH, expected
from evaluator import caqe, depqbf
from samples import sample
from skolemate.encodings import encode
from skolemate.encodings.parts.links import Obligation, obligations
from skolemate.formula import Formula
from skolemate.games import Game, Player, cells_of
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.search.reference import Reference


def position(size: int, black: int, white: int, first: str) -> Game:
    names = build(f"hex(size={size})").board.names
    stones = (" ".join(names[cell] for cell in cells_of(mask)) for mask in (black, white))
    listed = (
        f"{colour}={cells}"
        for colour, cells in zip(("black", "white"), stones, strict=True)
        if cells
    )
    return build(f"hex({', '.join([f'size={size}', *listed, f'first={first}'])})")


def crowded(rng: random.Random, size: int, most_open: int = 25) -> tuple[int, int, int]:
    """Black's, White's and the open cells of a random board, as masks."""
    cells = list(range(size * size))
    rng.shuffle(cells)
    stones = rng.randrange(max(0, size * size - most_open), size * size - 3)
    black = sum(1 << cell for cell in cells[: stones // 2])
    white = sum(1 << cell for cell in cells[stones // 2 : stones])
    return black, white, (1 << size * size) - 1 & ~black & ~white


def test_white_wins_by_every_connection_if_black_has_all_other_cells() -> None:
    """Nothing but the stones and the carrier is needed. On small carriers the oracle says so."""
    rng = random.Random(3)
    seen: Counter[int] = Counter()
    for _ in range(ENOUGH):
        black, white, is_open = crowded(rng, size := rng.choice([3, 4, 4, 5]))
        game = position(size, black, white, "white")
        if game.start.winner is not None:
            continue
        for duty in obligations(game.transversal(), white, black):
            assert not duty.stones & duty.cells
            assert (duty.stones | duty.cells) & ~is_open == 0
            if not 0 < duty.cells.bit_count() <= 8 or rng.random() < 0.8:
                continue
            others = is_open & ~duty.cells & ~duty.stones
            alone = position(size, black | others, white | duty.stones, "white")
            wins = Reference(Player.WHITE).wins(alone.start, duty.cells.bit_count())
            assert wins, f"{game} {duty}"
            seen[duty.stones.bit_count()] += 1
        if min(seen[0], seen[1]) >= sample(400):
            break
    assert min(seen[0], seen[1]) >= sample(400)


def test_a_bridge_to_both_borders() -> None:
    """White's stone in the middle of 3x3 is joined to both of his borders by two cells each.

    If it is his move, he needs one cell on one side, and both on the other.
    """
    game = build("hex(size=3, white=b2, first=black)")
    names = game.board.names
    found = obligations(game.transversal(), game.start.white, 0)
    cells = [{names[cell] for cell in cells_of(duty.cells)} for duty in found if not duty.stones]
    assert sorted(map(sorted, cells)) == [
        ["a2", "a3", "c1"],
        ["a2", "a3", "c2"],
        ["a2", "c1", "c2"],
        ["a3", "c1", "c2"],
    ]


def test_a_connection_that_follows_from_another_is_left_out() -> None:
    assert Obligation(0b1, 0b110).weaker(Obligation(0, 0b110))
    assert Obligation(0b1, 0b110).weaker(Obligation(0b1, 0b10))
    assert Obligation(0b1, 0b110).weaker(Obligation(0, 0b11))  # its other cell is the owner's
    assert not Obligation(0b1, 0b10).weaker(Obligation(0b1, 0b110))
    assert not Obligation(0, 0b110).weaker(Obligation(0b1, 0b110))


@pytest.mark.parametrize("solve", [depqbf, caqe])
def test_formulas_agree_with_the_oracle(solve: Callable[[Formula], bool | None]) -> None:
    """At every depth, and with either player to move; half of them restricted by symmetry."""
    rng = random.Random(7)
    wanted, seen = sample(300), Counter[bool]()
    for _ in range(ENOUGH):
        black, white, _ = crowded(rng, size := rng.choice([3, 4]), most_open=9)
        game = position(size, black, white, rng.choice(["black", "white"]))
        question = Question(game, Player.BLACK, rng.choice([3, 4, 5, 7, 9]))
        plain, knowing = (
            encode(question, name, symmetry=rng.random() < 0.5).formula
            for name in ("et", "mustplay")
        )
        if knowing.constant is None and knowing.sizes.clauses == plain.sizes.clauses:
            continue  # no connection was found
        answer = expected(question)
        if knowing.constant is not None:
            assert knowing.constant is answer, str(question)
        elif seen[answer] < wanted * 3 // 5:
            assert solve(knowing) is answer, str(question)
            seen[answer] += 1
        if seen.total() >= wanted:
            break
    assert seen.total() >= wanted
    assert min(seen.values()) > wanted // 4


def test_connections_cost_clauses_and_no_variables() -> None:
    question = Question(build("hein(9)"), Player.BLACK, 7)
    plain, knowing = (encode(question, name).formula.sizes for name in ("et", "mustplay"))
    assert plain.clauses < knowing.clauses
    assert (plain.blocks, plain.universals) == (knowing.blocks, knowing.universals)
    assert plain.existentials == knowing.existentials
