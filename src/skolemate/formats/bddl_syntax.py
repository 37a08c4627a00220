"""The form of BDDL texts: the grammar of `bddl.lark`, and what is wrong where it does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from lark import Lark, Token, Tree, UnexpectedInput, UnexpectedToken
from lark.lark import PostLex

from skolemate.errors import UserError, brief, suggestion
from skolemate.formats.bddl_sections import SECTIONS, section_name
from skolemate.formats.source import Source

__all__ = ["syntax_tree"]

_WORD = re.compile(r"[#:?]?[\w-]+|[^\n]")
_PARENTHESIS_OR_COMMENT = re.compile(r"[()]|%[^\n]*")


class _Parentheses(PostLex):
    """Drops newlines inside parentheses. It has no state: threads share the parser."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depth = 0
        for token in stream:
            if token.type == "LPAR":
                depth += 1
            elif token.type == "RPAR" and depth:
                depth -= 1
            if token.type != "_NL" or not depth:
                yield token


@cache
def _parser() -> Lark:
    grammar = files(__package__).joinpath("bddl.lark").read_text()
    return Lark(
        grammar,
        parser="lalr",
        postlex=_Parentheses(),
        maybe_placeholders=False,
        propagate_positions=True,
    )


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
    try:
        return _parser().parse(source.text + "\n")
    except UnexpectedInput as error:
        raise _explained(source, error) from None


def _explained(source: Source, error: UnexpectedInput) -> UserError:
    """What stands there, and what could."""
    at = len(source.text)
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    if not at_end and error.pos_in_stream is not None:  # lark puts the end at the last token
        at = min(at, error.pos_in_stream)
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
    still_open = _open_parentheses(source.text[:at])
    if still_open and "RPAR" in expected:
        line, column = source.place(still_open[-1])
        message += f" (the parenthesis at {line}:{column} is still open)"
    return source.error(message, place)


def _open_parentheses(text: str) -> list[int]:
    """Where the parentheses stand that a text opens and does not close.

    >>> _open_parentheses("(a (b) (c % )")
    [0, 7]
    """
    found: list[int] = []
    for sign in _PARENTHESIS_OR_COMMENT.finditer(text):
        if sign[0] == "(":
            found.append(sign.start())
        elif sign[0] == ")" and found:
            found.pop()
    return found
