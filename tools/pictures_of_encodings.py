"""The drawn examples in the documentation: one for every encoding, each by the program's own SVG.

`make pictures` writes them to docs/pictures; a test sees to it that they are up to date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

from skolemate.api import solve
from skolemate.encodings.general import all_moves
from skolemate.encodings.parts.coded import spanning_tree
from skolemate.encodings.parts.links import obligations
from skolemate.encodings.parts.plies import Ply, plies
from skolemate.games import Game, Player, Question
from skolemate.games.family import build
from skolemate.games.symmetry import cells_of, flood
from skolemate.render import svg

__all__ = ["FOLDER", "PICTURES", "file_name"]

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
WON = "hein(9, moves=b2 b1 c1 a4 c2 b3 c3)"  # a line of the win, to its end
TURNS = "gttt(p=2, q=1, shape=el, width=4, height=4, moves=b2 c3 c2 b3 d1)"


def file_name(encoding: str) -> str:
    return f"{encoding.replace('+', '-plus')}.svg"


def numbered(
    game: Game,
    order: list[str],
    highlights: Iterable[int] = (),
    arrows: Iterable[tuple[int, int]] = (),
) -> str:
    """A board with numbers on some cells, in this order, and other marks."""
    numbers = {game.board.names.index(name): number for number, name in enumerate(order, 1)}
    return svg(game.start, numbers=numbers, highlights=highlights, arrows=arrows)


def cells(game: Game, names: str) -> list[int]:
    return list(cells_of(game.board.cells(names)))


def cor() -> str:
    """One time point a turn: both stones of White's first turn have number 2."""
    game = build(TURNS)
    time_of = {"b2": 1, "c3": 2, "c2": 2, "b3": 3, "d1": 3}
    return svg(game.start, numbers={game.board.names.index(c): t for c, t in time_of.items()})


def cor_plus() -> str:
    """One board a ply."""
    game = build(TURNS)
    return svg(game.start, numbers=game.move_numbers())


def threat() -> str:
    """A stone that threatens, the forced answer, and a stone that makes two threats."""
    game = build("tictactoe(moves=a1 b1 a3 a2 c3)")
    order = {"a3": 1, "a2": 2, "c3": 3}
    return svg(
        game.start,
        numbers={game.board.names.index(name): number for name, number in order.items()},
        highlights=cells(game, "b2 b3"),
    )


def dys() -> str:
    """Where the first stone may be placed without cheating."""
    game = build("harary(shape=tippy, width=5, height=5)")
    return svg(game.start, highlights=cells(game, "a1 b1 c1 b2 c2 c3"))


def gr() -> str:
    """A column is chosen; the stone falls to the lowest open cell."""
    game = build("connect(k=3, width=4, height=3, moves=b3 b2 c3)")
    falls = [("a1", "a3"), ("b1", "b1"), ("c1", "c2"), ("d1", "d3")]
    place = game.board.names.index
    return svg(game.start, arrows=[(place(a), place(b)) for a, b in falls])


def cover() -> str:
    """The union of the sets that contain Black's first stone."""
    game = build("harary(shape=elly, width=6, height=6, moves=c3)")
    around = 0
    for winning in game.hypergraph().black_sets or ():
        if winning & game.start.black:
            around |= winning
    return svg(game.start, highlights=cells_of(around & ~game.start.black))


def pairing() -> str:
    """The pairs that the solver has found."""
    answer = solve("harary(shape=fatty, width=4, height=4)", encoding="cor+/pairing")
    assert answer.blocking is not None
    return svg(answer.game.start, arrows=answer.blocking.pairs(answer.game.start) or ())


def pairing_strong() -> str:
    """White has answered twice; two pairs are enough."""
    game = build("tictactoe(moves=a1 b2 a2 a3)")
    place = game.board.names.index
    pairs = [("b1", "c1"), ("c2", "c3")]
    return svg(game.start, arrows=[(place(a), place(b)) for a, b in pairs])


def ea() -> str:
    """One of the listed sets, owned at the end."""
    game = build(WON)
    return svg(game.start, highlights=cells_of(game.winning_cells(game.start)))


def en() -> str:
    """The path, cell by cell."""
    return numbered(build(WON), ["c1", "c2", "c3"])


def et() -> str:
    """What White's first border reaches over cells that are not black."""
    game = build(WON)
    goal = game.transversal()
    reached = flood(goal.neighbours, goal.start, ~game.start.black)
    return svg(game.start, highlights=cells_of(reached))


