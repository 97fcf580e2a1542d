"""Words of a question that may mean several columns: the card names the one that was used, and a press changes it."""

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.knowledge.knowledge import Known
from router.language.folding import fold
from router.sql.parsing import statement
from router.text_to_sql.ambiguous_columns import Home, spoken_of, unsure_columns
from router.text_to_sql.named_values import Named, named_in
from router.text_to_sql.repair.query import quoted
from router.text_to_sql.schema_linking import likely_tables
from router.turn import Turn


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
    draft = turn.memory.draft
    shown = likely_tables(draft.question, schema)  # words that others share with the tables of a model are plain
    taken, others = list[str](), list[str]()
    for unsure in unsure_columns(draft.question, shown, draft.evidence, known, spoken_of(named(turn))):
        used = [home for home in unsure.homes if _is_used(home, tree)]
        if len(used) == 1:
            taken.append(f"I took it that {_hint(unsure.words, used[0], schema)}.")
        others += [_hint(unsure.words, home, schema) for home in unsure.homes if home not in used]
    return tuple(taken), tuple(others)


def _hint(words: str, home: Home, schema: Schema) -> str:
    """Return what words mean, as the model is told it, and as its button says it."""
    return f"{words} means {quoted(home.table, schema.dialect)}.{quoted(home.column, schema.dialect)}"


def _is_used(home: Home, tree: exp.Expr) -> bool:
    """Return whether a query has the column."""
    tables = (each for each in tree.find_all(exp.Table) if each.name.lower() == home.table.lower())
    names = {each.alias_or_name.lower() for each in tables}
    columns = (each for each in tree.find_all(exp.Column) if each.name.lower() == home.column.lower())
    return bool(names) and any(each.table.lower() in {*names, ""} for each in columns)
