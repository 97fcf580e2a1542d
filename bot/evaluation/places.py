"""The connections that questions are asked on."""

from collections.abc import Iterable

from bot.evaluation.questions import Golden
from bot.settings import Settings
from bot.wiring import connections_of
from router.catalog.connection import Connection, Connections
from router.errors import SettingsError
from router.sql.dialect import DIALECTS

TIMEOUT = 30.0
"""Seconds for one query on a database file."""


def connections_for(settings: Settings, questions: Iterable[Golden], demo: bool) -> Connections:
    """Return a connection for each database file, and those of connections.toml where questions name them."""
    files = list({golden.database.resolve(): golden.database for golden in questions if golden.database}.values())
    made = [
        Connection(file.stem, number, file.stem, DIALECTS["sqlite"], f"sqlite:///{file.absolute()}", timeout=TIMEOUT)
        for number, file in enumerate(files, 1_000_001)
    ]
    named = {golden.connection for golden in questions if golden.connection}
    places = {name.casefold(): f"the connection {name}" for name in named}
    for file in files:
        other = places.setdefault(file.stem.casefold(), str(file))
        if other != str(file):
            raise SettingsError([f"{file} and {other} have one name; rename a file, so that they are told apart."])
    if not named:
        return Connections(made)
    known = connections_of(settings, demo=demo)
    if missing := sorted(name for name in named if name not in known):
        raise SettingsError([f'There is no connection "{missing[0]}" in connections.toml.'])
    return Connections([*(known[name] for name in named), *made])
