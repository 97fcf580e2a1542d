"""What a killed process handed out to one person is drawn for everybody by the next one."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.adapters.teams.talks.house import founded
from tests.platforms.teams import shown


def test_one_that_cannot_be_read(tmp_path: Path) -> None:
    """A message that cannot be drawn any more does not keep the others from being drawn."""
    with founded(tmp_path / "house") as town:
        with town.at_work() as house:
            approval = house.shown(house.ask("revenue by region?"), "Run this on")
        home, known = town.folder / "home", (approval.conversation.id, approval.id)
        with closing(sqlite3.connect(home / "teams-shown.sqlite")) as file, file:
            file.execute("INSERT INTO shown VALUES ('19:x', '1', 't', 'unreadable', 1, '{', 0, 9e9)")
        with closing(sqlite3.connect(home / "teams-handed.sqlite")) as file, file:
            file.execute("INSERT INTO handed VALUES ('19:x', '1', '19:x', '1')")
            file.execute("INSERT INTO handed VALUES (?, ?, ?, ?)", (*known, *known))
        drawn = len(approval.edits)
        with town.at_work():
            town.teams.wait(lambda: len(approval.edits) > drawn)
        assert "Run this on" in shown(approval)
