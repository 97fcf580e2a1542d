"""Who still lives of those that share a folder: real processes, really killed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from router.jobs.job_entry import JobEntry, JobState, Request
from router.jobs.ledger import INTERRUPTED, Ledger
from router.jobs.process_liveness import ProcessLiveness
from router.jobs.progress import Outcome
from router.jobs.runner import Runner
from router.storage.database import Database

HOLDS = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from router.jobs.job_entry import Request
from router.jobs.ledger import Ledger
from router.jobs.process_liveness import ProcessLiveness
from router.storage.database import home_database
folder = Path(sys.argv[1])
ledger = Ledger(home_database(folder), lambda: datetime.now(UTC))
presence = ProcessLiveness(ledger.liveness_folder)
for kind in sys.argv[2:]:
    id = ledger.add(Request(kind, kind, {}), presence.name if kind == "read_sql" else "").id
    assert ledger.claim(id, presence.name)
print(presence.name, flush=True)
sys.stdin.read()
"""


@contextmanager
def another(folder: Path, *kinds: str) -> Iterator[str]:
    """Have a process of its own work on a job of each kind, kill it at the end of the block; gives its name."""
    command = [sys.executable, "-c", HOLDS, str(folder), *kinds]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def silent(entry: JobEntry, doing: str) -> None:
    """Hear of progress, and do nothing."""


def test_who_is_killed_is_known_to_be_dead(tmp_path: Path) -> None:
    """Until then they live, whoever asks."""
    folder = tmp_path / "jobs.holders"
    one, two = ProcessLiveness(folder), ProcessLiveness(folder)
    with another(tmp_path) as name:
        assert ((), ()) == (one.dead(), two.dead())
    assert ((name,), (name,)) == (one.dead(), two.dead())
    one.forget(name)
    assert () == two.dead()
    one.close()
    assert () == two.dead()
    two.close()
    assert [] == list(folder.iterdir())


def test_without_a_folder_nobody_is_known_to_be_dead() -> None:
    """Processes on several machines are told apart by their names alone."""
    one, two = ProcessLiveness(None), ProcessLiveness(None)
    two.close()
    assert () == one.dead()
    assert one.name != two.name


def test_a_killed_process_leaves_its_jobs_at_once(database: Database, tmp_path: Path) -> None:
    """Whoever comes next does what may be done again, and says of a query that it was interrupted."""
    with another(tmp_path, "write_data", "read_sql"):
        pass
    ledger = Ledger(database, lambda: datetime.now(UTC))
    runner = Runner(ledger, {"write_data": lambda work: Outcome(7)})
    written = runner.run(Request("write_data", "write_data", {}), silent)
    read = runner.run(Request("read_sql", "read_sql", {}), silent)
    runner.close()
    assert (JobState.DONE, 7, 2) == (written.state, written.rows, written.attempt)
    assert (JobState.FAILED, INTERRUPTED) == (read.state, read.error)
