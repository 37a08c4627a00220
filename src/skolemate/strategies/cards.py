"""Cards: nodes (entries of a strategy) that are used again elsewhere on the board.

A reply may name a *map*, which says where some of the cells go. It leads to the image of its node
under this map, and the replies of that node lead to the images of theirs. So one node serves at
many places. `Unfolding` writes every image out as a node of its own. The checker judges these nodes
like all others. So nothing here needs to be believed, whatever maps a file contains.
"""

from collections.abc import Iterator
from operator import itemgetter

from skolemate.games.game import Player, Position
from skolemate.games.symmetry import CellMap, Permutation, cells_of, composed, move_mask
from skolemate.strategies.claim import Claim, NotProved
from skolemate.strategies.nodes import Node, Reply

MOST_IMAGES = 1_000_000  # in a file; maps that are no translations can make very many

Image = tuple[int, CellMap]  # the number of a node, and where its cells go


class Unfolding:
    """Turns the lines of a file, one after another, into lines without maps.

    Symmetries keep their numbers, since they stand before all maps.
    """

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._whole = (1 << claim.game.board.size) - 1
        self._maps: list[CellMap] = []  # the symmetries among them
        self._symmetries = 0
        self._nodes: list[Node] = []  # of the file, if it has maps
        self._numbers: list[int] = []  # which they get
        self._images: dict[Image, int] = {}  # which number each has
        self._began = False  # whether there was a node

    def plain(self, line: Node | CellMap) -> Iterator[Node | Permutation]:
        """The lines that stand for the next line of the file."""
        if isinstance(line, Node):
            self._began = True
            yield from self._node(line) if self._symmetries < len(self._maps) else (line,)
            return
        turn = tuple(cell for cell in line if cell is not None)
        if len(turn) == len(line) and self._symmetries == len(self._maps):
            self._symmetries += 1
            yield turn
        elif len(turn) == len(line) or self._began:
            raise NotProved("maps stand after all symmetries, and before all nodes")
        self._maps.append(line)

    def _node(self, node: Node) -> Iterator[Node]:
        replies = list[Reply]()
        for reply in node.replies:
            number, via = reply.node, reply.via
            if number is not None and number >= len(self._nodes):
                raise NotProved(f"no node {number} above", reply.move)
            if number is not None and via is not None and via in self._partial:
                yield from self._new_images(number, self._maps[via])
                number, via = self._images[self._image(number, self._maps[via])], None
            elif number is not None:
                number = self._numbers[number]
            replies.append(reply._replace(node=number, via=via))
        self._nodes.append(node)
        self._numbers.append(self._next)
        yield node._replace(replies=tuple(replies))

    @property
    def _partial(self) -> range:
        """The numbers of the maps that are no symmetries."""
        return range(self._symmetries, len(self._maps))

    @property
    def _next(self) -> int:
        """The number that the next line with a node gets."""
        return len(self._numbers) + len(self._images)

    def _new_images(self, number: int, where: CellMap) -> Iterator[Node]:
        """The image of a node, and of those that it leads to, as far as they are new."""
        new, waiting = dict[Image, CellMap](), [(number, where)]
        while waiting:
            number, where = waiting.pop()
            image = self._image(number, where)
            if image in self._images or image in new:
                continue
            new[image] = where
            if len(self._images) + len(new) > MOST_IMAGES:
                raise NotProved(f"the maps make more than {MOST_IMAGES} images")
            waiting += [
                (reply.node, self._later(where, reply))
                for reply in self._nodes[number].replies
                if reply.node is not None
            ]
        for image in sorted(new, key=itemgetter(0)):  # a node leads to earlier ones
            node = self._moved(image[0], new[image])
            self._images[image] = self._next
            yield node

    def _later(self, where: CellMap, reply: Reply) -> CellMap:
        """Where the cells of a reply's node go, if those of the node with the reply go `where`."""
        return where if reply.via is None else composed(where, self._maps[reply.via])

    def _image(self, number: int, where: CellMap) -> Image:
        node = self._nodes[number]
        if not node.replies:
            raise NotProved(f"node {number} has no replies, so it has no image under a map")
        enemy = self._claim.sides(node.position)[1]
        images = tuple(where[cell] for cell in cells_of(self._whole & ~enemy))
        if None in images:
            raise NotProved(f"a map leaves out a cell of node {number}")
        return number, images

    def _moved(self, number: int, where: CellMap) -> Node:
        """The image of a node. All cells that it does not need are the opponent's, or blank."""
        node, claim = self._nodes[number], self._claim
        own, enemy = claim.sides(node.position)
        cells = self._whole & ~enemy
        stones, given = move_mask(where, own), self._whole & ~move_mask(where, cells)
        replies = list[Reply]()
        for reply in node.replies:
            move, then = where[reply.move], reply.node
            if move is None:
                raise NotProved(f"a map leaves out a reply of node {number}")
            if then is not None:
                then = self._images[self._image(then, self._later(where, reply))]
            replies.append(Reply(move, then, None, move_mask(where, reply.omits & cells)))
        both = (stones, given) if claim.owner is Player.BLACK else (given, stones)
        position = Position(claim.game, *both, node.position.to_move)
        blank = given if claim.races is not None else 0
        return Node(position, node.left, replies=tuple(replies), blank=blank)
