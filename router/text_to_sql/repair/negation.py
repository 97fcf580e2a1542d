"""What a question leaves out: whoever has no row of a kind, and the values that stand behind "not"."""

import re
from collections.abc import Sequence

from sqlglot import exp

from router.catalog.schema import SchemaTable
from router.language.phrases import find_phrases, listed, phrase_at, tokens_of
from router.text_to_sql.question import Question
from router.text_to_sql.repair.multiplicity import edges_of, multiplying
from router.text_to_sql.repair.query import FromItem, Query, conjuncts, is_negated, source_of, words
from router.text_to_sql.repair.set_logic import is_shared

_BEYOND = ("with_", "group", "order", "limit")
"""Parts of a query that say more than which rows there are."""


def exclude_owners(query: Query, question: Question) -> None:
    """Leave out whoever has a row of a kind where the question says "who have not", and the query asks for other rows.

    Customers with a loan of another kind may have one of this kind, too; those without any loan belong to the answer.
    """
    tree = query.tree
    asked = _has_not(question.text)
    if asked is None or not isinstance(tree, exp.Select) or any(tree.args.get(key) for key in _BEYOND):
        return
    if any(item.find(exp.AggFunc) or item.is_star for item in tree.expressions):
        return
    parts = conjuncts(tree.args.get("where"))
    others = [(part, *left_out) for part in parts if (left_out := _left_out(part))]
    if len(others) != 1:
        return
    part, column, kind = others[0]
    kept = [each.copy() for each in parts if each is not part]
    said = f"Whoever has a row with `{kind.sql(dialect=query.dialect)}` is left out."
    if len(query.sources(tree)) > 1:
        shown, held = _shown(query, tree), source_of(column, query.schema)
        if shown is None or held is None or held.alias == shown.alias:
            return
        before = question.text[:asked]
        if not _is_subject(query, shown, before) or not multiplying(shown, edges_of(query, tree)):
            return
        if absent := _absent(query, tree, shown, [part], kind):
            tree.set("where", exp.Where(this=exp.and_(*kept, absent, copy=False)))
            query.note("has not", said)
    elif (
        query.dialect != "oracle"  # which knows EXCEPT from version 21 on
        and isinstance(part, exp.NEQ)
        and _is_what_has_not(tree, question)
        and is_shared(query, tree, column)
    ):
        without, those = tree.copy(), tree.copy()
        without.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)
        those.set("where", exp.Where(this=exp.and_(*(each.copy() for each in kept), kind, copy=False)))
        for side in (without, those):
            side.set("distinct", None)
        query.tree = exp.Except(this=without, expression=those, distinct=True)
        query.note("has not", said)


def _left_out(part: exp.Expr) -> tuple[exp.Column, exp.Expr] | None:
    """Return the column and the condition that a part of a WHERE leaves out: `a = 1` of `a <> 1`, and IN of NOT IN."""
    if isinstance(part, exp.NEQ) and isinstance(part.this, exp.Column):
        return part.this, exp.EQ(this=part.this.copy(), expression=part.expression.copy())
    inner = part.this.unnest() if isinstance(part, exp.Not) else None
    return (inner.this, inner.copy()) if isinstance(inner, exp.In) and isinstance(inner.this, exp.Column) else None


def _is_subject(query: Query, shown: FromItem, before: str) -> bool:
    """Tell whether what is shown is what stands before a negation: "customers who do not", not "orders that have not".

    A noun that is no table's, such as "professors", may be it; a word for anybody or anything is nobody.
    """
    said = [word for word in re.findall(r"[a-z]+", before.lower()) if word not in listed("text_to_sql.verbs_between")]
    subject = words(said[-1]) if said else frozenset()
    if not subject or subject & listed("text_to_sql.anybody"):
        return False
    others = {word for table in query.schema.tables if table != shown.table for word in _names_in(table)}
    return bool(shown.table and subject & words(shown.table.name)) or not subject & others


def _names_in(table: SchemaTable) -> frozenset[str]:
    return words(" ".join((table.name, *(column.name for column in table.columns))))


def _has_not(text: str) -> int | None:
    """Return where a question says that a thing has none of a kind; None where it does not."""
    tokens = tokens_of(text)
    found = (*find_phrases("text_to_sql.has_not", tokens), *find_phrases("text_to_sql.never", tokens))
    return min((tokens[each.first].begin for each in found), default=None)


def _is_what_has_not(tree: exp.Select, question: Question) -> bool:
    """Tell whether a query shows the very thing of which the question says that it has not: "studios that have not"."""
    tokens = tokens_of(question.text)
    asked = [found.first - 1 for found in find_phrases("text_to_sql.has_not", tokens)]
    things = [tokens[at - 1].word for at in asked if at > 0 and phrase_at("text_to_sql.that", tokens, at)]
    return bool(things) and all(words(things[0]) == words(item.alias_or_name) - _KEY for item in tree.expressions)


_KEY = words("id name code key number")


def _shown(query: Query, tree: exp.Select) -> FromItem | None:
    """Return the one table of the schema that all that is shown is of."""
    found = [source_of(column, query.schema) for item in tree.expressions for column in item.find_all(exp.Column)]
    aliases = {source.alias for source in found if source and source.table}
    return found[0] if found and None not in found and len(aliases) == 1 else None


