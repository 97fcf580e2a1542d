"""The critic: what speaks against a statement that runs as the answer to its question, without a model.

It reads the statement's tree, the schema's keys and the question's words. A sign is no proof: `confidence` says what
all of them are worth together.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.catalog.sensitive_columns import split_words
from router.catalog.values import names_in
from router.language.folding import fold
from router.language.phrases import Token, phrase_at, places_behind, tokens_of
from router.text_to_sql.question import Question
from router.text_to_sql.repair.join_order import unlinked
from router.text_to_sql.repair.join_paths import Ways, hops
from router.text_to_sql.repair.match_question import is_english, is_said
from router.text_to_sql.repair.multiplicity import edges_of, multiplying
from router.text_to_sql.repair.query import Query, alike, column_of, conjuncts, is_negated, source_of, words
from router.text_to_sql.repair.trivial_counts import always_one, counts_of_keys

Kind = Literal[
    "ungrouped",
    "unlinked",
    "multiplied",
    "itself",
    "contradiction",
    "odd_join",
    "value",
    "number",
    "comparison",
    "negation",
    "both",
    "extreme",
    "counted",
    "averaged",
    "summed",
    "always_one",
    "shown",
    "distinct",
    "table",
    "column",
    "stray_table",
    "stored_count",
    "text_summed",
]


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that speaks against a statement: `spot` tells the person of it, `advice` is more for the model."""

    kind: Kind
    spot: str
    advice: str = ""

    @property
    def reason(self) -> str:
        """What the model is told when it is asked once more; empty where the sign is no reason to."""
        return f"{self.spot} {self.advice}".rstrip() if self.kind in _ASKED_AGAIN else ""


_ASKED_AGAIN = frozenset[Kind](("ungrouped", "unlinked", "itself", "contradiction", "always_one"))
"""Kinds of signs that are hardly ever wrong; asked again for others, a small model mends nothing."""


def signs_of(question: Question, sql: str, schema: Schema) -> tuple[Sign, ...]:
    """Return what speaks against a statement; nothing where it cannot be read."""
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return ()
    query = Query(tree, schema, hops(schema))
    found = [sign for judge in _ON_STRUCTURE for select in query.selects() for sign in judge(query, select)]
    found += _ungrouped(question, query)
    if is_english(question.text):
        found += [sign for judge in _ON_WORDS for sign in judge(question, query)]
    return tuple(dict.fromkeys(found))


# What the tree and the keys tell.


def _unlinked(query: Query, select: exp.Select) -> Iterator[Sign]:
    for names in unlinked(query, select):
        yield Sign("unlinked", f"Nothing links {names} with the other tables, so every row meets every other.")


