"""Qubi (van de Pol): decision diagrams over a circuit; for users who have it.

It exits with 0 whatever it finds, so its text alone tells the answer.
"""

from __future__ import annotations

from skolemate.solvers.program import FROM_SOURCE, Program, register

register(
    Program(
        name="qubi",
        title="Qubi, decision diagrams of circuits",
        licence="Apache-2.0",
        install=FROM_SOURCE,
        executables=("qubi",),
        # Quiet, and one thread, as all others have. Its tables are reserved at once: by default
        # 18 GB, which no limit of memory would allow; 2^26 nodes are 2.3 GB.
        arguments=("-v=0", "-w=1", "-t=26"),
        outer=("-e",),
        formats=("qcir",),
        exit_codes=(0, 0),
        version_arguments=(),
    )
)
