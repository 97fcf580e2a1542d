"""A query that runs, held against the question: conditions, joins and groups that the question explains or does not."""

import re
from collections.abc import Mapping

from sqlglot import exp

from router.catalog.sensitive_columns import split_words
from router.catalog.values import VALUE_WORD
from router.language.folding import folds, within_one
from router.language.phrases import find_phrases, has_phrase, listed, phrase_at, places_behind, tokens_of
from router.text_to_sql.question import Question
from router.text_to_sql.repair.join_paths import Hop
from router.text_to_sql.repair.joins import drop_join
from router.text_to_sql.repair.negation import exclude_owners, negate_named
from router.text_to_sql.repair.query import FromItem, Query, column_of, conjuncts, words
from router.text_to_sql.repair.set_logic import intersect_both
from router.text_to_sql.repair.trivial_counts import count_children, count_rows


def is_said(word: str, said: frozenset[str]) -> bool:
    """Tell whether a word is among those said, or a longer one begins as one of them does."""
    return any(word == each or (len(word) > 3 and len(each) > 3 and word[:4] == each[:4]) for each in said)


# Conditions of which the question says nothing: small models add what they often saw.


def drop_conditions(query: Query, question: Question) -> None:
    """Drop conditions on texts that no row has, where the question names neither the value nor the column.

    The number of a time, such as the 32 of "KW 32", is no value of a column either.
    Of two conditions with one value that the question names once, the one whose column it does not name is dropped.
    """
    said = words(question.said)
    for select in query.selects():
        # Where what a query finds is left out elsewhere, everything would be without a condition.
        if select is query.tree or select.find_ancestor(exp.Not, exp.Except) is None:
            while part := next(
                (each for each in conjuncts(select.args.get("where")) if _is_strange(query, each, question, said)), None
            ):
                _leave_out(query, select, part)


def _leave_out(query: Query, select: exp.Select, part: exp.Expr) -> None:
    written = part.sql(dialect=query.dialect)
    query.note(written, f"`{written}` was left out, as the question does not ask for it.")
    kept = [each.copy() for each in conjuncts(select.args.get("where")) if each is not part]
    select.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)


def _is_strange(query: Query, part: exp.Expr, question: Question, said: frozenset[str]) -> bool:
    if not isinstance(part, exp.EQ) or not isinstance(part.this, exp.Column):
        return False
    if not isinstance(part.expression, exp.Literal):
        return False
    return _is_unasked(query, part.this, part.expression, question, said) or _is_twin(query, part, question.text, said)


def _is_unasked(query: Query, column: exp.Column, value: exp.Literal, question: Question, said: frozenset[str]) -> bool:
    if any(is_said(word, said) for word in _telling(query, column)):
        return False
    if not value.is_string:
        return _is_of_a_time(column, value.name, question)
    if not _is_unknown(query, column, value.name):
        return False  # "women" means 'F', and "unpaid" means 'open': what the column has may be asked for
    return not any(is_said(word, said) for word in words(value.name)) and not _is_spelt(value.name, question.said)


def _is_of_a_time(column: exp.Column, number: str, question: Question) -> bool:
    """Tell a number that the question has only within a time, held against a column that is of no time."""
    if words(column.name) & _TIMES:
        return False
    said = question.text
    for time in question.times:
        said = said.replace(time.typed, " ")
    spelt = rf"(?<!\d){re.escape(number)}(?!\d)"
    return bool(re.search(spelt, question.text)) and not re.search(spelt, said)


def _is_unknown(query: Query, column: exp.Column, value: str) -> bool:
    """Tell whether all values of a column are known, and this is none of them."""
    known = column_of(column, query.schema)
    return known is not None and known.whole and value.casefold() not in {each.casefold() for each in known.values}


def _is_spelt(value: str, asked: str) -> bool:
    """Tell whether the question has a word of the value in another spelling, such as Koeln for Köln."""
    said = {key for word in VALUE_WORD.findall(asked) for key in folds(word) if len(key) > 2}
    keys = [key for word in VALUE_WORD.findall(value) for key in folds(word) if len(key) > 2]
    return any(key in said or (len(key) > 3 and any(within_one(key, each) for each in said)) for key in keys)


def _is_twin(query: Query, part: exp.EQ, asked: str, said: frozenset[str]) -> bool:
    """Tell whether another condition of the query has this value too, and a column that is closer to the question."""
    value = part.expression.name
    if len(value) < 2 or asked.lower().count(value.lower()) != 1:
        return False
    equal = [each for each in query.tree.find_all(exp.EQ) if each is not part and isinstance(each.this, exp.Column)]
    twins = [each.this for each in equal if each.expression == part.expression and each.find_ancestor(exp.Or) is None]
    strange = _strange(query, part.this, said)
    return any(_strange(query, twin, said) < strange for twin in twins)


