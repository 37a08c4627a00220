"""Every reader of files as a function of bytes, with seeds: what fuzzing begins with.

A reader returns, or raises an error with its place in the file; nothing else may ever happen.
"""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files

from following import by_oracle
from qrp import WrongProof, check_proof, read_qrp
from sample_files import EDGES, GRAPH, HEIN_BOARD, HEIN_EGF, HEIN_GEX, HEIN_SETS, RECORD, SETS
from skolemate.api import encode
from skolemate.errors import FileError
from skolemate.formats import to_bddl, to_sgf
from skolemate.formats.bddl import read_bddl
from skolemate.formats.pg import read_pg
from skolemate.formats.sgf import read_sgf
from skolemate.formats.source import Source
from skolemate.formula import Circuit, Formula
from skolemate.formula.qcir import read_qcir, write_qcir
from skolemate.formula.qdimacs import read_qdimacs, write_qdimacs
from skolemate.games import Game, Player
from skolemate.games.family import build
from skolemate.strategies import Claim, check, extract
from skolemate.strategies.lines import Reader, header_line, map_line, node_line

__all__ = ["READERS", "mutated", "read", "seeds", "tokens"]

NASTY = ["", "0", "-1", "2147483648", "9" * 30, "1e9", "\0", "é", "𝟙", "\ufeff", "\r\n", " " * 99]
STRATEGYS_GAME = "hex(size=2)"

# ∀2 ∃3 with 3 = 2: true, and proved so.
EQUAL = Formula.of([("a", [2]), ("e", [3])], [[2, -3], [-2, 3]])
PROOF = """p qrp 3 2
a 2 0
e 3 0
1 2 -3 0 0
2 -2 3 0 0
3 2 3 0 0
4 2 0 3 0
5 -2 -3 0 0
6 -2 0 5 0
7 0 4 6 0
r SAT
"""


def _pg(data: bytes) -> None:
    _touch(read_pg(Source.decode("fuzz.pg", data)))


def _bddl(data: bytes) -> None:
    _touch(read_bddl(Source.decode("fuzz.bddl", data)))


def _sgf(data: bytes) -> None:
    _touch(read_sgf(Source.decode("fuzz.sgf", data)).game())


def _touch(game: Game) -> None:
    """What was read must be a game that can be begun."""
    assert len(game.start.moves()) <= 10_000
    assert game.start.winner in (None, *Player)


def _qdimacs(data: bytes) -> None:
    # What is written may be simpler than what was read, but only the first time.
    written = _written(read_qdimacs(_written(read_qdimacs(data, tolerant=True))))
    assert _written(read_qdimacs(written)) == written
    read_qdimacs(data)


def _qcir(data: bytes) -> None:
    # Numbers may change when it is read for the first time, then never again.
    written = _written(read_qcir(_written(read_qcir(data))))
    assert _written(read_qcir(written)) == written


def _written(stated: Formula | Circuit) -> str:
    stream = io.StringIO()
    if isinstance(stated, Formula):
        write_qdimacs(stated, stream)
    else:
        write_qcir(stated, stream)
    return stream.getvalue()


def _strategy(data: bytes) -> None:
    header = (reader := Reader(io.BytesIO(data), "fuzz.jsonl")).header
    claim = Claim(build(STRATEGYS_GAME), header.player, header.depth, header.wins)
    if check(claim, reader.nodes(claim.game)).holds:
        assert _judge(header.player)(claim) is header.wins, "a false claim was accepted"


@cache
def _judge(player: Player) -> Callable[[Claim], bool]:
    from skolemate.search.reference import Reference

    oracle = Reference(player)
    return lambda claim: oracle.wins(claim.game.start, min(claim.depth, 9))


def _qrp(data: bytes) -> None:
    proof = read_qrp(data.decode(errors="replace"))
    try:
        check_proof(EQUAL, proof)
    except WrongProof:
        return
    assert proof.true, "a false formula was proved"


