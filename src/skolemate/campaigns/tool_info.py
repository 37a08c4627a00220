"""Tool-info modules for BenchExec: `tool="skolemate.campaigns.tool_info"` in a benchmark file.

That one runs `skolemate qbf` with the options given, or another command if the first option names
one. `skolemate.campaigns.tool_info.depqbf` runs a solver itself, and so for every registered solver
and those of the user's own.
"""

import sys
from types import ModuleType
from typing import Any

from benchexec import result  # type: ignore[import-untyped]
from benchexec.tools.template import (  # type: ignore[import-untyped]
    BaseTool2,
    ToolNotFoundException,
)

from skolemate.solvers import PROGRAMS
from skolemate.solvers.program import Program, read_answer

COMMANDS = ("qbf", "solve", "oracle")  # they exit with 10 for true, 20 for false


class Tool(BaseTool2):  # type: ignore[misc]
    """Skolemate as a tool of BenchExec."""

    def executable(self, tool_locator: Any) -> str:
        return str(tool_locator.find_executable("skolemate"))

    def version(self, executable: str) -> str:
        return str(self._version_from_tool(executable, line_prefix="skolemate"))

    def name(self) -> str:
        return "Skolemate"

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        command = [] if options and options[0] in COMMANDS else ["qbf"]
        return [executable, *command, *options, task.single_input_file]

    def determine_result(self, run: Any) -> str:
        return _result({10: True, 20: False}.get(run.exit_code.value), run)


class SolverTool(BaseTool2):  # type: ignore[misc]
    """A solver as a tool of BenchExec; each has a subclass that names its program."""

    program: Program

    def executable(self, tool_locator: Any) -> str:
        path = self.program.find()
        if path is None:
            raise ToolNotFoundException(f"{self.program.name} is missing: {self.program.remedy}")
        return path

    def version(self, executable: str) -> str:
        return self.program.version(executable) or ""

    def name(self) -> str:
        return self.program.title

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        called = self.program.command(executable, task.single_input_file, outer=False)
        return [called[0], *options, *called[1:]]

    def determine_result(self, run: Any) -> str:
        codes = self.program.exit_codes
        text = "\n".join(line.rstrip("\n") for line in run.output) + "\n"
        answer = read_answer(text, codes[0] == codes[1], self.program.answers)
        agrees = answer is not None and run.exit_code.value == codes[0 if answer else 1]
        return _result(answer if agrees else None, run)


def _result(answer: bool | None, run: Any) -> str:
    if answer is not None:
        return str(result.RESULT_TRUE_PROP if answer else result.RESULT_FALSE_PROP)
    stopped = run.was_terminated or run.exit_code.value in (0, 30)
    return str(result.RESULT_UNKNOWN if stopped else result.RESULT_ERROR)


# BenchExec imports a module for each tool: these exist only in memory.
for _program in PROGRAMS:
    if not _program.preprocesses:
        _module = ModuleType(f"{__name__}.{_program.name}", _program.title)
        _module.Tool = type("Tool", (SolverTool,), {"program": _program})  # type: ignore[attr-defined]
        sys.modules[_module.__name__] = _module
