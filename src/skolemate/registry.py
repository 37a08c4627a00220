"""Registries: one place where each kind of thing is known by name.

What is in a package's modules registers itself on import; modules are found by themselves, and
other distributions add theirs through entry points. Nothing is imported before it is needed.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from importlib.metadata import entry_points
from threading import RLock
from typing import Generic, TypeVar

from skolemate.errors import UserError, brief, suggestion

__all__ = ["Registry"]

Item = TypeVar("Item")


class Registry(Generic[Item]):
    """Named items, discovered in `package` and under the entry points `skolemate.<kind>s`."""

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self._package = package
        self._items: dict[str, Item] = {}
        self._complete = False
        self._lock = RLock()  # two threads may ask at once; the first one looks

    def add(self, name: str, item: Item) -> None:
        if name in self._items:
            raise ValueError(f"two {self.kind}s are called {name}")
        self._items[name] = item

    def __getitem__(self, name: str) -> Item:
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
            if self._complete:
                return
            package = importlib.import_module(self._package)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self._package}.{module.name}")
            for point in entry_points(group=f"skolemate.{self.kind}s"):
                try:
                    point.load()
                except Exception as error:  # whatever goes wrong in other people's modules
                    raise UserError(
                        f"the {self.kind} of the entry point {point.name} = {point.value} cannot "
                        f"be loaded ({type(error).__name__}: {error}); mend or uninstall it"
                    ) from error
            self._complete = True
