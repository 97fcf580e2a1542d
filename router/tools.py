"""What stages may use, built in one place at start."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from router.agents.options import SHIPPED, Options
from router.agents.params import Reader
from router.agents.sql import Model
from router.catalog.connection import Connections
from router.catalog.schema import Schema
from router.catalog.tables import Tables
from router.humans import Humans
from router.intents.deciding import Deciding, Shipped
from router.jobs.audit import Audit
from router.jobs.feedback import Feedback
from router.jobs.jobs import Jobs
from router.jobs.mail.rules import Rules
from router.jobs.schedules import Schedules
from router.jobs.shelf import Shelves
from router.knowledge.examples import Examples
from router.knowledge.known import Knowledge
from router.knowledge.lessons import Lessons

MOST_COLUMNS = 20
"""Columns that a platform which limits cells shows at most."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What stages may use; built in one place at start."""

    connections: Connections
    catalog: Tables
    sql_model: Callable[[], Model]
    """The model that writes SQL; made at the first call, raises AgentFailed where there is none."""
    warm: Callable[[Schema], None]
    """Has the model read a schema in the background; never fails."""
    results: Shelves
    jobs: Jobs
    audit: Audit
    feedback: Feedback
    clock: Callable[[], datetime]
    """Now, with a zone."""
    reader: Callable[[], Reader]
    """The model that reads parameters out of sentences; raises AgentAway where there is none."""
    office: Rules | None = None
    """As whom e-mails are sent, and to whom; None where none are."""
    schedules: Schedules | None = None
    """What is repeated; None where nothing can be."""
    knowledge: Knowledge | None = None
    """What people taught the bot; None where nobody can."""
    options: Options = SHIPPED
    """How a question becomes SQL."""
    examples: Examples | None = None
    """The verified examples, for those who keep and remove them; None where nobody can."""
    lessons: Lessons | None = None
    """The glossary, and what is proposed for it; None where there is none."""
    intents: Deciding = field(default_factory=Shipped)
    """Tells what sentences ask for."""
    humans: Humans = field(default_factory=Humans)
    """People who are asked where the bot cannot help."""
    approval_time: timedelta = timedelta(days=7)
    page: int = 20
    """Rows of a page."""
    cells: int = 0
    """Cells of a page, where the platform limits them; 0 where it does not."""

    def page_of(self, columns: int) -> int:
        """Return the number of rows of a page: fewer where there are many columns and the platform takes few cells."""
        return max(1, min(self.page, self.cells // min(columns, MOST_COLUMNS))) if self.cells else self.page
