"""Certificates: strategies as Skolem and Herbrand functions, checked by a SAT solver."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

import pytest

from bddl_models import random_bddl_game
from differential import ENOUGH, questions_for
from following import extracted
from samples import sample
from skolemate.certificates import Aig, Certificate, certify, verify
from skolemate.certificates.aiger import read_aiger, to_aiger
from skolemate.certificates.certify import encoded_for
from skolemate.encodings import ENCODINGS, Encoded, Meaning
from skolemate.errors import FileError, UserError
from skolemate.formula import Formula
from skolemate.games import Player
from skolemate.games.family import build

EXACT = [e.name for e in ENCODINGS if e.meaning is Meaning.EXACT]
BOTH = [("hex(size=3)", 5), ("hex(size=3, first=white)", 6)]  # a win, and none


def certified(
    name: str, depth: int, encoding: str, player: Player = Player.BLACK
) -> tuple[Encoded, Certificate]:
    strategy = extracted(build(name), player, depth)
    encoded = encoded_for(strategy, encoding)
    return encoded, certify(strategy, encoded)


def values(graph: Aig, inputs: dict[int, bool]) -> list[bool]:
    """Of every node, by walking through the graph."""
    found = [False, *(inputs[variable] for variable in graph.variables)]
    for one, other in graph.gates:
        found.append(all(found[part >> 1] != bool(part & 1) for part in (one, other)))
    return found


def holds_by_trial(formula: Formula, certificate: Certificate) -> bool:
    """Whether the functions of a true formula are right, by trying all inputs."""
    graph = certificate.graph
    clauses = [clause.tolist() for clause in formula.clauses()]
    for choice in product([False, True], repeat=len(graph.variables)):
        assignment = dict(zip(graph.variables, choice, strict=True))
        nodes = values(graph, assignment)
        for variable, literal in certificate.functions.items():
            assignment[variable] = nodes[literal >> 1] ^ bool(literal & 1)
        if not all(any(assignment[abs(x)] == (x > 0) for x in clause) for clause in clauses):
            return False
    return True


# --- they hold -----------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", EXACT)
def test_random_questions_are_certified(encoding: str) -> None:
    counts: Counter[object] = Counter()
    for question in islice(questions_for(encoding, random.Random(7)), ENOUGH):
        if encoding == "lifted" and question.depth > 3:
            continue  # Herbrand functions are found by trying all choices after the moves
        strategy = extracted(question.game, question.player, question.depth)
        encoded = encoded_for(strategy, encoding)
        plies = len(encoded.script.plies) if encoded.script else 0
        if strategy.claim.wins and 0 < plies < question.depth:
            # The formula asks about fewer plies, and so must the strategy.
            strategy = extracted(question.game, question.player, plies)
            encoded = encoded_for(strategy, encoding)
        proper = encoded.formula.constant is None
        if not proper and counts["decided"] >= 5:
            continue
        found = verify(encoded.formula, certify(strategy, encoded))
        assert found.holds, f"{question}: {found.reason}"
        counts[strategy.claim.wins if proper else "decided"] += 1
        if min(counts[True], counts[False]) >= sample(12):
            break
    assert min(counts[True], counts[False]) >= sample(12)


@pytest.mark.parametrize(
    ("game", "depth", "encodings"),
    [
        ("hein(9)", 7, "et en ea cor+ cor"),
        ("hein(9)", 5, "et en ea la ln li sa sn si"),
        ("hex(size=3, first=white)", 6, "et en ea la ln li sa sn si"),
        ("tictactoe(maker_breaker=true)", 7, "ea cor+ la sa"),
        ("mnk(m=4, n=3, k=3)", 7, "cor+ cor"),
        ("tictactoe", 5, "cor+ cor"),
        ("harary(shape=el, width=3, height=3)", 5, "cor+ cor dys"),
        ("gttt(p=2, q=1, shape=el, width=3, height=3)", 5, "cor+ cor dys"),
        ("gttt(p=2, q=2, shape=tic, width=3, height=3)", 7, "cor+ cor dys"),
        ("connect(k=3, width=4, height=3)", 5, "gr"),
        ("connect(k=2, width=3, height=3)", 3, "gr lifted"),
        ("connect(k=3, width=3, height=3)", 3, "gr lifted"),
        ("hex(size=3)", 5, "lifted"),
        ("breakthrough(width=2, height=4)", 3, "lifted"),
        ("domineering(width=3, height=3)", 4, "lifted"),
        ("domineering(width=3, height=3)", 3, "lifted"),
        ("evader_pursuer(size=3, x=1, y=2)", 3, "lifted"),
        ("cross_purpose(width=3, height=3)", 4, "lifted"),
    ],
)
def test_named_questions_are_certified(game: str, depth: int, encodings: str) -> None:
    for encoding in encodings.split():
        encoded, certificate = certified(game, depth, encoding)
        found = verify(encoded.formula, certificate)
        assert found.holds, f"{encoding}: {found.reason}"


def test_random_bddl_games_are_certified() -> None:
    rng, counts = random.Random(4), Counter[bool]()
    for _ in range(ENOUGH):
        game, player = random_bddl_game(rng), rng.choice(list(Player))
        strategy = extracted(game, player, rng.randrange(1, 3))
        encoded = encoded_for(strategy, "lifted")
        if encoded.formula.constant is None:
            found = verify(encoded.formula, certify(strategy, encoded))
            assert found.holds, f"{strategy.claim}: {found.reason}"
            counts[strategy.claim.wins] += 1
        if min(counts[True], counts[False]) >= 2 and counts.total() >= 6:
            break
    assert min(counts[True], counts[False]) >= 2


def test_the_other_player_may_ask() -> None:
    for game, encoding, true in (
        ("hex(size=3)", "et", False),
        ("breakthrough(width=2, height=4)", "lifted", True),
    ):
        depth = 8 if true else 6
        encoded, certificate = certified(game, depth, encoding, Player.WHITE)
        assert certificate.true is true
        assert verify(encoded.formula, certificate).holds


def test_the_check_agrees_with_trying_all_inputs() -> None:
    encoded, certificate = certified("hex(size=2)", 3, "et")
    assert certificate.true
    assert verify(encoded.formula, certificate).holds
    assert holds_by_trial(encoded.formula, certificate)


# --- they are refused ----------------------------------------------------------------------------


def flipped(certificate: Certificate, place: int, side: int) -> Certificate:
    """One input of a gate negated."""
    graph = Aig(certificate.graph.variables)
    graph.gates = list(certificate.graph.gates)
    pair = list(graph.gates[place])
    pair[side] ^= 1
    graph.gates[place] = (pair[0], pair[1])
    return replace(certificate, graph=graph)


def test_a_flipped_gate_is_refused_unless_it_does_not_matter() -> None:
    encoded, certificate = certified("hex(size=2)", 3, "en")
    refused = 0
    for place in range(len(certificate.graph.gates)):
        for side in (0, 1):
            changed = flipped(certificate, place, side)
            right = holds_by_trial(encoded.formula, changed)
            assert verify(encoded.formula, changed).holds is right
            refused += not right
    assert refused > 10


@pytest.mark.parametrize("encoding", ["cor+", "et"])
@pytest.mark.parametrize(("game", "depth"), BOTH)
def test_flipped_gates_are_refused(game: str, depth: int, encoding: str) -> None:
    encoded, certificate = certified(game, depth, encoding)
    assert verify(encoded.formula, certificate).holds
    rng, refused = random.Random(3), 0
    used = certificate.graph.cone(certificate.functions.values())
    gates = [node - certificate.graph.first_gate for node in used]
    for place in rng.sample([gate for gate in gates if gate >= 0], 20):
        refused += not verify(encoded.formula, flipped(certificate, place, rng.randrange(2))).holds
    assert refused > 10


@pytest.mark.parametrize(("game", "depth"), BOTH)
def test_swapped_functions_are_refused(game: str, depth: int) -> None:
    encoded, certificate = certified(game, depth, "et")
    functions = dict(certificate.functions)
    differing = [v for v in functions if functions[v] not in (0, 1)]
    one, other = differing[0], differing[-1]
    functions[one], functions[other] = functions[other], functions[one]
    swapped = replace(certificate, functions=functions)
    assert not verify(encoded.formula, swapped).holds


def test_another_depth_is_refused() -> None:
    encoded, _ = certified("hex(size=3)", 5, "et")
    deeper, _ = certified("hex(size=3)", 7, "et")
    _, certificate = certified("hex(size=3)", 3, "et")
    for other in (encoded, deeper):
        found = verify(other.formula, certificate)
        assert not found.holds
        assert found.reason is not None
        assert "not for this formula" in found.reason


def test_hindsight_is_refused() -> None:
    """∀x ∃y (x = y) is true by y = x; ∃y ∀x is not, though the function would do."""
    clauses = [[1, -2], [-1, 2]]
    graph = Aig([1])
    certificate = Certificate(True, graph, {2: graph.literal(1)})
    assert verify(Formula.of([("a", [1]), ("e", [2])], clauses), certificate).holds
    found = verify(Formula.of([("e", [2]), ("a", [1])], clauses), certificate)
    assert found.reason == "the function of x2 reads what is chosen later"


def test_the_wrong_side_is_refused() -> None:
    formula = Formula.of([("a", [1]), ("e", [2])], [[1, -2], [-1, 2]])
    graph = Aig([2])
    for literal in (0, 1, graph.literal(2)):
        assert not verify(formula, Certificate(False, graph, {1: literal})).holds


def test_a_wrong_strategy_gives_no_certificate() -> None:
    game = build("hex(size=3)")
    strategy = extracted(game, Player.BLACK, 5)
    first = strategy.nodes[-1]
    worse = replace(
        strategy, nodes=[n for n in strategy.nodes if n is not first] + [first._replace(move=0)]
    )
    assert not worse.check().holds
    with pytest.raises(UserError, match="no reply here"):
        certify(worse, encoded_for(worse, "et"))


def test_one_sided_encodings_are_refused() -> None:
    strategy = extracted(build("harary(shape=el, width=3, height=3)"), Player.BLACK, 5)
    with pytest.raises(UserError, match="one-sided"):
        encoded_for(strategy, "cover")


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "depth"), BOTH)
@pytest.mark.parametrize("binary", [False, True])
def test_aiger_comes_back(game: str, depth: int, binary: bool) -> None:
    encoded, certificate = certified(game, depth, "et")
    data = to_aiger(certificate, ["a comment"], binary)
    graph, functions = read_aiger(data, "file")
    again = Certificate(certificate.true, graph, functions)
    assert verify(encoded.formula, again).holds
    assert to_aiger(again, ["a comment"], binary) == data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "first line"),
        (b"aag 1 1 0 1\n", "first line"),
        (b"aag 1 1 1 1 0\n2\n2\n", "first line"),
        (b"aag 3 1 0 1 1\n2\n4\n4 2 2\n", "do not fit"),
        (b"aag 1 1 0 1 0\n4\n2\ni0 1\no0 2\nc\n", "the input 2 was expected"),
        (b"aag 1 1 0 1 0\n2\n9\ni0 1\no0 2\nc\n", "9 is no literal"),
        (b"aag 2 1 0 1 1\n2\n4\n4 5 2\ni0 1\no0 2\nc\n", "not before it"),
        (b"aag 2 1 0 1 1\n2\n4\n6 2 2\ni0 1\no0 2\nc\n", "the gate 4 was expected"),
        (b"aag 1 1 0 1 0\n2\n2\ni0 1\n", "output 0 has no name"),
        (b"aag 1 1 0 1 0\n2\n2\ni0 1\no0 1\n", "same variable"),
        (b"aag 1 1 0 1 0\n2\n2\ni0 x\n", "a symbol names"),
        (b"aig 2 1 0 1 1\n4\n\x80", "end too early"),
        (b"aag 1 1 0 1 0\n2\ntwo\n", "a line of 1 numbers"),
    ],
)
def test_defects_of_files_are_told(data: bytes, reason: str) -> None:
    with pytest.raises(FileError, match=reason):
        read_aiger(data, "file.aag")


def test_abc_reads_the_files(tmp_path: Path) -> None:
    """ABC reads the binary format; it counts what we count."""
    abc = shutil.which("berkeley-abc")
    if abc is None:
        pytest.skip("berkeley-abc is not installed: make test installs it")
    for game, depth in BOTH:
        _, certificate = certified(game, depth, "et")
        file = tmp_path / f"depth{depth}.aig"
        file.write_bytes(to_aiger(certificate, ["a comment"], binary=True))
        told = subprocess.run(
            [abc, "-c", f"read_aiger {file}; print_stats"],
            capture_output=True,
            text=True,
            check=True,
        )
        counts = re.search(r"i/o =\s*(\d+)/\s*(\d+).*and =\s*(\d+)", told.stdout)
        assert counts is not None, told.stdout
        wanted = len(certificate.graph.variables), len(certificate.functions), certificate.size
        assert tuple(map(int, counts.groups())) == wanted
