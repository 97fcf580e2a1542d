"""An example as it is kept: a question, the SQL that somebody found right for it, and whether that still runs."""

from base64 import b32encode
from dataclasses import dataclass
from hashlib import sha256

LONGEST_QUESTION, LONGEST_SQL = 300, 1500
"""Characters of an example: what is longer would push everything else out of a small model's sight."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A verified example of one schema of one connection.

    `by` is the id of whoever kept it, `at` when, `checked` when the database last looked at it (both ISO 8601, UTC);
    `problem` says why it does not run any more, empty where it does.
    """

    connection: str
    schema: str
    question: str
    sql: str
    by: str = ""
    at: str = ""
    checked: str = ""
    problem: str = ""

    @property
    def id(self) -> str:
        """What it is called: the same wherever and whenever this question is kept for this schema."""
        said = "\0".join((self.connection.casefold(), self.schema, same(self.question)))
        return f"E-{b32encode(sha256(said.encode()).digest()).decode()[:8]}"

    @property
    def order(self) -> tuple[str, str, str, str]:
        """Where it stands in a list: the same order everywhere."""
        return self.connection.casefold(), self.schema, same(self.question), self.sql


def same(question: str) -> str:
    """Return a question as it is compared with others: without regard to case, blanks and closing signs."""
    return " ".join(question.casefold().split()).rstrip("?!. ")
