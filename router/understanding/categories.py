"""The categories of free sentences: their agents, and their labels."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from router.memory.draft import Step


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


STEP_TO_CATEGORY: Mapping[Step, Category] = MappingProxyType(
    {"write": Category.WRITE, "email": Category.EMAIL, "repeat": Category.SCHEDULE, "ask": Category.ASK_DATA}
)
"""The category of each step that is not an export."""

SQL_CATEGORIES = (Category.ASK_DATA, Category.REFINE_QUESTION)
"""The categories that lead to SQL."""


LABELS: Mapping[Category, str] = MappingProxyType(
    {
        Category.ASK_DATA: "Ask a question about the data",
        Category.REFINE_QUESTION: "Change the last question",
        Category.EXPLAIN_RESULT: "Explain the result or the SQL",
        Category.DESCRIBE_DATA: "Tell what data there is",
        Category.OWN_SQL: "Run SQL of my own",
        Category.COMPARE: "Compare two queries",
        Category.WRITE: "Write the rows to a table",
        Category.EMAIL: "E-mail the result",
        Category.EXPORT: "Make a file or a chart",
        Category.SCHEDULE: "Repeat it, or stop that",
        Category.JOB_STATUS: "Tell how a job goes",
        Category.HELP: "Tell how I am used",
        Category.SMALL_TALK: "Just talk",
        Category.HUMAN_HANDOFF: "Ask a human",
        Category.CHANGE_DATA: "Change data in the database",
        Category.OTHER_SYSTEMS: "Something outside the databases",
        Category.OTHER_PEOPLE: "Something about other people",
        Category.NONSENSE: "Nothing, that was a slip",
        Category.ABUSE: "Something else",
    }
)
"""The label that a button has for each category."""


def category_of(name: str) -> Category | None:
    """Return the category of this name, or of this label on a button; None if there is none."""
    said = name.strip().casefold()
    return next((each for each, label in LABELS.items() if said in (each.value, label.casefold())), None)
