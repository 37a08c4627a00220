"""Line and branch coverage of each room from coverage.py's JSON; exit code 1 below LEAST.

What a room lacks is listed with its lines, so that a test can be written for it.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

LEAST = 95.0  # percent, of lines and of branches


def main(file: str) -> int:
    rooms: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    missing: dict[str, list[str]] = defaultdict(list)
    for name, found in json.loads(Path(file).read_text())["files"].items():
        room, _, module = name.partition("skolemate/")[2].partition("/")
        said = found["summary"]
        counts = ("covered_lines", "num_statements", "covered_branches", "num_branches")
        rooms[room] = [a + said[key] for a, key in zip(rooms[room], counts, strict=True)]
        gaps = [f"{line}" for line in found["missing_lines"]]
        gaps += [
            f"{a}→{b}" for a, b in found["missing_branches"] if a not in found["missing_lines"]
        ]
        if gaps:
            missing[room].append(f"  {module}: {' '.join(gaps)}")
    low = False
    for room, (lines, all_lines, branches, all_branches) in sorted(rooms.items()):
        shares = 100 * lines / max(all_lines, 1), 100 * branches / max(all_branches, 1)
        print(f"{room}: {shares[0]:.1f} % of lines, {shares[1]:.1f} % of branches")
        print("\n".join(missing[room]))
        low |= min(shares) < LEAST
    return int(low or not rooms)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
