"""Registries of games, encodings and solvers by name.

The modules of a package register their items on import; a registry imports all of them, and the
entry points of other distributions, the first time somebody asks. A plug-in that fails is named
on the standard error and left out; everything else goes on.
"""

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import Generic, TypeVar

from skolemate.errors import UserError, brief, suggestion

Item = TypeVar("Item")


class Registry(Generic[Item]):
    """Named dataclasses, found in `package` and under the entry points `skolemate.<kind>s`.

    `more` adds others, once all of these are known.
    """

    def __init__(
        self, kind: str, package: str, of: type[Item], more: Callable[[], None] | None = None
    ) -> None:
        self.kind = kind
        self._more = more
        self._of = of
        self._package = package
        self._items: dict[str, Item] = {}
        self._complete = self._looking = False
        self._lock = RLock()  # two threads may ask at once; the first one looks

    def add(self, name: str, item: Item, again: bool = False) -> None:
        """Make an item known, or known `again`; an error says why it cannot be."""
        for label, words in (("its name", name), *_words_of(self._of, item)):
            if not isinstance(words, str):
                raise TypeError(f"{label} is {repr(words)[:40]}, which is no text")
        if name != name.strip().lower() or not name:
            raise ValueError(f"a name has small letters and no blanks around, not {brief(name)}")
        if name in self._items and not again:
            raise ValueError(f"two {self.kind}s are called {name}")
        self._items[name] = item

    def __getitem__(self, name: str) -> Item:
        if not isinstance(name, str):
            raise UserError(f"{self.kind} is a name, not {name!r:.40}")
        self._discover()
        try:
            return self._items[name.strip().lower()]
        except KeyError:
            raise UserError(
                f"unknown {self.kind} {brief(name)}: {suggestion(name, self._items)}"
            ) from None

    def __contains__(self, name: str) -> bool:
        self._discover()
        return name.strip().lower() in self._items

    def __iter__(self) -> Iterator[Item]:
        self._discover()
        return (self._items[name] for name in sorted(self._items))

    def _discover(self) -> None:
        if self._complete:
            return
        with self._lock:
            if self._complete or self._looking:  # a plug-in may itself look something up
                return
            self._looking = True
            try:
                package = importlib.import_module(self._package)
                for module in pkgutil.iter_modules(package.__path__):
                    importlib.import_module(f"{self._package}.{module.name}")
                for point in entry_points(group=f"skolemate.{self.kind}s"):
                    self._plug_in(point)
                if self._more is not None:
                    self._more()
                self._complete = True
            finally:
                self._looking = False

    def _plug_in(self, point: EntryPoint) -> None:
        """Load what another distribution adds: all that it registers, or nothing."""
        before = dict(self._items)
        try:
            point.load()
        except (Exception, SystemExit) as error:  # whatever goes wrong in other people's modules
            self._items = before
            why = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            plug_in = f"the {self.kind} plug-in {point.name} = {point.value}"
            print(
                f"skolemate: warning: {plug_in} is left out ({why}); repair or uninstall it",
                file=sys.stderr,
            )


def _words_of(kind: type, item: object) -> Iterator[tuple[str, object]]:
    """What has to be text in an item, by the types that its class declares."""
    if not isinstance(item, kind):
        raise TypeError(f"{repr(item)[:40]} is no {kind.__name__}")
    for entry in fields(item):  # type: ignore[arg-type]
        value = getattr(item, entry.name)
        if entry.type in (str, "str"):
            yield entry.name, value
        elif entry.type in (tuple[str, ...], "tuple[str, ...]"):
            yield from ((entry.name, word) for word in value)
