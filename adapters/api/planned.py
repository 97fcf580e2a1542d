"""What a program says of a comparison: two queries, and how they are compared."""

from typing import Annotated

from pydantic import Field

from adapters.api.bodies import Body, Read
from router.sql.comparing.plan import Blanks, Form, Precision, Reporting


class Query(Read):
    """One side of a comparison: a query, and what people call it."""

    label: str = Field("", max_length=200, description="Such as: orders in Production.")


class Places(Body):
    """Two columns that belong together: their places in the queries, counted from 0."""

    left: int = Field(ge=0, le=1999)
    right: int = Field(ge=0, le=1999)


class Matched(Places):
    """Two columns that are compared; texts are read as `form`."""

    form: Form = "auto"


class NotCounted(Body):
    """What does not count as a difference."""

    absolute: float = Field(0.0, ge=0, le=1e300, description="Numbers apart by at most so much.")
    relative: float = Field(0.0, ge=0, le=1, description="Numbers apart by at most this share of the larger one.")
    blanks: Blanks = Field("end", description="Whether blanks count, do not at the end of a text, or at neither end.")
    fold: bool = Field(False, description="Whether upper and lower case are the same.")
    precision: Precision = Field("microsecond", description="Down to what times count.")
    empty: bool = Field(False, description="Whether an empty text is no value.")


class Planned(Body):
    """How two queries are compared; the outcome of a look at them has one to begin with."""

    left: list[Annotated[str, Field(max_length=1000)]] = Field(
        max_length=2000, description="The names of all columns of the left query."
    )
    right: list[Annotated[str, Field(max_length=1000)]] = Field(max_length=2000)
    pairs: list[Matched] = Field(min_length=1, max_length=2000)
    keys: list[Annotated[int, Field(ge=0, le=1999)]] = Field(
        [], max_length=100, description="Places in `pairs` that tell the rows apart; without, whole rows are compared."
    )
    tolerances: NotCounted = Field(default_factory=lambda: NotCounted.model_validate({}))
    reporting: Reporting = Field(
        "summary", description="Which rows the job has: of counts, of columns, of differences, of all rows, of totals."
    )
    first: int = Field(20, ge=0, le=100, description="So many differences are kept in the report.")


class Match(Body):
    """Two queries whose first rows are looked at, to see which columns belong together."""

    left: Query
    right: Query
    pairs: list[Places] | None = Field(
        None, max_length=2000, description="Columns that were put together; without, they are proposed."
    )


class Compare(Body):
    """Two queries that are compared row by row, wherever they run."""

    left: Query
    right: Query
    plan: Planned
    name: str = Field("", max_length=200, description="What people shall know the job as.")