def _strange(query: Query, column: exp.Column, said: frozenset[str]) -> int:
    return sum(not is_said(word, said) for word in _telling(query, column))


def _telling(query: Query, column: exp.Column) -> frozenset[str]:
    """Return the words of a column's name that its table's name does not have."""
    select = column.find_ancestor(exp.Select)
    sources = query.sources(select) if select else ()
    tables = [source.table.name for source in sources if source.table and source.has(column.name)]
    named = words(tables[0]) if len(tables) == 1 else frozenset()
    return frozenset(word for word in words(column.name) if not is_said(word, named))


# Words of the question that nothing in the query accounts for.


def untold(query: Query, select: exp.Select, asked: str) -> frozenset[str]:
    """Return the words of the question that neither a table, nor a column, nor a value of the query has."""
    names = [node.name for node in select.find_all(exp.Table, exp.Column, exp.Literal)]
    told = {word.lower() for name in names for word in split_words(name)}
    # "female" is told by F.
    letters = tuple(node.name.lower() for node in select.find_all(exp.Literal) if len(node.name) == 1)
    words = (word.lower() for word in re.findall(r"[^\W\d_]+", asked))
    return frozenset(
        word
        for word in words
        if len(word) > 2
        and word not in listed("text_to_sql.plain")
        and not word.startswith(letters)
        and not any(word.startswith(each) for each in listed("text_to_sql.having"))
        and not any(_akin(word, each) for each in told)
    )


def _akin(word: str, other: str) -> bool:
    short = min(len(word), len(other), 4)
    return word[:short] == other[:short] and short > 2


# One number that is asked for, with what it is a number of.


def _asks_one_number(text: str) -> bool:
    """Return whether a question begins as one for a single number, and has no "each"."""
    said = tokens_of(text)
    asks = phrase_at("text_to_sql.asks_figure", said, 0)
    one = (asks and phrase_at("text_to_sql.one_figure", said, asks)) or phrase_at("text_to_sql.how_many", said, 0)
    return bool(one) and not has_phrase("text_to_sql.every", text)


def drop_pinned(query: Query, question: Question) -> None:
    """Show one number alone where the question asks for one: the query says itself which customer it is of."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or not _asks_one_number(question.text):
        return
    group = tree.args.get("group")
    keys = group.expressions if group else []
    equal = [part for part in conjuncts(tree.args.get("where")) if isinstance(part, exp.EQ)]
    pinned = [part.this for part in equal if isinstance(part.expression, exp.Literal)]
    shown = [item for item in tree.expressions if not item.find(exp.AggFunc)]
    if not keys or not all(key in pinned for key in keys) or not shown or len(shown) == len(tree.expressions):
        return
    if all(item.unalias() in keys for item in shown):
        tree.set("expressions", [item for item in tree.expressions if item not in shown])
        for part in ("group", "order"):
            tree.set(part, None)
        query.note("pinned", "Only the number is shown, as it is of one thing.")


# The order of several numbers of one column: as the question names them.

_NUMBERS: Mapping[type[exp.Expr], str] = {exp.Min: "minimum", exp.Max: "maximum", exp.Avg: "average", exp.Sum: "sum"}


def order_numbers(query: Query, question: Question) -> None:
    """Show the minimum, the maximum and the average of a column in the order in which the question names them."""
    tree, said = query.tree, tokens_of(question.text)
    if not isinstance(tree, exp.Select):
        return
    numbers = [item for item in tree.expressions if item.find(exp.AggFunc)]
    found = []
    for item in numbers:
        kind = _NUMBERS.get(type(item.unalias()))
        found.append([each.first for each in find_phrases(f"text_to_sql.{kind}", said)] if kind else [])
    if len(numbers) < 2 or any(len(places) != 1 for places in found):
        return
    of = {item.unalias().this for item in numbers}
    ordered = [item for _, item in sorted(zip(found, numbers, strict=True), key=lambda pair: pair[0])]
    if len(of) == 1 and ordered != numbers:
        following = iter([item.copy() for item in ordered])
        tree.set("expressions", [next(following) if item in numbers else item for item in tree.expressions])


# The order of groups, where the question leaves it open: as people read them.


LARGEST_FIRST_NOTE = "The largest come first, as no order was asked for."
TIME_ORDER_NOTE = "They are shown in the order of time, as no other was asked for."
"""Sentences for the person, about an order that nobody asked for."""

_TIMES = frozenset(("year", "month", "quarter", "week", "day", "date", "hour"))


def order_groups(query: Query) -> None:
    """Sort groups that nobody sorted: those of a time by it, others by their number, the largest first."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or any(tree.args.get(part) for part in ("order", "limit", "distinct")):
        return
    if not tree.args.get("group"):
        return
    numbers = [item.unalias() for item in tree.expressions if item.find(exp.AggFunc)]
    keys = [item.unalias() for item in tree.expressions if not item.find(exp.AggFunc)]
    times = [key for key in keys if _is_time(query, key)]
    if times and len(times) == len(keys):
        tree.set("order", exp.Order(expressions=[exp.Ordered(this=key.copy(), nulls_first=True) for key in times]))
        query.note("order", TIME_ORDER_NOTE)
    elif len(numbers) == 1 and keys and not times:
        down = exp.Ordered(this=numbers[0].copy(), desc=True, nulls_first=False)
        query.note("order", LARGEST_FIRST_NOTE)
        tree.set("order", exp.Order(expressions=[down]))


