"""The rules of a description as a list of moves, each with what it needs and what it changes.

Most games of boards are of this form: a move needs some contents of cells and changes some, and a
goal is some contents. A network says nothing of cells. Here they are recovered: facts that differ
in one argument, of which never two hold, as `cell(1,2,x)` and `cell(1,2,o)`, are the contents of a
cell; any other fact is a cell of its own. Every move is then split into cases, by the contents of
cells on which legality or what it does depends, until each case changes cells in a fixed way.

The list is exact, or there is none (`NotListed`). These are checked on the way:

- of the facts of a cell never two hold: not at the start, and in no case after a move;
- where the game is over and nobody has won, no case of a move has what it needs;
- no case of a move meets a goal of the opponent's, so that the mover alone can have won by it.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count

from skolemate.games.game import Player
from skolemate.games.gdl.cells import (
    BLACK,
    CONTENTS,
    OPEN,
    WHITE,
    Case,
    Cell,
    Contents,
    Listed,
    Needs,
    combined,
    holds,
    implies,
)
from skolemate.games.gdl.description import Term, written
from skolemate.games.gdl.network import FALSE, TRUE, Gates, Network
from skolemate.games.symmetry import cells_of, mask_of
from skolemate.games.views import Propnet
from skolemate.limits import breathe

MOST_CASES = 300  # looked at for a move
MOST_ACTIONS = 20_000
MOST_CUBES = 3000  # of a goal


class NotListed(Exception):
    """The rules have no list."""


class Torn(NotListed):
    """Two facts of a cell may hold together, or none of three: they are no cell."""

    def __init__(self, cell: Cell) -> None:
        super().__init__(f"its facts {cell} may hold together")
        self.cell = cell


# --- cells ----------------------------------------------------------------------------------------


def cells(network: Network, apart: Collection[Term]) -> list[Cell]:
    """Facts as cells; those of the relations in `apart` are cells of their own."""
    start, relevant = network.net.start, network.net.relevant
    places = [(f, fact) for f, fact in enumerate(network.facts) if relevant >> f & 1]
    groups: dict[object, list[tuple[Term, int]]] = defaultdict(list)
    for number, fact in places:
        if isinstance(fact, tuple) and fact[0] not in apart:
            groups[fact[:-1]].append((fact[-1], number))
        else:
            groups[number].append((fact, number))
    often = Counter(fact[-1] for f, fact in places if isinstance(fact, tuple) and start >> f & 1)
    found: list[Cell] = []
    for group in groups.values():
        if len(group) == 3:  # the content that most cells have at the start is the open one
            group.sort(key=lambda item: -often[item[0]])
            found.append((group[0][1], group[1][1], group[2][1]))
        elif len(group) == 2:
            found.append((None, group[0][1], group[1][1]))
        else:
            found += [(None, number, None) for _, number in group]
    return found


# --- functions over cells -------------------------------------------------------------------------


class Board:
    """The facts of a network as cells, and functions of them as gates."""

    def __init__(self, net: Propnet, cells: list[Cell]) -> None:
        self.net, self.cells = net, cells
        self.gates = Gates(net.facts)
        self.content = {
            2 + fact: (number, content)
            for number, cell in enumerate(cells)
            for content, fact in enumerate(cell)
            if fact is not None
        }

    def whole(self, cell: int) -> Contents:
        """All contents that a cell may have."""
        return 0b011 if self.cells[cell][WHITE] is None else 0b111

    def need(self, literal: int) -> tuple[int, Contents]:
        """The contents of a cell for which a fact's literal is true."""
        cell, content = self.content[abs(literal)]
        return cell, 1 << content if literal > 0 else self.whole(cell) & ~(1 << content)

    def copied(self, literals: Iterable[int], known: Mapping[int, int]) -> list[int]:
        """Literals of the network as functions of its facts; `known` are given by variable."""
        found = dict(known)
        wanted = list(literals)
        waiting = [abs(literal) for literal in wanted]
        while waiting:
            variable = waiting[-1]
            if variable in found or variable < self.net.first_move:
                found.setdefault(variable, variable)
                waiting.pop()
                continue
            inputs = self.net.gates[variable - self.net.first_gate]
            missing = [abs(x) for x in inputs if abs(x) not in found]
            if missing:
                waiting += missing
                continue
            found[variable] = self.gates.all_of(signed(found, x) for x in inputs)
        return [signed(found, literal) for literal in wanted]

    def under(self, literals: Iterable[int], needs: Mapping[int, Contents]) -> list[int]:
        """Functions where cells have these contents."""
        known: dict[int, int] = {}
        for cell, contents in needs.items():
            for content, fact in enumerate(self.cells[cell]):
                if fact is not None and contents == 1 << content:
                    known[2 + fact] = TRUE
                elif fact is not None and not contents >> content & 1:
                    known[2 + fact] = FALSE
        wanted = list(literals)
        for variable in sorted(self.gates.cone(wanted)):
            if variable not in known:
                gate = self.gates.gate(variable)
                values = [signed(known, x) for x in gate]
                known[variable] = self.gates.all_of(values) if gate else variable
        return [signed(known, literal) for literal in wanted]

    def nearest(self, literal: int) -> int:
        """A cell on which a function depends, with as few gates between as possible."""
        waiting = deque([literal])
        while abs(waiting[0]) not in self.content:
            waiting.extend(self.gates.gate(waiting.popleft()))
        return self.content[abs(waiting[0])][0]

    # --- conditions as lists of needs ----------------------------------------------------------

    def ways(self, literal: int, _known: dict[int, list[Needs]] | None = None) -> list[Needs]:
        """A function as needs of which one must hold."""
        known = {} if _known is None else _known
        if literal not in known:
            gate = self.gates.gate(literal)
            if literal in (TRUE, FALSE):
                known[literal] = [frozenset()] if literal == TRUE else []
            elif not gate:
                known[literal] = [frozenset([self.need(literal)])]
            elif literal < 0:
                parts = (way for x in gate for way in self.ways(-x, known))
                known[literal] = self._fewest(parts)
            else:
                ways = [frozenset[tuple[int, Contents]]()]
                for part in sorted((self.ways(x, known) for x in gate), key=len):
                    ways = self._both(ways, part)
                known[literal] = ways
        return known[literal]

    def _both(self, one: list[Needs], other: list[Needs]) -> list[Needs]:
        if len(other) < len(one):
            one, other = other, one
        found = []
        for way in one:
            if any(implies(way, wider) for wider in other):
                found.append(way)
            else:
                found += [joined for also in other if (joined := combined(way, also)) is not None]
            if len(found) > 2 * MOST_CUBES:
                raise NotListed("a goal has too many cases")
        return self._fewest(found)

    def _fewest(self, ways: Iterable[Needs]) -> list[Needs]:
        """The same without needs that follow from others; contents of one cell are put together."""
        by_rest: dict[Needs, dict[int, Contents]] = defaultdict(dict)
        waiting, found = list(dict.fromkeys(ways)), dict[Needs, None]()
        while waiting:
            breathe()
            way = waiting.pop(0)
            if way in found:
                continue
            found[way] = None
            for need in way:
                cell, contents = need
                rest = way - {need}
                others = by_rest[rest].get(cell, 0)
                by_rest[rest][cell] = others | contents
                if others and others | contents != others:
                    more = others | contents
                    waiting.append(rest if more == self.whole(cell) else rest | {(cell, more)})
        if len(found) > MOST_CUBES:
            raise NotListed("a goal has too many cases")
        kept: list[Needs] = []
        holding: dict[int, list[Needs]] = defaultdict(list)  # by the first of their cells
        for way in sorted(found, key=lambda way: (len(way), -sum(c for _, c in way), sorted(way))):
            if not way:
                return [way]
            if not any(implies(way, wider) for cell, _ in way for wider in holding[cell]):
                kept.append(way)
                holding[min(way)[0]].append(way)
        return kept


