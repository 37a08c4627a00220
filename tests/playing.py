"""What the tests of playing share: every line of play there is, and a screen without a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skolemate.games import Player, Position
from skolemate.play.match import Match, Opponent

__all__ = ["Script", "all_endings"]


def all_endings(match: Match, computer: Player, opponent: Opponent) -> Iterator[Match]:
    """The ends of all games that can be reached; of positions met twice, only the first."""
    seen: set[Position] = set()
    waiting = [match]
    while waiting:
        match = waiting.pop()
        if match.over:
            yield match
        elif match.position not in seen:
            seen.add(match.position)
            if match.position.to_move is computer:
                reply = opponent.reply(match)
                waiting.append(match.play(reply.move, reply.claim))
            else:
                waiting += [match.play(move) for move in match.position.moves()]


class Script:
    """A screen on which lines appear by themselves, and which remembers what was shown."""

    width = 80

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.shown: list[str] = []

    def show(self, picture: str) -> None:
        self.shown.append(picture)

    def say(self, sentence: str) -> None:
        self.shown.append(sentence)

    def ask(self, prompt: str) -> str | None:
        self.shown.append(prompt)
        return next(self._lines, None)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)
