"""QCIR-14, read in all forms in use, and written in one form that every program can read.

The written form is prenex and cleansed: numbers for names, gates defined before they are used,
"and" and "or" only, and a gate without a sign as the output. Some programs want the first block to
be ∃: if it is ∀, an unused variable is quantified in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import pairwise
from typing import NamedTuple, NoReturn, TextIO

import numpy as np

from skolemate.errors import FileError, brief, suggestion
from skolemate.formula.circuit import Circuit, CircuitBuilder, unequal_bits
from skolemate.formula.formula import Literals, Quantifier
from skolemate.formula.qdimacs import write_comments

# --- reading --------------------------------------------------------------------------------------


HEADER = "`#QCIR-14`"
_HEADER = re.compile(r"#QCIR-(?:G14|14)(?:[ \t]+([1-9][0-9]{,8}))?[ \t\r]*")
_BEGINNING = re.compile(r"[ \t]*(?:#(?!QCIR-)|(?:exists|forall|free|output)\b|\r?$)", re.IGNORECASE)
_TOKEN = re.compile(r"[(),;=]|[^\s(),;=]+")
_NAME = re.compile(r"[A-Za-z0-9_]+")
KINDS = ("and", "or", "xor", "ite")
OPERANDS = {"xor": 2, "ite": 3}
QUANTIFIERS = ("exists", "forall", "free")


def read_qcir(text: str | bytes, file: str = "text.qcir") -> Circuit:
    """The circuit of a QCIR file; a FileError names the first defect it meets, with its place.

    Gates may come in any order, and be of any kind that the standard has: "xor" and "ite" are taken
    apart. Names may be words. The header may be missing, as in files of Q-sage. Variables are
    numbered in the order of the prefix; their names are in the legend. What is read is folded, and
    gates without use are left out.

    >>> circuit = read_qcir("#QCIR-14\\nforall(u)\\nexists(e)\\noutput(g)\\ng = xor(u, -e)\\n")
    >>> circuit.gate_count, circuit.legend.name(2)
    (3, 'x(e)')
    >>> read_qcir("#QCIR-14\\nexists(e)\\noutput(g)\\n")
    Traceback (most recent call last):
    skolemate.errors.FileError: text.qcir:3:8: 'g' is neither quantified nor a gate; define it
    """
    data = text if isinstance(text, str) else text.decode("utf-8", "backslashreplace")
    return _Reader(data, file).read()


class Word(NamedTuple):
    text: str
    line: int
    column: int

    @property
    def name(self) -> str:
        """The word without its sign."""
        return self.text.removeprefix("-")

    @property
    def quoted(self) -> str:
        return brief(self.text)


class Gate(NamedTuple):
    name: Word
    kind: str
    inputs: list[Word]


def _texts(words: list[Word]) -> list[str]:
    return [word.text for word in words]


class _Reader:
    """Goes through one file statement by statement, then builds the gates in a proper order."""

    def __init__(self, text: str, file: str) -> None:
        self.lines, self.file = text.split("\n"), file
        self.builder = CircuitBuilder()
        self.literals: dict[str, Literals] = {}  # of variables, and of gates once they are built
        self.places: dict[str, Word] = {}  # where each name was quantified or defined
        self.gates: dict[str, Gate] = {}
        self.output: Word | None = None
        self.largest = 0  # number that the header of a cleansed file allows; 0: any name will do

    def read(self) -> Circuit:
        self.read_header()
        for number, line in enumerate(self.lines, 1):
            statement = line.partition("#")[0]
            words = [Word(t[0], number, 1 + t.start()) for t in _TOKEN.finditer(statement)]
            if words:
                self.read_statement(words)
        if self.output is None:
            self.fail("no output; add a line such as output(7)", self.end)
        self.check_names()
        for gate in self.gates.values():
            self.build(gate)
        return self.builder.circuit(self.literal(self.output))

    def read_header(self) -> None:
        """The first line tells the version; some tools leave it out, or put comments before it."""
        first = Word(self.lines[0], 1, 1)
        for number, line in enumerate(self.lines, 1):
            if line.strip() and not line.startswith("#"):
                break
            if line.startswith("#QCIR-"):
                first = Word(line, number, 1)
                break
        if not any(line.strip() for line in self.lines):
            self.fail(f"the file is empty; begin with {HEADER}", first)
        header = _HEADER.fullmatch(first.text)
        if not header and not _BEGINNING.match(first.text):
            self.fail(f"expected the header {HEADER}, not {first.quoted}", first)
        if header and header[1]:
            self.largest = int(header[1])

    def read_statement(self, words: list[Word]) -> None:
        """One line: a block, the output or a gate."""
        first, second = words[0], words[1].text if len(words) > 1 else ""
        if second == "=":
            self.read_gate(words)
        elif first.text.lower() in QUANTIFIERS:
            self.read_block(words)
        elif first.text.lower() == "output":
            self.read_output(words)
        elif second == "(":
            expected = (*QUANTIFIERS[:2], "output")
            self.fail(f"unknown word {first.quoted}: {suggestion(first.text, expected)}", first)
        else:
            self.fail(
                f"{first.quoted} begins no block, output or gate such as 7 = and(1, 2)", first
            )

    def read_block(self, words: list[Word]) -> None:
        keyword = words[0]
        if self.output or self.gates:
            self.fail("a block behind the output or a gate; all blocks come first", keyword)
        if keyword.text.lower() == "free":
            self.fail("free variables have no answer; quantify them by exists(…)", keyword)
        variables = self.arguments(words, 1)
        for variable in variables:
            if variable.text.startswith("-"):
                self.fail(f"{variable.quoted} in a block; write it without its sign", variable)
            self.introduce(variable, "quantified")
        quantify = self.builder.exists if keyword.text.lower() == "exists" else self.builder.forall
        names = [variable.text for variable in variables]
        self.literals.update(zip(names, quantify("x", names), strict=True))

    def read_output(self, words: list[Word]) -> None:
        if self.output:
            self.fail(f"a second output, after line {self.output.line}; keep one", words[0])
        listed = self.arguments(words, 1)
        if len(listed) != 1:
            self.fail("the output is one literal, as in output(7)", words[0])
        self.output = listed[0]

    def read_gate(self, words: list[Word]) -> None:
        name = words[0]
        if not self.output:
            self.fail("a gate in front of the output; put output(…) behind the blocks", name)
        if name.text.startswith("-"):
            self.fail(f"a gate's name has no sign: write {name.name} and negate the inputs", name)
        if len(words) < 3:
            self.fail("a gate without a kind; write 7 = and(1, 2)", name)
        kind = words[2].text.lower()
        if kind in ("exists", "forall"):
            self.fail("a quantifier among the gates; pull all of them in front (prenex)", words[2])
        if kind not in KINDS:
            told = suggestion(kind, KINDS)
            self.fail(f"unknown kind of gate {words[2].quoted}: {told}", words[2])
        inputs = self.arguments(words, 3)
        if len(inputs) != OPERANDS.get(kind, len(inputs)):
            self.fail(f"{kind} has {OPERANDS[kind]} inputs, not {len(inputs)}", words[2])
        before = self.gates.get(name.text)
        if before and before.kind == kind and _texts(before.inputs) == _texts(inputs):
            return  # the same definition once more does no harm
        self.introduce(name, "defined")
        self.gates[name.text] = Gate(name, kind, inputs)

    def arguments(self, words: list[Word], start: int) -> list[Word]:
        """The names in parentheses, which are all that is left of the line."""
        last = words[-1]
        behind = Word("", last.line, last.column + len(last.text))
        if len(words) <= start or words[start].text != "(":
            self.fail("expected (", words[start] if len(words) > start else behind)
        if last.text != ")":
            self.fail("expected ) at the end of the line", behind)
        inner = words[start + 1 : -1]
        for place, word in enumerate(inner):
            if place % 2:
                if word.text != ",":
                    self.fail(f"expected a comma, not {word.quoted}", word)
            elif not _NAME.fullmatch(word.name):
                self.fail(f"{word.quoted} is no name; write letters, digits and _", word)
            elif self.largest:
                self.check_number(word)
        if inner and len(inner) % 2 == 0:
            self.fail("a comma too many; remove it", inner[-1])
        return inner[::2]

    def introduce(self, word: Word, how: str) -> None:
        """A new name; each belongs to one variable or gate."""
        if not _NAME.fullmatch(word.text):
            self.fail(f"{word.quoted} is no name; write letters, digits and _", word)
        if self.largest:
            self.check_number(word)
        if word.text in self.places:
            line = self.places[word.text].line
            before = "defined" if word.text in self.gates else "quantified"
            message = f"{word.quoted} is {how}, but was {before} in line {line}"
            self.fail(f"{message}; keep one of the two", word)
        self.places[word.text] = word

    def check_number(self, word: Word) -> None:
        """With a count in the header, names are numbers up to it."""
        number = re.fullmatch(r"[1-9][0-9]{,8}", word.name)
        if not number or int(word.name) > self.largest:
            allowed = f"numbers up to {self.largest}"
            self.fail(f"{word.quoted} is not among the {allowed} that the header allows", word)

    def check_names(self) -> None:
        for word in self.used():
            if word.name not in self.places:
                self.fail(f"{brief(word.name)} is neither quantified nor a gate; define it", word)

    def used(self) -> Iterator[Word]:
        if self.output:
            yield self.output
        for gate in self.gates.values():
            yield from gate.inputs

    def build(self, wanted: Gate) -> None:
        """Build a gate, and before it what it depends on; without recursion, gates lie deep."""
        path: dict[str, Gate] = {}
        waiting = [wanted]
        while waiting:
            gate = waiting[-1]
            name = gate.name.text
            below = [self.gates[w.name] for w in gate.inputs if w.name not in self.literals]
            if name in self.literals or not below:
                waiting.pop()
                path.pop(name, None)
                if name not in self.literals:
                    self.literals[name] = self.gate_literal(gate)
                continue
            path[name] = gate
            for word in gate.inputs:
                if word.name in path:
                    self.fail(f"gate {brief(name)} depends on itself through {word.quoted}", word)
            waiting += reversed(below)

    def gate_literal(self, gate: Gate) -> Literals:
        inputs = np.array([self.literal(word) for word in gate.inputs], np.int32)
        if gate.kind == "xor":
            return unequal_bits(self.builder, inputs[0], inputs[1])
        if gate.kind == "ite":
            test, then, otherwise = inputs
            chosen = self.builder.all_of(test, then), self.builder.all_of(-test, otherwise)
            return self.builder.any_of(*chosen)
        join = self.builder.all_of if gate.kind == "and" else self.builder.any_of
        return join([inputs])

    def literal(self, word: Word) -> Literals:
        literal = self.literals[word.name]
        return -literal if word.text.startswith("-") else literal

    @property
    def end(self) -> Word:
        return Word("", len(self.lines), 1 + len(self.lines[-1]))

    def fail(self, message: str, word: Word) -> NoReturn:
        raise FileError(message, self.file, word.line, word.column)


# --- writing --------------------------------------------------------------------------------------


CHUNK = 1 << 18  # gates turned into text at a time: bounds the memory
KEYWORDS = {Quantifier.EXISTS: "exists", Quantifier.FORALL: "forall"}


def write_qcir(
    circuit: Circuit, stream: TextIO, comments: Iterable[str] = (), header: str = "#QCIR-14"
) -> None:
    """Write a circuit; comments come after the first line, one a line.

    `#QCIR-G14` is the header of the format's general form, which this one is a part of.
    """
    outermost = circuit.outermost
    needs_gate = not circuit.gate_count  # some programs do not accept a variable as the output
    needs_block = outermost is not None and outermost.quantifier is Quantifier.FORALL
    top = circuit.variable_count + circuit.gate_count
    stream.write(f"{header} {top + needs_gate + needs_block}\n")
    write_comments(comments, stream, "#")
    if needs_block:
        stream.write(f"exists({top + needs_gate + 1})\n")
    for block in circuit.prefix:
        stream.write(f"{KEYWORDS[block.quantifier]}({_listed(block.variables.tolist())})\n")
    stream.write(f"output({top + 1 if needs_gate else circuit.output})\n")
    for text in _gate_texts(circuit):
        stream.write(text)
    if needs_gate:
        stream.write(f"{top + 1} = {_last_gate(circuit)}\n")


def to_qcir(circuit: Circuit, comments: Iterable[str] = (), header: str = "#QCIR-14") -> str:
    """The text of a QCIR file.

    >>> from skolemate.formula.circuit import CircuitBuilder
    >>> builder = CircuitBuilder()
    >>> x, y = builder.exists("x", ["a", "b"])
    >>> builder.add(x, -y)
    >>> builder.add(-x, y)
    >>> print(to_qcir(builder.circuit()), end="")
    #QCIR-14 5
    exists(1, 2)
    output(5)
    3 = or(1, -2)
    4 = or(-1, 2)
    5 = and(3, 4)
    """
    stream = StringIO()
    write_qcir(circuit, stream, comments, header)
    return stream.getvalue()


def _listed(literals: Iterable[int]) -> str:
    return ", ".join(map(str, literals))


def _gate_texts(circuit: Circuit) -> Iterator[str]:
    for start in range(0, circuit.gate_count, CHUNK):
        offsets = circuit.offsets[start : start + CHUNK + 1]
        words = list(map(str, circuit.inputs[offsets[0] : offsets[-1]].tolist()))
        bounds = pairwise((offsets - offsets[0]).tolist())
        kinds = circuit.conjunctive[start : start + CHUNK].tolist()
        first = circuit.variable_count + 1 + start
        yield "".join(
            f"{number} = {'and' if conjunctive else 'or'}({', '.join(words[begin:end])})\n"
            for number, (conjunctive, (begin, end)) in enumerate(
                zip(kinds, bounds, strict=True), first
            )
        )


def _last_gate(circuit: Circuit) -> str:
    """The output of a circuit without gates: a constant, or a single literal."""
    if circuit.constant is None:
        return f"and({circuit.output})"
    return "and()" if circuit.constant else "or()"
