"""Words of a question that may mean several columns: the card names the one that was used, and a press changes it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.knowledge.knowledge import Known
from router.language.folding import fold
from router.sql.parsing import statement
from router.text_to_sql.ambiguous_columns import spoken_of, unsure_columns
from router.text_to_sql.named_values import Named, named_in
from router.text_to_sql.repair.query import quoted
from router.text_to_sql.schema_linking import likely_tables
from router.turn import Turn


@dataclass(frozen=True, slots=True)
class Reading:
    """One column that words of a question may mean."""

    words: str
    table: str
    column: str

    def hint(self, schema: Schema) -> str:
        """Return the reading as the model is told it, and as its button says it."""
        return f"{self.words} means {quoted(self.table, schema.dialect)}.{quoted(self.column, schema.dialect)}"

    def is_in(self, tree: exp.Expr) -> bool:
        """Return whether a query uses the reading."""
        tables = (each for each in tree.find_all(exp.Table) if each.name.lower() == self.table.lower())
        names = {each.alias_or_name.lower() for each in tables}
        columns = (each for each in tree.find_all(exp.Column) if each.name.lower() == self.column.lower())
        return bool(names) and any(each.table.lower() in {*names, ""} for each in columns)


def named(turn: Turn) -> tuple[Named, ...]:
    """Return the values that the question names, but for the words that a hint explains."""
    hint = fold(turn.memory.draft.evidence)
    found = named_in(turn.memory.draft.question, turn.values())
    return tuple(each for each in found if fold(each.words) not in hint)


def readings(turn: Turn, sql: str, known: Known) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return sentences on how the SQL takes words that may mean several columns, and the hints for the others."""
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
    """Yield the columns that each word of the question may mean, where they are several."""
    question = turn.memory.draft.question
    shown = likely_tables(question, schema)  # words that others share with the tables of a model are plain
    for found in unsure_columns(question, shown, turn.memory.draft.evidence, known, spoken_of(named(turn))):
        yield [Reading(found.words, home.table, home.column) for home in found.homes]
