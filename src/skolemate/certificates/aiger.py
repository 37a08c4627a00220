"""Certificates as AIGER files, read and written: version 1.0, ASCII (`.aag`) or binary (`.aig`).

There are no latches. Inputs and outputs are named by the numbers of their variables. Only gates
that an output depends on are written.
"""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from io import BytesIO
from pathlib import Path, PurePath

from skolemate.certificates.certificate import Aig, Certificate, variables_of
from skolemate.encodings import Encoded
from skolemate.errors import FileError, UserError, brief, reason
from skolemate.formula import Formula, Quantifier
from skolemate.output import write_bytes

Parsed = tuple[Aig, dict[int, int]]  # the graph, and the function of each output's variable
LARGEST = 1 << 28  # gates; more would not fit into any memory here


# --- writing -------------------------------------------------------------------------------------


def to_aiger(certificate: Certificate, comments: Iterable[str], binary: bool) -> bytes:
    """The bytes of a file; the same certificate gives the same bytes."""
    graph, functions = certificate.graph, certificate.functions
    used = [node for node in graph.cone(functions.values()) if node >= graph.first_gate]
    number = {node: node for node in range(graph.first_gate)}
    number |= {node: place for place, node in enumerate(used, graph.first_gate)}
    gates = [
        sorted(2 * number[part >> 1] | part & 1 for part in graph.gates[node - graph.first_gate])
        for node in used
    ]
    inputs, top = len(graph.variables), len(graph.variables) + len(gates)
    out = BytesIO()

    def line(text: str) -> None:
        out.write(f"{text}\n".encode())

    kind = "aig" if binary else "aag"
    line(f"{kind} {top} {inputs} 0 {len(functions)} {len(gates)}")
    if not binary:
        for node in range(1, inputs + 1):
            line(str(2 * node))
    for literal in functions.values():
        line(str(2 * number[literal >> 1] | literal & 1))
    for place, (small, large) in enumerate(gates, inputs + 1):
        if binary:
            out.write(_delta(2 * place - large) + _delta(large - small))
        else:
            line(f"{2 * place} {large} {small}")
    for place, variable in enumerate(graph.variables):
        line(f"i{place} {variable}")
    for place, variable in enumerate(functions):
        line(f"o{place} {variable}")
    line("c")
    for comment in comments:
        line(comment)
    return out.getvalue()


