"""The services that stages may use, built in one place at start."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from router.approval_requests import ApprovalRequests
from router.cards import Table
from router.catalog.connection import Connections
from router.catalog.schema import Schema
from router.catalog.tables import Tables
from router.jobs.audit import Audit
from router.jobs.feedback import Feedback
from router.jobs.job_service import Jobs
from router.jobs.mail.mail_config import MailRules
from router.jobs.results.pages import fitting
from router.jobs.results.reader import PersonalResults, ResultAccess, Sort
from router.knowledge.examples import Examples
from router.knowledge.glossary_changes import GlossaryChanges
from router.knowledge.knowledge import Knowledge
from router.notifier import Humans
from router.schedules.store import Schedules
from router.text_to_sql.question import DEFAULT_OPTIONS, Model, Options
from router.understanding.intent_service import Intents


@dataclass(frozen=True, slots=True)
class Services:
    """The services that stages may use; built in one place at start."""

    connections: Connections
    catalog: Tables
    sql_model: Callable[[], Model]
    """The model that writes SQL; made at the first call, raises AgentFailed if there is none."""
    warm: Callable[[Schema], None]
    """Has the model read a schema in the background; never fails."""
    results: ResultAccess
    jobs: Jobs
    audit: Audit
    feedback: Feedback
    clock: Callable[[], datetime]
    """Now, with a zone."""
    reader: Callable[[], Model]
    """The model that reads parameters out of sentences; raises AgentAway if there is none."""
    mail_config: MailRules | None = None
    """As whom e-mails are sent, and to whom; None if none are."""
    schedules: Schedules | None = None
    """The queries that are repeated; None if nothing can be."""
    knowledge: Knowledge | None = None
    """The knowledge that people taught the bot; None if nobody can."""
    options: Options = DEFAULT_OPTIONS
    """The options of the way from a question to SQL."""
    examples: Examples | None = None
    """The verified examples, for those who keep and remove them; None if nobody can."""
    glossary_changes: GlossaryChanges | None = None
    """The glossary, and what is proposed for it; None if there is none."""
    intents: Intents = field(default_factory=Intents)
    """Classifies what sentences ask for."""
    humans: Humans = field(default_factory=Humans)
    """People who are asked when the bot cannot help."""
    approvals: ApprovalRequests | None = None
    """The approvals that wait for somebody else; None if nobody is told of them."""
    approval_time: timedelta = timedelta(days=7)
    page: int = 20
    """Rows of a page."""
    page_chars: int = 0
    """Characters of a page, if the platform limits them; 0 if it does not."""

    def page_at(self, results: PersonalResults, result: str, offset: int = 0, sort: Sort | None = None) -> Table:
        """Return the rows of a result that stand on one page, after the first `offset`; raises JobFailed."""
        page = results.page(result, offset, self.page, sort)
        if not self.page_chars or not page.rows:
            return page
        return replace(page, rows=page.rows[: fitting(page.rows, page.columns, self.page_chars)])

    def offset_before(self, results: PersonalResults, result: str, offset: int, sort: Sort | None = None) -> int:
        """Return where the page begins that ends before this row; raises JobFailed."""
        first = max(0, offset - self.page)
        if not self.page_chars or not offset:
            return first
        page = results.page(result, first, offset - first, sort)
        return offset - fitting(page.rows[::-1], page.columns, self.page_chars)