def mustplay() -> str:
    """If Black has no stone on the marked cells, White plays d2, and is joined on both sides."""
    game = build("hex(size=4, white=b3, first=black)")
    found = obligations(game.transversal(), game.start.white, game.start.black)
    carrier = next(duty.cells for duty in found if not duty.stones)
    return svg(game.start, highlights=cells_of(carrier))


def la() -> str:
    """∀ has chosen c2; the witness has three cells, and c2 is one of them."""
    game = build(WON)
    return numbered(game, ["c1", "c2", "c3"], highlights=cells(game, "c2"))


def ln() -> str:
    """∀ has chosen c1; ∃ names its neighbour c2, the next cell of the witness."""
    game = build(WON)
    c1, c2 = game.board.names.index("c1"), game.board.names.index("c2")
    return numbered(game, ["c1", "c2", "c3"], highlights=[c1], arrows=[(c1, c2)])


def halved(game: Game, path: list[str]) -> str:
    """From the source to the middle, from there to the target."""
    ends = [game.board.names.index(path[i]) for i in (0, len(path) // 2, -1)]
    return svg(game.start, highlights=ends, arrows=list(pairwise(ends)))


def li() -> str:
    path = ["c1", "c2", "c3", "b4", "b5"]
    return halved(build(f"hex(size=5, black={' '.join(path)})"), path)


def si() -> str:
    path = ["d1", "c2", "c3", "b4", "a5"]
    return halved(build(f"hex(size=5, black={' '.join(path)})"), path)


def sa() -> str:
    """The moves, which are all that there is."""
    game = build(WON)
    ours = cells(game, "c1 c2 c3")
    return svg(game.start, numbers=game.move_numbers(), highlights=ours)


def sn() -> str:
    """The cells of the polyomino, related along a tree."""
    game = build("harary(shape=tippy, width=4, height=4, maker_breaker=true)")
    places = ((1, 1), (2, 1), (2, 2), (3, 2))
    place = [game.board.names.index("abcd"[x] + str(y + 1)) for x, y in places]
    arrows = [(place[one], place[other]) for one, other, _ in spanning_tree(places)]
    return svg(game.start, highlights=place, arrows=arrows)


def lifted() -> str:
    """An action at (2,4), relative to its place: forward, and taking to either side."""
    game = build("breakthrough(width=3, height=5)")
    place = game.board.names.index
    return svg(
        game.start,
        highlights=[place("b4")],
        arrows=[(place("b4"), place(target)) for target in ("a3", "b3", "c3")],
    )


def coded(ply: Ply, game: Game) -> str:
    """What a player may do at a ply of Connect-4, each stone with its code."""
    moves = zip(ply.rules, ply.codes, strict=True)
    return svg(game.start, numbers={cell: code for rule, code in moves for cell in rule.effect})


def gb() -> str:
    """All stones that White may ever place have a code."""
    question = Question(build("connect(k=4, width=5, height=4)"), Player.BLACK, 3)
    return coded(list(all_moves(question, symmetry=False))[1], question.game)


def gd() -> str:
    """A board after every ply, each in a block of its own."""
    game = build("connect(k=4, width=5, height=4, moves=c4 c3 b4 d4 b3)")
    return svg(game.start, numbers=game.move_numbers())


def ground() -> str:
    """What White may do at the second ply, with codes that are shared."""
    question = Question(build("connect(k=4, width=5, height=4)"), Player.BLACK, 3)
    return coded(list(plies(question, symmetry=False))[1], question.game)


def reserves() -> str:
    """A move that makes another one safe."""
    game = build("domineering(width=5, height=6, moves=vertical(2,1))")
    return svg(game.start, highlights=["a1", "a2"])


def net() -> str:
    """White's codes at the second ply of a description of tic-tac-toe."""
    game = build("tictactoe")
    return svg(game.start, numbers=dict(enumerate(range(game.board.size))))


PICTURES: dict[str, Callable[[], str]] = {
    "cor": cor,
    "cor+": cor_plus,
    "threat": threat,
    "dys": dys,
    "gr": gr,
    "cover": cover,
    "pairing": pairing,
    "pairing-strong": pairing_strong,
    "ea": ea,
    "en": en,
    "et": et,
    "mustplay": mustplay,
    "la": la,
    "ln": ln,
    "li": li,
    "sa": sa,
    "sn": sn,
    "si": si,
    "lifted": lifted,
    "gb": gb,
    "gd": gd,
    "ground": ground,
    "reserves": reserves,
    "net": net,
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for encoding, draw in PICTURES.items():
        (FOLDER / file_name(encoding)).write_text(draw() + "\n", encoding="utf-8")
