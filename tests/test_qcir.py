"""QCIR: what is written is canonical, what is read is right or reported with its place."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from circuits import inputs, output_table, quantified, random_circuit
from skolemate.errors import FileError
from skolemate.formula import Circuit, CircuitBuilder, qcir
from skolemate.formula.qcir import read_qcir, to_qcir

GOOD = """\
#QCIR-14
# a small one
exists(x, y)
forall(u)
exists(z)

output(all)
some = or(x, -u)
all = and(some, one, -z)
one = ite(u, y, -x)
"""


def same(one: Circuit, other: Circuit) -> bool:
    return (
        [(b.quantifier, b.variables.tolist()) for b in one.prefix]
        == [(b.quantifier, b.variables.tolist()) for b in other.prefix]
        and inputs(one) == inputs(other)
        and one.conjunctive.tolist() == other.conjunctive.tolist()
        and one.output == other.output
    )


# Writing


def test_the_written_form_is_canonical() -> None:
    builder = CircuitBuilder()
    (u,) = builder.forall("u", ["a"])
    x, y = builder.exists("x", ["a", "b"])
    builder.add(u, x)
    builder.add(builder.all_of(-x, y), -u)
    text = to_qcir(builder.circuit(), ["hex(size=3)", "", "ä"])
    assert text == (
        "#QCIR-14 8\n# hex(size=3)\n#\n# \\xe4\nexists(8)\nforall(1)\nexists(2, 3)\noutput(7)\n"
        "4 = or(1, 2)\n5 = and(-2, 3)\n6 = or(-1, 5)\n7 = and(4, 6)\n"
    )
    assert to_qcir(builder.circuit(), ["hex(size=3)", "", "ä"]) == text


def test_the_size_of_the_chunks_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    circuit = read_qcir(GOOD)
    text = to_qcir(circuit)
    monkeypatch.setattr(qcir, "CHUNK", 2)
    assert to_qcir(circuit) == text


def test_outputs_that_are_no_gates() -> None:
    builder = CircuitBuilder()
    x = builder.exists("x", ["a"])
    assert to_qcir(builder.circuit()) == "#QCIR-14 2\nexists(1)\noutput(2)\n2 = and()\n"
    single = "#QCIR-14 2\nexists(1)\noutput(2)\n2 = and(1)\n"
    assert to_qcir(builder.circuit(x[0])) == single
    builder.add(-x)
    assert to_qcir(builder.circuit()) == "#QCIR-14 2\nexists(1)\noutput(2)\n2 = and(-1)\n"
    builder.add(x)
    assert to_qcir(builder.circuit()) == "#QCIR-14 2\nexists(1)\noutput(2)\n2 = or()\n"


def test_what_is_written_is_read() -> None:
    rng = random.Random(3)
    for _ in range(500):
        circuit, meant = random_circuit(rng)
        text = to_qcir(circuit, ["a comment"])
        again = read_qcir(text)
        assert quantified(again, output_table(again)) == quantified(circuit, meant)
        if "forall(1" not in text:  # nothing had to be quantified in front
            assert same(again, circuit)
            assert np.array_equal(output_table(again), meant)
        gates = re.findall(r"^\d+ = (\w+)\((.*)\)$", text, re.M)
        assert {kind for kind, _ in gates} <= {"and", "or"}
        assert re.search(r"^output\(\d+\)$", text, re.M)


# Reading


def test_names_kinds_and_any_order_are_read() -> None:
    circuit = read_qcir(GOOD)
    assert [circuit.legend.name(v) for v in (1, 2, 3, 4)] == ["x(x)", "x(y)", "x(u)", "x(z)"]
    table = output_table(circuit)
    for x, y, u, z in np.ndindex(table.shape):
        assert table[x, y, u, z] == ((x or not u) and (y if u else not x) and not z)


@pytest.mark.parametrize(
    ("piece", "replacement"),
    [
        ("#QCIR-14", "#QCIR-G14 "),
        ("exists(x, y)", "  EXISTS ( x,y )  "),
        ("exists(x, y)", "exists(x)\nexists(y)"),
        ("forall(u)", "forall()\nforall(u)"),
        ("some = or(x, -u)", "\tsome=OR(x,-u,x)"),
        ("\n", "\r\n"),
        ("one = ite(u, y, -x)", "one = or(a, b)\nb = and(-x, -u)\na = and(y, u)"),
        ("output(all)", "output(-none)\nnone = or(-all)"),
    ],
)
def test_the_reader_takes(piece: str, replacement: str) -> None:
    assert piece in GOOD
    expected = output_table(read_qcir(GOOD))
    assert np.array_equal(output_table(read_qcir(GOOD.replace(piece, replacement))), expected)
    assert np.array_equal(
        output_table(read_qcir(GOOD.replace(piece, replacement).encode())), expected
    )


def test_xor_and_empty_gates_are_read() -> None:
    head = "#QCIR-14 5\nexists(1, 2)\noutput(3)\n"
    table = output_table(read_qcir(head + "3 = xor(1, -2)\n"))
    assert table.tolist() == [[True, False], [False, True]]
    assert read_qcir(head + "3 = and()\n").constant is True
    assert read_qcir(head + "3 = or(4, 5)\n4 = or()\n5 = or()\n").constant is False


@pytest.mark.parametrize("beginning", ["", "\n", "# Move variables:\n"])
def test_a_file_may_lack_its_header(beginning: str) -> None:
    bare = GOOD[GOOD.index("exists") :]
    assert same(read_qcir(beginning + bare), read_qcir(GOOD))


def test_deep_circuits_are_read() -> None:
    """Each gate reads the one defined below it, and a variable of its own."""
    count = 3000
    lines = ["#QCIR-14", f"exists({', '.join(f'x{i}' for i in range(count))})", "output(g0)"]
    lines += [f"g{i} = and(x{i}, g{i + 1})" for i in range(count - 1)]
    lines += [f"g{count - 1} = or(x{count - 1}, x0)"]
    assert read_qcir("\n".join(lines)).gate_count == count


# Each defect is made by replacing a piece of GOOD

BAD = {
    "empty file": (GOOD, "", 1, 1, "the file is empty; begin with `#QCIR-14`"),
    "other format": ("#QCIR-14", "p cnf 4 3", 1, 1, "expected the header"),
    "other version": ("#QCIR-14", "#QCIR-13", 1, 1, "expected the header"),
    "count that is none": ("#QCIR-14", "#QCIR-14 many", 1, 1, "expected the header"),
    "count too small": ("#QCIR-14", "#QCIR-14 3", 3, 8, "'x' is not among the numbers up to 3"),
    "quantified twice": ("forall(u)", "forall(u, x)", 4, 11, "but was quantified in line 3; keep"),
    "twice in a block": ("exists(z)", "exists(z, z)", 5, 11, "was quantified in line 5"),
    "sign in a block": ("forall(u)", "forall(-u)", 4, 8, "'-u' in a block; write it without"),
    "free variables": ("exists(x, y)", "free(x, y)", 3, 1, "quantify them by exists"),
    "late block": ("some =", "exists(w)\nsome =", 8, 1, "a block behind the output"),
    "unknown block": ("forall(u)", "forsome(u)", 4, 1, "unknown word 'forsome': choose one of"),
    "no output": ("output(all)\n", "", 7, 1, "a gate in front of the output; put output(…)"),
    "no output at all": (GOOD[GOOD.index("output") :], "", 7, 1, "no output; add a line such as"),
    "two outputs": ("some =", "output(x)\nsome =", 8, 1, "a second output, after line 7; keep one"),
    "output of two": ("output(all)", "output(all, x)", 7, 1, "the output is one literal"),
    "undefined output": ("output(all)", "output(any)", 7, 8, "'any' is neither quantified nor"),
    "undefined gate": ("-z)", "-w)", 9, 22, "'w' is neither quantified nor a gate; define it"),
    "defined twice": ("one =", "some =", 10, 1, "'some' is defined, but was defined in line 8"),
    "variable as a gate": ("some =", "x =", 8, 1, "'x' is defined, but was quantified in line 3"),
    "cycle": ("or(x, -u)", "or(x, -all)", 9, 11, "gate 'all' depends on itself through 'some'"),
    "own input": ("or(x, -u)", "or(x, -some)", 8, 14, "gate 'some' depends on itself through"),
    "unknown kind": ("or(x", "nor(x", 8, 8, "unknown kind of gate 'nor': did you mean or?"),
    "quantified gate": ("or(x, -u)", "exists(x; y)", 8, 8, "pull all of them in front (prenex)"),
    "operands of ite": ("ite(u, y, -x)", "ite(u, y)", 10, 7, "ite has 3 inputs, not 2"),
    "operands of xor": ("or(x, -u)", "xor(x)", 8, 8, "xor has 2 inputs, not 1"),
    "sign of a gate": ("some =", "-some =", 8, 1, "a gate's name has no sign: write some"),
    "no kind": ("some = or(x, -u)", "some =", 8, 1, "a gate without a kind; write 7 = and(1, 2)"),
    "no parenthesis": ("or(x, -u)", "or x, -u", 8, 11, "expected ("),
    "nothing behind": ("or(x, -u)", "or", 8, 10, "expected ("),
    "not closed": ("or(x, -u)", "or(x, -u", 8, 16, "expected ) at the end of the line"),
    "text behind": ("or(x, -u)", "or(x, -u) x", 8, 19, "expected ) at the end of the line"),
    "no comma": ("or(x, -u)", "or(x -u)", 8, 13, "expected a comma, not '-u'"),
    "comma too many": ("or(x, -u)", "or(x, -u,)", 8, 16, "a comma too many; remove it"),
    "two commas": ("or(x, -u)", "or(x,, -u)", 8, 13, "',' is no name; write letters, digits"),
    "two signs": ("or(x, -u)", "or(x, --u)", 8, 14, "'--u' is no name"),
    "strange name": ("some =", "so.me =", 8, 1, "'so.me' is no name"),
    "not ASCII": ("or(x, -u)", "or(x, ü)", 8, 14, "'ü' is no name"),
    "garbage": ("some =", "hello\nsome =", 8, 1, "'hello' begins no block, output or gate"),
}  # fmt: skip


@pytest.mark.parametrize("defect", BAD)
def test_the_reader_reports_the_place_of(defect: str) -> None:
    piece, replacement, line, column, message = BAD[defect]
    assert piece in GOOD
    with pytest.raises(FileError) as caught:
        read_qcir(GOOD.replace(piece, replacement, 1), "f.qcir")
    error = caught.value
    assert (error.file, error.line, error.column) == ("f.qcir", line, column), error.message
    assert message in error.message


def test_random_damage_is_reported_or_harmless() -> None:
    rng = random.Random(4)
    read = 0
    for _ in range(2000):
        damaged = list(GOOD)
        for _ in range(rng.choice([1, 1, 2, 3])):
            place = rng.randrange(len(damaged))
            damaged[place : place + rng.randrange(2)] = rng.choice("(),-= \nxyzu17#;ü")
        try:
            circuit = read_qcir("".join(damaged))
        except FileError:
            continue
        output_table(circuit)
        read += 1
    assert 100 < read < 1900