def signed(values: Mapping[int, int], literal: int) -> int:
    if literal in (TRUE, FALSE):
        return literal
    return values[literal] if literal > 0 else -values[-literal]


# --- moves ----------------------------------------------------------------------------------------


class Cases:
    """Splits a move into cases."""

    def __init__(self, board: Board, move: int) -> None:
        self.board, net = board, board.net
        moves = range(len(net.owners))
        made = {net.first_move + m: TRUE if m == move else FALSE for m in moves}
        running = {abs(net.running): TRUE if net.running > 0 else FALSE}
        (self.legal,) = board.copied([net.legal[move]], running)
        facts = [fact for cell in board.cells for fact in cell if fact is not None]
        after = board.copied([net.next[fact] for fact in facts], made)
        self.next = dict(zip(facts, after, strict=True))
        self.touched = [
            number
            for number, cell in enumerate(board.cells)
            if any(fact is not None and self.next[fact] != 2 + fact for fact in cell)
        ]
        self.left = MOST_CASES

    def split(self, known: dict[int, Contents]) -> list[Case]:
        """The cases in which cells have these contents."""
        self.left -= 1
        if not self.left:
            raise NotListed("a move has too many cases")
        (legal,) = self.board.under([self.legal], known)
        if legal == FALSE:
            return []
        undecided = [] if legal == TRUE else [legal]
        effect = []
        for cell in self.touched if legal == TRUE else ():
            becomes = self._becomes(cell, known)
            if isinstance(becomes, list):
                undecided += becomes
            elif becomes >= 0 and known.get(cell) != 1 << becomes:
                effect.append((cell, becomes))
        if not undecided:
            return [Case(frozenset(), frozenset(effect))]
        return list(self._by_content(self.board.nearest(undecided[0]), known))

    def _by_content(self, cell: int, known: dict[int, Contents]) -> Iterator[Case]:
        """The cases for each content of a cell; contents that make no difference are one."""
        alike: dict[tuple[Case, ...], Contents] = {}
        whole = self.board.whole(cell)
        for content in CONTENTS:
            if whole >> content & 1:
                cases = tuple(self.split(known | {cell: 1 << content}))
                alike[cases] = alike.get(cases, 0) | 1 << content
        for cases, contents in alike.items():
            need = frozenset([(cell, contents)] if contents != whole else [])
            for case in cases:
                yield Case(case.needs | need, case.effect)

    def _becomes(self, cell: int, known: dict[int, Contents]) -> int | list[int]:
        """The content of a cell after the move, -1 for the old one; or what that depends on."""
        facts = [(c, fact) for c, fact in enumerate(self.board.cells[cell]) if fact is not None]
        after = self.board.under([self.next[fact] for _, fact in facts], known)
        if all(now == 2 + fact for (_, fact), now in zip(facts, after, strict=True)):
            return -1
        undecided = [now for now in after if now not in (TRUE, FALSE)]
        if undecided:  # the content before the move may decide it
            return undecided if cell in known else [2 + facts[0][1]]
        held = [content for (content, _), now in zip(facts, after, strict=True) if now == TRUE]
        if len(held) > 1 or (not held and len(facts) == len(CONTENTS)):
            raise Torn(self.board.cells[cell])
        return held[0] if held else OPEN


