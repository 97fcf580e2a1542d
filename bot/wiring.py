"""The one place that builds everything, and closes it again."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from threading import Thread
from typing import TYPE_CHECKING

from bot.audit import opened_audit
from bot.clock import now
from bot.connections_file import connections_file
from bot.demo.samples import ensure_samples
from bot.discreet import Discreet
from bot.examples import opened_examples
from bot.hourly import hourly
from bot.intents import opened_intents
from bot.models import EMBEDDED, Choice, ModelSettings, choose, choose_reader, embedded_installed
from bot.own_jobs import own_jobs
from bot.settings import Settings
from bot.teaching import taught_here
from router.agents.llm import Llm
from router.agents.options import Options
from router.agents.sql import prefix
from router.catalog.connection import Connection, Connections
from router.catalog.followed import FollowedConnections
from router.catalog.people import EVERYBODY
from router.catalog.schema import Schema
from router.engine import Router
from router.errors import AgentAway, BotError, SettingsError
from router.humans import Humans
from router.intents.deciding import OfHouse
from router.jobs.feedback import UNRATED, Feedback
from router.jobs.mail.office import Office
from router.jobs.schedules import Schedules
from router.jobs.workshop import Workshop
from router.knowledge.taught import Taught
from router.sql.dialect import DIALECTS
from router.store import SqliteStore
from router.timer import Timer
from router.turn import Tools

if TYPE_CHECKING:  # its HTTP client is for those who have their jobs done elsewhere
    from adapters.remote.site import RemoteSite

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Bot:
    """A built bot: the core, what it uses, the choice of its SQL model, and what waits for what is repeated."""

    router: Router
    tools: Tools
    model: Callable[[], Choice]
    workshop: Workshop | None
    """What does jobs in this process; None where another one does them."""
    timer: Timer | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """How much of a result a platform shows at once: rows, and cells where those are limited."""

    rows: int = 20
    cells: int = 0


@contextmanager
def built(
    settings: Settings,
    *,
    demo: bool = False,
    say: Say = lambda text: None,
    page: Page = Page(),
    details: bool = True,
    repeats: bool = True,
    clock: Callable[[], datetime] = now,
    office: Office | None = None,
) -> Iterator[Bot]:
    """Build the bot and close it at the end; `demo` takes the sample databases whatever connections there are.

    Without `details`, whoever asks is not told what whoever runs the bot must mend about the model: the log is.
    Without `repeats`, as where nobody can be told anything unasked, no query is repeated.
    `clock` gives the present time with a zone; the demo sends e-mails by `office` and nothing else. Raises
    SettingsError with every problem.
    """
    with ExitStack() as stack:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        store = SqliteStore(settings.home / "threads.sqlite")
        stack.callback(store.close)
        audit = opened_audit(settings, clock)
        stack.callback(audit.close)
        # Not less than the rows: whoever sees them may rate them, and they are deleted with the answer's thread.
        unrated = max(UNRATED, settings.results_kept)
        feedback = Feedback(settings.home / "feedback.sqlite", clock, unrated)
        stack.callback(feedback.close)
        stack.callback(hourly(feedback.expire).set)
        back: Workshop | RemoteSite
        if not demo and (address := settings.jobs_api):
            from bot.remote_jobs import remote_jobs

            back = remote_jobs(settings, address, say, clock, stack)
        else:
            connections, rules = connections_of(settings, demo=demo, say=say), office if demo else settings.office
            back = own_jobs(settings, connections, audit, rules, clock, now, stack)
        schedules = None
        if repeats:
            url = f"sqlite:///{settings.home / 'jobs.sqlite'}"
            schedules = Schedules(url, clock, most=settings.most_schedules, zone=settings.time_zone)
            stack.callback(schedules.close)
            stack.callback(hourly(partial(schedules.expire, settings.results_kept)).set)
        examples = opened_examples(settings, back.catalog, clock, stack)
        lessons = taught_here(settings, back.connections, demo, clock, stack)
        understood = opened_intents(settings, clock, stack, demo)
        model = cache(lambda: chosen(settings, demo))
        writer = partial(built_model, model)
        tools = Tools(
            connections=back.connections,
            catalog=back.catalog,
            sql_model=writer if details else lambda: Discreet(writer),
            warm=lambda schema: warm(model, schema),
            results=back.kept if isinstance(back, Workshop) else back.results,
            jobs=back.jobs,
            audit=audit,
            feedback=feedback,
            office=back.office,
            humans=Humans(settings.reach),
            schedules=schedules,
            examples=examples,
            knowledge=Taught(lessons.glossary, examples.near),
            lessons=lessons,
            intents=OfHouse(understood.intents, understood.choices),
            clock=clock,
            reader=partial(built_model, cache(lambda: chosen_reader(settings, demo))),
            options=Options(orchestrator=settings.orchestrator),
            approval_time=settings.approval_time,
            page=page.rows,
            cells=page.cells,
        )
        timer = None
        if schedules:
            timer = Timer(tools, schedules)
            stack.callback(timer.close)
        yield Bot(Router(store, tools), tools, model, back if isinstance(back, Workshop) else None, timer)


def built_model(choice: Callable[[], Choice]) -> Llm:
    """Return the model; raises AgentAway, which a talk can show, where there is none."""
    try:
        return choice().llm()
    except SettingsError as error:
        raise AgentAway(" ".join(error.problems)) from error


def warm(choice: Callable[[], Choice], schema: Schema) -> None:
    """Have the model read the schema in the background, before the question that needs it."""

    def run() -> None:
        try:
            built_model(choice).warm(*prefix(schema))
        except BotError as error:
            logging.getLogger("icc_bot").warning("the model was not warmed: %s", error)

    Thread(target=run, name="warm", daemon=True).start()


def chosen(settings: Settings, demo: bool) -> Choice:
    """Return the SQL model's choice; the demo takes the embedded one unless the settings name another."""
    wanted = model_settings(settings)
    if demo and settings.sql_model is None and settings.ollama_base_url is None and embedded_installed():
        wanted = replace(wanted, sql_model=EMBEDDED)
    return choose(wanted)


