"""BDDL texts: forms found in the paper and in the wild, and everything that can be wrong."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from skolemate import value
from skolemate.cli import main
from skolemate.errors import FileError, UserError
from skolemate.formats import read_game, to_bddl
from skolemate.formats.bddl import parse_bddl
from skolemate.games import Player, PositionalGame
from skolemate.games.bddl import BddlGame
from skolemate.games.family import build

DOMAIN = """\
#blackactions
:action step
:parameters (?x,?y)
:precondition (black(?x,?y) NOT(black(?x,?y-1)))
:effect (open(?x,?y) black(?x,?y-1))
#whiteactions
:action step
:parameters (?x,?y)
:precondition (white(?x,?y) open(?x,?y+1))
:effect (open(?x,?y) white(?x,?y+1))
"""
PROBLEM = """\
#boardsize
2 3
#init
(black(1,3) white(2,1))
#depth
5
#blackgoals
(black(?x,ymin))
#whitegoals
(white(?x,ymax))
"""
WHOLE = DOMAIN + PROBLEM


def test_a_domain_and_a_problem_make_a_game() -> None:
    game = parse_bddl(WHOLE)
    assert isinstance(game, BddlGame)
    assert (game.model.width, game.model.height, game.depth) == (2, 3, 5)
    assert game == parse_bddl(PROBLEM, DOMAIN)
    assert game.start.move_names() == ["step(1,3)"]


# Each variant means the same as WHOLE.
VARIANTS = {
    "singular headings": WHOLE.replace("goals", "goal").replace("actions", "action"),
    "headings in capitals": WHOLE.replace("#init", "#INIT").replace("#blackg", "#BlackG"),
    "values on the heading's line": WHOLE.replace("#boardsize\n", "#boardsize ")
    .replace("#depth\n", "#depth        ")
    .replace("#init\n", "#init "),
    "one number a line": WHOLE.replace("2 3", "2\n3"),
    "no blanks between conditions": re.sub(r"\) (?=[bwoN])", ")", WHOLE),
    "blanks anywhere": WHOLE.replace("(?x,?y-1)", "( ?x , ?y - 1 )").replace("NOT(", "NOT ( "),
    "blanks after predicates": WHOLE.replace("black(", "black  ("),
    "comments": "% a domain\n" + WHOLE.replace("\n", "  % as always\n"),
    "empty lines": WHOLE.replace("\n", "\n\n   \n"),
    "Windows": WHOLE.replace("\n", "\r\n"),
    "no last newline": WHOLE.rstrip(),
    "goals without parentheses": WHOLE.replace("(black(?x,ymin))", "black(?x,ymin)"),
    "parentheses around NOT": WHOLE.replace("NOT(black(?x,?y-1))", "(NOT(black(?x,?y-1)))"),
    "small letters": WHOLE.replace("NOT", "not"),
    "repeated conditions": WHOLE.replace("open(?x,?y+1))", "open(?x,?y+1) open(?x,?y+1))", 1),
    "start over two lines": WHOLE.replace("(1,3) white", "(1,3)\n  white"),
    "start without parentheses": WHOLE.replace("(black(1,3) white(2,1))", "black(1,3)\nwhite(2,1)"),
    "open cells at the start": WHOLE.replace("white(2,1))", "white(2,1) open(2,2))"),
    "conditions over several lines": WHOLE.replace(
        ":effect (open(?x,?y)", ":effect\n(\nopen(?x,?y)"
    ),
    "sections in another order": PROBLEM + DOMAIN,
    "black begins": WHOLE.replace("#depth", "#blackturn first\n#depth"),
    "a goal that is none": WHOLE.replace("#whitegoals\n", "#whitegoals\nFalse\n"),
}


@pytest.mark.parametrize("text", VARIANTS.values(), ids=VARIANTS.keys())
def test_files_in_the_wild_are_understood(text: str) -> None:
    game, plain = parse_bddl(text), parse_bddl(WHOLE)
    assert isinstance(game, BddlGame)
    assert isinstance(plain, BddlGame)
    for mine, theirs in zip(game.model.actions, plain.model.actions, strict=True):
        assert [set(action.all.parts) for action in mine] == [set(a.all.parts) for a in theirs]
    assert game.model.goals == plain.model.goals
    assert game.start[1:] == plain.start[1:]
    assert game.depth == plain.depth


def test_goals_may_be_missing_in_three_ways() -> None:
    for none in ("", "False\n", "false\n"):
        game = parse_bddl(DOMAIN + PROBLEM.replace("(black(?x,ymin))\n", none))
        assert isinstance(game, BddlGame)
        assert game.model.goals[0] == ()


def test_each_line_is_a_goal_of_its_own() -> None:
    lines = "black(?x,ymin) black(?x,ymax)\n(black(1,2)\n black(2,2))\nblack(1,1)\n"
    game = parse_bddl(DOMAIN + PROBLEM.replace("(black(?x,ymin))\n", lines))
    assert isinstance(game, BddlGame)
    assert [len(goal.parts) for goal in game.model.goals[0]] == [2, 2, 1]


def test_black_may_move_second() -> None:
    game = parse_bddl(WHOLE.replace("#depth", "#blackturn\nsecond\n#depth"))
    assert game.start.to_move is Player.WHITE


def test_a_file_may_leave_its_depth_open() -> None:
    assert parse_bddl(WHOLE.replace("#depth\n5\n", "")).depth is None


STEP = DOMAIN[DOMAIN.index(":action") : DOMAIN.index("#white")]

# What is wrong, where, and what is said about it. The text is WHOLE with one thing changed.
WRONG = {
    "unknown section": ("#init\n", "#intl\n", (13, 1), "unknown section '#intl': did you mean"),
    "section twice": ("#depth\n5\n", "#depth\n5\n#depth\n5\n", (17, 1), "#depth is given twice"),
    "goals twice": ("#depth\n5\n", "#blackgoal\n", (16, 1), "#blackgoals is given twice"),
    "no board size": ("#boardsize\n2 3\n", "", (19, 1), "section #boardsize is missing"),
    "no start": ("#init\n(black(1,3) white(2,1))\n", "", (19, 1), "section #init is missing"),
    "no goals": ("#whitegoals\n(white(?x,ymax))\n", "", (19, 1), "section #whitegoals is missing"),
    "no actions": (DOMAIN, "", (11, 1), "no actions: name the domain too, with --domain"),
    "only a domain": (PROBLEM, "", (11, 1), "this is a domain: name the problem"),
    "White has no section": (DOMAIN[DOMAIN.index("#white") :], "", (16, 1), "#whiteactions is"),
    "one side only": ("2 3", "2", (13, 1), "'#init' cannot stand here; expected a number"),
    "no side": ("2 3", "0 3", (12, 1), "at least one cell a side"),
    "huge board": ("2 3", "2000 3000", (12, 1), "beyond the limit"),
    "huge number": ("2 3", "2 3000000000000", (12, 3), "too large a number"),
    "size in words": ("2 3", "two 3", (12, 1), "'two' cannot stand here; expected a number"),
    "negative size": ("2 3", "-2 3", (12, 1), "cannot stand here; expected a number"),
    "depth in words": ("\n5\n", "\nfive\n", (16, 1), "'five' cannot stand here; expected a number"),
    "huge depth": ("\n5\n", "\n999999999\n", (16, 1), "is beyond the limit of 10,000"),
    "two depths": ("\n5\n", "\n5 7\n", (16, 3), "'7' cannot stand here"),
    "turn": ("#depth", "#blackturn third\n#depth", (15, 12), "first or second, not 'third'"),
    "unknown predicate": ("(black(?x,?y) N", "(red(?x,?y) N", (4, 16), "unknown predicate 'red'"),
    "predicate misspelt": ("open(?x,?y+1)", "opne(?x,?y+1)", (9, 29), "did you mean open"),
    "parenthesis open": (
        "white(2,1))",
        "white(2,1)",
        (15, 1),
        "at 14:1 is still open",
    ),
    "parenthesis closed": ("white(2,1))", "white(2,1)))", (14, 24), "')' cannot stand here"),
    "int for a cell": ("white(2,1)", "white(2)", (14, 20), "')' cannot stand here; expected ,"),
    "cell without predicate": ("white(2,1)", "(2,1)", (14, 14), "'2' cannot stand here"),
    "three coordinates": (
        "white(2,1)",
        "white(2,1,1)",
        (14, 22),
        "',' cannot stand here",
    ),
    "start is relative": ("white(2,1)", "white(?x,1)", (14, 19), "by two numbers"),
    "start is at xmin": ("white(2,1)", "white(xmin,1)", (14, 19), "by two numbers"),
    "start says not": ("white(2,1)", "NOT(white(2,1))", (14, 13), "not what is not"),
    "start off the board": ("white(2,1)", "white(3,1)", (14, 13), "white(3,1) lies off the 2x3"),
    "start at row 0": ("white(2,1)", "white(2,0)", (14, 13), "lies off the 2x3 board"),
    "cell twice": ("white(2,1)", "white(1,3)", (14, 13), "cell (1,3) is given twice"),
    "cell twice the same": ("white(2,1)", "black(1,3)", (14, 13), "cell (1,3) is given twice"),
    "number in a domain": (
        "NOT(black(?x,?y-1))",
        "black(1,?y)",
        (4, 35),
        "does not know the board",
    ),
    "axes exchanged": ("open(?x,?y+1)", "open(?y,?x+1)", (9, 34), "?y cannot be the x of a cell"),
    "wrong extreme": ("ymin", "xmin", (18, 11), "xmin cannot be the y of a cell"),
    "unknown parameter": ("open(?x,?y+1)", "open(?z,?y+1)", (9, 34), "'?z' cannot stand here"),
    "shift of a shift": ("?y+1))", "?y+1+1))", (9, 41), "'+' cannot stand here"),
    "no precondition": (
        ":precondition (white(?x,?y) open(?x,?y+1))\n",
        "",
        (9, 1),
        ":precondition",
    ),
    "no effect": (":effect (open(?x,?y) white(?x,?y+1))\n", "", (10, 1), "expected :effect"),
    "empty effect": ("(open(?x,?y) white(?x,?y+1))", "()", (10, 9), "step has no effect"),
    "effect with NOT": ("white(?x,?y+1))\n#b", "NOT(black(?x,?y+1)))\n#b", (10, 22), "NOT leaves"),
    "effect contradicts": ("black(?x,?y-1))\n#w", "black(?x,?y))\n#w", (5, 22), "contradicts what"),
    "before contradicts": ("open(?x,?y+1))\n:e", "open(?x,?y))\n:e", (9, 29), "contradicts what"),
    "goal contradicts": ("black(?x,ymin)", "black(?x,1) NOT(black(?x,1))", (18, 14), "contradicts"),
    "parameters": (":parameters (?x,?y)", ":parameters (?y,?x)", (3, 1), "are (?x,?y)"),
    "one parameter": (":parameters (?x,?y)", ":parameters (?x)", (3, 16), "expected ,"),
    "keyword": (":effect (open(?x,?y) b", ":effects (open(?x,?y) b", (5, 1), "expected :effect"),
    "file cut off": (
        "(white(?x,ymax))\n",
        "(white(?x,ymax)",
        (20, 16),
        "the file ends too early; expected ( or ) or NOT",
    ),
    "action without name": (":action step", ":action", (2, 8), "the line ends too early"),
    "action twice": ("#whiteactions\n", f"{STEP}#whiteactions\n", (6, 9), "is given twice"),
    "goal off the board": ("(black(?x,ymin))", "(black(3,1))", (18, 2), "lies off the 2x3 board"),
    "goal fits nowhere": ("(black(?x,ymin))", "(black(?x+2,?y))", (18, 1), "no goal fits the 2x3"),
    "empty goal": ("(black(?x,ymin))", "()", (18, 1), "an empty goal always holds"),
    "goals on one line": (
        "(black(?x,ymin))",
        "(black(?x,ymin)) (black(1,1))",
        (18, 18),
        "its line",
    ),
    "nested conditions": (
        "(black(?x,ymin))",
        "(black(1,1) (black(1,2) black(1,1)))",
        (18, 13),
        "one sub",
    ),
    "not of not": ("(black(?x,ymin))", "(NOT(NOT(black(1,1))))", (18, 6), "'NOT' cannot"),
    "false and more": (
        "(black(?x,ymin))",
        "False black(1,1)",
        (18, 7),
        "'black' cannot stand here",
    ),
    "won at the start": ("(black(1,3)", "(black(1,1)", (18, 1), "Black has won at the start"),
    "text": (WHOLE, "a game\n", (1, 1), "'a' cannot stand here; expected a section"),
    "nothing": (WHOLE, "", (1, 1), "no actions"),
    "a blank that is none": ("2 3", "2\u00a03", (12, 2), "'\\xa0' cannot stand here"),
    "control characters": ("\n5\n", "\n5\0\n", (16, 2), "cannot stand here"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG.keys())
def test_wrong_files_are_refused_with_place_and_reason(
    case: tuple[str, str, tuple[int, int], str],
) -> None:
    before, after, place, reason = case
    assert before in WHOLE
    text = WHOLE.replace(before, after, 1)
    with pytest.raises(FileError) as caught:
        parse_bddl(text, file="game.bddl")
    assert reason in caught.value.message
    assert (caught.value.line, caught.value.column) == place
    # What is wrong, and behind it what can be done.
    assert re.search(r"; |: |did you mean", caught.value.message)


RULES = {
    "(OR(open(?x,?y) black(?x,?y)))": "write an action for each",
    "(open(?x,?y) OR black(?x,?y))": "write an action for each",
    "(AND(open(?x,?y) black(?x+1,?y)))": "leave the word out",
    "(NOT(open(?x,?y) black(?x,?y)))": "NOT is about one cell",
    "(NOT(NOT(open(?x,?y))))": "NOT is about one cell",
    "(FORALL(?z) open(?x,?z))": "list them",
    "(EXISTS(open(?x,?y)))": "write an action for each",
    "(open(?x,?y) WHEN(black(?x+1,?y)))": "write an action for each case",
    "(open(?x,?y) king(?x,?y+1))": "a third kind of piece needs two cells",
    "(open(?z,?y))": "shifted as in ?x+1",
    "(open(?x,?y) open(?x,?y+?x))": "shifted as in ?x+1",
    "(open(?x*2,?y))": "shift",
}


@pytest.mark.parametrize("rule", RULES)
def test_rules_that_bddl_lacks_are_refused_with_what_to_write(rule: str) -> None:
    text = WHOLE.replace("(white(?x,?y) open(?x,?y+1))", rule, 1)
    assert text != WHOLE
    with pytest.raises(FileError) as caught:
        parse_bddl(text, file="game.bddl")
    assert RULES[rule] in caught.value.message


# Rules that cannot be stated as people write them first.
PLACE = """\
#{0}actions
:action place
:parameters (?x,?y)
:precondition (open(?x,?y))
:effect ({0}(?x,?y))
"""
LINE = "({0}(?x,?y) {0}(?x+1,?y))"
REST = "#boardsize\n3 1\n#init\n#blackgoals\n{}\n#whitegoals\n{}\n"
BOTH = PLACE.format("black") + PLACE.format("white")
UNSAID = {
    "or": BOTH.replace("(open(?x,?y))", "((open(?x,?y) open(?x+1,?y)))", 1)
    + REST.format(LINE.format("black"), "False"),
    "parameters": BOTH.replace("(?x,?y)", "(?y,?x)", 1) + REST.format("False", "False"),
    "effect": BOTH.replace("(black(?x,?y))", "(NOT(open(?x,?y)))") + REST.format("False", "False"),
}
INSTEAD = {
    "or": "for one of several write an action each, or goals on lines of their own",
    "parameters": "for other cells shift these, as in ?x+1, in an action for each shift",
    "effect": "write an action for each content",
}


@pytest.mark.parametrize("rule", UNSAID)
def test_a_rule_that_cannot_be_stated_is_refused_with_advice(rule: str) -> None:
    with pytest.raises(FileError) as caught:
        parse_bddl(UNSAID[rule])
    assert caught.value.message.endswith(INSTEAD[rule])


def test_goals_that_the_opponent_completes_are_read() -> None:
    """Misère is a positional game; in Order and Chaos both players make stones of both colours."""
    lines = [LINE.format("white"), LINE.format("black")]
    domino = build("harary(shape=domino, width=3, height=1, misere=true)")
    assert parse_bddl(BOTH + REST.format(*lines)) == domino
    places = [PLACE.format(colour).split("\n", 1)[1] for colour in ("black", "white")]
    either = places[0] + places[1].replace("place", "other")
    rules = f"#blackactions\n{either}#whiteactions\n{either}"
    # On an even number of cells Black, who is Order, cannot move at last and loses.
    order = parse_bddl(rules + REST.format("\n".join(lines), "False").replace("3 1", "4 1"))
    assert order.misere
    assert (value(order).winner, value(order).plies) == (Player.BLACK, 3)


def test_the_advice_to_forbid_moves_that_lose_is_right() -> None:
    """Who places a stone next to another one loses: by brute force, and as a model with a frame."""

    @cache
    def plies(taken: frozenset[int], cells: int) -> tuple[bool, int]:
        """Whether the player to move wins, and in how many plies."""
        ends = []
        for cell in set(range(cells)) - taken:
            if {cell - 1, cell + 1} & taken:
                ends.append((False, 1))
            else:
                won, left = plies(taken | {cell}, cells)
                ends.append((not won, left + 1))
        wins = [left for won, left in ends if won]
        return (True, min(wins)) if wins else (False, max((left for _, left in ends), default=1))

    apart = BOTH.replace("(open(?x,?y))", "(open(?x-1,?y) open(?x,?y) open(?x+1,?y))")
    for cells in range(1, 8):
        size = f"#boardsize\n{cells + 2} 1\n"
        game = parse_bddl(apart + REST.format("False", "False").replace("#boardsize\n3 1\n", size))
        found = value(game)
        assert (found.winner is Player.BLACK, found.plies) == plies(frozenset(), cells)


def test_an_error_in_the_domain_names_the_domain() -> None:
    with pytest.raises(FileError, match=r"^domain:3:1: ':params'"):
        parse_bddl(PROBLEM, DOMAIN.replace(":parameters", ":params"))


def test_noise_is_refused_quickly() -> None:
    with pytest.raises(FileError):
        parse_bddl("#init " + "(" * 200_000)
    with pytest.raises(FileError):
        parse_bddl(WHOLE + "\x7f" * 5_000_000)


def test_texts_are_read_by_many_threads_at_once() -> None:
    lines = WHOLE.replace("(?x,?y)", "(\n?x,\n?y\n)").replace(") ", ")\n")
    expected = parse_bddl(WHOLE)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(game == expected for game in pool.map(parse_bddl, [lines] * 200))
    finally:
        sys.setswitchinterval(interval)


# --- files on disk -----------------------------------------------------------------------------


def test_a_model_may_be_called_pg_and_its_domain_ig(tmp_path: Path) -> None:
    """So the published models of Hex are called."""
    problem = tmp_path / "a.pg"
    problem.write_text(PROBLEM)
    (tmp_path / "domain.ig").write_text(DOMAIN)
    assert read_game(str(problem)) == parse_bddl(WHOLE)
    problem.write_text(WHOLE)
    assert read_game(str(problem)) == parse_bddl(WHOLE)


def test_the_domain_is_named_or_lies_beside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem, domain = tmp_path / "a.ig", tmp_path / "rules.ig"
    problem.write_text(PROBLEM)
    domain.write_text(DOMAIN)
    with pytest.raises(UserError, match="--domain FILE"):
        read_game(str(problem))
    assert main(["show", str(problem), "--domain", str(domain), "--moves", "a3-a2"]) == 0
    assert capsys.readouterr().out.startswith("a.ig(moves=step(1,3)): White to move")
    domain.rename(tmp_path / "domain.ig")
    assert main(["oracle", str(problem)]) == 10
    assert "Black wins within 5 plies" in capsys.readouterr().out
    assert main(["oracle", str(tmp_path / "domain.ig")]) == 2
    assert "this is a domain" in capsys.readouterr().err
    assert main(["show", f"{problem}(moves=step(1,3) step(2,1))"]) == 0
    assert main(["show", "tictactoe", "--domain", str(problem)]) == 2
    assert main(["show", "-", "--domain", "-"]) == 2
    assert "cannot both come from" in capsys.readouterr().err
    assert main(["show", f"{problem}(size=3)"]) == 2
    assert "'size' cannot be given with a file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["breakthrough(2,5)", "evader_pursuer(4,1,2,dual=true)", "tictactoe"]
)
def test_games_are_converted(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.bddl"
    assert main(["convert", name, "-o", str(file)]) == 0
    again = read_game(str(file))
    assert again.bddl() == build(name).bddl()
    assert file.read_text() == to_bddl(build(name))
    (tmp_path / "game").write_text(file.read_text())  # no suffix: the content tells
    assert read_game(str(tmp_path / "game")).bddl() == again.bddl()
    if name == "tictactoe":
        assert isinstance(again, PositionalGame)
    else:
        assert main(["convert", name, "-o", str(tmp_path / "game.pg")]) == 2
        assert "no hypergraph view" in capsys.readouterr().err
        assert main(["convert", name, "-o", "-"]) == 0
        assert capsys.readouterr().out == file.read_text()
    assert main(["convert", name, "-o", str(file), "--dialect", "gex"]) == 2