class ReachablePairs:
    """The pairs of contents of cells that may stand together in a game: never too few of them.

    Contents are numbered cell by cell; `pairs[n]` is a mask of those that may stand beside n.
    """

    def __init__(self, start: Iterable[tuple[int, int]]) -> None:
        held = mask_of(map(self._number, start))
        self.pairs: dict[int, int] = dict.fromkeys(cells_of(held), held)

    @staticmethod
    def _number(content: tuple[int, int]) -> int:
        return len(CONTENTS) * content[0] + content[1]

    def beside(self, needs: Iterable[tuple[int, Contents]]) -> int:
        """The contents that may stand beside some needs, as a mask; 0 if these never hold."""
        found = -1
        for cell, contents in needs:
            allowed = 0
            for content in cells_of(contents):
                allowed |= self.pairs.get(self._number((cell, content)), 0)
            found &= allowed
        return mask_of(self.pairs) if found == -1 else found

    def allows(self, held: int, cell: int, contents: Contents) -> bool:
        return bool(held >> self._number((cell, 0)) & contents)

    def grow(self, case: Case) -> bool:
        """Add what may stand together after a move; whether that is new."""
        held = self.beside(case.needs)
        if not all(self.allows(held, cell, contents) for cell, contents in case.needs):
            return False
        for cell, _ in case.effect:
            held &= ~(0b111 << self._number((cell, 0)))
        made = mask_of(map(self._number, case.effect))
        held |= made
        fresh = False
        for number in cells_of(held):
            before = self.pairs.get(number, 0)
            after = before | (held if made >> number & 1 else made)
            fresh |= after != before
            self.pairs[number] = after
        return fresh

    def shortest(self, case: Case) -> Case | None:
        """The case without needs that follow from the others; None if it never arises."""
        held = self.beside(case.needs)
        if not all(self.allows(held, cell, contents) for cell, contents in case.needs):
            return None
        needs = set(case.needs)
        for need in sorted(needs):
            cell, contents = need
            others = self.beside(needs - {need})
            if not self.allows(others, cell, 0b111 & ~contents):
                needs.remove(need)
        return case._replace(needs=frozenset(needs))