def _absent(
    query: Query, tree: exp.Select, shown: FromItem, parts: Sequence[exp.Expr], kind: exp.Expr
) -> exp.Not | None:
    """Take all other tables out of a query, and return that these have no row of a kind for the row that is shown.

    None, and nothing is done, where another part of the query uses one of them, or not every join is a plain one.
    """
    joins = tree.args.get("joins") or []
    nodes = [tree.args["from_"].this, *(join.this for join in joins)]
    plain = all(not join.side and join.kind in ("", "INNER") and join.args.get("on") for join in joins)
    if not plain or not all(isinstance(node, exp.Table) for node in nodes):
        return None
    inside = {id(column) for node in (*joins, *parts) for column in node.find_all(exp.Column)}
    for column in tree.find_all(exp.Column):
        source = source_of(column, query.schema)
        if id(column) not in inside and (source is None or source.alias != shown.alias):
            return None
    own = next(node for node in nodes if node.alias_or_name == shown.alias)
    others = [node for node in nodes if node is not own]
    links = [link for join in joins for link in conjuncts(join.args["on"])]
    if not others or any(not column.table for link in links for column in link.find_all(exp.Column)):
        return None
    row, seen = exp.select("1").from_(others[0].copy()), {others[0].alias_or_name}
    for node in others[1:]:
        seen.add(node.alias_or_name)
        by = [link for link in links if {column.table for column in link.find_all(exp.Column)} <= seen]
        if not by:
            return None
        links = [link for link in links if link not in by]
        row = row.join(node.copy(), on=exp.and_(*(link.copy() for link in by), copy=False))
    row = row.where(exp.and_(*(link.copy() for link in links), kind.copy(), copy=False))
    tree.set("from_", exp.From(this=own.copy()))
    tree.set("joins", [])
    return exp.Not(this=exp.Exists(this=row))


NEGATED_WORDS_MAX = 6
"""Words between "who" and "is not"."""


def _not_so(text: str) -> tuple[str, str] | None:
    """Return what a question says up to "who are not", and the clause behind it; None where it says no such thing."""
    tokens = tokens_of(text)
    for found in find_phrases("text_to_sql.is_not", tokens):
        that = any(
            phrase_at("text_to_sql.that_or_what", tokens, at)
            for at in range(max(0, found.first - NEGATED_WORDS_MAX - 1), found.first)
        )
        if that and not phrase_at("text_to_sql.is_not_but", tokens, found.first):
            end = tokens[found.end - 1].end
            ends = (
                tokens[at].begin
                for at in range(found.end, len(tokens))
                if phrase_at("text_to_sql.clause_ends", tokens, at)
            )
            clause = re.match(r"[\w\s'’-]*", text[end : next(ends, len(text))])
            return text[:end].lower(), clause[0].lower() if clause else ""
    return None


def negate_named(query: Query, question: Question) -> None:
    """Leave out what the question does not want where the query wants just that: "who are not from Berlin".

    Where the value belongs to another table, whoever has a row with it is left out.
    """
    tree, said = query.tree, _not_so(question.text)
    if (
        said is None
        or len(find_phrases("text_to_sql.left_out", tokens_of(question.text))) > 1
        or not isinstance(tree, exp.Select)
    ):
        return
    if any(tree.args.get(key) for key in _BEYOND) or _leaves_out(tree):
        return
    before, clause = said
    parts = conjuncts(tree.args.get("where"))
    unwanted = [part for part in parts if isinstance(part, exp.EQ) and _all_in(part, clause)]
    others = [node.name.lower() for part in parts if part not in unwanted for node in part.find_all(exp.Literal)]
    shown = _shown(query, tree)
    # Another condition that the question does not say may be what "not" means: "not paid" is open.
    if not unwanted or shown is None or not all(re.search(rf"\b{re.escape(other)}\b", before) for other in others):
        return
    places = [source_of(part.this, query.schema) if isinstance(part.this, exp.Column) else None for part in unwanted]
    kind = exp.and_(*(part.copy() for part in unwanted), copy=False)
    if all(place and place.alias == shown.alias for place in places) and len(unwanted) == 1:
        absent: exp.Expr | None = exp.NEQ(this=unwanted[0].this.copy(), expression=unwanted[0].expression.copy())
    elif all(place and place.alias != shown.alias for place in places):
        absent = _absent(query, tree, shown, unwanted, kind)
    else:
        absent = None
    if absent is not None:
        kept = (part.copy() for part in parts if part not in unwanted)
        tree.set("where", exp.Where(this=exp.and_(*kept, absent, copy=False)))
        written = kind.sql(dialect=query.dialect)
        query.note("not", f"Rows with `{written}` are left out, as the question does not want them.")


def _leaves_out(tree: exp.Expr) -> bool:
    outer = any(join.side for join in tree.find_all(exp.Join))
    return outer or is_negated(tree) or tree.find(exp.Not, exp.NEQ, exp.Is, exp.Except, exp.Count) is not None


def _all_in(part: exp.Expr, clause: str) -> bool:
    """Tell whether a part of a question has all values of a condition."""
    literals = list(part.find_all(exp.Literal))
    values = [node.name.lower() for node in literals if node.is_string]
    return 0 < len(literals) == len(values) and all(re.search(rf"\b{re.escape(value)}\b", clause) for value in values)
