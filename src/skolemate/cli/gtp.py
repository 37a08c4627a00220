"""`skolemate gtp`: Hex for HexGui and other programs that speak GTP."""

from __future__ import annotations

import argparse
import sys

from skolemate.cli.answers import interrupting
from skolemate.cli.methods import use_programs
from skolemate.cli.opponents import add_thinking, method_of, thinker_of

LONGEST_LINE = 10_000  # characters; no command is longer

EXAMPLES = (
    "skolemate gtp",
    "skolemate gtp --timeout 5",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_thinking(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.play.gtp import Engine, serve

    use_programs(arguments)
    engine = Engine(thinker_of(arguments), method_of(arguments, all_moves=True), interrupting)
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # typed bytes may be anything
    lines = iter(lambda: sys.stdin.readline(LONGEST_LINE), "")
    serve(engine, lines, lambda answer: print(answer, end="", flush=True))
    return 0
