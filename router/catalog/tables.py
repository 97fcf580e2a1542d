"""The interface of the catalog as far as a talk uses it; tables are read here or by another process."""

from contextlib import AbstractContextManager
from typing import Protocol

from router.catalog.schema import Schema
from router.catalog.values import ValueIndex
from router.memory.draft import User
from router.sql.databases.session import Estimate
from router.sql.scope import Scope
from router.sql.writing.order import Existing


class Trial(Protocol):
    """Has a database look at SQL without running it; used by one thread, except `cancel`."""

    def check(self, sql: str) -> Estimate:
        """Return what the planner expects; raises JobFailed with the database's reason, or Stopped after `cancel`."""

    def cancel(self) -> None:
        """Have the database abandon it."""


class Tables(Protocol):
    """Schemas and tables by the name of their connection; raises JobFailed if a database fails."""

    def schemas(self, name: str) -> tuple[str, ...]:
        """Return the schemas that may be read, the default one first."""

    def schema(self, name: str, schema: str = "", fresh: bool = False) -> Schema:
        """Return the readable tables of a schema ("": the first one); raises NotAllowed if it may not be read."""

    def values(self, name: str, schema: str = "") -> ValueIndex:
        """Return what finds the values of a schema; empty if they are not known (yet), or no model may see them."""

    def known(self) -> list[Schema]:
        """Return the schemas that were read so far; asks no database."""

    def refresh(self, name: str) -> None:
        """Forget what is known of the connection's schemas; the next question reads them again."""

    def trial(self, name: str, scope: Scope, by: User) -> AbstractContextManager[Trial]:
        """Lend what has a schema's database look at SQL of this person's; the scope's default is the schema."""

    def existing(self, name: str, schema: str, table: str, by: User) -> Existing | None:
        """Return what lies in a table that this person may write to, None if there is none of the name.

        Raises NotAllowed if nobody may write.
        """
