"""Checks what a start on a chat platform needs: a model, a free port where HTTP is served, and what Teams wants."""

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from adapters.check_finding import Finding, Grade
from bot.models.choice import ChosenModel, choose, choose_reader
from bot.settings.environment import Settings, connections_file
from router.errors import SettingsError

if TYPE_CHECKING:
    from adapters.teams.access import TeamsAccess

SQL_MODEL_TITLE: Final = "model that writes SQL"

NO_CONNECTIONS: Final = (
    "there is no connections.toml here and ICC_BOT_CONNECTIONS names none, so there is no database of yours to ask. "
    "Copy connections.example.toml to connections.toml and change it (docs/connections.md says how). For a trial on an "
    "invented company add --sample: every card says then that its data is invented."
)
SAMPLE_AND_OWN: Final = "--sample asks an invented company, and {} names databases of your own. Leave out one of them."


def start_findings(settings: Settings, findings: Iterable[Finding], port: int | None) -> list[Finding]:
    """Return all that `--check` says of a platform: what was found, the model, and the port if one is needed."""
    return [*findings, check_sql_model(settings, "FAILED"), *([] if port is None else check_port(port))]


def report_start(settings: Settings, findings: Iterable[Finding], *, works: bool = True) -> None:
    """Say what a start has to say of what was found, and which model writes SQL, if this process `works` on talks.

    Raises SettingsError with everything that failed and will not be well by itself; without a model, talks say so.
    """
    found = [*findings, *([check_sql_model(settings, "warning")] if works else [])]
    found += [Finding("FAILED", *problem) for problem in sharing_problems(settings, works=works)]
    if failed := [f"{f.about}: {f.sentence}" for f in found if f.grade == "FAILED" and f.lasting]:
        raise SettingsError(failed)
    for finding in found:
        if finding.grade != "ok" or finding.about == SQL_MODEL_TITLE:
            print(finding, flush=True)


def check_connections(settings: Settings, *, sample: bool) -> list[Finding]:
    """Return why a service is not to begin: it has neither connections nor the word that the sample is meant."""
    own = "BASE_URL" if settings.base_url else connections_file(settings)
    if bool(own) != sample:
        return []
    return [Finding("FAILED", "connections", SAMPLE_AND_OWN.format(own) if own else NO_CONNECTIONS)]


def sharing_problems(settings: Settings, *, works: bool) -> list[tuple[str, str]]:
    """Return what keeps a process that does not work itself from leaving that to others, with what it is about."""
    lacks = not works and not settings.server
    return [("--concurrency 0", "the work is left to `icc-bot worker`, which needs ICC_BOT_DATABASE_URL.")] * lacks


def check_sql_model(settings: Settings, missing: Grade) -> Finding:
    """Return which model writes SQL, and why that one; graded `missing` if it is not there."""
    return _found(SQL_MODEL_TITLE, choose, settings, missing)


def check_reader(settings: Settings) -> Finding:
    """Return which model reads parameters; a talk leads to its end without it."""
    return _found("model that reads parameters", choose_reader, settings, "warning")


def _found(about: str, choose: Callable[[Settings], ChosenModel], settings: Settings, missing: Grade) -> Finding:
    try:
        choice = choose(settings)
        problem = choice.problem()
        return Finding(missing if problem else "ok", about, f"{choice.why} {problem}".rstrip())
    except SettingsError as error:
        return Finding(missing, about, " ".join(error.problems))


def check_port(port: int) -> list[Finding]:
    """Return whether the port is free."""
    from aiohttp import web

    from adapters.serving import listening_on

    async def run() -> None:
        async with listening_on(web.Application(), port):
            pass

    try:
        asyncio.run(run())
    except SettingsError as error:
        running = "Or is this bot at work there already?"
        return [Finding("FAILED", "port", f"{problem.removeprefix('PORT: ')} {running}") for problem in error.problems]
    return [Finding("ok", "port", f"port {port} is free.")]


def check_teams(access: "TeamsAccess") -> list[Finding]:
    """Return every finding about Teams."""
    from adapters.teams.check import check  # with the libraries of Teams

    async def run() -> list[Finding]:
        return [finding async for finding in check(access)]

    return asyncio.run(run())