def _multiplied(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find sums and averages over rows that a join gives several times."""
    edges = edges_of(query, select)
    for node in query.sums(select):
        column = node.find(exp.Column)
        source = source_of(column, query.schema) if column and not node.find(exp.Distinct) else None
        if source and source.table and (other := multiplying(source, edges)):
            table = query.quoted(source.table.name)
            yield Sign(
                "multiplied",
                f"A row of {table} is counted once for each of its rows in {query.quoted(other)}: "
                f"`{node.sql(dialect=query.dialect)}` may be too large.",
            )


def _itself(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find what is compared with itself, or taken away from itself."""
    for node in query.nodes(select, exp.EQ, exp.NEQ, exp.GT, exp.LT, exp.GTE, exp.LTE, exp.Sub, exp.Div):
        if node.this == node.expression and node.find(exp.Column):
            yield Sign("itself", f"`{node.sql(dialect=query.dialect)}` holds one column against itself.")


def _contradiction(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find one column of one row that should have two values at once, or none and one."""
    wanted: dict[str, str] = {}
    parts = conjuncts(select.args.get("where"))
    for part in parts:
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column) and isinstance(part.expression, exp.Literal):
            name, value = part.this.sql().lower(), part.expression.sql()
            if wanted.setdefault(name, value) != value:
                column = part.this.sql(dialect=query.dialect)
                yield Sign("contradiction", f"No row can have `{column}` = {wanted[name]} and = {value} at once.")
    empty = {part.this for part in parts if isinstance(part, exp.Is) and isinstance(part.expression, exp.Null)}
    for part in parts:
        if isinstance(part, exp.Predicate) and not isinstance(part, exp.Is) and part.this in empty:
            column = part.this.sql(dialect=query.dialect)
            yield Sign("contradiction", f"`{column}` has to be empty, and is compared as well: no row is found.")


def _text_summed(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find a sum or an average of a column in which words stand."""
    for node in query.sums(select):
        column = column_of(node.this, query.schema) if isinstance(node.this, exp.Column) else None
        known = (*column.values, *column.samples) if column and not column.is_number else ()
        if known and all(value[:1].isalpha() for value in known):
            yield Sign("text_summed", f"`{node.sql(dialect=query.dialect)}` is of a column that has words.")


def _always_one(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find a count of rows that are told apart by what they are grouped by."""
    if source := always_one(query, select):
        table = query.quoted(source.table.name if source.table else source.alias)
        yield Sign(
            "always_one",
            f"Each count is 1, as each group is one row of {table}.",
            "Count the rows of the table that refers to it.",
        )
    for node in counts_of_keys(query, select):
        counted = node.sql(dialect=query.dialect)
        yield Sign(
            "always_one", f"`{counted}` is 1 in each group, as the groups are made by it.", "Count rows by COUNT(*)."
        )


def _shown(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find a column that is the only one shown, and has to have one value: whoever asks knows it."""
    parts = conjuncts(select.args.get("where"))
    known = {part.this for part in parts if isinstance(part, exp.EQ) and isinstance(part.expression, exp.Literal)}
    items = [item.unalias() for item in select.expressions]
    if select is query.tree and items and all(item in known for item in items):
        yield Sign("shown", "All that it shows is what the question says already.")


def _odd_join(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find joins that no key, declared or told by names, stands behind."""
    for edge in edges_of(query, select):
        assert edge.left.table
        assert edge.right.table
        near, far = edge.left.table.name, edge.right.table.name
        if near != far and not _is_key(query.hops, near, far, edge.pair):
            by = f"`{edge.left.alias}.{edge.pair[0]} = {edge.right.alias}.{edge.pair[1]}`"
            yield Sign("odd_join", f"{query.quoted(near)} and {query.quoted(far)} are joined by {by}, which is no key.")


def _is_key(ways: Ways, near: str, far: str, pair: tuple[str, str]) -> bool:
    """Tell whether two columns are a foreign key and what it leads to, or two that lead to the same."""
    ends = [_ends(ways, table, name) for table, name in ((near, pair[0]), (far, pair[1]))]
    return not ends[0].isdisjoint(ends[1])


def _ends(ways: Ways, table: str, name: str) -> set[tuple[str, str]]:
    leads = {
        (hop.far, b.lower())
        for hop in ways.leaving.get(table, ())
        if not hop.fans
        for a, b in hop.pairs
        if a.lower() == name
    }
    return {(table, name), *leads}


_ON_STRUCTURE: tuple[Callable[[Query, exp.Select], Iterable[Sign]], ...] = (
    _unlinked,
    _multiplied,
    _itself,
    _contradiction,
    _text_summed,
    _always_one,
    _shown,
    _odd_join,
)


# Words of the question that nothing in the statement stands for.

_OF_COLUMN = "·"
"""Stands in a question for the name of a column that the statement has."""
_SPELT: dict[str, str] = {
    "max": "max(?:imum)?",
    "min": "min(?:imum)?",
    "avg": "(?:avg|average)",
    "num": "(?:num|number)",
    "pct": "(?:pct|percent|percentage)",
}
"""Short words of columns' names, as people write them."""
_BETWEEN = r"(?:\W+(?:and|or)\W+\w+)?\W+"
"""What may stand between two words of a name: "domestic and international passengers" names two columns."""

_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:[.,]\d+)?(?![\w:/-]|[.,]\d)")
_NO = re.compile(r"no|n|f|false|0|no\W.*|none|non\W.*", re.IGNORECASE)
"""A value that says no by itself."""
_WORDED: tuple[tuple[Kind, tuple[type[exp.Expr], ...], str], ...] = (
    (
        "comparison",
        (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between),
        "The question says “{}”, but the SQL compares nothing with a limit.",
    ),
    (
        "negation",
        (exp.Not, exp.NEQ, exp.Except, exp.Is),
        "The question says “{}”, but the SQL leaves nothing out.",
    ),
    (
        "both",
        (exp.Intersect, exp.Having, exp.In, exp.Exists, exp.AggFunc),
        "The question says “{}”, but the SQL asks for one row with all of it.",
    ),
    (
        "extreme",
        (exp.Limit, exp.Max, exp.Min, exp.Window, exp.Fetch),
        "The question says “{}”, but the SQL looks for no extreme.",
    ),
    ("counted", (exp.Count, exp.Sum), "The question says “{}”, but the SQL counts nothing."),
    ("averaged", (exp.Avg, exp.Div), "The question says “{}”, but the SQL has no average."),
    ("summed", (exp.Sum, exp.Count, exp.Add), "The question says “{}”, but the SQL adds nothing up."),
    (
        "distinct",
        (exp.Distinct, exp.Group, exp.SetOperation),
        "The question says “{}”, but the SQL may give the same several times.",
    ),
)


def _beside_columns(question: Question, query: Query) -> str:
    """Return the question without the names of the statement's columns: a "maximum page size" asks for no extreme."""
    names = []
    for name in sorted({column.name for column in query.tree.find_all(exp.Column)}):
        said = [_SPELT.get(word, re.escape(word)) for word in split_words(name)]
        if said:
            names.append(f"{_BETWEEN.join(said)}s?" if len(said) > 1 else f"{said[0]} number")
    return (
        re.sub(rf"\b(?:{'|'.join(names)})\b", _OF_COLUMN, question.text, flags=re.IGNORECASE)
        if names
        else question.text
    )


def _unsaid(question: Question, query: Query) -> Iterator[Sign]:
    """Find words for which the tree has no operation."""
    names, text = names_in(query.schema), _beside_columns(question, query)
    for kind, nodes, sentence in _WORDED:
        said = _worded(kind, text)
        if said and not _has(query.tree, nodes) and not _is_name(said, names):
            if kind in ("counted", "summed") and (query.tree.find(exp.AggFunc) or _has_counts(query)):
                continue
            if kind == "negation" and question.follows:
                continue  # "no, only the paid ones" may deny something of the query before
            if kind == "negation" and any(_NO.fullmatch(node.name) for node in query.tree.find_all(exp.Literal)):
                continue
            yield Sign(kind, sentence.format(said))


def _worded(kind: Kind, text: str) -> str:
    """Return the first phrase of a list as it is typed, but for the names of columns; "" for none."""
    tokens, at = tokens_of(text), 0
    while at < len(tokens):
        length = phrase_at(f"text_to_sql.{kind}", tokens, at)
        other = phrase_at(f"text_to_sql.{kind}_but", tokens, at)
        if length > other and not (
            kind == "counted" and text[tokens[at + length - 1].end :].lstrip()[:1] == _OF_COLUMN
        ):
            return text[tokens[at].begin : tokens[at + length - 1].end]
        at += max(length, other, 1)
    return ""


def _has(tree: exp.Expr, nodes: tuple[type[exp.Expr], ...]) -> bool:
    """Tell whether one of these stands in a tree; LIKE, IN and the like may be negated without a NOT around them."""
    return tree.find(*nodes) is not None or (exp.Not in nodes and is_negated(tree))


def _has_counts(query: Query) -> bool:
    """Tell whether a column is shown or asked for that holds a number of things, as num_employees does."""
    counting = {"num", "number", "count", "total", "quantity", "amount", "population", "capacity"}
    return any(not words(column.name).isdisjoint(counting) for column in query.tree.find_all(exp.Column))


def _is_name(said: str, names: frozenset[str]) -> bool:
    return not words(said).isdisjoint(names)


def _numbers(question: Question, query: Query) -> Iterator[Sign]:
    """Find numbers of the question that the statement does not have."""
    text = question.text
    for time in question.times:
        text = text.replace(time.typed, " ")
    has = query.tree.sql(dialect=query.dialect)
    for match in _NUMBER.finditer(text):
        number = match[0].replace(",", "")
        if not (re.search(rf"(?<!\d){re.escape(number)}(?!\d)", has) or _is_next_to(number, has)):
            yield Sign("number", f"“{match[0]}” of the question is not in the SQL.")


def _is_next_to(number: str, sql: str) -> bool:
    """Tell whether SQL has a limit that comes to the same for whole numbers: at least 1 is more than 0."""
    limits = rf"> {int(number) - 1}(?!\d)|< {int(number) + 1}(?!\d)" if number.isdecimal() else "(?!)"
    return re.search(limits, sql) is not None


def _values(question: Question, query: Query) -> Iterator[Sign]:
    """Find values that the question names as the database writes them, and the statement does not have."""
    has = fold(query.tree.sql(dialect=query.dialect))
    for named in question.named:
        if named.way != "exact" or len(fold(named.words)) < 3:
            continue
        if not any(fold(value.text) in has for value in named.values):
            yield Sign("value", f"“{named.words}” is a value of `{named.values[0].column}`, and not in the SQL.")


_NO_TABLE = re.compile(r"'[^']*'|\"[^\"]*\"|\be-?mail address(?:es)?\b", re.IGNORECASE)
"""Words that name no table, though one may be called like them: values in quotes, and addresses that are no places."""


def _tables(question: Question, query: Query) -> Iterator[Sign]:
    """Find tables that the question names and the statement does not read, and those that it reads for nothing."""
    asked, said = words(_NO_TABLE.sub(" ", question.text)) | words(question.hints), words(question.said)
    used = {node.name.lower() for node in query.tree.find_all(exp.Table)}
    has = {word for node in query.tree.find_all(exp.Table, exp.Column) for word in words(node.name)}
    # Whose key is read stands for its row: orders by customer need no customers.
    led = {hop.far for name in used for hop in query.hops if hop.near.lower() == name and not hop.fans}
    for table in query.schema.tables:
        own = words(table.name) if table.name not in question.written else frozenset()
        if own and own <= asked and table.name.lower() not in used and table.name not in led and not own <= has:
            yield Sign("table", f"The question speaks of {query.quoted(table.name)}, which the SQL does not read.")
    for select in query.selects():
        sources = query.sources(select)
        for source in sources if len(sources) == 2 else ():
            name = source.table.name if source.table else ""
            if name and name not in question.written and not any(is_said(word, said) for word in words(name)):
                places = [(column, source_of(column, query.schema)) for column in query.columns(select)]
                own_columns = [column for column, place in places if place is None or place.alias == source.alias]
                if all(column.find_ancestor(exp.Join) for column in own_columns):
                    yield Sign("stray_table", f"The question does not speak of {query.quoted(name)}.")


def _columns(question: Question, query: Query) -> Iterator[Sign]:
    """Find columns of two words or more that the question names and the statement does not have."""
    said = f" {' '.join(re.findall(r'[a-z0-9]+', question.text.lower()))} "
    has = {fold(node.name) for node in query.tree.find_all(exp.Column, exp.Table)}
    named = {}
    for table in query.schema.tables:
        for column in table.columns:
            spelt = " ".join(re.findall(r"[a-z0-9]+", column.name.lower()))
            if " " in spelt and f" {spelt} " in said:
                named[fold(column.name)] = column.name
    for key, name in named.items():
        if key not in has and not any(key in other for other in named if other != key):
            yield Sign("column", f"The question speaks of `{name}`, which the SQL does not have.")


_COUNTING = frozenset({"num", "number", "count", "no", "nr"})


def _stored_counts(question: Question, query: Query) -> Iterator[Sign]:
    """Find rows that are counted where a column has their number, as Number_of_hosts of a party."""
    counted = [node for node in query.tree.find_all(exp.Count) if not node.find(exp.Distinct)]
    if not counted:
        return
    said, used = words(question.text), {node.name.lower() for node in query.tree.find_all(exp.Column)}
    for name in sorted({node.name for node in query.tree.find_all(exp.Table)}):
        table = query.schema.table(name)
        for column in table.columns if table else ():
            of = words(column.name) - _COUNTING - {"of"}
            if (
                column.is_number
                and of
                and of < words(column.name) - {"of"}
                and of <= said
                and column.name.lower() not in used
            ):
                yield Sign("stored_count", f"`{column.name}` may be the number that is asked for; the SQL counts rows.")


# One number where one for each was asked.

_UNITS = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
}


def _ungrouped(question: Question, query: Query) -> Iterator[Sign]:
    """Find one number where one for each of something was asked for."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or tree.args.get("group"):
        return
    if not all(item.find(exp.AggFunc) and not item.find(exp.Window) for item in tree.expressions):
        return
    if wanted := _wanted(_beside_columns(question, query), query.schema):
        spot = f"It gives one number, but the question asks for each {wanted}."
        yield Sign("ungrouped", spot, f"Select the {wanted} and group by it.")


def _wanted(question: str, schema: Schema) -> str:
    """Return what the question wants a number for each of, "" where that is nothing of the schema."""
    said = tokens_of(question)
    behind = {kind: places_behind(f"text_to_sql.{kind}", said, "text_to_sql.each_of") for kind in ("each", "by")}
    words = {kind: [said[at].word for at in places if at < len(said)] for kind, places in behind.items()}
    paces = (_UNITS[each.word] for at, each in enumerate(said) if each.word in _UNITS and _is_figure(said, at + 1))
    wanted = next((word for word in words["each"] if _is_part(word, schema)), "") or next(paces, "")
    return wanted or next((word for word in words["by"] if _is_known(word, schema)), "")


def _is_figure(said: Sequence[Token], at: int) -> bool:
    return phrase_at("text_to_sql.figures", said, at) > 0


def _is_known(word: str, schema: Schema) -> bool:
    """Tell whether a word names a table or a column: "by region" does, "by now" does not."""
    return any(alike(word, (table.name, *(column.name for column in table.columns))) for table in schema.tables)


def _is_part(word: str, schema: Schema) -> bool:
    """Tell whether a word is one of those that a column's or table's name is made of: "country" of country_name."""
    names = (name for table in schema.tables for name in (table.name, *(column.name for column in table.columns)))
    return any(alike(word, split_words(name)) for name in names)


_ON_WORDS: tuple[Callable[[Question, Query], Iterable[Sign]], ...] = (
    _unsaid,
    _numbers,
    _values,
    _tables,
    _columns,
    _stored_counts,
)