# --- the list -------------------------------------------------------------------------------------


def listed(network: Network, net: Propnet) -> Listed:
    """The list of a network's rules; `net` is the network, perhaps with the players exchanged."""
    apart: set[Term] = set()
    while True:
        found = cells(network, apart)
        try:
            return _listed(network, Board(net, found))
        except Torn as torn:
            facts = (network.facts[fact] for fact in torn.cell if fact is not None)
            apart |= {fact[0] for fact in facts if isinstance(fact, tuple)}


def _listed(network: Network, board: Board) -> Listed:
    for cell in board.cells:
        held = sum(holds(fact, board.net.start) for fact in cell)
        if held > 1 or (not held and None not in cell):
            raise Torn(cell)
    cases: dict[Player, list[tuple[int, Case]]] = {player: [] for player in Player}
    for move, owner in enumerate(board.net.owners):
        if board.net.legal[move] != FALSE:
            cases[owner] += [(move, case) for case in Cases(board, move).split({})]
    if sum(map(len, cases.values())) > MOST_ACTIONS:
        raise NotListed("its moves have too many cases")
    goals = {player: board.ways(_won(board, player)) for player in Player}
    _check_end(board, cases)
    _check_goals(cases, goals)
    cases = _shortest(board, cases)
    numbers = count()
    return Listed(
        tuple(board.cells),
        tuple(_name(network, cell) for cell in board.cells),
        tuple(move for player in Player for move, _ in cases[player]),
        {p: tuple((next(numbers), case) for _, case in cases[p]) for p in Player},
        {player: tuple(ways) for player, ways in goals.items()},
    )


def _shortest(
    board: Board, cases: dict[Player, list[tuple[int, Case]]]
) -> dict[Player, list[tuple[int, Case]]]:
    """The cases that arise in games from the start, with as few needs as tell them."""
    pairs = ReachablePairs(
        (number, next((c for c in (BLACK, WHITE) if holds(cell[c], board.net.start)), OPEN))
        for number, cell in enumerate(board.cells)
    )
    every = [case for moves in cases.values() for _, case in moves]
    while sum(pairs.grow(case) for case in every):
        breathe()
    return {
        player: [(m, short) for m, case in moves if (short := pairs.shortest(case)) is not None]
        for player, moves in cases.items()
    }


def _won(board: Board, player: Player) -> int:
    """Whether a player has won, if the opponent has not."""
    won, other = board.net.won[player], board.net.won[player.opponent]
    known = {abs(other): FALSE if other > 0 else TRUE}
    (found,) = board.copied([won], known if abs(other) >= board.net.first_gate else {})
    return found


def _check_end(board: Board, cases: dict[Player, list[tuple[int, Case]]]) -> None:
    """Where the game is over and nobody has won, nobody has a move."""
    over, *won = board.copied([-board.net.running, *board.net.won.values()], {})
    decided = board.gates.any_of(won)
    for end in board.ways(over):
        breathe()
        (rest,) = board.under([decided], dict(end))
        if rest == TRUE:
            continue
        for moves in cases.values():
            for _, case in moves:
                both = combined(end, case.needs)
                if both is not None and board.under([rest], dict(both)) != [TRUE]:
                    raise NotListed("moves are possible where the game is over without a winner")


def _check_goals(
    cases: dict[Player, list[tuple[int, Case]]], goals: dict[Player, list[Needs]]
) -> None:
    """Nobody meets a goal of the opponent's."""
    for player, moves in cases.items():
        by_cell = defaultdict(list)
        for goal in goals[player.opponent]:
            for cell, contents in goal:
                by_cell[cell].append((contents, goal))
        for _, case in moves:
            needs, effect = dict(case.needs), dict(case.effect)
            for cell, content in case.effect:
                for contents, goal in by_cell[cell]:
                    if contents >> content & 1 and needs.get(cell, 0b111) & ~contents:
                        kept = frozenset((c, k) for c, k in goal if c not in effect)
                        made = all(k >> effect[c] & 1 for c, k in goal if c in effect)
                        if made and combined(kept, case.needs) is not None:
                            raise NotListed("a move may meet a goal of the opponent's")


def _name(network: Network, cell: Cell) -> str:
    """A cell's name: its fact, or what its facts have in common."""
    facts = [network.facts[fact] for fact in cell if fact is not None]
    first = facts[0]
    if len(facts) == 1 or not isinstance(first, tuple):
        return written(first)
    return written(first[:-1]) if len(first) > 2 else str(first[0])
