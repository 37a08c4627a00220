"""Mutation testing: change one thing in a module at a time, and see whether its tests notice.

Mutants that survive must stand in tests/surviving-mutants.md with an explanation, and all that
stand there must survive: `make mutate` fails otherwise. In a fork for each mutant, the changed
functions take the place of the right ones.
"""

from __future__ import annotations

import ast
import copy
import importlib
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = ROOT / "tests" / "surviving-mutants.md"

# What is changed, and the tests that must notice, the quickest first.
SUBJECTS = {
    "checker": (
        "skolemate.strategies.checker",
        ["tests/test_checker.py", "tests/test_linking.py", "tests/test_for_ever.py"],
    ),
    "links": ("skolemate.strategies.nodes", ["tests/test_linking.py"]),
    "oracle": ("skolemate.search.reference", ["tests/test_reference.py"]),
    "qdimacs": ("skolemate.formula.qdimacs", ["tests/test_qdimacs.py"]),
}
SLOW = 120  # seconds; a mutant that takes longer hangs, and so it was noticed

OTHER: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
DELETED = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Return, ast.Continue, ast.Break)


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OTHER:
        yield ast.Compare(node.left, [OTHER[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(OTHER[type(node.op)](), node.values)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OTHER:
        changed = copy.copy(node)
        changed.op = OTHER[type(node.op)]()
        yield changed
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)) and isinstance(
        node.test, (ast.Name, ast.Attribute, ast.Call, ast.NamedExpr)
    ):
        negated = copy.copy(node)
        negated.test = ast.UnaryOp(ast.Not(), node.test)
        yield negated
    if isinstance(node, DELETED) and not _is_text(node):
        yield ast.Pass()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def mutants(tree: ast.Module) -> Iterator[tuple[str, ast.Module]]:
    """Every mutant of a module, with what is said about it."""
    names = set[str]()

    def visit(
        node: ast.AST, where: str, statement: ast.stmt | None
    ) -> Iterator[tuple[str, ast.Module]]:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            where = f"{where}.{node.name}".strip(".")
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "names"):
                continue
            for place, child in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(child, ast.AST):
                    continue
                inside = child if isinstance(child, ast.stmt) else statement
                for changed in replacements(child):
                    if isinstance(changed, ast.Pass) and not where:
                        continue  # without a constant nothing would begin
                    before = _first_line(inside)
                    _put(node, field, place, changed)
                    after = _first_line(changed if child is inside else inside)
                    name = f"{where}: `{before}` → `{after}`"
                    while name in names:
                        name += " (again)"
                    names.add(name)
                    yield name, ast.fix_missing_locations(copy.deepcopy(tree))
                    _put(node, field, place, child)
                yield from visit(child, where, inside)

    yield from visit(tree, "", None)


def _first_line(node: ast.AST | None) -> str:
    return ast.unparse(node).split("\n")[0] if node else ""


def _put(node: ast.AST, field: str, place: int, child: ast.AST) -> None:
    value = getattr(node, field)
    if isinstance(value, list):
        value[place] = child
    else:
        setattr(node, field, child)


def graft(module: ModuleType, tree: ast.Module) -> None:
    """Let a module behave as the tree says; whoever has imported from it sees that, too."""
    space: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(tree, module.__name__, "exec"), space)
    for name, value in space.items():
        old = module.__dict__.get(name)
        if isinstance(old, type) and old.__module__ == module.__name__:
            for key, method in vars(value).items():
                _transplant(vars(old).get(key), method)
        elif not _transplant(old, value) and not name.startswith("__"):
            module.__dict__[name] = value


def _transplant(old: object, new: object) -> bool:
    if isinstance(old, property) and isinstance(new, property):
        old, new = old.fget, new.fget
    if not isinstance(old, FunctionType) or not isinstance(new, FunctionType):
        return False
    old.__code__, old.__defaults__, old.__kwdefaults__ = (
        new.__code__,
        new.__defaults__,
        new.__kwdefaults__,
    )
    return True


class Mutation:
    """A plugin of pytest: once all tests are collected, they are run in a fork for each mutant."""

    def __init__(self, subject: str, module: ModuleType, explained: set[str]) -> None:
        self.subject, self.module, self.explained = subject, module, explained
        self.failures, self.is_child = 0, False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> bool | None:
        assert self.module.__file__ is not None
        tree = ast.parse(Path(self.module.__file__).read_text(encoding="utf-8"))
        begun, alive, count = time.monotonic(), set[str](), 0
        for said, mutant in [("nothing is changed", tree), *mutants(tree)]:
            sys.stdout.flush()
            child = os.fork()
            if not child:
                self._become(mutant)
                return None  # and so the tests are run, here
            count += 1
            if os.waitpid(child, 0)[1] == 0:
                alive.add(said)
                if said not in self.explained and mutant is not tree:
                    print(f"{self.subject}: survives: {said}", flush=True)
        assert "nothing is changed" in alive, "the tests fail without any change"
        alive.remove("nothing is changed")
        for said in sorted(self.explained - alive):
            print(f"{self.subject}: is noticed, or is gone: {said}")
        self.failures = len(alive ^ self.explained)
        told = f"{count - 1} mutants, {len(alive)} survive, {time.monotonic() - begun:.0f} s"
        print(f"{self.subject}: {told}", flush=True)
        return True

    def _become(self, mutant: ast.Module) -> None:
        self.is_child = True
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        signal.alarm(SLOW)
        try:
            graft(self.module, mutant)
        except BaseException:
            os._exit(1)


def main(*chosen: str) -> int:
    os.chdir(ROOT)
    text = EXPLAINED.read_text(encoding="utf-8")
    failures = 0
    for subject in chosen or SUBJECTS:
        name, tests = SUBJECTS[subject]
        section = re.search(rf"^## {subject}$(.*?)(?=^## |\Z)", text, re.M | re.S)
        explained = set(re.findall(r"^- (.*)$", section[1], re.M)) if section else set()
        mutation = Mutation(subject, importlib.import_module(name), explained)
        code = pytest.main(["-x", "-q", "-s", "-p", "no:cacheprovider", *tests], [mutation])
        if mutation.is_child:
            os._exit(int(code))
        failures += mutation.failures
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
