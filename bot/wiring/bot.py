"""Builds everything out of the settings, and closes it again."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from threading import Thread
from typing import TYPE_CHECKING

from bot.demo.company import ensure_samples
from bot.models.choice import EMBEDDED, ChosenModel, PublicModel, choose, choose_reader, is_embedded_installed
from bot.settings.environment import Settings, connections_file
from bot.wiring.knowledge import examples_of, glossary_of, intents_of
from bot.wiring.state import database_of, results_of, threads_of
from router.approval_requests import ApprovalRequests
from router.catalog.catalog import Catalog
from router.catalog.connection import EVERYBODY, Connection, Connections
from router.catalog.reload import FollowedConnections
from router.catalog.schema import Schema
from router.catalog.tables import Tables
from router.catalog.targets import target_opener
from router.engine import Router
from router.errors import AgentAway, BotError, SettingsError
from router.jobs.audit import Audit
from router.jobs.feedback import UNRATED_LIFETIME, Feedback
from router.jobs.ledger import Ledger
from router.jobs.mail.mail_config import MailConfig
from router.jobs.read_catalog import CatalogElsewhere
from router.jobs.results.access import ResultRights
from router.jobs.runner import JobBackend, Runner
from router.jobs.workers import workers
from router.knowledge.glossary import TaughtKnowledge
from router.llm.client import Llm
from router.notifier import Humans
from router.policy import require_query, require_read
from router.schedules.scheduler import Scheduler
from router.schedules.store import Schedules
from router.services import Services
from router.sql.dialect import DIALECTS
from router.storage.clock import Clock, now
from router.storage.database import Database
from router.storage.free_memory import MEMORY_SECONDS, trim_malloc
from router.storage.housekeeping import Housekeeping
from router.text_to_sql.prompt import prefix
from router.text_to_sql.question import Options
from router.understanding.intent_service import Intents

if TYPE_CHECKING:  # its HTTP client is for those who have their jobs done elsewhere
    from adapters.remote.site import RemoteSite

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Bot:
    """A built bot: the core, what it uses, the choice of its SQL model, and what waits for what is repeated.

    `database` and `housekeeping` are for what a platform keeps, and does now and then.
    """

    router: Router
    services: Services
    model: Callable[[], ChosenModel]
    job_backend: JobBackend | None
    """Does jobs in this process; None if another one does them."""
    database: Database
    housekeeping: Housekeeping
    timer: Scheduler | None = None


@dataclass(frozen=True, slots=True)
class ResultPage:
    """The part of a result that a platform shows at once: rows, and characters if those are limited."""

    rows: int = 20
    chars: int = 0


@contextmanager
def build_bot(
    settings: Settings,
    *,
    demo: bool = False,
    sample: bool = False,
    say: Say = lambda text: None,
    page: ResultPage = ResultPage(),
    details: bool = True,
    repeats: bool = True,
    works: bool = True,
    clock: Clock = now,
    mail_config: MailConfig | None = None,
) -> Iterator[Bot]:
    """Build the bot and close it at the end; `demo` takes the sample databases whatever connections there are.

    With `sample`, a service is tried on them: each card says so.
    Without `details`, what the administrator must mend about the model goes to the log, not to the person.
    Without `repeats`, as when nobody can be told anything unasked, no query is repeated. If it does not `work`,
    other processes do: this one takes inputs, and needs no passwords of databases.
    `clock` gives the present time with a zone; the demo sends e-mails by `mail_config` and nothing else. Raises
    SettingsError with every problem.
    """
    with ExitStack() as stack:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = stack.enter_context(closing(database_of(settings)))
        store = stack.enter_context(closing(threads_of(settings, database)))
        housekeeping = stack.enter_context(closing(Housekeeping()))
        housekeeping.add(trim_malloc, MEMORY_SECONDS)
        audit = Audit(settings.audit_trail, clock, settings.audit_secret)
        # Not less than the rows: those who see them may rate them, and they are deleted with the answer's thread.
        unrated = max(UNRATED_LIFETIME, settings.results_kept)
        feedback = Feedback(database, clock, unrated)
        housekeeping.add(feedback.expire)
        backend: JobBackend | RemoteSite
        if not demo and (address := settings.jobs_api):
            from bot.wiring.remote_jobs import remote_jobs

            backend = remote_jobs(settings, address, say, clock, stack, housekeeping)
        else:
            connections = connections_of(settings, demo=demo, sample=sample, say=say, opens=works)
            rules = mail_config if demo else settings.mail_config
            backend = own_jobs(
                settings,
                connections,
                audit,
                rules,
                clock,
                database,
                housekeeping,
                stack,
                works=works,
            )
        schedules = None
        if repeats:
            schedules = Schedules(database, clock, most=settings.most_schedules, zone=settings.time_zone)
            housekeeping.add(partial(schedules.expire, settings.results_kept))
        examples = examples_of(settings, database, backend.catalog, clock)
        glossary_changes = glossary_of(settings, database, backend.connections, demo, clock)
        opened_intents = intents_of(settings, database, clock, demo)
        wanted = with_embedded(settings) if demo else settings
        model = cache(partial(choose, wanted))
        writer = partial(built_model, model)
        approvals = ApprovalRequests(database, backend.connections, settings.approval_time, clock)
        housekeeping.add(approvals.expire)
        services = Services(
            connections=backend.connections,
            catalog=backend.catalog,
            sql_model=writer if details else lambda: PublicModel(writer),
            warm=lambda schema: warm(model, schema),
            results=backend.access if isinstance(backend, JobBackend) else backend.results,
            jobs=backend.jobs,
            audit=audit,
            feedback=feedback,
            mail_config=backend.mail_config,
            humans=Humans(settings.reach),
            schedules=schedules,
            examples=examples,
            knowledge=TaughtKnowledge(glossary_changes.glossary, examples.near),
            glossary_changes=glossary_changes,
            intents=Intents(opened_intents.intents.classifier, opened_intents.choices),
            clock=clock,
            reader=partial(built_model, cache(partial(choose_reader, wanted))),
            options=Options(orchestrator=settings.orchestrator),
            approvals=approvals,
            approval_time=settings.approval_time,
            page=page.rows,
            page_chars=page.chars,
        )
        timer = None
        if schedules and works:
            timer = Scheduler(services, schedules)
            stack.callback(timer.close)
        # Before what its chores need is closed.
        stack.callback(housekeeping.close)
        job_backend = backend if isinstance(backend, JobBackend) else None
        yield Bot(Router(store, services), services, model, job_backend, database, housekeeping, timer)


def own_jobs(
    settings: Settings,
    connections: Connections,
    audit: Audit,
    mail_config: MailConfig | None,
    clock: Clock,
    database: Database,
    housekeeping: Housekeeping,
    stack: ExitStack,
    *,
    works: bool = True,
) -> JobBackend:
    """Return what does jobs here, and take up what was left; it ends and is closed with the stack.

    `clock` is that of results; the ledger has the machine's, as those have who look whether a holder lives.
    """
    catalog = Catalog(connections)
    stack.callback(catalog.close)
    results = results_of(settings, database, clock)
    housekeeping.add(results.expire)
    ledger = Ledger(database, now)
    # A day more, so that no rows are without the job that read them.
    housekeeping.add(partial(ledger.expire, settings.results_kept + timedelta(days=1)))
    access = ResultRights(ledger, catalog, require_read, results)
    work = workers(
        catalog, target_opener(connections), results, audit, require_query, mail_config, access.require_result
    )
    jobs = Runner(ledger, work, idle=not works)
    catalog.elsewhere = None if works else CatalogElsewhere(jobs)
    stack.callback(jobs.close)
    return JobBackend(connections, catalog, results, jobs, audit, access, mail_config)


def built_model(choice: Callable[[], ChosenModel]) -> Llm:
    """Return the model; raises AgentAway, which a talk can show, if there is none."""
    try:
        return choice().llm()
    except SettingsError as error:
        raise AgentAway(" ".join(error.problems)) from error


def warm(choice: Callable[[], ChosenModel], schema: Schema) -> None:
    """Have the model read the schema in the background, before the question that needs it."""

    def run() -> None:
        try:
            built_model(choice).warm(prefix(schema))
        except BotError as error:
            logging.getLogger("icc_bot").warning("the model was not warmed: %s", error)

    Thread(target=run, name="warm", daemon=True).start()


def with_embedded(settings: Settings) -> Settings:
    """Return the settings of the demo: the embedded model, if it is installed, wherever no other one is named."""
    if settings.ollama_base_url is not None or not is_embedded_installed():
        return settings
    return settings.model_copy(
        update={"sql_model": settings.sql_model or EMBEDDED, "model": settings.model or EMBEDDED}
    )


SAMPLE_NOTICE = "A trial: all data here is invented."

SAMPLE_QUESTIONS = (
    "Which five customers brought the most revenue this year?",
    "What was the revenue by store last year?",
    "How many support tickets are open, by priority?",
    "What is the average order amount per channel?",
)


def connections_of(
    settings: Settings,
    *,
    demo: bool = False,
    sample: bool = False,
    say: Say = lambda text: None,
    opens: bool = True,
) -> Connections:
    """Return the connections of the jobs API that is named, or of the file, or of connections.toml here.

    If there is none of them, return the sample databases; with `sample`, each card says what they are. If this
    process opens no database, the variables of the file need not be set, nor its drivers be there.
    """
    if not demo and (address := settings.jobs_api):
        from bot.wiring.remote_jobs import remote_connections

        return remote_connections(address, say)
    if not demo and (path := connections_file(settings)):
        return FollowedConnections(path, os.environ, opens=opens)
    company, warehouse = ensure_samples(settings.home / "samples", now().date(), say)
    sqlite, notice = DIALECTS["sqlite"], SAMPLE_NOTICE if sample else ""
    return Connections(
        [
            Connection(
                "sample",
                1,
                "Tarn & Trail (sample company)",
                sqlite,
                f"sqlite:///{company}",
                teachers=frozenset({EVERYBODY}),
                sensitivity=notice,
                examples=SAMPLE_QUESTIONS,
            ),
            Connection(
                "warehouse",
                2,
                "Warehouse copy (sample)",
                sqlite,
                f"sqlite:///{warehouse}",
                write_url=f"sqlite:///{warehouse}",
                writers=frozenset({EVERYBODY}),
                teachers=frozenset({EVERYBODY}),
                sensitivity=notice,
            ),
        ],
        default="sample",
        notice=notice,
    )


def opened_tables(settings: Settings, stack: ExitStack) -> tuple[Connections, Tables]:
    """Return the connections with what looks at their tables, here or where the jobs are done, closed with the stack.

    Raises SettingsError with every problem.
    """
    if address := settings.jobs_api:
        from bot.wiring.remote_jobs import remote_jobs

        site = remote_jobs(settings, address, lambda text: None, now, stack)
        return site.connections, site.catalog
    connections = connections_of(settings)
    return connections, stack.enter_context(closing(Catalog(connections)))