def _delta(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the highest bit says that more follow.

    >>> _delta(300).hex()
    'ac02'
    """
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes([*written, number])


# --- reading -------------------------------------------------------------------------------------


def read_aiger(data: bytes, name: str) -> Parsed:
    """Read a file of either kind; a defect is a FileError."""
    return _AigerReader(data, name).parsed()


class _AigerReader:
    def __init__(self, data: bytes, name: str) -> None:
        self._data, self._name = data, name
        self._place, self._line = 0, 0

    def parsed(self) -> Parsed:
        header = self._text()
        match = re.fullmatch(r"(aag|aig) (\d{1,9}) (\d{1,9}) 0 (\d{1,9}) (\d{1,9})", header)
        if match is None:
            raise self._wrong("not a certificate: the first line is not that of an AIGER file")
        binary = match[1] == "aig"
        top, inputs, outputs, gates = map(int, match.groups()[1:])
        if top != inputs + gates or top > LARGEST:
            raise self._wrong("the numbers in the first line do not fit each other")
        if not binary:
            for node in range(1, inputs + 1):
                if self._numbers(1) != [2 * node]:
                    raise self._wrong(f"the input {2 * node} was expected here")
        functions = [self._literal(self._numbers(1)[0], top) for _ in range(outputs)]
        listed = list(self._gates(inputs, gates, binary))
        names = dict(self._symbols(inputs, outputs))
        return self._graph(names, inputs, functions, listed)

    def _gates(self, inputs: int, gates: int, binary: bool) -> Iterator[tuple[int, int]]:
        for node in range(inputs + 1, inputs + gates + 1):
            if binary:
                large = 2 * node - self._read_delta()
                small = large - self._read_delta()
            else:
                left, large, small = self._numbers(3)
                if left != 2 * node:
                    raise self._wrong(f"the gate {2 * node} was expected here")
            if not 0 <= small <= large < 2 * node:
                raise self._wrong(f"the gate {2 * node} reads what is not before it")
            yield small, large

    def _symbols(self, inputs: int, outputs: int) -> Iterator[tuple[tuple[str, int], int]]:
        while (text := self._text()) not in ("c", ""):
            match = re.fullmatch(r"([io])(\d{1,9}) ([1-9]\d{0,8})", text)
            if match is None or int(match[2]) >= (inputs if match[1] == "i" else outputs):
                raise self._wrong("a symbol names an input or an output by a variable's number")
            yield (match[1], int(match[2])), int(match[3])

    def _graph(
        self,
        names: dict[tuple[str, int], int],
        inputs: int,
        functions: list[int],
        gates: list[tuple[int, int]],
    ) -> Parsed:
        try:
            read = [names["i", place] for place in range(inputs)]
            written = [names["o", place] for place in range(len(functions))]
        except KeyError as missing:
            kind, place = missing.args[0]
            what = "input" if kind == "i" else "output"
            raise self._wrong(f"{what} {place} has no name, so its variable is unknown") from None
        if len(set(read + written)) < len(read) + len(written):
            raise self._wrong("two symbols name the same variable")
        graph = Aig(read)
        made = [0, *(2 * node for node in range(1, inputs + 1))]
        for small, large in gates:
            one, other = (made[part >> 1] ^ (part & 1) for part in (small, large))
            made.append(graph.both(one, other))
        values = (made[literal >> 1] ^ (literal & 1) for literal in functions)
        return graph, dict(zip(written, values, strict=True))

    def _text(self) -> str:
        end = self._data.find(b"\n", self._place)
        end = len(self._data) if end < 0 else end
        line = self._data[self._place : end].decode("latin-1")
        self._place, self._line = end + 1, self._line + 1
        return line

    def _numbers(self, count: int) -> list[int]:
        words = self._text().split(" ")
        if len(words) != count or not all(re.fullmatch(r"\d{1,10}", word) for word in words):
            raise self._wrong(f"a line of {count} numbers was expected here")
        return list(map(int, words))

    def _literal(self, literal: int, top: int) -> int:
        if literal > 2 * top + 1:
            raise self._wrong(f"{literal} is no literal here")
        return literal

    def _read_delta(self) -> int:
        number = shift = 0
        while self._place < len(self._data) and shift < 40:
            byte = self._data[self._place]
            self._place += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number
        raise self._wrong("the gates end too early")

    def _wrong(self, message: str) -> FileError:
        return FileError(message, self._name, self._line, 1)


# --- files ----------------------------------------------------------------------------------------


def refuse_suffix(path: str) -> None:
    """Raise an error for a file whose suffix is not AIGER's; called before any work is done."""
    if path != "-" and PurePath(path).suffix.lower() not in (".aag", ".aig"):
        formats = "the suffix is .aag (ASCII) or .aig (binary)"
        raise UserError(f"cannot tell the format of {brief(path, 200)}; {formats}")


def save_certificate(certificate: Certificate, encoded: Encoded, path: str) -> None:
    """Write AIGER in the format of the suffix; `-` is the standard output, in ASCII."""
    refuse_suffix(path)
    binary = PurePath(path).suffix.lower() == ".aig"
    write_bytes(path, to_aiger(certificate, _description(certificate, encoded), binary))


def load_certificate(path: str, formula: Formula) -> Certificate:
    """Read AIGER. The variables that have functions show whether it proves true or false."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {brief(path, 200)}: {reason(error)}") from None
    graph, functions = read_aiger(data, path)
    existential = set(variables_of(formula, Quantifier.EXISTS))
    true = existential.isdisjoint(graph.variables) and formula.constant is not False
    return Certificate(true, graph, functions)


def _description(certificate: Certificate, encoded: Encoded) -> Iterator[str]:
    question = encoded.as_asked
    yield f"Skolemate {version('skolemate')}"
    yield f"question: {question}"
    yield f"encoding: {encoded.encoding.name} ({encoded.encoding.paper})"
    yield encoded.symmetry_remark
    if certificate.true:
        yield "The formula is true: Skolem functions of its existential variables."
    else:
        yield "The formula is false: Herbrand functions of its universal variables."
    yield "Inputs and outputs are named by the numbers that skolemate encode gives the variables."
