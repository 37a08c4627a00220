"""How fast questions become files: clauses per second and peak memory, over a ladder of sizes.

Each case runs in a process of its own, on one core, and writes its QDIMACS file to the null
device; the time is that of encoding and writing, without start-up. Run by `make bench-encode`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time

LADDER = [
    ("hex(size=11)", 121, "et"),
    ("hex(size=19)", 45, "et"),
    ("hex(size=19)", 91, "et"),
    ("hex(size=19)", 181, "et"),
    ("hex(size=19)", 361, "et"),
    ("hex(size=19)", 45, "en"),
    ("hex(size=19)", 361, "en"),
    ("hein(18)", 15, "ea"),
    ("hein(18)", 15, "la"),
    ("hein(18)", 15, "sa"),
    ("hex(size=19)", 361, "ln"),
    ("hex(size=19)", 361, "li"),
    ("hex(size=19)", 181, "si"),
    ("hex(size=19)", 181, "sn"),
    ("hex(size=19)", 361, "sn"),
    ("harary(shape=snaky, width=9, height=9, maker_breaker=true)", 41, "sn"),
    ("harary(shape=tippy, width=5, height=5)", 25, "cor+"),
    ("harary(shape=tippy, width=5, height=5)", 25, "cor"),
    ("qubic", 63, "cor+"),
    ("harary(shape=snaky, width=9, height=9)", 81, "cor+"),
    ("gomoku", 225, "cor+"),
    ("connect6(opening=mickey_mouse)", 356, "cor+"),
    ("gomoku", 225, "cor"),
]


def measure(game: str, depth: int, encoding: str) -> dict[str, float]:
    """Encode and write one question, in this process."""
    from skolemate.encodings import ENCODINGS, encode
    from skolemate.formula.qdimacs import write_qdimacs
    from skolemate.games import Player
    from skolemate.games.game import Question
    from skolemate.loading import load

    list(ENCODINGS)  # imports are not measured
    start = time.perf_counter()
    encoded = encode(Question(load(game), Player.BLACK, depth), encoding)
    stated = time.perf_counter()
    with open(os.devnull, "w", encoding="ascii") as stream:
        write_qdimacs(encoded.formula, stream)  # of a circuit: by way of Tseitin
    written = time.perf_counter()
    return {
        "clauses": encoded.formula.clause_count,
        "literals": len(encoded.formula.literals),
        "encode": stated - start,
        "write": written - stated,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    if len(sys.argv) == 4:
        print(json.dumps(measure(sys.argv[1], int(sys.argv[2]), sys.argv[3])))
        return
    heading = ("question", "encoding", "clauses", "literals", "s", "kcl/s", "MB")
    print("{:44} {:8} {:>9} {:>9} {:>7} {:>7} {:>6}".format(*heading))
    for game, depth, encoding in LADDER:
        command = [sys.executable, __file__, game, str(depth), encoding]
        found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        seconds = found["encode"] + found["write"]
        print(
            f"{game + f' d={depth}':44} {encoding:8} {found['clauses']:9} {found['literals']:9} "
            f"{seconds:7.2f} {found['clauses'] / seconds / 1000:7.0f} {found['peak']:6.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
