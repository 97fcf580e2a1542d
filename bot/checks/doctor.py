"""Checks everything that must be right before people can ask, and says what to mend."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import wraps
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from traceback import extract_tb
from typing import ParamSpec

from adapters.api.auth import ApiToken
from adapters.check_finding import Finding, report
from bot.checks.start import SQL_MODEL_TITLE, check_connections, check_reader, check_sql_model, check_teams
from bot.command_line import Say
from bot.commands.api_tokens import tokens_of
from bot.commands.examples import look_at_examples
from bot.settings.environment import Settings
from bot.wiring.bot import connections_of
from bot.wiring.knowledge import glossary_file, intents_file
from bot.wiring.remote_jobs import site_of
from bot.wiring.state import database_of, was_started
from router.catalog.availability import why_away
from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections, allows_table
from router.catalog.schema import SchemaTable
from router.catalog.targets import takes_rows, target_opener
from router.errors import BotError, SettingsError
from router.jobs.audit_check import verify
from router.jobs.audit_seal import head_path, key_path
from router.jobs.mail.mailer import Mailer
from router.knowledge.glossary import Glossary
from router.knowledge.glossary_changes import Proposals
from router.language.wording import counted, verb
from router.memory.thread import ThreadKey
from router.notifier import Channel
from router.policy import readable_connections, writable_connections
from router.storage.clock import now
from router.understanding.choice_log import ChoiceLog
from router.understanding.site_examples import SiteExamples

P = ParamSpec("P")

JOBS_API = "jobs API"

SCOPE_CONSEQUENCES = {
    "read": "no query runs",
    "write": "nobody can write",
    "email": "nothing can be e-mailed",
}
"""Consequences of a scope that the token lacks."""

PROBED_TABLE = "icc_bot_doctor"
"""A table that is looked for, so that the schema is looked at; nothing is written."""

RIGHTS_KEPT = "a bot that is at work goes on with the connections and rights of the last file that was in order."

TORN_LINES_NAMED_MAX = 5
"""Torn lines of the trail that are named by their numbers."""

KEYS_NAMED_MAX = 20
"""Keys that nobody declared, and that are named."""

PEOPLE = "people who help"


def reporting(about: str) -> Callable[[Callable[P, Iterable[Finding]]], Callable[P, Iterator[Finding]]]:
    """Make findings of the errors that end a check, also of one that nobody thought of; the next check goes on.

    `about` may name the attributes of what is looked at: "connection {0.name}".
    """

    def decorate(check: Callable[P, Iterable[Finding]]) -> Callable[P, Iterator[Finding]]:
        @wraps(check)
        def run(*given: P.args, **named: P.kwargs) -> Iterator[Finding]:
            try:
                yield from check(*given, **named)
            except SettingsError as error:
                yield from (Finding("FAILED", about.format(*given), problem) for problem in error.problems)
            except BotError as error:
                yield Finding("FAILED", about.format(*given), str(error))
            except Exception as error:
                *_, place = extract_tb(error.__traceback__)
                what = f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}"
                yield Finding("FAILED", about.format(*given), CHECK_BROKEN.format(what))

        return run

    return decorate


CHECK_BROKEN = (
    "this check broke off with an error that it does not know ({}); the others go on. Nothing was changed. "
    "Look whether what it is about is set up as the docs say; if it is, report this line as a bug."
)

# The jobs API that does the jobs, if they are not done here.


@reporting(JOBS_API)
def check_remote(settings: Settings) -> Iterator[Finding]:
    """Yield every finding: whether the API answers, its version, what the token may do, and the connections there."""
    address = settings.jobs_api
    assert address
    site = site_of(address, patience=0)
    mine = version("icc-bot")
    other = "" if site.version == mine else f" This bot is of version {mine}: bring both to the same soon."
    sentence = f"{address} answers, version {site.version}; token {site.token}: {', '.join(site.scopes)}.{other}"
    yield Finding("warning" if other else "ok", JOBS_API, sentence)
    for scope, what in SCOPE_CONSEQUENCES.items():
        if scope not in site.scopes:
            yield Finding("warning", JOBS_API, f"the token lacks the scope {scope}, so that {what}.")
    if names := ", ".join(each["name"] for each in site.connections):
        have = f"the jobs API has {names}; icc-bot doctor there looks at their databases."
        yield Finding("ok", "connections", have)
    else:
        yield Finding("FAILED", "connections", "the jobs API has none.")


# The site's own examples of intents.


@reporting("intents")
def check_intents(settings: Settings) -> Iterator[Finding]:
    """Yield everything that is wrong with the file, how many examples there are, and how many choices wait."""
    path = intents_file(settings)
    if path.exists():
        intents = SiteExamples(path, logs=False)  # each is a finding
        yield from _file("intents", path, intents.problems(), len(intents.own().examples), "example")
    if not was_started(settings):
        return
    with closing(database_of(settings)) as database:
        if waiting := len(ChoiceLog(database, now).waiting()):
            what = f"{counted(waiting, 'choice')} {verb(waiting, 'waits', 'wait')}"
            yield Finding("ok", "intents", f"{what} for a look: `icc-bot intents review`.")


# The glossary.


@reporting("glossary")
def check_glossary(settings: Settings, connections: Connections) -> Iterator[Finding]:
    """Yield everything that is wrong with the file, how many terms there are, and how many proposals wait."""
    path = glossary_file(settings)
    if path.exists():
        glossary = Glossary(path, connections, logs=False)  # each is a finding
        count = sum(len(glossary.terms(name)) for name in connections)
        yield from _file("glossary", path, glossary.problems(), count, "term")
    if not was_started(settings):
        return
    with closing(database_of(settings)) as database:
        proposals = Proposals(database, now)
        for name in connections:
            if waiting := len(proposals.waiting(name)):
                what = f"{counted(waiting, 'proposal')} {verb(waiting, 'waits', 'wait')}"
                yield Finding("ok", "glossary", f"{what} for {name}; `glossary`, typed in a talk, shows them.")


def _file(about: str, path: Path, problems: Sequence[str], count: int, noun: str) -> Iterator[Finding]:
    """Yield what is wrong with a file that people write, and how much of it is in use."""
    yield from (Finding("warning", about, problem) for problem in problems)
    if count or not problems:
        yield Finding("ok", about, f"{path.name} has {counted(count, noun)} in use.")


# The users of databases that write: they get in, and there is a schema for their rows.


@reporting("writing to {0.name}")
def check_writing(connection: Connection, catalog: Catalog) -> Iterator[Finding]:
    """Yield what is to be said of a connection that people may write to; nothing of others."""
    about = f"writing to {connection.name}"
    if connection.write_url is None:
        if connection.writers:
            yield Finding("warning", about, "there are writers, but no write_url, so that nobody writes.")
        return
    if not connection.writers:
        yield Finding("warning", about, "there is a write_url, but no writers, so that nobody writes.")
        return
    schemas = [schema for schema in catalog.schemas(connection.name) if takes_rows(connection, schema)]
    with target_opener(catalog.connections)(connection.name) as target:
        for schema in schemas:
            target.table(schema, PROBED_TABLE)
    if not schemas:
        yield Finding("FAILED", about, "none of its readable schemas is among write_schemas, so that nobody writes.")
    else:
        yield Finding("ok", about, f"the writing user gets in; rows may go to {', '.join(schemas)}.")


# The rights of the reading users that are too much, with the statements that take them away.


@reporting("connection {0.name}")
def check_excess(connection: Connection, catalog: Catalog) -> Iterator[Finding]:
    """Yield whether the user can write, and each kind of thing that is too much; nothing without an answer."""
    about = f"connection {connection.name}"
    try:
        schemas = frozenset(name.lower() for name in catalog.schemas(connection.name))
        database = catalog.database(connection.name)
        works = database.can_write()
        excess = database.excess(
            lambda schema, table: schema.lower() in schemas and allows_table(connection.tables, schema, table)
        )
    except (BotError, SettingsError):
        return  # the doctor has said so
    if works:
        files = connection.dialect.is_file
        remedy = "" if files else " Give the bot a user that may SELECT and nothing else."
        yield Finding("warning" if files else "FAILED", about, f"{works}{remedy}")
    elif not any(each.grave for each in excess):
        yield Finding("ok", about, "the reading user cannot write.")
    for each in excess:
        yield Finding("FAILED" if each.grave else "warning", about, each.sentence, remedies=each.remedies)


# The mail server: it is logged in to, and nothing is sent.


@reporting("e-mail")
def check_mail(settings: Settings) -> Iterator[Finding]:
    """Yield every finding about e-mail; none if nothing of it is set."""
    mail_config = settings.mail_config
    if mail_config is None:
        return
    if mail_config.domains is None:
        yield Finding(
            "warning", "e-mail", "EMAIL_ALLOWED_DOMAINS=* lets results be sent to anybody; name the domains instead."
        )
    else:
        yield Finding("ok", "e-mail", f"e-mails go to addresses at {', '.join(sorted(mail_config.domains))} only.")
    Mailer(mail_config, answer_seconds=10).probe()
    who = f" after a login as {mail_config.server.user}" if mail_config.server.user else ""
    yield Finding("ok", "e-mail", f"{mail_config.server} lets the bot send as {mail_config.sender.text}{who}.")


# The tokens of the own jobs API: each must stand for somebody who may do what its scopes say.


@reporting("API")
def check_api(settings: Settings, connections: Connections) -> Iterator[Finding]:
    """Yield a finding for each token; nothing if there is none, since nobody can use the API then."""
    for token in tokens_of(settings).all():
        yield _token(token, connections)


def _token(token: ApiToken, connections: Connections) -> Finding:
    about, person = f"API token {token.name}", token.user.email or token.user.id
    if "act_for" in token.scopes:
        others = ", ".join(sorted(token.scopes - {"act_for"})) or "nothing"
        return Finding(
            "ok", about, f"names the person who acts, and may have {others} done: as good as all that they may."
        )
    if not readable_connections(connections, token.user):
        return Finding("warning", about, f"{person} may read no connection; name them among its `readers`.")
    if "write" in token.scopes and not writable_connections(connections, token.user):
        return Finding("warning", about, f"{person} may write to no connection; name them among its `writers`.")
    return Finding("ok", about, f"acts as {person}: {', '.join(sorted(token.scopes))}.")


# The people who are asked when the bot could not help; the checks ask nobody.


@reporting(PEOPLE)
def check_handoff(settings: Settings, connections: Connections | None) -> Iterator[Finding]:
    """Yield every finding about the people who are asked; none if nobody is named."""
    reach = settings.reach
    for channel in reach.channels:
        yield _channel(settings, channel)
        if connections is not None and (limited := _limited(channel, connections)):
            yield limited
    if reach.email:
        yield _email(settings, reach.email)


def _channel(settings: Settings, channel: Channel) -> Finding:
    """Return whether a channel can be written to, as far as that is known before anything is."""
    name = f"{channel.platform}:{channel.id}"
    if channel.platform == "slack" and settings.slack.given and settings.slack.workspaces is None:
        from adapters.slack.check import check_channel

        return asyncio.run(check_channel(settings.slack, PEOPLE, channel.id))
    if not (settings.slack if channel.platform == "slack" else settings.teams).given:
        return Finding(
            "warning", PEOPLE, f"{name}: {channel.platform.title()} is not set up, so nobody is asked there."
        )
    unknown = "whether the bot is in it shows with the first question"
    return Finding("ok", PEOPLE, f"{name}: {unknown}; add it there if you have not yet.")


def _limited(channel: Channel, connections: Connections) -> Finding | None:
    """Return that a channel may not be told questions, if connections.toml says so."""
    key, channels = ThreadKey(channel.platform, "", channel.id, ""), connections.channels
    if channels.allows(key) and not channels.keeps_private(key):
        return None
    return Finding(
        "warning",
        PEOPLE,
        f"{channel.platform}:{channel.id} is told who asks for help, and neither question nor SQL: [channels] in "
        "connections.toml does not allow more there.",
    )


def _email(settings: Settings, address: str) -> Finding:
    """Return whether people can be written to."""
    if settings.base_url.strip():
        return Finding("ok", PEOPLE, f"{address}: the jobs API sends what is for them, as far as its rules allow that.")
    try:
        mail_config = settings.mail_config
    except SettingsError:
        return Finding("FAILED", PEOPLE, f"{address}: no e-mail can be sent before what is said of e-mail is mended.")
    if mail_config is None:
        return Finding(
            "FAILED", PEOPLE, f"HANDOFF_EMAIL is {address}, and no mail server sends there: set SMTP_URL too."
        )
    if problem := mail_config.problem((address,)):
        return Finding("FAILED", PEOPLE, f"HANDOFF_EMAIL: {problem.replace(' Nothing was sent.', '')}")
    return Finding("ok", PEOPLE, f"{address} gets questions by e-mail.")


# The audit trail of this installation.


@reporting("audit")
def check_audit(settings: Settings) -> Iterator[Finding]:
    """Yield what is to be said of the trail: what was changed or is missing, and its head, to be noted elsewhere."""
    trail = settings.audit_trail
    if not any(path.exists() for path in (trail, head_path(trail), key_path(trail))):
        return
    found = verify(trail, settings.audit_secret)
    if found.broken:
        first, more = found.broken[0], len(found.broken) > 1
        some = f"{len(found.broken)} lines from {first} on" if more else f"line {first}"
        yield Finding("FAILED", "audit", f"{trail} was changed at {some}; compare it with your copy.")
    for alarm in found.alarms:
        yield Finding("FAILED", "audit", f"{trail}: {alarm} Compare it with your copy.")
    kinds = []
    if found.torn:
        places = ", ".join(map(str, found.torn[:TORN_LINES_NAMED_MAX])) + ", …" * (
            len(found.torn) > TORN_LINES_NAMED_MAX
        )
        kinds.append(f"{len(found.torn)} torn as by a crash (line {places} of the file): look at what stands there")
    some = f" ({'; '.join(kinds)})" if kinds else ""
    if found.broken or found.alarms:
        if some:
            yield Finding("FAILED", "audit", f"{trail} has {found.lines} lines{some}.")
        return
    yield Finding(
        "ok",
        "audit",
        f"{found.lines} lines, none changed, none missing{some}; the head is {found.head.short}: note it elsewhere, "
        "and the line with this number and the MAC that begins so must still be there later.",
    )


# All of it, in order.


def diagnose(settings: Settings, say: Say) -> int:
    """Say every finding; returns 1 if something failed."""
    return report(findings(settings), say)


def findings(settings: Settings) -> Iterator[Finding]:
    """Yield every finding: home, model, connections, e-mail, API, glossary, page, Slack, Teams, people, audit."""
    yield from check_home(settings)
    yield from check_models(settings)
    remote = list(check_remote(settings)) if settings.base_url else []
    yield from remote
    connections = None
    if not any(finding.grade == "FAILED" for finding in remote):
        try:
            connections = connections_of(settings)
        except SettingsError as error:
            yield from (Finding("FAILED", "connections", problem) for problem in error.problems)
            yield Finding("warning", "connections", RIGHTS_KEPT)
    if connections is not None and not settings.base_url:
        yield from _here(settings, connections)
    if connections is not None:
        yield from check_glossary(settings, connections)
    if find_spec("nicegui") is None:
        yield Finding("warning", "page", "not installed; pip install 'icc-bot[web]' brings it.")
    else:
        yield Finding("ok", "page", "icc-bot web can be served.")
    if settings.slack.given or settings.teams.given:
        yield from check_connections(settings, sample=False)
    if settings.slack.given:
        from bot.checks.slack import check_slack

        yield from reporting("Slack")(check_slack)(settings, connections or {})
    if settings.teams.given:
        yield from reporting("Teams")(check_teams)(settings.teams)
    yield from check_handoff(settings, connections)
    yield from reporting("examples")(look_at_examples)(settings)
    yield from check_intents(settings)
    yield from check_audit(settings)


def _here(settings: Settings, connections: Connections) -> Iterator[Finding]:
    """Yield what is to be said of all that does jobs in this process."""
    with closing(Catalog(connections)) as catalog:
        for connection in connections.values():
            yield from check_connection(connection, catalog)
            if not connection.away:
                yield from check_excess(connection, catalog)
                yield from check_writing(connection, catalog)
    yield from check_mail(settings)
    yield from check_api(settings, connections)


@reporting("home")
def check_home(settings: Settings) -> Iterator[Finding]:
    """Yield whether the bot's home can be written."""
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = settings.home / ".doctor"
        probe.write_text("x")
        probe.unlink()
    except OSError as error:
        raise SettingsError(
            [f"{settings.home} cannot be written ({error.strerror}); set ICC_BOT_HOME to a folder that can."]
        ) from error
    yield Finding("ok", "home", f"state and results are kept in {settings.home}.")


