"""What a program may ask for: bodies and parameters, as they come from outside."""

import re
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from router.jobs.entries import Kind, State
from router.jobs.send_email import Form
from router.memory import Mode

JOB: Final = r"^[CMRWS]-[2-9A-HJKMNP-TV-Z]{8}$"
"""How the numbers of jobs look."""
READING: Final = r"^[CR]-[2-9A-HJKMNP-TV-Z]{8}$"

KEY: Final = r"^[!-~]{1,255}$"
"""What the header Idempotency-Key may hold."""

LARGEST_NUMBER: Final = 2**31 - 1
MOST_ROWS: Final = 1000


def _digits(text: object) -> object:
    if isinstance(text, str) and not re.fullmatch(r"[0-9]{1,16}", text):
        raise ValueError("must be a whole number")
    return text


Whole = Annotated[int, BeforeValidator(_digits)]
"""A number in an address, without blanks, signs and fractions."""


class Body(BaseModel):
    """JSON, taken at its word: no field more, and no text in the place of a number."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Read(Body):
    """A query on one schema of a connection; it is checked, and what runs is the checked form of it."""

    connection: int = Field(ge=1, le=LARGEST_NUMBER, description="The number of the connection.", examples=[1])
    schema_name: str = Field(
        "", alias="schema", max_length=128, description="The schema; without one, the connection's first."
    )
    sql: str = Field(
        min_length=1,
        max_length=100_000,
        description="One SELECT, in the dialect of the connection.",
        examples=["SELECT 1 AS one"],
    )


class Pair(Body):
    """A column of the result, and the column of the table that takes it."""

    source: str = Field(min_length=1, max_length=200)
    target: str = Field(min_length=1, max_length=128)


class Write(Body):
    """Rows of a reading that is done, on their way into a table: all of them or none, and never twice."""

    result: str = Field(pattern=READING, description="The number of the read or compare job whose rows are written.")
    connection: int = Field(ge=1, le=LARGEST_NUMBER, description="The number of the connection that is written to.")
    schema_name: str = Field(
        "", alias="schema", max_length=128, description="The schema; without one, the connection's first."
    )
    table: str = Field(min_length=1, max_length=128)
    mode: Mode = Field(
        description="create: a new table. append: rows are added. truncate: the rows that are there are deleted first. "
        "drop: the table is made anew."
    )
    confirm: str = Field(
        "", max_length=128, description="The table's name once more, where the mode deletes rows: truncate and drop."
    )
    columns: list[Pair] | None = Field(
        None, min_length=1, max_length=1000, description="Which column goes where; without, columns of one name."
    )
    name: str = Field("", max_length=200, description="What people shall know the job as.")


class Email(Body):
    """Rows of a reading that is done, on their way to people."""

    result: str = Field(pattern=READING, description="The number of the read or compare job whose rows are sent.")
    recipients: list[Annotated[str, Field(min_length=1, max_length=320)]] = Field(
        min_length=1, max_length=200, description="Addresses; `me` is that of the token's person."
    )
    subject: str = Field(min_length=1, max_length=400)
    body: str = Field("", max_length=20_000, description="What stands above the rows, in plain text.")
    format: Form = Field("xlsx", description="table: the rows stand in the e-mail. csv, xlsx: they go along as a file.")


class Handed(Body):
    """A job as a bot hands it over, in the form that the ledger keeps."""

    kind: Kind
    version: int = Field(ge=1, le=1000, description="The version of the payload.")
    payload: dict[str, Any] = Field(description="What is to be done, without what stands in the headers and beside it.")
    connection: str = Field(min_length=1, max_length=200, description="The name of the connection.")
    name: str = Field("", max_length=400, description="What people shall know the job as.")
    thread: str = Field(min_length=1, max_length=1000, description="The talk that it belongs to.")


class Trial(Body):
    """SQL that a database is to look at without running it."""

    connection: str = Field(min_length=1, max_length=200, description="The name of the connection.")
    schema_name: str = Field(alias="schema", max_length=128, description="The schema.")
    sql: str = Field(min_length=1, max_length=100_000, description="One SELECT, in the form that the guard gave it.")


class Thread(Body):
    """A talk of a bot."""

    thread: str = Field(min_length=1, max_length=1000)


class Parameters(BaseModel):
    """What stands behind the question mark of an address."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Listing(Parameters):
    """Which jobs are listed."""

    limit: Whole = Field(50, ge=1, le=200, description="How many at most.")
    state: Literal["queued", "running", "sending", "done", "failed", "cancelled", "unsure"] | None = Field(
        None, description="Only those in this state."
    )
    everybody: Literal["true", "false"] = Field(
        "false", description="Also those that others asked for, with the scope admin."
    )

    @property
    def states(self) -> tuple[State, ...]:
        """The state as the ledger has it."""
        return (State(self.state.upper()),) if self.state else ()


class Waiting(Parameters):
    """How long the answer may take."""

    wait: Whole = Field(
        0,
        ge=0,
        le=30,
        description="Seconds that the answer waits for: until the job is over, or is not any more as the header "
        "If-None-Match has it from the header ETag of an answer before.",
    )


class Ending(Parameters):
    """Why a job is to end."""

    why: str = Field("", max_length=300, description="A sentence, from a token with the scope act_for.")


class Again(Parameters):
    """Which attempt is to be followed by another."""

    attempt: Whole = Field(ge=0, le=10**9, description="The number of the last attempt; if it is not, nothing is done.")


class Tables(Parameters):
    """Which schema is meant, and how old the answer may be."""

    fresh: Literal["true", "false"] = Field("false", description="Have the database read anew.")
    schema_name: str = Field("", alias="schema", max_length=128, description="Without one, the connection's first.")


class Place(Parameters):
    """Which table is meant."""

    schema_name: str = Field(alias="schema", max_length=128)
    table: str = Field(min_length=1, max_length=128)


class Paging(Parameters):
    """Which rows are given."""

    offset: Whole = Field(0, ge=0, le=10**15, description="Rows before the first that is given.")
    limit: Whole = Field(100, ge=1, le=MOST_ROWS, description="Rows at most; fewer where they are large.")


class Sorting(Paging):
    """Which rows are given, and in which order."""

    sort: str = Field("", pattern=r"^([0-9]{1,4}:(up|down))?$", description="The number of a column from 0, and how.")
