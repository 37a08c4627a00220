"""proselint over the prose of all pages: without code, tables and drawings. Part of `make lint`.

Left out are its checks of typography (curly quotes, multiplication signs) and of repeated words,
which take a heading and the sentence after it for one.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")]
LEFT_OUT = {"typography": False, "lexical_illusions": False}
NOT_PROSE = re.compile(r"^ *```.*?^ *```|`[^`]*`|^\|[^\n]*|\b[a-z]\d+\b", re.M | re.S)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="skolemate-prose-") as name:
        folder = Path(name)
        (folder / "config.json").write_text(json.dumps({"checks": LEFT_OUT}))
        for page in PAGES:
            copy = folder / page.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(NOT_PROSE.sub(_blank, page.read_text(encoding="utf-8")))
        command = [str(Path(sys.executable).with_name("proselint")), "check"]
        command += ["--config", "config.json", *(str(page.relative_to(ROOT)) for page in PAGES)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        print(done.stdout.replace(f"{folder}/", "") + done.stderr, end="")
        return done.returncode


def _blank(found: re.Match[str]) -> str:
    """As many lines as before, so that places are right."""
    return "\n" * found[0].count("\n") or "it"


if __name__ == "__main__":
    sys.exit(main())
