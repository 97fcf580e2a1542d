"""News of a job, told again to those who did not get it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.platforms.ollama import Ollama
from tests.support.talk import Talk, llm_at


def test_what_came_of_a_job_is_told_until_the_person_goes_on(tmp_path: Path) -> None:
    """However often the thread is looked at; after a kill in the moment of telling, that is how it is made up for."""
    with Ollama() as model:
        talk = Talk(tmp_path, lambda: llm_at(model.url), ("shop", "backup"))
        talk.say("SELECT id, name FROM regions")
        talk.press("menu:shop")
        talk.press("yes")
        talk.press("write")
        talk.say("new table areas")
        told = talk.press("write")
        assert "✓ Created `main.areas` in Backup with 2 rows." in told
        looked = [talk.open(), talk.open()]
        assert [each.startswith(told) for each in looked] == [True, True]  # with the rows and their buttons below
        assert looked[0] == looked[1]

        talk.press("write")
        talk.say("table areas")
        with closing(sqlite3.connect(tmp_path / "backup.sqlite")) as file:
            file.execute("CREATE TRIGGER full BEFORE INSERT ON areas BEGIN SELECT RAISE(ABORT, 'full'); END")
        failed = talk.press("write")
        assert "Nothing was" in failed
        assert failed.splitlines()[0] in talk.open()

        assert "✓" not in talk.press("cancel")
        assert "✓" not in talk.open()
        talk.close()
