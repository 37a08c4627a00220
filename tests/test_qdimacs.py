"""QDIMACS: what is written is canonical, what is read is right or reported with its place."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formulas import clauses, prefix
from samples import sample
from skolemate.errors import FileError
from skolemate.formula import Builder, Formula, qdimacs
from skolemate.formula.passes import reduced_universally
from skolemate.formula.qdimacs import has_one_clause_a_line, numbers, read_qdimacs, to_qdimacs

GOOD = """\
c a small one
p cnf 4 3
e 1 0
a 2 0
e 3 4 0
1 2 3 0
-1 -3 0
-2 4 0
"""


def same(one: Formula, other: Formula) -> bool:
    return (
        prefix(one) == prefix(other)
        and np.array_equal(one.literals, other.literals)
        and np.array_equal(one.offsets, other.offsets)
    )


@st.composite
def formulas(draw: st.DrawFn) -> Formula:
    """Formulas as they may be written: gaps in the numbering, but every clause is a proper one."""
    variables = draw(st.lists(st.integers(1, 2000), min_size=1, max_size=9, unique=True))
    blocks = [(draw(st.sampled_from("ea")), [variable]) for variable in variables]
    if all(quantifier == "a" for quantifier, _ in blocks):
        blocks.append(("e", [2001]))
    rows = st.lists(st.sampled_from([v for _, [v] in blocks]), min_size=1, max_size=5, unique=True)
    signed = rows.flatmap(lambda row: st.tuples(*(st.sampled_from([v, -v]) for v in row)))
    return Formula.of(blocks, draw(st.lists(signed, max_size=8)))


# Writing


def test_the_largest_variable_is_read() -> None:
    largest = 2**30 - 1
    for gap in (" ", "\n"):  # on two lines the clause is read with care
        text = f"p cnf {largest} 1\ne {largest} 0\n{largest}{gap}0\n"
        assert read_qdimacs(text).literals == [largest]
    with pytest.raises(FileError, match=f"is no number up to {largest}"):
        read_qdimacs(f"p cnf {largest + 1} 1\ne 1 0\n1 0\n")


def test_a_large_number_needs_no_large_table() -> None:
    """A table of all numbers up to it took gigabytes."""
    text = f"p cnf {10**9} 1\ne {10**9} 0\n{10**9} 0\n"
    assert to_qdimacs(read_qdimacs(text)) == text


def test_the_written_form_is_canonical() -> None:
    builder = Builder()
    x = builder.exists("x", ["a"])
    y = builder.exists("y", ["a"])
    u = builder.forall("u", ["a"])
    z = builder.exists("z", ["a"])
    w = builder.forall("w", ["a", "b"])
    builder.add(-x, u, z, w[:1])
    builder.add(y, -w[1:])
    text = to_qdimacs(builder.formula(), ["hex(size=3)", ""])
    assert text == "c hex(size=3)\nc\np cnf 4 2\ne 1 2 0\na 3 0\ne 4 0\n-1 3 4 0\n2 0\n"
    assert to_qdimacs(builder.formula(), ["hex(size=3)", ""]) == text


def test_the_size_of_the_chunks_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = Formula.of([("e", range(1, 40))], [[-v, v + 1] for v in range(1, 39)])
    text = to_qdimacs(formula)
    monkeypatch.setattr(qdimacs, "CHUNK", 7)
    assert to_qdimacs(formula) == text


def test_a_formula_without_variables_is_written() -> None:
    assert to_qdimacs(Formula.of([], [])) == "p cnf 0 0\n"


# What is read in bulk.
TEXTS: dict[bytes, list[int] | None] = {
    b"1 -20 0\n-300 0": [1, -20, 0, -300, 0],
    b"9 10 99 100 1000 -10 -100": [9, 10, 99, 100, 1000, -10, -100],
    b"1 0\nc three\n3 0": [1, 0, 3, 0],
    b"999999999999999999": [10**18 - 1],
    b"1000000000000000000": None,  # from here on numpy may cut something off
    b"1-2": None,
    b"- 2": None,
    b"-0": None,
    b"007": None,
    b"two": None,
}


@pytest.mark.parametrize("text", TEXTS)
def test_numbers_in_bulk_are_in_their_shortest_form(text: bytes) -> None:
    found = numbers(text)
    assert (None if found is None else found.tolist()) == TEXTS[text]


@pytest.mark.parametrize("piece", [b"", b"1 0\n", b"1 -2 0\n30 0\n"])
def test_one_clause_a_line(piece: bytes) -> None:
    assert has_one_clause_a_line(piece)


@pytest.mark.parametrize(
    "piece",
    [
        *(b"1 0", b"1 0\n2 0", b"1\n0\n", b"0\n", b" 1 0\n", b"1 0\n0\n", b"1 0\n 2 0\n"),
        *(b"1  2 0\n", b"1 0 2 0\n", b"1\t2 0\n", b"1 0\r\n", b"c 0\n", b"1 2\n", b"0 1 0\n"),
    ],
)
def test_not_one_clause_a_line(piece: bytes) -> None:
    assert not has_one_clause_a_line(piece)


@given(formulas())
def test_what_is_written_is_read(formula: Formula) -> None:
    expected = reduced_universally(formula)
    if expected.constant is not False:
        text = to_qdimacs(formula, ["a comment"])
        for tolerant in (False, True):
            assert same(read_qdimacs(text, tolerant=tolerant), expected)
            assert same(read_qdimacs(text.encode(), tolerant=tolerant), expected)


# Strict reading: each defect is made by replacing a piece of GOOD

BAD = {
    "empty file": (GOOD, "", 1, 1, "the file is empty; begin with `p cnf VARIABLES CLAUSES`"),
    "only comments": (GOOD, "c nothing\n", 2, 1, "no header; begin with"),
    "no header": ("p cnf 4 3\n", "", 2, 1, "the header `p cnf VARIABLES CLAUSES`, not 'e'"),
    "garbage in front": ("c a small one", "hello", 1, 1, "expected the header"),
    "other format": ("p cnf", "p dnf", 2, 1, "the header must be `p cnf VARIABLES CLAUSES`"),
    "short header": ("cnf 4 3", "cnf 4", 2, 1, "the header must be"),
    "long header": ("cnf 4 3", "cnf 4 3 0", 2, 1, "the header must be"),
    "word in header": ("cnf 4 3", "cnf four 3", 2, 7, "'four' is no number"),
    "negative count": ("cnf 4 3", "cnf 4 -3", 2, 9, "'-3' is no number"),
    "huge header": ("cnf 4 3", "cnf 4000000000 3", 2, 7, "is no number up to 1073741823"),
    "second header": ("e 1 0", "p cnf 4 3\ne 1 0", 3, 1, "a second header; keep one"),
    "header at the end": ("-2 4 0\n", "-2 4 0\np cnf 4 3\n", 9, 1, "a second header"),
    "too few clauses": ("-2 4 0\n", "", 2, 9, "promises 3 clauses, the file has 2; correct"),
    "too many clauses": ("-2 4 0\n", "-2 4 0\n1 0\n", 2, 9, "promises 3 clauses, the file has 4"),
    "literal out of range": ("-1 -3 0", "-1 -5 0", 7, 4, "'-5' is out of range: the header"),
    "variable out of range": ("e 3 4 0", "e 3 7 0", 5, 5, "'7' is out of range"),
    "endless literal": ("-1 -3 0", f"-1 {'9' * 5000} 0", 7, 4, "9…' is out of range"),
    "clause without 0": ("-1 -3 0", "-1 -3", 7, 6, "no 0 at the end of the line; add it"),
    "last clause without 0": ("-2 4 0", "-2 4", 8, 5, "no 0 at the end of the line"),
    "block without 0": ("e 3 4 0", "e 3 4", 5, 6, "no 0 at the end of the line"),
    "quantifier alone": ("e 1 0", "e", 3, 2, "no 0 at the end of the line"),
    "empty clause": ("-1 -3 0", "0", 7, 1, "an empty clause: the formula is false"),
    "first clause empty": ("1 2 3 0", "0", 6, 1, "an empty clause"),
    "0 in front": ("-1 -3 0", "0 -1 -3 0", 7, 1, "an empty clause"),
    "empty block": ("a 2 0", "a 0", 4, 1, "an empty block; leave it out"),
    "quantified twice": ("e 3 4 0", "e 3 1 4 0", 5, 5, "1 is quantified already, in line 3"),
    "twice in a block": ("e 3 4 0", "e 3 4 3 0", 5, 7, "3 is quantified already, in line 5"),
    "sign in a block": ("e 3 4 0", "e 3 -4 0", 5, 5, "'-4' in a block; write the variable"),
    "free variable": ("e 3 4 0", "e 3 0", 8, 4, "variable 4 is free; quantify it in a block"),
    "no prefix": ("e 1 0\na 2 0\ne 3 4 0\n", "", 3, 1, "variable 1 is free"),
    "late quantifier": ("-2 4 0", "e 4 0\n-2 4 0", 8, 1, "a quantifier among literals"),
    "unknown quantifier": ("e 3 4 0", "d 3 4 0", 5, 1, "'d' is no literal"),
    "block after block": ("e 3 4 0", "e 3 0\ne 4 0", 6, 1, "the same quantifier as in the block"),
    "innermost ∀": ("e 3 4 0\n1 2 3 0\n-1 -3 0\n-2 4 0\n", "1 2 0\n", 4, 1, "innermost block is ∀"),
    "tautology": ("1 2 3 0", "1 2 -1 0", 6, 5, "a clause with 1 and -1 is always true; drop it"),
    "repeated literal": ("-1 -3 0", "-1 -3 -1 0", 7, 7, "literal -1 is in the clause twice"),
    "garbage": ("-1 -3 0", "-1 x3 0", 7, 4, "'x3' is no literal; write a number such as 3"),
    "signs": ("-1 -3 0", "-1 --3 0", 7, 4, "'--3' is no literal"),
    "plus": ("-1 -3 0", "-1 +3 0", 7, 4, "'+3' is no literal"),
    "lonely sign": ("-1 -3 0", "-1 - 3 0", 7, 4, "'-' is no literal"),
    "joined literals": ("-1 -3 0", "-1-3 0", 7, 1, "'-1-3' is no literal"),
    "fraction": ("-1 -3 0", "-1 3.0 0", 7, 4, "'3.0' is no literal"),
    "underscore": ("-1 -3 0", "-1 0_3 0", 7, 4, "'0_3' is no literal"),
    "leading zero": ("-1 -3 0", "-1 03 0", 7, 4, "'03' is no literal"),
    "negative zero": ("-1 -3 0", "-1 -3 -0", 7, 7, "'-0' is no literal"),
    "comment after header": ("e 1 0", "c e\ne 1 0", 3, 1, "a comment after the header; move it"),
    "comment after prefix": ("1 2 3 0", "c go\n1 2 3 0", 6, 1, "a comment after the header"),
    "comment at the end": ("-2 4 0\n", "-2 4 0\nc end\n", 9, 1, "a comment after the header"),
    "two clauses a line": ("-1 -3 0\n", "-1 -3 0 ", 7, 9, "text after the closing 0; begin a new"),
    "two blocks a line": ("e 1 0\n", "e 1 0 ", 3, 7, "text after the closing 0"),
    "word after a block": ("e 3 4 0\n", "e 3 4 0 c ", 5, 9, "text after the closing 0"),
    "second 0": ("-1 -3 0", "-1 -3 0 0", 7, 9, "text after the closing 0"),
    "clause over lines": ("1 2 3 0", "1 2\n3 0", 6, 4, "no 0 at the end of the line"),
    "CRLF": ("-1 -3 0\n", "-1 -3 0\r\n", 7, 8, "a carriage return; save the file with line ends"),
    "CRLF in header": ("p cnf 4 3\n", "p cnf 4 3\r\n", 2, 10, "a carriage return"),
    "CRLF in comment": ("small one\n", "small one\r\n", 1, 14, "a carriage return"),
    "tab": ("-1 -3 0", "-1\t-3 0", 7, 3, "a tab; use one blank"),
    "two blanks": ("-1 -3 0", "-1  -3 0", 7, 4, "a blank too many; remove it"),
    "leading blank": ("-1 -3 0", " -1 -3 0", 7, 1, "a blank too many"),
    "trailing blank": ("-2 4 0\n", "-2 4 0 \n", 8, 7, "a blank too many"),
    "empty line": ("-1 -3 0", "\n-1 -3 0", 7, 1, "an empty line; remove it"),
    "not ASCII": ("small", "smäll", 1, 7, "byte 0xc3 is no printable ASCII"),
    "not ASCII below": ("-1 -3 0", "-1 −3 0", 7, 4, "byte 0xe2 is no printable ASCII"),
    "byte order mark": ("c a", "\ufeffc a", 1, 1, "byte 0xef is no printable ASCII"),
    "NUL": ("-1 -3 0", "-1 \0 0", 7, 4, "byte 0x00 is no printable ASCII"),
    "cut off": ("-2 4 0\n", "-2 4 0", 8, 7, "the file may be cut off; add a newline"),
}  # fmt: skip


@pytest.mark.parametrize("defect", BAD)
def test_the_strict_reader_reports_the_place_of(defect: str) -> None:
    piece, replacement, line, column, message = BAD[defect]
    assert piece in GOOD
    with pytest.raises(FileError) as caught:
        read_qdimacs(GOOD.replace(piece, replacement, 1), "f.qdimacs")
    error = caught.value
    assert (error.file, error.line, error.column) == ("f.qdimacs", line, column), error.message
    assert message in error.message


def test_a_defect_far_down_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["p cnf 9 500", "e 1 2 3 4 5 6 7 8 9 0", *["1 -2 0"] * 400, "3 3 0", *["4 0"] * 99, ""]
    for piece in (1, 10, 1000, 1 << 20):
        monkeypatch.setattr(qdimacs, "PIECE", piece)
        with pytest.raises(FileError, match="f:403:3: literal 3 is in the clause twice"):
            read_qdimacs("\n".join(lines), "f")


# Tolerant reading

BLOCKS = [("e", [1]), ("a", [2]), ("e", [3, 4])]
ROWS = [[1, 2, 3], [-1, -3], [-2, 4]]
UNIVERSAL_LAST = [("e", [1, 3, 4]), ("a", [2])]
FREE_FIRST = [("e", [4, 1]), ("a", [2]), ("e", [3])]

WILD = {
    "as it is": ("c a", "c a", BLOCKS, ROWS),
    "comments": ("1 2 3 0\n", " c\n1 2 3 0\nc x 0\n\tc y\n", BLOCKS, ROWS),
    "comment in a clause": ("1 2 3 0", "1 2\nc 5 0\n3 0", BLOCKS, ROWS),
    "comment in the prefix": ("a 2 0", "c ∀\na 2 0", BLOCKS, ROWS),
    "blanks": ("1 2 3 0\n", "  1\t2   3 0 \n\n", BLOCKS, ROWS),
    "blanks in the header": ("p cnf 4 3", " p  cnf\t4 3 ", BLOCKS, ROWS),
    "CRLF": ("3 0\n-1 -3 0\n", "3 0\r\n-1 -3 0\r\n", BLOCKS, ROWS),
    "too few clauses": ("-2 4 0\n", "", BLOCKS, ROWS[:2]),
    "too many clauses": ("-2 4 0\n", "-2 4 0\n4 0\n", BLOCKS, [*ROWS, [4]]),
    "free variable": ("e 3 4 0", "e 3 0", FREE_FIRST, ROWS),
    "no prefix": ("e 1 0\na 2 0\ne 3 4 0\n", "", [("e", [1, 2, 3, 4])], ROWS),
    "repeated literal": ("1 2 3 0", "1 2 1 3 3 0", BLOCKS, ROWS),
    "tautology": ("1 2 3 0", "1 2 -1 0", BLOCKS, ROWS[1:]),
    "block after block": ("e 3 4 0", "e 3 0\ne 4 0", BLOCKS, ROWS),
    "empty block": ("a 2 0", "a 0\na 2 0", BLOCKS, ROWS),
    "block over lines": ("e 3 4 0", "e\n3\n4 0", BLOCKS, ROWS),
    "all on a line": ("e 3 4 0\n1 2 3 0\n", "e 3 4 0 1 2 3 0 ", BLOCKS, ROWS),
    "clause over lines": ("-1 -3 0", "-1\n-3\n\n0", BLOCKS, ROWS),
    "no 0 at the end": ("-2 4 0\n", "-2 4", BLOCKS, ROWS),
    "no newline at the end": ("-2 4 0\n", "-2 4 0", BLOCKS, ROWS),
    "empty clause": ("-2 4 0", "0", BLOCKS, [*ROWS[:2], []]),
    "innermost ∀": ("e 1 0\na 2 0\ne 3 4 0", "e 1 3 4 0\na 2 0", UNIVERSAL_LAST, ROWS),
    "not ASCII": ("small", "smäll", BLOCKS, ROWS),
    "byte order mark": ("c a", "\ufeffc a", BLOCKS, ROWS),
}


@pytest.mark.parametrize("oddity", WILD)
def test_the_tolerant_reader_takes(oddity: str) -> None:
    piece, replacement, blocks, rows = WILD[oddity]
    assert piece in GOOD
    formula = read_qdimacs(GOOD.replace(piece, replacement, 1), tolerant=True)
    assert (prefix(formula), clauses(formula)) == (blocks, rows)


NONSENSE = """empty file, only comments, no header, other format, short header, word in header,
    huge header, second header, header at the end, literal out of range, endless literal,
    quantified twice, twice in a block, sign in a block, late quantifier, unknown quantifier,
    garbage, signs, plus, lonely sign, joined literals, fraction, underscore, leading zero,
    negative zero, not ASCII below, NUL, word after a block"""


@pytest.mark.parametrize("defect", [" ".join(name.split()) for name in NONSENSE.split(",")])
def test_the_tolerant_reader_still_refuses(defect: str) -> None:
    piece, replacement, line, _, _ = BAD[defect]
    with pytest.raises(FileError) as caught:
        read_qdimacs(GOOD.replace(piece, replacement, 1), tolerant=True)
    assert caught.value.line == line


SCRAPS = [
    b"",
    *(bytes([byte]) for byte in b"012345- \n\rcea_+"),
    b" 0",
    b"0\n",
    b"\nc\n",
    b"-4",
    b"\n0 c",
]


def outcome(data: bytes, tolerant: bool) -> str:
    try:
        formula = read_qdimacs(data, tolerant=tolerant)
    except FileError as error:
        return str(error)
    return f"{prefix(formula)} {clauses(formula)}"


@pytest.mark.parametrize("tolerant", [False, True])
def test_reading_in_bulk_is_reading_with_care(
    tolerant: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random damage to a good file has the same effect, whichever way it is read."""
    rng = random.Random(6)
    read = 0
    for _ in range(sample(3000)):
        damaged = bytearray(GOOD.encode())
        for _ in range(rng.choice([1, 1, 2, 3])):
            place = rng.randrange(len(damaged))
            damaged[place : place + rng.randrange(2)] = rng.choice(SCRAPS)
        outcomes = []
        for way in (numbers, lambda _: None):
            for piece in (1, 12, 1 << 20):
                monkeypatch.setattr(qdimacs, "numbers", way)
                monkeypatch.setattr(qdimacs, "PIECE", piece)
                outcomes.append(outcome(bytes(damaged), tolerant))
        assert len(set(outcomes)) == 1, (bytes(damaged), set(outcomes))
        read += "text.qdimacs" not in outcomes[0]
    assert sample(100) < read < sample(2900)
