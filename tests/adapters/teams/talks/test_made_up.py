"""What a killed process handed out to one person is drawn for everybody by the next one."""

import sqlite3
from contextlib import closing
from pathlib import Path

from router.storage.database import DATABASE_FILE
from tests.adapters.teams.talks.site import founded
from tests.platforms.teams.looking import shown


def test_one_that_cannot_be_read(tmp_path: Path) -> None:
    """A message that cannot be drawn any more does not keep the others from being drawn."""
    with founded(tmp_path / "site") as company:
        with company.at_work() as site:
            approval = site.shown(site.ask("revenue by region?"), "Run on")
        home, known = company.folder / "home", (approval.conversation.id, approval.id)
        with closing(sqlite3.connect(home / DATABASE_FILE)) as file, file:
            message = ("teams", "19:x", "1", "t", "unreadable", 1, "{", 0, "2126-01-01 00:00:00.000000")
            file.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", message)
            file.execute("INSERT INTO private_drawings VALUES ('19:x', '1', '19:x', '1')")
            file.execute("INSERT INTO private_drawings VALUES (?, ?, ?, ?)", (*known, *known))
        drawn = len(approval.edits)
        with company.at_work():
            company.teams.wait(lambda: len(approval.edits) > drawn)
        assert "Run on" in shown(approval)
