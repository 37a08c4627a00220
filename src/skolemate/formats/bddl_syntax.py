"""The form of BDDL texts: the grammar of `bddl.lark`, and what is wrong where it does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from lark import Lark, Token, Tree, UnexpectedInput
from lark.lark import PostLex

from skolemate.errors import UserError, brief, suggestion
from skolemate.formats.bddl_sections import SECTIONS, section_name
from skolemate.formats.source import Source

__all__ = ["syntax_tree"]

_WORD = re.compile(r"[#:?]?[\w-]+|[^\n]")


class _Parentheses(PostLex):
    """Drops newlines inside parentheses, and remembers which are open."""

    always_accept = ("_NL",)

    def __init__(self) -> None:
        self.open: list[Token] = []

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        self.open = []
        for token in stream:
            if token.type == "LPAR":
                self.open.append(token)
            elif token.type == "RPAR" and self.open:
                self.open.pop()
            if token.type != "_NL" or not self.open:
                yield token


@cache
def _parser() -> tuple[Lark, _Parentheses]:
    grammar = files(__package__).joinpath("bddl.lark").read_text()
    parentheses = _Parentheses()
    return Lark(
        grammar,
        parser="lalr",
        postlex=parentheses,
        maybe_placeholders=False,
        propagate_positions=True,
    ), parentheses


# What the grammar's terminals look like, for messages.
_LOOKS = {
    "LPAR": "(",
    "RPAR": ")",
    "COMMA": ",",
    "NOT": "NOT(…)",
    "FALSE": "False",
    "NAME": "a name",
    "PREDICATE": "black(…), white(…) or open(…)",
    "INT": "a number",
    "PARAMETER": "?x or ?y",
    "SIGN": "+ or -",
    "EXTREME": "xmin, xmax, ymin or ymax",
    **dict.fromkeys(["BOARDSIZE", "INIT", "DEPTH", "BLACKTURN", "GOALS", "ACTIONS"], "a section"),
    "$END": "the end of the file",
}


def syntax_tree(source: Source) -> Tree[Token]:
    """The text as a tree of sections; raises an error with the place if it is none."""
    parser, parentheses = _parser()
    try:
        return parser.parse(source.text + "\n")
    except UnexpectedInput as error:
        raise _explained(source, error, parentheses) from None


def _explained(source: Source, error: UnexpectedInput, parentheses: _Parentheses) -> UserError:
    """What stands there, and what could."""
    at = min(
        len(source.text) if error.pos_in_stream is None else error.pos_in_stream, len(source.text)
    )
    word = _WORD.match(source.text, at)
    found = word[0] if word else ""
    place = source.place(at)
    if found.startswith("#") and section_name(found) is None:
        message = f"unknown section {brief(found)}: {suggestion(found, SECTIONS)}"
        return source.error(message, place)
    expected = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
    expected |= getattr(error, "allowed", None) or set()
    looks = sorted(
        {_LOOKS.get(name, name.lower().replace("_", ":")) for name in expected - {"_NL"}}
    )
    if "_NL" in expected:
        looks.append("the end of the line")
    message = f"{brief(found)} cannot stand here"
    if not found:
        message = f"the {'line' if source.text[at:].strip() else 'file'} ends too early"
    message += f"; expected {' or '.join(looks)}" if looks else ""
    if parentheses.open and "RPAR" in expected:
        line, column = parentheses.open[-1].line, parentheses.open[-1].column
        message += f" (the parenthesis at {line}:{column} is still open)"
    return source.error(message, place)
