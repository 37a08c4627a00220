"""A game in words: the title that people use, and its goal in a line."""

from skolemate.games import Connection, Cube, Game, Grid, HexGrid, Player, Sets
from skolemate.games.family import FAMILIES, SETUP, split_name
from skolemate.games.game import Stuck
from skolemate.output import amount

NUMBERS = {"2": "two", "3": "three", "4": "four", "5": "five", "6": "six"}

# Without a title here, a family's summary begins with it: "Hex: Black joins …".
TITLES = {
    "browne": "Browne's puzzle",
    "connect": "Connect {K}",
    "gomoku": "Gomoku",
    "gttt": "GTTT({p},{q}) with {shape}",
    "harary": "Harary's {shape}",
    "hein": "Hein's puzzle {number}",
    "mnk": "{K} in a row",
    "tictactoe": "Tic-tac-toe",
}
UNSIZED = ("browne", "hein", "tictactoe")  # everybody knows the size, or nobody asks
SWITCHES = {
    "maker_breaker": ", Maker-Breaker",
    "misere": ", misère",
    "torus": " on a torus",
}

# What is to be built, and what else is to be known.
BUILT = {
    "connect": ("{k} in a row, also diagonally", "Stones fall to the bottom of a column."),
    "connect6": ("six in a row, also diagonally", "Two stones a turn; Black begins with one."),
    "gomoku": ("five in a row, also diagonally", ""),
    "gttt": (
        "the polyomino {shape}, turned or mirrored",
        "Stones of a turn: {q} of Black at first, then {p}.",
    ),
    "harary": ("the polyomino {shape}, turned or mirrored", ""),
    "mnk": ("{k} in a row, also diagonally", ""),
    "qubic": ("{size} in a straight line, in any direction through the cube", ""),
    "tictactoe": ("three in a row, also diagonally", ""),
}
HEX = "Black joins top and bottom, White left and right."
STUCK = "Who cannot move loses."
GOALS = {
    "breakthrough": "Reach the last row: Black goes up, White down. Pawns capture diagonally.",
    "browne": HEX,
    "clobber": f"Move onto a neighbouring stone of the opponent's, which is taken. {STUCK}",
    "col": f"Place a stone that is not beside one of your own; the frame stays open. {STUCK}",
    "cross_purpose": f"Tip stacks over, Black vertically, White horizontally. {STUCK}",
    "dual evader_pursuer": "White goes for the corner a1, and Black hunts.",
    "domineering": f"Black lays dominoes vertically, White horizontally. {STUCK}",
    "evader_pursuer": "Black goes for the corner a1, and White hunts.",
    "hein": HEX,
    "hex": HEX,
    "knightthrough": "Reach the last row with a knight: Black the first row, White the last.",
    "konane": f"Jump over stones of the other colour, which removes them. {STUCK}",
    "misere hex": f"{HEX} Who does so loses.",
    "snort": f"Place a stone that is beside none of the opponent's; the frame stays open. {STUCK}",
}


def title(game: Game) -> str:
    """The title that people use.

    >>> from skolemate.games.family import build
    >>> [title(build(name)) for name in ("connect(k=4, width=7, height=6)", "hein(9)", "qubic")]
    ['Connect Four 7×6', "Hein's puzzle 9", 'Qubic 4×4×4']
    >>> title(build("harary(shape=el, width=4, height=3, torus=true, black=a1)"))
    "Harary's el 4×3 on a torus"
    """
    name, values = _parameters(game)
    if name not in FAMILIES:
        return game.name
    own, colon, _ = FAMILIES[name].summary.partition(":")
    own = TITLES.get(name) or (own if colon else name.replace("_", " ").capitalize())
    size = "" if name in UNSIZED else f" {_size(game)}".rstrip()
    switches = "".join(SWITCHES.get(key, f", {key}") for key in _switches(values))
    return own.format(**values) + size + switches


def goal(game: Game) -> str:
    """What a player tries to do, in a line.

    >>> from skolemate.games.family import build
    >>> goal(build("tictactoe"))
    'The first with three in a row, also diagonally, wins.'
    >>> goal(build("mnk(m=4, n=3, k=3, maker_breaker=true)"))
    'Black wins with three in a row, also diagonally; White wins by preventing it.'
    """
    name, values = _parameters(game)
    if name not in FAMILIES:
        return _goal_of_a_file(game)
    switches = [key for key in _switches(values) if key != "torus"]
    if name in BUILT:
        built, more = (words.format(**values) for words in BUILT[name])
        return f"{_built(built, switches)} {more}".rstrip()
    known = GOALS.get(" ".join([*switches, name]))
    if known:
        return known
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
    return list(game.shape().shape.cells) if game.offers("shape") else []


def _built(what: str, switches: list[str]) -> str:
    if switches == ["maker_breaker"]:
        return f"Black wins with {what}; White wins by preventing it."
    if "maker_breaker" in switches:
        return f"White loses with {what}, and wins by avoiding it."
    return f"The first with {what}, {'loses' if switches else 'wins'}."


def _lost(game: Game) -> str:
    """Who wins when a set is completed, where that loses."""
    losers = [player for player in Player if game.completes(player) is not None]
    return "; ".join(f"{p.opponent} wins when {p} completes a set" for p in losers) + "."


def _goal_of_a_file(game: Game) -> str:
    """By the kind of goals that each player has."""
    goals = {player: game.goal(player) for player in Player}
    if any(game.completes(player) for player in Player) and game.misere:
        return _lost(game)
    if not any(isinstance(goal, Connection | Sets) for goal in goals.values()):
        stuck = f" {STUCK}" if game.stuck(game.start) is Stuck.LOSES else ""
        return f"The file has the rules.{stuck}"
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
    """The family, and its parameters in words: `k` is three, and `K` Three."""
    name, arguments = split_name(game.name) if game.name else ("", [])
    if name not in FAMILIES:
        return name, {}
    own = [argument for argument in arguments if argument[0] not in SETUP]
    values = FAMILIES[name].named(own)
    for key in {"k", "size"} & set(values):
        values[key] = NUMBERS.get(values[key], values[key])
    return name, values | {"K": values.get("k", "").capitalize()}


def _switches(values: dict[str, str]) -> list[str]:
    return [key for key, value in values.items() if value == "true"]


def _size(game: Game) -> str:
    board = game.board
    if isinstance(board, Cube):
        return "×".join([str(board.side)] * 3)
    if isinstance(board, Grid | HexGrid):
        return f"{board.width}×{board.height}"
    return ""
