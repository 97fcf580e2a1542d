"""A talk with a bot whose jobs another process does: a real API in between, over the same small databases."""

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from adapters.remote.client import ApiClient
from adapters.remote.site import RemoteSite, site_at
from router.engine import Router
from router.jobs.runner import JobBackend
from router.llm.client import Llm
from router.schedules.scheduler import Scheduler
from tests.adapters.remote.real_api import SCOPES, api_over
from tests.support.talk import Talk

_DIGITS = str.maketrans("0123456789", "ABCDEFGHJK")
_BACK = str.maketrans("ABCDEFGHJK", "0123456789")
"""Numbers of jobs hold no 0 and no 1."""


class RemoteTalk(Talk):
    """`own` is what the API's process has, `services` what the bot's has."""

    def __init__(self, folder: Path, model: Callable[[], Llm], *rest: Any, scopes: str = SCOPES, **more: Any) -> None:
        super().__init__(folder, model, *rest, **more)
        self.own, own = self.services, self.services
        kept = own.results
        job_backend = JobBackend(own.connections, own.catalog, kept.results, own.jobs, own.audit, kept, own.mail_config)
        self.stack = ExitStack()
        self.api = self.stack.enter_context(api_over(job_backend, folder))
        self.link = ApiClient(self.api.address(scopes), pause=lambda seconds: None)
        self.stack.callback(self.link.close)
        site = RemoteSite(self.link, site_at(self.link), folder / "fetched", timedelta(days=7), self.clock)
        self.site = site
        self.services = replace(
            own,
            connections=site.connections,
            catalog=site.catalog,
            results=site.results,
            jobs=site.jobs,
            mail_config=site.mail_config,
        )
        self.router = Router(self.store, self.services)
        assert self.services.schedules
        self.timer.close()
        self.timer = Scheduler(self.services, self.services.schedules)
        self.timer.serve("test", self.notifier)

    def number(self, kind: str) -> str:
        """Return the number of the next job, as the API takes it."""
        digits = f"{next(self.numbers):08}".translate(_DIGITS)
        return f"{kind[0].upper()}-{digits}"

    def plainly(self, text: str) -> str:
        """Return a text in which jobs have the numbers of other talks."""
        return re.sub(r"\b([CMRWS])-([A-K]{8})\b", lambda found: f"{found[1]}-{int(found[2].translate(_BACK))}", text)

    def close(self) -> None:
        """Close what the bot and the API hold open."""
        self.timer.close()
        self.stack.close()
        self.services = self.own
        super().close()