def chosen_reader(settings: Settings, demo: bool) -> Choice:
    """Return the choice of the model that reads parameters; the demo's is the embedded one, as for SQL."""
    wanted = model_settings(settings)
    if demo and settings.model is None and settings.ollama_base_url is None and embedded_installed():
        wanted = replace(wanted, model=EMBEDDED)
    return choose_reader(wanted)


def connections_of(settings: Settings, *, demo: bool = False, say: Say = lambda text: None) -> Connections:
    """Return the connections of the jobs API that is named, or of the file, or of connections.toml here.

    Where there is none of them, return the sample databases.
    """
    if not demo and (address := settings.jobs_api):
        from bot.remote_jobs import remote_connections

        return remote_connections(address, say)
    if not demo and (path := connections_file(settings)):
        return FollowedConnections(path, os.environ)
    company, warehouse = ensure_samples(settings.home / "samples", now().date(), say)
    sqlite = DIALECTS["sqlite"]
    return Connections(
        [
            Connection(
                "sample",
                1,
                "Tarn & Trail (sample company)",
                sqlite,
                f"sqlite:///{company}",
                teachers=frozenset({EVERYBODY}),
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
            ),
        ],
        default="sample",
    )


def model_settings(settings: Settings) -> ModelSettings:
    """Return what the choice of models needs of the settings."""
    return ModelSettings(
        home=settings.home,
        sql_model=settings.sql_model,
        model=settings.model,
        ollama_base_url=None if settings.ollama_base_url is None else str(settings.ollama_base_url),
        base_url=None if settings.model_base_url is None else str(settings.model_base_url),
        api_key=settings.model_api_key,
        timeout=settings.model_timeout,
        prompt_logging=settings.prompt_logging,
    )
