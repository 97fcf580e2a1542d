"""Looks at the jobs API that does a bot's jobs, for the doctor."""

from collections.abc import Iterator
from importlib.metadata import version

from adapters.finding import Finding
from adapters.wire.house import House
from bot.remote_jobs import house_of
from bot.settings import Settings
from router.errors import SettingsError

ABOUT = "jobs API"

LACKING = {
    "read": "no query runs",
    "write": "nobody can write",
    "email": "nothing can be e-mailed",
}
"""What is not possible without a scope of the token."""


def check_remote(settings: Settings) -> Iterator[Finding]:
    """Yield every finding: whether the API answers, its version, what the token may do, and the connections there."""
    try:
        address = settings.jobs_api
        assert address
        house = house_of(address, patience=0)
    except SettingsError as error:
        yield from (Finding("FAILED", ABOUT, problem) for problem in error.problems)
        return
    mine = version("icc-bot")
    other = "" if house.version == mine else f" This bot is of version {mine}: bring both to the same soon."
    sentence = f"{address} answers, version {house.version}; token {house.token}: {', '.join(house.scopes)}.{other}"
    yield Finding("warning" if other else "ok", ABOUT, sentence)
    for scope, what in LACKING.items():
        if scope not in house.scopes:
            yield Finding("warning", ABOUT, f"the token lacks the scope {scope}, so that {what}.")
    if not address.encrypted and not address.local:
        yield Finding("warning", ABOUT, "it is reached by http: whoever is on the way reads token and rows.")
    yield _connections(house)


def _connections(house: House) -> Finding:
    names = ", ".join(each["name"] for each in house.connections)
    if not names:
        return Finding("FAILED", "connections", "the jobs API has none.")
    return Finding("ok", "connections", f"the jobs API has {names}; icc-bot doctor there looks at their databases.")
