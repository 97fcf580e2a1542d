"""An SQLite file and a PostgreSQL database with the same orders in other types."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.router.jobs.comparing.bench import POSTGRES, Bench, build
from tests.support.postgres import PostgresDatabase, PostgresServer, fresh_database


@pytest.fixture(scope="module")
def depot(postgres_server: PostgresServer) -> Iterator[PostgresDatabase]:
    """The warehouse, which nothing changes."""
    with fresh_database(postgres_server) as database:
        database.run(POSTGRES)
        yield database


@pytest.fixture
def bench(tmp_path: Path, depot: PostgresDatabase) -> Bench:
    """Both databases."""
    return build(tmp_path, depot.owner_url)
