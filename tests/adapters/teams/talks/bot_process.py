"""The real program as a process of its own, which a test may kill."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.adapters.teams.talks.site import TeamsCompany
from tests.support.teams_bot import environment

OURS = ("ICC_", "MICROSOFT", "TEAMS_", "PORT", "OLLAMA", "SQL_MODEL")


@contextmanager
def alive(company: TeamsCompany) -> Iterator[None]:
    """Run `icc-bot teams` until the end of the block, which kills it with SIGKILL."""
    own = {name: value for name, value in os.environ.items() if not name.upper().startswith(OURS)}
    variables = own | environment(company.folder, company.teams, company.model)
    process = subprocess.Popen([sys.executable, "-m", "bot", "teams"], env=variables, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        while "at work" not in (line := process.stdout.readline()):
            assert line, "the program ended"
        port = line.partition("on port ")[2].partition(".")[0]
        company.teams.bot_url = f"http://127.0.0.1:{port}/api/messages"
        yield
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
