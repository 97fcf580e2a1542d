"""A query under repair: its tree, its schema, what was repaired and what could not be."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from router.catalog.schema import Schema
from router.sql.dialect import Name
from router.text_to_sql.repair import sources
from router.text_to_sql.repair.join_paths import Ways
from router.text_to_sql.repair.names import identifier, quoted
from router.text_to_sql.repair.sources import Source


@dataclass(slots=True)
class Query:
    """`notes` say in words what was repaired, for the person; `problems` what was not, for the model."""

    tree: exp.Expr
    schema: Schema
    hops: Ways
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    deserted: set[tuple[int, str]] = field(default_factory=set)
    """SELECTs and aliases that a column was taken away from."""

    @property
    def dialect(self) -> Name:
        """The dialect of the schema's database."""
        return self.schema.dialect

    def selects(self) -> Iterator[exp.Select]:
        """Yield every SELECT, the inner ones first, so that outer ones see their repaired columns."""
        yield from reversed(list(self.tree.find_all(exp.Select)))

    def columns(self, select: exp.Select) -> list[exp.Column]:
        """Return the columns written in this SELECT itself, not in queries within it."""
        found = (node for node in select.find_all(exp.Column) if sources.owner(node) is select)
        return [node for node in found if not isinstance(node.this, exp.Star)]

    def sums(self, select: exp.Select) -> list[exp.Expr]:
        """Return the sums and averages of this SELECT itself: rows that occur several times would make them wrong."""
        return [node for node in select.find_all(exp.Sum, exp.Avg) if node.find_ancestor(exp.Select) is select]

    def redirect(self, column: exp.Column, label: exp.Identifier, name: str) -> None:
        """Let a column mean another one, qualified where it was, or where there are several tables."""
        column.set("this", self.identifier(name))
        if column.table or len(list(self.tree.find_all(exp.Table))) > 1:
            column.set("table", label.copy() if label.name else None)

    def sources(self, select: exp.Select) -> tuple[Source, ...]:
        """Return what the FROM and the JOINs of this SELECT offer."""
        return sources.sources(select, self.schema)

    def note(self, about: str, sentence: str) -> None:
        """Tell the person about a repair, once for each thing that it is about."""
        if about not in self.told:
            self.told.add(about)
            self.notes.append(sentence)

    def problem(self, sentence: str) -> None:
        """Tell the model what is wrong, once."""
        if sentence not in self.problems:
            self.problems.append(sentence)

    def quoted(self, name: str) -> str:
        """Return a name as this dialect writes it."""
        return quoted(name, self.dialect)

    def identifier(self, name: str) -> exp.Identifier:
        """Return the identifier that means `name` in this dialect."""
        return identifier(name, self.dialect)
