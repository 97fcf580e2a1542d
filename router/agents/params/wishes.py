"""What a sentence says about where a result shall go: a wish, which decides nothing."""

from dataclasses import dataclass
from typing import Literal

from router.memory import Mode

Form = Literal["", "table", "csv", "xlsx"]


@dataclass(frozen=True, slots=True)
class WritingWish:
    """A table to write to, as the person spelled it; `connection` is a name that was given, `name` that of the job.

    Empty is what the sentence does not say. Whether there is such a schema or table is for others to look up.
    """

    connection: str = ""
    schema: str = ""
    table: str = ""
    mode: Mode | Literal[""] = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class MailingWish:
    """An e-mail: recipients as they were written (an address, a name, "Ana <ana@x.y>"), or "me" for the asker."""

    recipients: tuple[str, ...] = ()
    subject: str = ""
    body: str = ""
    form: Form = ""