@reporting(SQL_MODEL_TITLE)
def check_models(settings: Settings) -> Iterator[Finding]:
    """Yield which models there are."""
    yield check_sql_model(settings, "FAILED")
    yield check_reader(settings)


def inferred_keys(tables: Iterable[SchemaTable]) -> Iterator[tuple[str, float]]:
    """Yield the keys that nobody declared, as connections.toml writes them, each with how sure it is."""
    for table in tables:
        for key in table.foreign_keys:
            if key.sure < 1:
                yield f"{table.name}.{key.columns[0]} = {key.target}.{key.target_columns[0]}", key.sure


@reporting("connection {0.name}")
def check_connection(connection: Connection, catalog: Catalog) -> Iterator[Finding]:
    """Check that a database answers, and what may be read there."""
    about = f"connection {connection.name}"
    if why := why_away(connection):
        yield Finding("FAILED", about, f"it is away: {why}")
        return
    catalog.database(connection.name).ping()
    schemas = [catalog.schema(connection.name, name) for name in catalog.schemas(connection.name)]
    read = [table for schema in schemas for table in schema.tables]
    yield Finding(
        "ok" if read else "warning", about, f"{connection.dialect.label} answers; {len(read)} tables may be read."
    )
    for schema in schemas:
        if left_out := schema.left_out_sentence:
            yield Finding("ok", about, f"{schema.name}: {left_out}" if len(schemas) > 1 else left_out)
    if keys := [f"{key} ({sure:.0%})" for key, sure in inferred_keys(read)]:
        shown = ", ".join(keys[:KEYS_NAMED_MAX]) + (", …" if len(keys) > KEYS_NAMED_MAX else "")
        yield Finding(
            "ok",
            about,
            f"the database does not declare {len(keys)} keys that names and values suggest: {shown}. "
            'Confirm what is right in its block of connections.toml: keys = ["table.column = table.column"], '
            'and deny what is wrong with "!=" in place of "=".',
        )
    if connection.samples:
        yield Finding("ok", about, "sample values may be shown to the model (samples = false forbids it).")
