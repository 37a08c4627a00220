"""Many clients of the page's server at once: no error, no process and no memory left behind.

python benchmarks/many_clients.py 200
"""

from __future__ import annotations

import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clients import visit
from serving import Server, solvers_of

MEGABYTE = 1 << 20


def main(number: int) -> int:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        pid = server.process.pid
        visit(server.address, 0)  # what is loaded once does not count
        visit(server.address, 1)
        before, begin = server.resident(), time.monotonic()
        for round_number in (1, 2):
            with ThreadPoolExecutor(number) as pool:
                list(pool.map(lambda n: visit(server.address, n), range(number)))
            left = solvers_of(pid)
            print(
                f"round {round_number}: {number} clients in {time.monotonic() - begin:.0f} s, "
                f"{server.resident() / MEGABYTE:.0f} MB (before: {before / MEGABYTE:.0f}), "
                f"{len(left)} solvers left"
            )
            if left:
                return 1
            if round_number == 1:
                settled = server.resident()
        # The first round fills caches of bounded size; the second must not add to them.
        grown = server.resident() - settled
        print(f"the second round added {grown / MEGABYTE:.0f} MB")
        return 1 if grown > 50 * MEGABYTE else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
