"""The bot's database as a file of a home, and on a server: what a module holds both to is held to by both.

@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with database_of(request, tmp_path) as opened:
        yield opened
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from router.storage.database import Database
from tests.support.new_home import new_database
from tests.support.postgres import PostgresDatabase

KINDS = ("file", "server")
FILE_ALONE = pytest.mark.parametrize("database", ["file"], indirect=True)
"""For tests that look into the file itself."""


@contextmanager
def database_of(request: pytest.FixtureRequest, home: Path) -> Iterator[Database]:
    """Lend a database of the kind that the fixture's parameter names."""
    if request.param == "file":
        with closing(new_database(home)) as opened:
            yield opened
        return
    server: PostgresDatabase = request.getfixturevalue("postgres")
    with closing(Database(server.owner_url)) as opened:
        yield opened