READERS: dict[str, Callable[[bytes], None]] = {
    "pg": _pg,
    "bddl": _bddl,
    "qdimacs": _qdimacs,
    "qcir": _qcir,
    "strategy": _strategy,
    "sgf": _sgf,
    "qrp": _qrp,
}


def read(reader: str, data: bytes) -> bool:
    """Whether the reader takes it; anything but a refusal with its place goes on to the caller."""
    try:
        READERS[reader](data)
    except FileError as error:
        refused = error
    else:
        return True
    assert refused.line >= 1
    assert refused.column >= 1
    assert len(str(refused)) < 1000
    return False


def seeds(reader: str) -> list[bytes]:
    """Files that the reader takes."""
    return [text.encode() for text in _SEEDS[reader]()]


def _models() -> list[str]:
    games = ("breakthrough(width=2, height=4)", "konane(width=3, height=3)", "connect(k=2)")
    more = ("domineering(width=2, height=2)", "evader_pursuer(size=3)", "hein(4)")
    domain = files("skolemate.games").joinpath("models", "knightthrough.bddl").read_text()
    return [*(to_bddl(build(name)) for name in (*games, *more)), domain]


def _strategies() -> list[str]:
    game, texts = build(STRATEGYS_GAME), []
    for player, depth, wins in ((Player.BLACK, 3, True), (Player.BLACK, 2, False)):
        for fold in (False, True):
            claim = Claim(game, player, depth, wins)
            found = extract(claim, by_oracle(player), fold=fold)
            lines = [header_line(claim), *(map_line(game, s) for s in found.symmetries)]
            texts.append("".join([*lines, *map(node_line, found.nodes)]))
    links = '"links":[[null,"a2",["a1"],["b1"]],[null,null,[0,"a2"]]]'
    return [*texts, texts[0].replace('"pairs":[["a1","b1"]]', links)]


def _stated(*encodings: str) -> list[str]:
    encoded = [encode("hein(4)", 3, encoding=encoding) for encoding in encodings]
    return [_written(entry.circuit or entry.formula) for entry in encoded]


_SEEDS: dict[str, Callable[[], Sequence[str]]] = {
    "pg": lambda: [SETS, GRAPH, EDGES, HEIN_BOARD, HEIN_SETS, HEIN_GEX, HEIN_EGF],
    "bddl": _models,
    "qdimacs": lambda: [*_stated("et", "cor+"), "p cnf 3 2\na 1 0\ne 2 3 0\n1 -2 0\n3 0\n"],
    "qcir": lambda: [
        *_stated("lifted", "sa"),
        "#QCIR-G14\nforall(x)\nexists(y)\noutput(-g)\ng = and(x, -y)\n",
        "#QCIR-G14 3\nexists(1)\nforall(2)\noutput(3)\n3 = xor(1, 2)\n",
    ],
    "strategy": _strategies,
    "sgf": lambda: [RECORD, to_sgf(build("hein(4, moves=b2)"))],
    "qrp": lambda: [PROOF],
}


def tokens(reader: str) -> list[str]:
    """Words of the format, and some that nobody expects."""
    words = {w for seed in seeds(reader) for w in re.findall(r"[#:\w]+|[^\s\w]", seed.decode())}
    return sorted(words)[:400] + NASTY


def mutated(rng: random.Random, originals: Sequence[bytes], words: Sequence[str]) -> bytes:
    """One of the files with a few things wrong."""
    data = rng.choice(originals)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        i, j = sorted(rng.choices(range(len(data) + 1), k=2))
        j = min(j, i + rng.choice((0, 1, 4, 40)))
        other = rng.choice(originals)
        k = rng.randrange(len(other) + 1)
        inserted = (
            b"",
            rng.choice(words).encode(),
            b" " + rng.choice(words).encode() + b" ",
            data[i:j] * 2,
            other[k : k + 40],
            bytes([rng.randrange(256)]),
        )
        data = data[:i] + rng.choice(inserted) + data[j:]
    return data
