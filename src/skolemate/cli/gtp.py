"""`skolemate gtp`: Hex for HexGui and other programs that speak GTP."""

from __future__ import annotations

import argparse

from skolemate.cli.interrupts import interrupting
from skolemate.cli.methods import use_programs
from skolemate.cli.opponents import add_thinking, method_of, thinker_of

EXAMPLES = (
    "skolemate gtp",
    "skolemate gtp --timeout 5",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_thinking(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.play.gtp import Engine, serve
    from skolemate.play.terminal import accept_anything, typed_line

    use_programs(arguments)
    engine = Engine(thinker_of(arguments), method_of(arguments, all_moves=True), interrupting)
    accept_anything()
    serve(engine, iter(typed_line, ""), lambda answer: print(answer, end="", flush=True))
    return 0
