"""A description in GDL as data: terms, rules, and what the rules say about each other.

The language is that of Love, Hinrichs, Haley, Schkufza and Genesereth (2008). A term is a constant,
a variable (`?x`), or a function with arguments; an atom is a relation with arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

Term = str | tuple["Term", ...]
Atom = tuple[Term, ...]  # the relation's name, then its arguments

DISTINCT = "distinct"


@dataclass(frozen=True)
class Literal:
    """An atom that must hold, or must not. `place`: line and column."""

    atom: Atom
    negated: bool = False
    place: tuple[int, int] = field(default=(1, 1), compare=False)

    @property
    def relation(self) -> str:
        return relation(self.atom)

    @property
    def binds(self) -> bool:
        """Whether it gives values to its variables."""
        return not self.negated and self.relation != DISTINCT


@dataclass(frozen=True)
class Rule:
    """The head holds if the whole body does; a fact has no body. `place`: line and column."""

    head: Atom
    body: tuple[Literal, ...] = ()
    place: tuple[int, int] = field(default=(1, 1), compare=False)

    @property
    def relation(self) -> str:
        return relation(self.head)


def relation(atom: Atom) -> str:
    assert isinstance(atom[0], str), "the reader allows nothing else"
    return atom[0]


def variables(term: Term) -> Iterator[str]:
    """The variables of a term or an atom, in order."""
    if isinstance(term, tuple):
        for part in term:
            yield from variables(part)
    elif term.startswith("?"):
        yield term


def written(term: Term) -> str:
    """A term as people write it.

    >>> written(("cell", "1", ("s", "?x")))
    'cell(1,s(?x))'
    """
    if isinstance(term, str):
        return term
    name, *arguments = map(written, term)
    return f"{name}({','.join(arguments)})" if arguments else name


@dataclass(frozen=True)
class Description:
    """The rules of a game. The reader has checked that they are safe and stratified."""

    rules: tuple[Rule, ...]

    @cached_property
    def by_relation(self) -> Mapping[str, list[Rule]]:
        found: dict[str, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.relation, []).append(rule)
        return found

    @cached_property
    def components(self) -> list[list[str]]:
        """The relations, those that depend on each other together, each after what it needs."""
        return components(
            {
                name: {literal.relation for rule in rules for literal in rule.body}
                for name, rules in self.by_relation.items()
            }
        )

    def depending_on(self, *names: str) -> set[str]:
        """The relations that depend on one of these, and these."""
        found = set(names)
        for component in self.components:
            bodies = (rule.body for name in component for rule in self.by_relation.get(name, ()))
            if any(literal.relation in found for body in bodies for literal in body):
                found.update(component)
        return found


Node = TypeVar("Node", str, Atom)


def components(needs: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """Strongly connected components, each after those that it needs (Tarjan 1972).

    >>> components({"a": ["b"], "b": ["a", "c"], "c": []})
    [['c'], ['a', 'b']]
    """
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: list[Node] = []
    found: list[list[Node]] = []
    for root in needs:
        work = [] if root in number else [(root, iter(needs[root]))]
        while work:
            node, rest = work[-1]
            if node not in number:
                number[node] = low[node] = len(number)
                open_nodes.append(node)
            for other in rest:
                if other not in number:
                    work.append((other, iter(needs.get(other, ()))))
                    break
                if low[other] >= 0:  # not yet in a component
                    low[node] = min(low[node], low[other])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == number[node]:
                    place = open_nodes.index(node)
                    found.append(open_nodes[place:])
                    for member in open_nodes[place:]:
                        low[member] = -1
                    del open_nodes[place:]
    return found
