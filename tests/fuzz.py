"""One reader for some seconds with files that coverage guides: `make fuzz`.

Atheris mutates the seeds. It stops at any error but a refusal with a place, at a file that takes
longer than SLOW seconds or needs more than MEGABYTES, and leaves that file in build/fuzz. There are
rounds, each a process of its own that begins with what was found before: where arrays are compared,
as in the reader of QDIMACS, Atheris keeps every result, some hundred megabytes a minute.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import atheris

from readers import READERS, read, seeds, tokens

SLOW, MEGABYTES, LONGEST = 20, 1024, 4096
ROUND = 60  # seconds
ROOT = Path(__file__).resolve().parents[1] / "build" / "fuzz"


def main(reader: str, seconds: int) -> int:
    """So many rounds as there is time for, until one of them ends in an error."""
    assert reader in READERS, f"choose one of {', '.join(READERS)}"
    for left in range(seconds, 0, -ROUND):
        call = [sys.executable, __file__, "--round", reader, str(min(left, ROUND))]
        code = subprocess.run(call, check=False).returncode
        if code:
            return code
    return 0


def one_round(reader: str, seconds: str) -> None:
    folder = ROOT / reader
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(reader)):
        (corpus / f"seed-{number}").write_bytes(seed)
    words = folder / "words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in tokens(reader) if word))
    options = {
        "max_total_time": seconds,
        "timeout": SLOW,
        "rss_limit_mb": MEGABYTES,
        "max_len": LONGEST,
        "dict": words,
        "artifact_prefix": f"{folder}/",
        "print_final_stats": 1,
        "verbosity": 0,
    }
    chosen = [f"-{name}={value}" for name, value in options.items()]

    def judge(data: bytes) -> None:
        read(reader, data)

    _watch("skolemate.")
    atheris.Setup([sys.argv[0], *chosen, str(corpus)], judge)
    atheris.Fuzz()  # leaves the program


def _watch(*packages: str) -> None:
    """Let coverage guide through these packages, however they were imported."""
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and (found.__module__ or "").startswith(packages):
            atheris.instrument_func(found)


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


if __name__ == "__main__":
    if sys.argv[1] == "--round":
        one_round(*sys.argv[2:])
    else:
        sys.exit(main(sys.argv[1], int(sys.argv[2])))
