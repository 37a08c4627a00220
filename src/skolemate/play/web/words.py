"""A game in words: its usual title, and its goal in one line."""

from skolemate.formats import is_hex
from skolemate.games import Connection, Cube, Game, Grid, HexGrid, Player, PositionalGame, Sets
from skolemate.games.board import Facts
from skolemate.games.family import FAMILIES, SETUP, split_name
from skolemate.output import amount

NUMBERS = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six"}

# Without a title here, a family's summary begins with it: "Hex: Black joins …".
TITLES = {
    "browne": "Browne's puzzle",
    "clique": "The clique game on {n} points",
    "connect": "Connect {K}",
    "cube": "{n}^{d} tic-tac-toe",
    "gomoku": "Gomoku",
    "gttt": "GTTT({p},{q}) with {shape}",
    "harary": "Harary's {shape}",
    "hein": "Hein's puzzle {number}",
    "mnk": "{K} in a row",
    "plane": "The {kind} plane of order {q}",
    "random_harary": "A random polyomino",
    "random_hypergraph": "Random winning sets",
    "sim": "Sim on {n} points",
    "tictactoe": "Tic-tac-toe",
}
# Everybody knows the size, or it is in the title.
UNSIZED = ("browne", "cube", "hein", "plane", "random_hypergraph", "tictactoe")
SWITCHES = {
    "maker_breaker": ", Maker-Breaker",
    "misere": ", misère",
    "torus": " on a torus",
}

# What is to be built, and what else is to be known.
BUILT = {
    "clique": ("all edges between {k} points", "Each cell is an edge between two of {n} points."),
    "connect": ("{k} in a row, also diagonally", "Stones fall to the bottom of a column."),
    "connect6": ("six in a row, also diagonally", "Two stones a turn; Black begins with one."),
    "cube": ("{n} in a straight line, in any direction through the cube", ""),
    "gomoku": ("five in a row, also diagonally", ""),
    "gttt": (
        "the polyomino {shape}, turned or mirrored",
        "Black begins with {q}, then both place {p} stones a turn.",
    ),
    "harary": ("the polyomino {shape}, turned or mirrored", ""),
    "mnk": ("{k} in a row, also diagonally", ""),
    "plane": ("all points of a line", "Lines show under the pointer."),
    "qubic": ("{size} in a straight line, in any direction through the cube", ""),
    "random_harary": ("the polyomino drawn here, turned or mirrored", ""),
    "random_hypergraph": ("all cells of a winning set", "The sets show under the pointer."),
    "tictactoe": ("three in a row, also diagonally", ""),
    "vdw": ("{k} numbers at equal distances", ""),
}
HEX = "Black joins top and bottom, White left and right."
STUCK = "Who cannot move loses."
FRAME = "Nobody plays on the outermost cells."
GOALS = {
    "breakthrough": "Reach the last row: Black goes up, White down. Pawns capture diagonally.",
    "browne": HEX,
    "clobber": f"Move onto a neighbouring stone of the opponent's, which is taken. {STUCK}",
    "col": f"Place a stone that is not beside one of your own. {FRAME} {STUCK}",
    "cross_purpose": f"Tip stacks over, Black vertically, White horizontally. {STUCK}",
    "dual evader_pursuer": "White goes for the corner a1, and Black hunts.",
    "domineering": f"Black lays dominoes vertically, White horizontally. {STUCK}",
    "evader_pursuer": "Black goes for the corner a1, and White hunts.",
    "hein": HEX,
    "hex": HEX,
    "knightthrough": "Reach the last row with a knight: Black the first row, White the last.",
    "konane": f"Jump over stones of the other colour, which removes them. {STUCK}",
    "misere domination": "White loses with a cell and all beside it, and wins by avoiding that.",
    "misere hex": f"{HEX} Who does so loses.",
    "notakto": "Both players place the same stones; who completes {k} in a row loses."
    " The rows below belong to the rules, and nobody plays there.",
    "sim": "Each cell is an edge between two of {n} points; who completes a triangle loses.",
    "snort": f"Place a stone that is beside none of the opponent's. {FRAME} {STUCK}",
}


def title(game: Game) -> str:
    """The title that people use.

    >>> from skolemate.games.family import build
    >>> [title(build(name)) for name in ("connect(k=4, width=7, height=6)", "hein(9)", "qubic")]
    ['Connect Four 7×6', "Hein's puzzle 9", 'Qubic 4×4×4']
    >>> title(build("harary(shape=el, width=4, height=3, torus=true, black=a1)"))
    "Harary's el 4×3 on a torus"
    >>> title(build("col(width=4, height=3)")), title(build("plane(q=2, kind=projective)"))
    ('Col 4×3', 'The projective plane of order 2')
    """
    name, values = _parameters(game)
    if name not in FAMILIES:
        return game.name
    own, colon, _ = FAMILIES[name].summary.partition(":")
    own = TITLES.get(name) or (own if colon else name.replace("_", " ").capitalize())
    size = "" if name in UNSIZED else f" {_size(game, values)}".rstrip()
    switches = "".join(SWITCHES.get(key, f", {key}") for key in _switches(values))
    switches = switches.replace("Maker-Breaker, misère", "Avoider-Enforcer")
    told = _in_words(values)
    words = values | {"K": told.get("k", "").capitalize(), "shape": told.get("shape", "")}
    return own.format(**words) + size + switches


