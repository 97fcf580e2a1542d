"""Builds what does jobs in this process, over the databases of its connections."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta

from bot.hourly import hourly
from bot.settings import Settings
from router.catalog.catalog import Catalog
from router.catalog.connection import Connections
from router.catalog.targets import targets
from router.jobs.access import Access
from router.jobs.audit import Audit
from router.jobs.ledger import Ledger
from router.jobs.mail.office import Office
from router.jobs.results import Results
from router.jobs.runner import Runner
from router.jobs.workers import workers
from router.jobs.workshop import Workshop
from router.policy import demand_query, demand_read

Clock = Callable[[], datetime]


def own_jobs(
    settings: Settings,
    connections: Connections,
    audit: Audit,
    office: Office | None,
    clock: Clock,
    now: Clock,
    stack: ExitStack,
) -> Workshop:
    """Return what does jobs here, and take up what was left; it ends and is closed with the stack.

    `clock` is that of results, `now` that of the ledger.
    """
    catalog = Catalog(connections)
    stack.callback(catalog.close)
    results = Results(settings.home / "results", settings.results_kept, clock)
    stack.callback(hourly(results.expire).set)
    ledger = Ledger(f"sqlite:///{settings.home / 'jobs.sqlite'}", now)
    stack.callback(ledger.close)
    # A day more, so that no rows are without the job that read them.
    stack.callback(hourly(lambda: ledger.expire(settings.results_kept + timedelta(days=1))).set)
    access = Access(ledger, catalog, demand_read)
    work = workers(catalog, targets(connections), results, audit, demand_query, office, access.demand_result)
    jobs = Runner(ledger, work)
    stack.callback(jobs.close)
    return Workshop(connections, catalog, results, jobs, audit, access, office)
