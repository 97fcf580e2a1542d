"""Knowledge from past queries: the columns by which people join, what they ask, what they call a number."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from sqlglot import exp, parse_one
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import TokenType

from router.catalog.foreign_keys import links
from router.catalog.schema import Schema, SchemaTable
from router.catalog.sensitive_columns import split_words
from router.knowledge.glossary import TERM_TEXT_MAX_CHARS, term_problem
from router.knowledge.knowledge import Term
from router.knowledge.learned import Learned
from router.language.wording import one_line, truncate
from router.sql.guard import check

TERM_MIN_CHARS = 3
"""Letters of a name that is worth to be a term: `n` is none."""

JOINED_MIN_QUERIES = 2
"""Queries that have to join by columns of which none is a key."""


Place = tuple[str, str]
"""A table of the schema and its column."""


def from_queries(text: str, schema: Schema, asks: Callable[[str], bool], learned: Learned) -> tuple[int, int]:
    """Learn what a file of SQL says; return how many queries it has, and how many statements could not be read.

    A comment before a query that `asks` something is its question.
    """
    statements = [_read(part, schema) for part in _split(text, schema)]
    queries = [query for each in statements for query in _queries(each)]
    _learn_joins(queries, schema, learned)
    for query in queries:
        question = one_line(" ".join(query.comments or ()))
        sql = query.sql(schema.dialect, comments=False)
        if asks(question) and (verdict := check(sql, schema.dialect, schema.scope)).allowed:
            learned.examples[question] = verdict.sql
    return len(queries), statements.count(None)


def from_views(definitions: Mapping[str, str], schema: Schema, learned: Learned) -> None:
    """Learn what the texts of views say: their joins, and the numbers that they have names for."""
    for name, definition in definitions.items():
        queries = list(_queries(_read(definition, schema)))
        _learn_joins(queries, schema, learned)
        for query in queries:
            if not isinstance(query, exp.Select) or query.find(exp.With):
                continue
            where = query.args.get("where")
            condition = _plain(where.this, query, schema) if where else ""
            for item in query.expressions:
                formula = _plain(item.unalias(), query, schema) if item.find(exp.AggFunc) else ""
                words = " ".join(word.lower() for word in split_words(item.alias))
                if not formula or len(words) < TERM_MIN_CHARS or (where and not condition):
                    continue
                only = f" where {condition}" if condition else ""
                meaning = truncate(f"{formula}{only}, as in the view {name}", TERM_TEXT_MAX_CHARS)
                if words not in learned.terms and not term_problem(term := Term(words, meaning), schema.dialect):
                    learned.define(term)


def _split(text: str, schema: Schema) -> list[str]:
    """Return the statements of a text, each with the comments before it."""
    try:
        tokens = Dialect.get_or_raise(schema.dialect).tokenize(text)
    except SqlglotError:
        return text.split(";")
    ends = [token.start for token in tokens if token.token_type is TokenType.SEMICOLON]
    parts = [text[start:end] for start, end in zip([0, *(end + 1 for end in ends)], [*ends, len(text)], strict=True)]
    return [part for part in parts if part.strip()]


def _read(text: str, schema: Schema) -> exp.Expr | None:
    """Return one statement, None if it cannot be read: it takes no other with it."""
    try:
        return parse_one(text, read=schema.dialect)
    except (SqlglotError, RecursionError):
        return None


def _queries(statement: exp.Expr | None) -> Iterator[exp.Query]:
    """Yield the query that a statement is, or that a view is made of."""
    query = statement.expression if isinstance(statement, exp.Create) else statement
    if statement is not None and isinstance(query, exp.Query):
        first = query.args.get("with_")  # if that is the first word, the parser hangs comments on it
        query.comments = query.comments or statement.comments or (first.comments if first else None)
        yield query


def _tables(select: exp.Expr, schema: Schema) -> dict[str, SchemaTable]:
    """Return the tables that a query reads, by the names that its columns are qualified with."""
    found = {}
    named = {cte.alias.lower() for cte in select.find_all(exp.CTE)}
    for table in select.find_all(exp.Table):
        if table.name.lower() not in named and (known := schema.table(table.name)):
            found[table.alias_or_name.lower()] = known
    return found


def _place(column: exp.Expr, tables: Mapping[str, SchemaTable]) -> Place | None:
    """Return the column of the schema that a column of a query means; None if it could mean several."""
    homes = {
        (table.name, each.name)
        for name, table in tables.items()
        for each in table.columns
        if isinstance(column, exp.Column) and column.table.lower() in ("", name)
        if each.name.lower() == column.name.lower()
    }
    return homes.pop() if len(homes) == 1 else None


def _learn_joins(queries: list[exp.Query], schema: Schema, learned: Learned) -> None:
    declared = {
        frozenset(((link.table, link.columns[0]), (link.target, link.target_columns[0])))
        for link in links(schema)
        if not link.inferred and len(link.columns) == 1
    }
    seen: Counter[tuple[Place, Place]] = Counter()
    keys = {(table.name, table.primary_key[0]) for table in schema.tables if len(table.primary_key) == 1}
    for query in queries:
        tables, pairs = _tables(query, schema), set()
        for equal in query.find_all(exp.EQ):
            if equal.find_ancestor(exp.Or, exp.Case) or not equal.find_ancestor(exp.Where, exp.Join):
                continue
            found = [_place(side, tables) for side in (equal.this, equal.expression)]
            sides = sorted(filter(None, found), key=keys.__contains__)
            if len(sides) == 2 and sides[0][0] != sides[1][0]:
                pairs.add((sides[0], sides[1]))
        seen.update(pairs)
    for (near, far), number in seen.items():
        if frozenset((near, far)) not in declared and (far in keys or number >= JOINED_MIN_QUERIES):
            learned.keys.append(f"{'.'.join(near)} = {'.'.join(far)}")


def _plain(formula: exp.Expr, query: exp.Query, schema: Schema) -> str:
    """Return a formula with the tables' own names; "" if a column is not one of the schema's."""
    tables = _tables(query, schema)
    if formula.find(exp.Query):
        return ""
    copy = exp.Paren(this=formula.copy())  # a column alone has to have a parent to be replaced
    for column in list(copy.find_all(exp.Column)):
        place = _place(column, tables)
        if place is None:
            return ""
        column.replace(exp.column(place[1], place[0]))
    return str(copy.this.sql(schema.dialect))
