"""Words of a question that may mean several things: the card names the column that was used, and a press changes it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.knowledge.knowledge import Known
from router.language.folding import fold
from router.sql.parsing import statement
from router.stages.shown import privately
from router.text_to_sql.ambiguous_columns import Home, spoken_of, unsure_columns
from router.text_to_sql.named_values import Named, named_in, unsure
from router.text_to_sql.repair.query import quoted
from router.text_to_sql.schema_linking import likely_tables
from router.turn import Turn


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that words of a question may mean: a column, or a value of one.

    Where a column is reached in several ways, it is meant as that of `owner`, whose column `through` leads there.
    """

    words: str
    table: str
    column: str
    value: str = ""
    owner: str = ""
    through: str = ""

    def hint(self, schema: Schema) -> str:
        """Return the reading as the model is told it, and as its button says it."""
        column = f"{quoted(self.table, schema.dialect)}.{quoted(self.column, schema.dialect)}"
        if self.value:
            value = self.value.replace("'", "''")
            return f"{self.words} means {column} = '{value}'"
        owner = f"{quoted(self.owner, schema.dialect)}.{quoted(self.through, schema.dialect)}"
        return f"{self.words} means {column}{f', joined by {owner}' if self.through else ''}"

    def is_in(self, tree: exp.Expr) -> bool:
        """Return whether a query uses the reading."""
        table, column = self.owner or self.table, self.through or self.column
        names = {each.alias_or_name.lower() for each in tree.find_all(exp.Table) if each.name.lower() == table.lower()}
        columns = (each for each in tree.find_all(exp.Column) if each.name.lower() == column.lower())
        named = any(each.table.lower() in {*names, ""} for each in columns)
        told = not self.value or any(each.this == self.value for each in tree.find_all(exp.Literal))
        return bool(names) and named and told


def named(turn: Turn) -> tuple[Named, ...]:
    """Return the values that the question names, but for the words that a hint explains."""
    hint = fold(turn.memory.draft.evidence)
    found = named_in(turn.memory.draft.question, turn.values())
    return tuple(each for each in found if fold(each.words) not in hint)


def readings(turn: Turn, sql: str, known: Known) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return sentences on how the SQL takes words that may mean several things, and the hints for other meanings."""
    schema = turn.schema().only(turn.memory.place.tables)
    try:
        tree = statement(sql, schema.dialect)
    except (SqlglotError, RecursionError):
        return (), ()
    if isinstance(tree, str):
        return (), ()
    taken, others = list[str](), list[str]()
    for senses in _unclear(turn, schema, known):
        used = [sense for sense in senses if sense.is_in(tree)]
        if len(used) == 1:
            taken.append(f"I took it that {used[0].hint(schema)}.")
        others += [sense.hint(schema) for sense in senses if sense not in used]
    return tuple(taken), tuple(others)


def _unclear(turn: Turn, schema: Schema, known: Known) -> Iterator[list[Reading]]:
    """Yield the meanings of each word of the question that may have several; values only where all may see them."""
    question, values = turn.memory.draft.question, named(turn)
    shown = likely_tables(question, schema)  # words that others share with the tables of a model are plain
    value = None if privately(turn, turn.connection) else unsure(values, question, shown)
    if value:
        yield [Reading(value.words, each.table, each.column, each.text) for each in value.values]
    for found in unsure_columns(question, shown, turn.memory.draft.evidence, known, spoken_of(values)):
        yield [_column(found.words, home) for home in found.homes]


def _column(words: str, home: Home) -> Reading:
    return Reading(words, home.table, home.column, owner=home.owner if home.through else "", through=home.through)
