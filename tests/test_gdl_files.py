"""Descriptions that are wrong: each is refused where it is, and says why."""

from __future__ import annotations

import pytest

from gdl_descriptions import DESCRIPTIONS
from skolemate.errors import FileError
from skolemate.formats import parse_game
from skolemate.games.gdl.game import GdlGame

WHOLE = """(role p) (role q)
(init (at 0)) (succ 0 1)
(<= (legal ?r go) (role ?r))
(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
(<= terminal (true (at 1)))
(<= (goal ?r 100) (role ?r))
"""  # six lines; what is wrong begins on the seventh

BROKEN = {
    "a parenthesis never closed": ("(fact 1", 7, 1, "this parenthesis is never closed"),
    "a parenthesis too many": ("(fact 1))", 7, 9, "this parenthesis closes nothing"),
    "nothing in parentheses": ("(fact ())", 7, 7, "there is nothing between these parentheses"),
    "a word outside parentheses": ("fact", 7, 1, "'fact' stands alone"),
    "parentheses without end": ("(" * 200, 7, 101, "more than 100 parentheses"),
    "a rule without a head": ("(<=)", 7, 1, "this rule has no head"),
    "a variable as a head": ("(<= ?x (succ ?x 1))", 7, 5, "?x is a variable, not a relation"),
    "a variable as a relation": ("(<= (u 1) (?x 1))", 7, 12, "?x is a variable, not a relation"),
    "a list as a relation": ("((f 1) 2)", 7, 2, "a relation's name is a word"),
    "a list as a function": ("(f ((g 1) 2))", 7, 5, "a function's name is a word"),
    "a rule in a rule": ("(<= (u 1) (<= (v 1) (w 1)))", 7, 11, "a rule cannot stand inside a rule"),
    "not as a head": ("(<= (not (u 1)) (succ 0 1))", 7, 6, "not cannot stand here"),
    "or as a fact": ("(or (u 1) (u 2))", 7, 2, "or cannot stand here"),
    "true as a head": ("(<= (true (at 3)) (succ 0 1))", 7, 5, "true is predefined"),
    "does as a head": ("(<= (does p go) (succ 0 1))", 7, 5, "does is predefined"),
    "distinct as a fact": ("(distinct a b)", 7, 1, "distinct is predefined"),
    "next in a body": ("(<= (u ?x) (next ?x))", 7, 12, "next cannot be used"),
    "init in a body": ("(<= (u ?x) (init ?x))", 7, 12, "init cannot be used"),
    "a role too wide": ("(role p q)", 7, 1, "role has 2 arguments here, but 1 elsewhere"),
    "does too narrow": ("(<= (u 1) (does p))", 7, 11, "does has 1 arguments here, but 2"),
    "distinct too wide": ("(<= (u 1) (distinct a b c))", 7, 11, "distinct has 3 arguments"),
    "two numbers of arguments": ("(succ 1)", 7, 1, "succ has 1 arguments here, but 2 elsewhere"),
    "not of two things": (
        "(<= (u 1) (not (succ 0 1) (succ 1 2)))",
        7,
        11,
        "not takes one relation",
    ),
    "not of or": ("(<= (u 1) (not (or (succ 0 1))))", 7, 11, "not takes one relation"),
    "a nameless variable": ("(<= (u ?) (succ ? 1))", 7, 8, "this variable has no name"),
    "a variable in a fact": ("(u ?x)", 7, 1, "nothing in a fact gives ?x a value"),
    "unsafe in the head": ("(<= (u ?x ?y) (succ ?x 1))", 7, 5, "gives ?y a value"),
    "unsafe under not": ("(<= (u 1) (not (succ ?x 1)))", 7, 16, "gives ?x a value"),
    "unsafe in distinct": ("(<= (u 1) (distinct ?x 1))", 7, 11, "gives ?x a value"),
    "unsafe in one of two ways": (
        "(<= (u ?x) (or (succ ?x 1) (succ 0 1)))",
        7,
        5,
        "gives ?x a value",
    ),
    "a relation that nothing defines": (
        "(<= (u 1) (suc 0 1))",
        7,
        11,
        "nothing defines 'suc': did you mean succ?",
    ),
    "a role that is none": ("(<= (next x) (does z go))", 7, 14, "'z' is no role"),
    "a goal of nobody": ("(goal z 100)", 7, 1, "'z' is no role"),
    "its own negation": ("(<= (u 1) (not (u 1)))", 7, 16, "u depends on its own negation"),
    "its own negation, through another": (
        "(<= (u 1) (v 1))\n(<= (v 1) (not (u 1)))",
        8,
        16,
        "v depends on its own negation",
    ),
    "init by the state": ("(<= (init (on 1)) (true (at 0)))", 7, 5, "init depends on true or does"),
    "role by the state": ("(<= (role s) (true (at 0)))", 7, 5, "role depends on true or does"),
    "legal by the moves": ("(<= (legal p on) (does q go))", 7, 5, "legal depends on does"),
    "the end by the moves": ("(<= terminal (does q go))", 7, 5, "terminal depends on does"),
    "a goal by the moves": ("(<= (goal p 1) (u))\n(<= (u) (does q go))", 7, 5, "goal depends on"),
    "a goal above 100": ("(goal p 101)", 7, 1, "a goal is worth 0 to 100, not '101'"),
    "a goal that is no number": ("(goal p lots)", 7, 1, "a goal is worth 0 to 100, not 'lots'"),
    "recursion without end": (
        "(num 0)\n(<= (num (s ?x)) (num ?x))",
        8,
        18,
        "num calls itself with ever larger terms: nothing bounds ?x",
    ),
    "recursion without end, through another": (
        "(<= (u (s ?x)) (v ?x))\n(<= (v ?x) (u ?x))\n(u 0)",
        7,
        16,
        "u calls itself with ever larger terms",
    ),
    "states without end": (
        "(init (num 0))\n(<= (next (num (s ?x))) (true (num ?x)))",
        8,
        5,
        "terms grow without end",
    ),
    "moves without end": (
        "(<= (legal p (say (s ?x))) (true (said ?x)))\n(<= (next (said ?x)) (does p (say ?x)))\n"
        "(init (said 0))",
        7,
        5,
        "terms grow without end",
    ),
    "very many alternatives": (
        "(<= (u 1) " + "(or (succ 0 1) (succ 1 0) (succ 1 1)) " * 9 + ")",
        7,
        1,
        "this stands for 19,683 rules",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_description_is_refused_at_its_place(kind: str) -> None:
    text, line, column, message = BROKEN[kind]
    with pytest.raises(FileError) as caught:
        parse_game("broken.gdl", WHOLE + text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_very_many_atoms_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skolemate.games.gdl.grounding.MOST_ATOMS", 500)
    many = "".join(f"(d {i}) " for i in range(10))
    rules = "(<= (w ?a ?b ?c) (d ?a) (d ?b) (d ?c))\n(<= terminal (w 1 2 3))"
    with pytest.raises(FileError, match="8:5: more than 500 atoms may hold, here of w"):
        parse_game("broken.gdl", f"{WHOLE}{many}\n{rules}")


def test_a_rule_that_is_matched_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skolemate.games.gdl.grounding.MOST_STEPS", 500)
    many = "".join(f"(d {i}) " for i in range(10))
    rules = "(<= terminal (d ?a) (d ?b) (d ?c) (d ?e) (d ?f))"
    with pytest.raises(FileError, match="8:5: this rule has too many instances"):
        parse_game("broken.gdl", f"{WHOLE}{many}\n{rules}")


def test_the_rest_of_the_broken_descriptions_is_whole() -> None:
    assert isinstance(parse_game("whole.gdl", WHOLE), GdlGame)


@pytest.mark.parametrize("missing", ["role", "legal", "terminal", "goal"])
def test_a_game_has_roles_moves_an_end_and_goals(missing: str) -> None:
    lines = [line for line in WHOLE.splitlines() if missing not in line.split("?")[0]]
    if missing == "role":
        lines = [line.replace("(role ?r)", "(succ ?r 1)") for line in lines]
    with pytest.raises(FileError, match=f"no rule or fact says what {missing} is"):
        parse_game("broken.gdl", "\n".join(lines))


def test_a_file_without_anything_is_refused() -> None:
    with pytest.raises(FileError, match="no rule or fact says what role is"):
        parse_game("empty.gdl", "; nothing but a comment\n")


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_no_prefix_of_a_description_hangs_or_crashes(name: str) -> None:
    """Cut anywhere, a description is a game or is refused with a place."""
    text = DESCRIPTIONS[name]
    for end in range(0, len(text), 37):
        try:
            parse_game("cut.gdl", text[:end])
        except FileError:
            continue  # it has a place


def test_the_language_is_read_whatever_the_layout() -> None:
    shouted = WHOLE.replace("(role", "(ROLE").replace("legal", "LEGAL").replace(" (", "\n\t(")
    assert parse_game("a.gdl", shouted) == parse_game("b.gdl", f"; so\r\n{WHOLE}")


def test_the_content_tells_a_description_from_other_formats() -> None:
    assert isinstance(parse_game("-", DESCRIPTIONS["lamps"]), GdlGame)


# --- the infix dialect ----------------------------------------------------------------------------

INFIX = """% the same game
role(p) role(q).
init(at(0))   succ(0,1)
legal(R,go) :- role(R)
next(at(M)) :- true(at(N)) & succ(N,M)
terminal :- true(at(1)) & (role(p) | (role(q) & ~role(r))) & ~role(none)
goal(R,100) :- role(R)
"""


def test_the_infix_dialect_says_the_same() -> None:
    assert parse_game("a.gdl", INFIX) == parse_game("b.gdl", WHOLE)


INFIX_BROKEN = {
    "a parenthesis never closed": ("fact(1", 8, 7, ") is missing before the end"),
    "a parenthesis too many": ("fact(1))", 8, 8, "')' cannot stand here"),
    "nothing in parentheses": ("fact()", 8, 6, "')' cannot stand here"),
    "a rule without a body": ("fact(1) :-", 8, 11, "something is missing"),
    "a comma for and": ("u(1) :- succ(0,1), succ(0,1)", 8, 18, "',' cannot stand here"),
    "an odd sign": ("u(1) : succ(0,1)", 8, 6, "':' cannot stand here"),
    "parentheses without end": ("u(1) :- " + "(" * 200, 8, 110, "more than 100 parentheses"),
    "an unsafe variable": ("u(X) :- succ(0,1)", 8, 1, "gives ?X a value"),
    "its own negation": ("u(1) :- ~u(1)", 8, 10, "u depends on its own negation"),
    "recursion without end": ("u(0) u(s(X)) :- u(X)", 8, 17, "u calls itself"),
}


@pytest.mark.parametrize("kind", INFIX_BROKEN)
def test_a_broken_infix_description_is_refused_at_its_place(kind: str) -> None:
    text, line, column, message = INFIX_BROKEN[kind]
    with pytest.raises(FileError) as caught:
        parse_game("broken.gdl", INFIX + text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)