def goal(game: Game) -> str:
    """What a player tries to do, in a line.

    >>> from skolemate.games.family import build
    >>> goal(build("tictactoe"))
    'The first with three in a row, also diagonally, wins.'
    >>> goal(build("mnk(m=4, n=3, k=3, maker_breaker=true)"))
    'Black wins with three in a row, also diagonally; White wins by preventing it.'
    >>> goal(build("vdw(n=8, k=3, misere=true)"))
    'The first with three numbers at equal distances loses.'
    """
    name, values = _parameters(game)
    if name not in FAMILIES:
        return _goal_of_a_file(game)
    switches = [key for key in _switches(values) if key != "torus"]
    if name in BUILT:
        built, more = (words.format(**_in_words(values)) for words in BUILT[name])
        return f"{_built(built, switches)} {more}".rstrip()
    known = GOALS.get(" ".join([*switches, name]))
    if known:
        return known.format(**_in_words(values))
    summary = FAMILIES[name].summary
    _, colon, rest = summary.partition(": ")
    told = rest[:1].upper() + rest[1:] if colon else summary
    return f"{told} {_lost(game)}" if "misere" in switches else told


def kind(game: Game) -> str:
    """What the players do, by which the page's collection is filtered."""
    goals = [game.completes(player) for player in Player]
    if any(isinstance(goal, Connection) for goal in goals):
        return "paths"
    if any(isinstance(goal, Sets) for goal in goals) or game.offers("columns"):
        return "sets"
    return "pieces" if game.start.black | game.start.white else "filling"


def shape(game: Game) -> list[tuple[int, int]]:
    """The cells, column and row, of the polyomino that is to be built."""
    return list(game.polyomino.cells) if isinstance(game, PositionalGame) and game.polyomino else []


def _built(what: str, switches: list[str]) -> str:
    if switches == ["maker_breaker"]:
        return f"Black wins with {what}; White wins by preventing it."
    if "maker_breaker" in switches:
        return f"White loses with {what}, and wins by avoiding it."
    comma = "," if "," in what else ""
    return f"The first with {what}{comma} {'loses' if switches else 'wins'}."


def _lost(game: Game) -> str:
    """Who wins when a set is completed, where that loses."""
    losers = [player for player in Player if game.completes(player) is not None]
    return "; ".join(f"{p.opponent} wins when {p} completes a set" for p in losers) + "."


def _goal_of_a_file(game: Game) -> str:
    """By the kind of goals that each player has."""
    goals = {player: game.goal(player) for player in Player}
    if is_hex(game):
        return HEX
    if any(game.completes(player) for player in Player) and game.misere:
        return _lost(game)
    if not any(isinstance(goal, Connection | Sets) for goal in goals.values()):
        if isinstance(game.board, Facts):
            roles = " and ".join(f"{player} is {game.called(player)}" for player in Player)
            return f"The file has the rules, and tells who wins. {roles}."
        return f"The file has the rules. {STUCK}"
    told = []
    for player, goal in goals.items():
        if isinstance(goal, Connection):
            told.append(f"{player} wins by a path between two borders")
        elif isinstance(goal, Sets):
            told.append(f"{player} wins with all cells of one of {amount(len(goal.sets), 'set')}")
        else:
            told.append(f"{player} wins by preventing it")
    return "; ".join(told) + "."


def _parameters(game: Game) -> tuple[str, dict[str, str]]:
    """The family, and its parameters as the name of the game has them, words also by default."""
    name, arguments = split_name(game.name) if game.name else ("", [])
    if name not in FAMILIES:
        return name, {}
    family = FAMILIES[name]
    own = [argument for argument in arguments if argument[0] not in SETUP]
    usual = {each.name: str(each.default) for each in family.parameters if each.choices}
    return name, usual | family.named(own)


def _in_words(values: dict[str, str]) -> dict[str, str]:
    """Small numbers as words, and one of several shapes."""
    return {key: NUMBERS.get(value, value.replace(" ", " or ")) for key, value in values.items()}


def _switches(values: dict[str, str]) -> list[str]:
    return [key for key, value in values.items() if value == "true"]


def _size(game: Game, values: dict[str, str]) -> str:
    board = game.board
    if "width" in values and "height" in values:  # the board may have a frame around them
        return f"{values['width']}×{values['height']}"
    if isinstance(board, Cube):
        return "×".join([str(board.side)] * 3)
    if isinstance(board, Grid | HexGrid):
        return f"{board.width}×{board.height}"
    return ""
