"""QCIR-14, written in the one form that all programs read alike.

Prenex and cleansed: numbers for names, gates defined before they are used, "and" and "or" only, and
a gate without a sign as the output. Some programs want the first block to be ∃: if it is ∀, an
unused variable is quantified in front.
"""

from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import pairwise
from typing import TextIO

from skolemate.formula.circuit import Circuit
from skolemate.formula.formula import Quantifier
from skolemate.formula.qdimacs import write_comments

CHUNK = 1 << 18  # gates turned into text at a time: bounds the memory
KEYWORDS = {Quantifier.EXISTS: "exists", Quantifier.FORALL: "forall"}


def write_qcir(circuit: Circuit, stream: TextIO, comments: Iterable[str] = ()) -> None:
    """Write a circuit; comments come after the first line, one a line."""
    outermost = circuit.outermost
    needs_gate = not circuit.gate_count  # some programs do not accept a variable as the output
    needs_block = outermost is not None and outermost.quantifier is Quantifier.FORALL
    top = circuit.variable_count + circuit.gate_count
    stream.write(f"#QCIR-14 {top + needs_gate + needs_block}\n")
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


def to_qcir(circuit: Circuit, comments: Iterable[str] = ()) -> str:
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
    write_qcir(circuit, stream, comments)
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
