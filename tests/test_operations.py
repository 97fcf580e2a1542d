"""Every command that docs/operations.md shows is run by a shell, as it stands there, over a home or a server.

Slack, Teams and the model are the stand-ins; what a block needs is there: a talk with a job, kept under the name that
the page uses, a backup where one is restored, and an empty home and database to restore it into.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from adapters.slack.scopes import OPTIONAL_SCOPES, SCOPES
from bot.settings.environment import Settings
from bot.wiring.state import database_of, threads_of
from router.jobs.audit import Audit, AuditEntry
from router.jobs.job_entry import JobState, Request
from router.jobs.ledger import Ledger
from router.memory.draft import Draft, User
from router.memory.stage import Stage
from router.memory.thread import Memory, key_from
from router.storage.clock import now
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.platforms.teams.stand_in import Teams
from tests.support import slack_bot, teams_bot
from tests.support.bot_settings import settings_of
from tests.support.documents import ROOT, blocks
from tests.support.postgres import PostgresDatabase, fresh_database, installed_programs

PAGE = ROOT / "docs/operations.md"
BLOCKS = blocks(PAGE, "sh")
OURS = ("ICC_", "SLACK_", "TEAMS_", "Microsoft", "SMTP_", "EMAIL_", "OLLAMA", "SQL_MODEL", "PORT")
TALK, PERSON = "slack/T0123/C0123/1700000000.000100", "slack:U0123ABCD"

SAYS = {
    "icc-bot db move": ("threads: 1 row", "jobs: 1 row"),
    "icc-bot db upgrade": ("is of this version",),
    "icc-bot db backup": ("Copied to", "the audit trail up to 2-"),
    "icc-bot db restore": ("is as it was at",),
    "icc-bot trace": ("Which regions?",),
    f"icc-bot forget {PERSON}": ("1 talk",),
    "icc-bot forget --thread": ("1 talk",),
    "icc-bot forget --older-than": ("1 talk",),
    "icc-bot doctor": ("connection shop: SQLite answers", "Ready"),
    "icc-bot slack --check": ("Slack",),
    "icc-bot teams --check": ("Teams",),
    "icc-bot jobs list": (PERSON, "read"),
    "pg_dump": (),
    "pg_restore": (),
    "mkdir": (),
}
"""Words that show what each command did; a command that is not known here has to be added."""

SERVES = {
    "icc-bot slack": "icc-bot is at work in Slack",
    "icc-bot web --concurrency 0": "The page is at http",
    "icc-bot worker --queues web": "icc-bot works on talks on the page.",
    "icc-bot worker --queues slack,teams": "icc-bot works on talks in Slack and Teams.",
}
"""Words that show that a command is at work which stays."""


@dataclass(frozen=True)
class Place:
    """A machine with a bot: the folder that the shell is in, and its environment."""

    folder: Path
    environment: dict[str, str]

    def run(self, script: str) -> str:
        """Have a shell run a script, which ends at the first command that fails; return what was said."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def of(self, **changes: str) -> "Place":
        """Return it with other settings."""
        return replace(self, environment=self.environment | changes)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A machine with a bot that reaches a Slack, a Teams and a model, and has kept a talk."""
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith((*OURS, "PYTEST_"))
    }  # NiceGUI looks for these
    programs = os.pathsep.join([str(Path(sys.executable).parent), str(installed_programs()), clean["PATH"]])
    with Slack() as slack, Teams() as teams, Ollama() as model:
        slack.scopes = {*SCOPES, *OPTIONAL_SCOPES}
        given = slack_bot.environment(tmp_path, slack, model, "socket") | teams_bot.environment(tmp_path, teams, model)
        kept_talk(settings_of(given))
        yield Place(tmp_path, clean | given | {"PATH": programs, "PYTHONPATH": str(ROOT)})


def kept_talk(settings: Settings) -> None:
    """Keep the talk that the page names, long ago: a question, its job, and where it stands."""
    with closing(database_of(settings)) as database, closing(threads_of(settings, database)) as threads:
        asked = Request("k", "read_sql", {"sql": "SELECT 1"}, asker=PERSON, thread=TALK)
        job = Ledger(database, now).add(asked, "bot")
        Ledger(database, now).claim(job.id, "bot")
        Ledger(database, now).move(job.id, "bot", JobState.DONE, rows=5)
        ana, long_ago = User(PERSON, "Ana"), now().replace(year=2020)
        memory = Memory(stage=Stage.SHOW_RESULTS, owner=ana, asked=long_ago, draft=Draft("Which regions?"))
        threads.save(key_from(TALK), memory)
    audit = Audit(settings.audit_trail, now)
    audit.add(AuditEntry("asked", TALK, PERSON, question="Which regions?"))
    audit.add(AuditEntry("finished", TALK, PERSON, rows=5, outcome="done", job=job.id))


@pytest.mark.parametrize("script", BLOCKS, ids=[each.splitlines()[0] for each in BLOCKS])
def test_every_command_runs(script: str, place: Place, postgres: PostgresDatabase) -> None:
    """It ends well, and says what it did."""
    on_server = place.of(ICC_BOT_DATABASE_URL=plain(postgres))
    if "pg_restore" in script:
        on_server.run(f"icc-bot db move\n{needed_by(script)}")
        with fresh_database(postgres.server) as empty:
            require_said(script, on_server.of(ICC_BOT_HOME="later", ICC_BOT_DATABASE_URL=plain(empty)))
            with empty.connect() as connection:
                assert [(TALK,)] == connection.execute("SELECT thread FROM threads").fetchall()
    elif "restore" in script:
        place.run(needed_by(script))
        require_said(script, place.of(ICC_BOT_HOME="later"))
        assert "Which regions?" in place.of(ICC_BOT_HOME="later").run(f"icc-bot trace {TALK}")
    elif "pg_dump" in script:
        on_server.run("icc-bot db move")
        require_said(script, on_server)
    elif "db move" in script:
        require_said(script, on_server)
    elif "--concurrency" in script:
        for line in script.splitlines():
            require_serves(line, on_server)
    else:
        require_said(script, place)


def require_serves(line: str, place: Place) -> None:
    """Run a command that stays: it says that it is at work, and ends well when it is told to."""
    words = next(words for command, words in SERVES.items() if line.startswith(command))
    begun = ["bash", "-c", f"exec {line}"]
    with subprocess.Popen(begun, cwd=place.folder, env=place.environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        said = ""
        while "Ctrl-C" not in said and (heard := process.stdout.readline()):
            said += heard
        process.terminate()
        assert (True, 0) == (words in said, process.wait(60)), said


def require_said(script: str, place: Place) -> None:
    """Run each command of a block; those that delete have the whole home before them, one after the other."""
    for line in script.splitlines():
        words = next((words for command, words in SAYS.items() if line.startswith(command)), None)
        assert words is not None, f"{line}: add what it says to SAYS"
        home = place.folder / place.environment["ICC_BOT_HOME"]
        if "forget" in line:
            shutil.copytree(home, place.folder / "whole")
        said = place.run(line)
        assert [] == [each for each in words if each not in said], said
        if "forget" in line:
            shutil.rmtree(home)
            (place.folder / "whole").rename(home)


def needed_by(script: str) -> str:
    """Return the block of the page that makes the backup which a block restores."""
    wanted = script.split("icc-bot db restore ")[1].split()[0]
    return next(each for each in BLOCKS if f"icc-bot db backup {wanted}" in each)


def plain(database: PostgresDatabase) -> str:
    """Return an address as people write it."""
    return database.owner_url.replace("+psycopg", "")
