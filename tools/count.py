"""How the code is cut: files, their sizes, import lines. `python tools/count.py [folder]`.

Counted are all lines of all Python files below the folder, blank ones and comments too. An import
line is a line of an import statement, wherever it stands; one that spans five lines counts five.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from statistics import median

SMALL = 60  # lines


def import_lines(source: str) -> int:
    """The lines of a file that import."""
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
    )


def main(folder: str = "src") -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted(Path(folder).rglob("*.py"))]
    sizes = [len(source.splitlines()) for source in sources]
    imports, small = sum(map(import_lines, sources)), sum(size < SMALL for size in sizes)
    print(f"{len(sizes)} files, {sum(sizes)} lines, median {median(sizes):g}")
    print(f"{imports} import lines, {imports / sum(sizes):.2%}")
    print(f"{small} files with fewer than {SMALL} lines, {small / len(sizes):.0%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
