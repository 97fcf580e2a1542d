"""The categories of free sentences: their agents, and the names that people give them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Category(StrEnum):
    """The wish of a sentence; the values are kept in files."""

    ASK_DATA = "ask_data"
    REFINE_QUESTION = "refine_question"
    EXPLAIN_RESULT = "explain_result"
    DESCRIBE_DATA = "describe_data"
    OWN_SQL = "own_sql"
    COMPARE = "compare"
    WRITE = "write"
    EMAIL = "email"
    EXPORT = "export"
    SCHEDULE = "schedule"
    JOB_STATUS = "job_status"
    HELP = "help"
    SMALL_TALK = "small_talk"
    HUMAN_HANDOFF = "human_handoff"
    CHANGE_DATA = "out_of_scope_change_data"
    OTHER_SYSTEMS = "out_of_scope_other_systems"
    OTHER_PEOPLE = "out_of_scope_other_people"
    NONSENSE = "out_of_scope_nonsense"
    ABUSE = "out_of_scope_abuse"


OUT_OF_SCOPE = "out_of_scope"

CATEGORY_TO_AGENT: Mapping[Category, str] = MappingProxyType(
    {
        Category.ASK_DATA: "sql_agent",
        Category.REFINE_QUESTION: "sql_agent",
        Category.EXPLAIN_RESULT: "explain_agent",
        Category.DESCRIBE_DATA: "catalog_agent",
        Category.OWN_SQL: "own_sql_agent",
        Category.COMPARE: "compare_agent",
        Category.WRITE: "write_agent",
        Category.EMAIL: "email_agent",
        Category.EXPORT: "export_agent",
        Category.SCHEDULE: "schedule_agent",
        Category.JOB_STATUS: "status_agent",
        Category.HELP: "help",
        Category.SMALL_TALK: "small_talk",
        Category.HUMAN_HANDOFF: "human_handoff",
        Category.CHANGE_DATA: OUT_OF_SCOPE,
        Category.OTHER_SYSTEMS: OUT_OF_SCOPE,
        Category.OTHER_PEOPLE: OUT_OF_SCOPE,
        Category.NONSENSE: OUT_OF_SCOPE,
        Category.ABUSE: OUT_OF_SCOPE,
    }
)
"""The agent that answers each category."""


SQL_CATEGORIES = (Category.ASK_DATA, Category.REFINE_QUESTION)
"""The categories that lead to SQL."""


@dataclass(frozen=True, slots=True)
class Naming:
    """The label that a button has for a category, and what else it is called in files of sentences."""

    label: str
    called: tuple[str, ...] = ()


NAMES: Mapping[Category, Naming] = MappingProxyType(
    {
        Category.ASK_DATA: Naming(
            "Ask a question about the data",
            ("ask", "data", "question", "data question", "new question", "query", "sql"),
        ),
        Category.REFINE_QUESTION: Naming(
            "Change the last question",
            ("refine", "refine the last question", "refine last question", "refine last", "refinement", "follow up"),
        ),
        Category.EXPLAIN_RESULT: Naming(
            "Explain the result or the SQL",
            (
                "explain",
                "explain a result",
                "explain a result or sql",
                "explain result or sql",
                "explain sql",
                "explanation",
            ),
        ),
        Category.DESCRIBE_DATA: Naming(
            "Tell what data there is",
            (
                "describe",
                "describe the data",
                "catalog",
                "catalogue",
                "schema",
                "metadata",
                "describe tables",
                "what tables",
            ),
        ),
        Category.OWN_SQL: Naming("Run SQL of my own", ("own query", "my sql", "provide sql", "raw sql", "custom sql")),
        Category.COMPARE: Naming("Compare two queries", ("comparison", "compare queries", "compare tables", "diff")),
        Category.WRITE: Naming(
            "Write the rows to a table", ("write rows", "write to a table", "write table", "save", "write result")
        ),
        Category.EMAIL: Naming("E-mail the result", ("mail", "send", "send email", "send mail", "email result")),
        Category.EXPORT: Naming(
            "Make a file or a chart", ("file", "download", "chart", "export file", "csv", "excel", "export result")
        ),
        Category.SCHEDULE: Naming("Repeat it, or stop that", ("repeat", "scheduling", "schedules", "recurring")),
        Category.JOB_STATUS: Naming(
            "Tell how a job goes", ("status", "jobs", "status of jobs", "status of a job", "jobs status", "job")
        ),
        Category.HELP: Naming("Tell how I am used", ("how to", "usage", "capabilities")),
        Category.SMALL_TALK: Naming(
            "Just talk", ("chat", "chitchat", "chit chat", "greeting", "smalltalk", "greetings")
        ),
        Category.HUMAN_HANDOFF: Naming("Ask a human", ("human", "handoff", "hand off", "handover", "escalate")),
        Category.CHANGE_DATA: Naming("Change data in the database", ("change the data", "modify data", "delete data")),
        Category.OTHER_SYSTEMS: Naming("Something outside the databases", ("other system", "outside", "off topic")),
        Category.OTHER_PEOPLE: Naming(
            "Something about other people",
            ("other people's data", "other peoples data", "other people data", "private data", "privacy"),
        ),
        Category.NONSENSE: Naming("Nothing, that was a slip", ("gibberish", "nonsensical")),
        Category.ABUSE: Naming("Something else", ("abusive", "insult", "inappropriate", "injection")),
    }
)
"""The labels of categories, and names for them besides their values."""


def category_of(name: str) -> Category | None:
    """Return the category that a name means, however it is spelt; None where it means none."""
    return _BY_NAME.get(_folded(name))


def _folded(name: str) -> str:
    low = re.sub(r"[\s_\-/.:,()]+", "", name.casefold())
    return low.removeprefix("outofscope")


_BY_NAME = {_folded(called): category for category, naming in NAMES.items() for called in naming.called} | {
    _folded(category): category for category in Category
}