def _is_time(query: Query, key: exp.Expr) -> bool:
    """Tell whether a column is a date, or a year, a month and the like of one."""
    if isinstance(key, exp.Column):
        column = column_of(key, query.schema)
        words = {word.lower() for word in split_words(key.name)}
        samples = column.samples if column else ()
        named = bool(words & _TIMES) and all(sample[:1].isdigit() for sample in samples)  # not Friday before Monday
        return named or (column is not None and "DATE" in column.type.upper())
    return isinstance(key, exp.Func) and any(_is_time(query, column) for column in key.find_all(exp.Column))


# Tables that are joined though the question does not speak of them.


def drop_unasked(query: Query, question: Question) -> None:
    """Drop tables that are joined though nothing of them is used, and of which the question does not speak.

    Such a table could only leave rows out, or give some several times. One that is all that a list is told by stays.
    """
    for select in query.selects():
        while any(drop_join(query, select, alias) for alias in _unasked(query, select, question)):
            continue  # nothing may be left that uses another one


def _unasked(query: Query, select: exp.Select, question: Question) -> list[str]:
    """Return the aliases of the tables that may be dropped, if nothing of them is used."""
    said = question.said
    sources = query.sources(select)
    unexplained = bool(untold(query, select, said))  # "advertised" may be what a join is for
    listed = not select.find(exp.AggFunc, exp.Where, exp.Limit)  # "which makers build something": the join is all
    counted = any(isinstance(node.this, exp.Star) for node in select.find_all(exp.Count))
    found = []
    for source in sources:
        # A table that was joined for a column of another one is not there for anything else.
        deserted = (id(select), source.alias.lower()) in query.deserted
        if source.table is None or (
            _spoken_of(source, sources, said) and (not deserted or _spoken_of(source, (), said))
        ):
            continue
        ways = _hops_to(query, source, sources)
        # A row may meet none of many, or its foreign key may be empty: the join leaves rows out.
        needed = not deserted and any(
            (hop.fans and (unexplained or listed)) or (hop.optional and unexplained) for hop in ways
        )
        if not needed and (not counted or _others_are_counted(source, sources, question.text)):
            found.append(source.alias)
    return found


def _hops_to(query: Query, source: FromItem, sources: tuple[FromItem, ...]) -> list[Hop]:
    """Return the links that lead from the other tables of the query to this one."""
    others = {each.table.name for each in sources if each != source and each.table}
    own = source.table.name if source.table else ""
    return [hop for hop in query.hops if hop.far == own and hop.near in others]


def _others_are_counted(source: FromItem, sources: tuple[FromItem, ...], asked: str) -> bool:
    """Tell whether the question wants to know how many rows another table of the query has."""
    said = tokens_of(asked)
    places = places_behind("text_to_sql.count_of", said, "text_to_sql.count_over")
    wanted = {word for at in places if at < len(said) for word in words(said[at].word)}
    own = words(source.table.name if source.table else "")
    others = [
        words(each.table.name) - listed("text_to_sql.general") for each in sources if each != source and each.table
    ]
    return any(words and words <= wanted and not words >= own for words in others)


def _spoken_of(source: FromItem, sources: tuple[FromItem, ...], asked: str) -> bool:
    """Tell whether the question has a word of the table's name that no other table of the query has."""
    others = {word for each in sources if each != source and each.table for word in words(each.table.name)}
    own = words(source.table.name if source.table else "") - others - listed("text_to_sql.linking")
    said = words(asked)
    telling = own - listed("text_to_sql.general")
    return not own or any(is_said(word, said) for word in telling)


def is_english(text: str) -> bool:
    """Tell whether at least every fifth word of a question is one of the commonest English ones."""
    said = re.findall(r"[^\W_]+", text.lower())
    return sum(word in listed("text_to_sql.english") for word in said) * 5 >= len(said) > 0


def fit(query: Query, question: Question) -> None:
    """Have groups counted; of an English question, drop what it does not ask for, and sort groups that it leaves."""
    count_rows(query, question)
    if is_english(question.text):
        drop_conditions(query, question)
        count_children(query, question)
        drop_unasked(query, question)
        exclude_owners(query, question)
        negate_named(query, question)
        intersect_both(query, question)
        drop_pinned(query, question)
        order_numbers(query, question)
        order_groups(query)
