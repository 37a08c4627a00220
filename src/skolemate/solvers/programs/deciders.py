"""The QBF solvers: how each is installed, called and read (see `solvers.program`)."""

from skolemate.solvers.program import FROM_SOURCE, PYQBF, Program, register

# DepQBF 6 (Lonsing and Egly), as pyqbf builds it.
register(
    Program(
        name="depqbf",
        title="DepQBF, search with clause and cube learning",
        licence="GPL-3",
        install=PYQBF,
        executables=(),  # Debian's on the PATH has other flags: it is registered as depqbf5
        bundled="bin/pyqbf_depqbf",
        # Without the second flag it aborts when asked for an assignment.
        outer=("--qdo", "--no-dynamic-nenofex"),
    )
)

# DepQBF 5 as Debian packages it, beside the newer one that pyqbf builds.
register(
    Program(
        name="depqbf5",
        title="DepQBF 5, search with clause and cube learning",
        licence="GPL-3",
        install="apt-get install depqbf",
        executables=("depqbf",),
        # Without the second flag some assignments are wrong.
        outer=("--qdo", "--no-qbce-dynamic"),
    )
)

# CAQE (Rabe and Tentrup): clausal abstraction.
register(
    Program(
        name="caqe",
        title="CAQE, clausal abstraction",
        licence="MIT",
        install=PYQBF,
        executables=("caqe",),
        bundled="bin/pyqbf_caqe",
        outer=("--qdo",),
    )
)

# Qute (Peitl, Slivovsky, Szeider): search with dependency learning; also reads circuits.
register(
    Program(
        name="qute",
        title="Qute, search with dependency learning",
        licence="MIT",
        install=PYQBF,
        executables=("qute",),
        bundled="bin/pyqbf_qute",
        outer=("--partial-certificate",),
        formats=("qdimacs", "qcir"),
    )
)

# RAReQS (Janota et al.): expansion by counterexamples. Always prints its assignment.
register(
    Program(
        name="rareqs",
        title="RAReQS, expansion by counterexamples",
        licence="GPL-3",
        install=PYQBF,
        executables=("rareqs",),
        bundled="bin/pyqbf_rareqs",
        version_arguments=(),
    )
)

# QFun (Janota): expansion with learning of strategies. Prints no assignment.
register(
    Program(
        name="qfun",
        title="QFun, expansion with learnt strategies",
        licence="GPL-3",
        install=PYQBF,
        executables=("qfun",),
        bundled="bin/pyqbf_qfun",
        version_pattern=r"\d+\.\d+",
    )
)

# QuAbS (Tentrup): abstraction on circuits; for users who have it.
register(
    Program(
        name="quabs",
        title="QuAbS, abstraction on circuits",
        licence="AGPL-3",
        install=FROM_SOURCE,
        executables=("quabs",),
        outer=("--partial-assignment",),
        formats=("qcir",),
        version_arguments=(),
    )
)

# Qubi (van de Pol): decision diagrams over a circuit; for users who have it.
#
# It exits with 0 whatever the answer is, so only its text has the answer.
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

# GhostQ (Klieber): search with ghost variables; for users who have it.
register(
    Program(
        name="ghostq",
        title="GhostQ, search with ghost variables",
        licence="research",
        install=FROM_SOURCE,
        executables=("ghostq",),
        formats=("qdimacs", "qcir"),
        version_arguments=(),
    )
)

# QESTO and CQESTO (Janota): clause selection; for users who have them.
#
# They have no `--version`, but print it first on every call.
register(
    Program(
        name="qesto",
        title="QESTO, clause selection",
        licence="MIT",
        install=FROM_SOURCE,
        executables=("qesto",),
    )
)
register(
    Program(
        name="cqesto",
        title="CQESTO, clause selection on circuits",
        licence="GPL-3",
        install=FROM_SOURCE,
        executables=("cqesto",),
        formats=("qcir",),
    )
)
