"""Checks everything that must be right before people can ask, and says what to mend."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec

from adapters.finding import Finding, report
from bot.api_check import check_api
from bot.audit import check_audit
from bot.examples_acts import look_at_examples
from bot.excess_check import check_excess
from bot.glossary_check import check_glossary
from bot.handoff_check import check_handoff
from bot.intents_check import check_intents
from bot.mail_check import check_mail
from bot.model_check import check_reader, check_sql_model
from bot.remote_check import check_remote
from bot.settings import Settings
from bot.wiring import connections_of
from bot.write_check import check_writing
from router.catalog.away import why_away
from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.errors import BotError, SettingsError

KEPT = "a bot that is at work goes on with the connections and rights of the last file that was in order."


def examine(settings: Settings, say: Callable[[str], None]) -> int:
    """Say each finding as it is made; returns 1 where something failed, else 0."""
    return report(findings(settings), say)


def findings(settings: Settings) -> Iterator[Finding]:
    """Yield every finding: home, model, connections, e-mail, API, glossary, page, Slack, Teams, people, audit."""
    yield _home(settings)
    yield check_sql_model(settings, "FAILED")
    yield check_reader(settings)
    remote = list(check_remote(settings)) if settings.base_url else []
    yield from remote
    connections = None
    if not any(finding.grade == "FAILED" for finding in remote):
        try:
            connections = connections_of(settings)
        except SettingsError as error:
            yield from (Finding("FAILED", "connections", problem) for problem in error.problems)
            yield Finding("warning", "connections", KEPT)
    if connections is not None and not settings.base_url:
        yield from _here(settings, connections)
    if connections is not None:
        yield from check_glossary(settings, connections)
    page = find_spec("nicegui") is not None
    yield (
        Finding("ok", "page", "icc-bot web can be served.")
        if page
        else Finding("warning", "page", "not installed; pip install 'icc-bot[web]' brings it.")
    )
    if settings.slack.given:
        from bot.slack_check import check_slack

        yield from check_slack(settings, connections or {})
    if settings.teams.given:
        from bot.teams_check import check_teams

        yield from check_teams(settings.teams)
    yield from check_handoff(settings, connections)
    yield from look_at_examples(settings)
    yield from check_intents(settings)
    yield from check_audit(settings)


def _here(settings: Settings, connections: Connections) -> Iterator[Finding]:
    """Yield what is to be said of all that does jobs in this process."""
    catalog = Catalog(connections)
    try:
        for connection in connections.values():
            yield from _connection(connection, catalog)
            if not connection.away:
                yield from check_excess(connection, catalog)
                yield from check_writing(connection, catalog)
    finally:
        catalog.close()
    yield from check_mail(settings)
    yield from check_api(settings, connections)


def _home(settings: Settings) -> Finding:
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = settings.home / ".doctor"
        probe.write_text("x")
        probe.unlink()
    except OSError as error:
        return Finding(
            "FAILED",
            "home",
            f"{settings.home} cannot be written ({error.strerror}); set ICC_BOT_HOME to a folder that can.",
        )
    return Finding("ok", "home", f"state and results are kept in {settings.home}.")


def _connection(connection: Connection, catalog: Catalog) -> Iterator[Finding]:
    about = f"connection {connection.name}"
    if why := why_away(connection):
        yield Finding("FAILED", about, f"it is away: {why}")
        return
    try:
        database = catalog.database(connection.name)
        database.ping()
        names = catalog.schemas(connection.name)
        tables = sum(len(catalog.schema(connection.name, name).tables) for name in names)
        works = database.can_write()
    except (BotError, SettingsError) as error:
        yield Finding("FAILED", about, str(error))
        return
    yield Finding(
        "ok" if tables else "warning", about, f"{connection.dialect.label} answers; {tables} tables may be read."
    )
    if works:
        files = connection.dialect.name in ("sqlite", "duckdb")
        remedy = "" if files else " Give the bot a user that may SELECT and nothing else."
        yield Finding("warning" if files else "FAILED", about, f"{works}{remedy}")
    else:
        yield Finding("ok", about, "the reading user cannot write.")
    if connection.samples:
        yield Finding("ok", about, "sample values may be shown to the model (samples = false forbids it).")
