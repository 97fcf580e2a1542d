"""A query under repair: its tree, its schema, what was repaired and what could not be."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from router.agents.repair import sources
from router.agents.repair.names import identifier, quoted
from router.agents.repair.paths import Ways
from router.agents.repair.sources import Source
from router.catalog.schema import Schema
from router.sql.dialect import Name


@dataclass(slots=True)
class Query:
    """`notes` say in words what was repaired, for the person; `problems` what was not, for the model.

    `hints` are what was said about the words of the question: conditions that they bring are asked for.
    """

    tree: exp.Expr
    schema: Schema
    hops: Ways
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    hints: str = ""
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


def counts_places(tree: exp.Select) -> bool:
    """Tell whether GROUP BY or ORDER BY names columns by their places."""
    parts = [tree.args.get("group"), tree.args.get("order")]
    nodes = [node for part in parts if part for node in part.expressions]
    return any(isinstance(node.this if isinstance(node, exp.Ordered) else node, exp.Literal) for node in nodes)


def conditions(select: exp.Select) -> list[exp.Expr]:
    """Return what WHERE demands of every row, part by part."""
    where = select.args.get("where")
    if where is None:
        return []
    return list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
