"""What a whole talk leaves behind: bytes of the home or of the server's database, and the memory of the process.

`uv run python -m tests.bench.bench_growth [talks] [--server] [--generated]` runs `icc-bot slack` in a process of its
own against the stand-in for Slack. A talk is a question, its SQL, Run, the rows and Done; the question is SQL that is
typed, or with `--generated` one for which a scripted model writes the SQL. It prints by how many bytes each table,
index and file grew a talk. With `--server` the state lies in a PostgreSQL server: what was changed leaves dead rows
there, so that there is a VACUUM after so many talks, as the server does it by itself each minute.

A talk left 8.2 kB in a home when this was written (8.7 with `--generated`), 9.5 with a server; 2.7 to 3.1 of these are
the audit trail. Python's bytecode is there, as after `pip install`. Memory was 139 MiB at the start, 149 after the
first questions for a model, and 151 after 320 talks: 42 are code, most of it of SQLAlchemy, sqlglot, LangChain with
LangSmith, and pydantic. Development tools that libraries load where they find them (rich, click, psutil) are 5 of
these. Without bytecode it is ten more, until what is free is given back to the system
(`router/storage/free_memory.py`).
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabulate import tabulate

from tests.bench.bench_slack import process
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.support.kept_bytes import Sizes, beside_results, home_sizes, server_sizes
from tests.support.postgres import PostgresDatabase, fresh_database, postgres_server
from tests.support.slack_talk import CHANNELS, SQL, whole_talk

TALKS, FIRST = 300, 20
"""Talks that are measured, and those before them, in which tables get their first pages."""

VACUUM_TALKS = 10

BYTECODE = {
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "icc-bot-bench-bytecode"),
}
"""The environment of a process that finds its bytecode, wherever the bench runs."""

QUESTION = "revenue by region of orders above {number}?"


def memory(pid: int) -> tuple[int, int]:
    """Return the memory of a process in MB: what it has now, and the most that it ever had."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmRSS"].split()[0]) // 1024, int(lines["VmHWM"].split()[0]) // 1024


def compile_all() -> None:
    """Write the bytecode of all that a start imports."""
    imported = "import bot.__main__, bot.commands.slack, langchain_ollama"
    subprocess.run([sys.executable, "-c", imported], env={**os.environ, **BYTECODE}, check=True)


@contextmanager
def server_database(wanted: bool) -> Iterator[PostgresDatabase | None]:
    """Lend a server's database where one is wanted."""
    if not wanted:
        yield None
        return
    start = postgres_server.__wrapped__ if hasattr(postgres_server, "__wrapped__") else postgres_server
    with contextmanager(start)() as server, fresh_database(server) as fresh:
        yield fresh


def main(talks: int, on_server: bool, question: str) -> None:
    """Print both tables."""
    compile_all()
    with tempfile.TemporaryDirectory() as room, Slack() as slack, server_database(on_server) as server:
        slack.scopes |= {"users:read", "channels:history", "groups:history"}
        for channel in CHANNELS:
            slack.channel(channel)
        home = Path(room) / "home"
        more = {"ICC_BOT_DATABASE_URL": server.owner_url} if server else {}
        more |= BYTECODE

        def sizes() -> Sizes:
            return home_sizes(home) | (server_sizes(server) if server else {})

        with (
            Ollama(script=lambda prompt: SQL.format(number=0)) as model,
            process(["-m", "bot", "slack"], slack, Path(room), model, **more) as pid,
        ):
            memories = {"at the start": memory(pid)}
            for number in range(FIRST):
                whole_talk(slack, number, question)
                if number % VACUUM_TALKS == 0:
                    sizes()
            memories[f"after {FIRST} talks"] = memory(pid)
            before = sizes()
            for number in range(FIRST, FIRST + talks):
                whole_talk(slack, number, question)
                if number % VACUUM_TALKS == 0:
                    sizes()
            after = sizes()
            memories[f"after {FIRST + talks} talks"] = memory(pid)
        if slack.refused or slack.faults:
            print(slack.refused[:3], slack.faults[:3])
    grown = {name: (size - before.get(name, 0)) / talks for name, size in after.items()}
    rows = sorted(((size, name) for name, size in grown.items() if size), reverse=True)
    print(tabulate([(name, f"{size:,.0f}") for size, name in rows], ["bytes a talk", ""], colalign=("left", "right")))
    kept = sum(grown[name] for name in beside_results(after))
    print(f"beside results and the log: {kept:,.0f} bytes a talk")
    print(tabulate([(name, *both) for name, both in memories.items()], ["memory, MB", "now", "most"]))


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    main(*numbers or [TALKS], "--server" in sys.argv, QUESTION if "--generated" in sys.argv else SQL)
