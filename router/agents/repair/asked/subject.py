"""Whose column is shown: a name that the query itself fixes tells nothing; that of what is asked for does."""

import re

from sqlglot import exp

from router.agents.repair.query import Query, conditions
from router.catalog.personal import split_words
from router.catalog.stems import stem

_SUBJECT = re.compile(
    r"\b(?:which|(?:names?|titles?|ids?|list) of (?:all )?(?:the )?|what are the|list (?:all )?(?:the )?)"
    r"\s*(?:names of (?:the )?)?([a-z]+)",
    re.IGNORECASE,
)


def mend_subject(query: Query, asked: str) -> None:
    """Show a column of the table that is asked for, where the one that is shown is the same in every row."""
    tree = query.tree
    if not isinstance(tree, exp.Select):
        return
    wanted = {stem(match[1]) for match in _SUBJECT.finditer(asked)}
    sources = query.sources(tree)
    subjects = [each for each in sources if each.table and {stem(w) for w in split_words(each.table.name)} <= wanted]
    fixed = _fixed(tree)
    if len(subjects) != 1 or not fixed:
        return
    subject = subjects[0]
    for item in tree.expressions:
        column = item.unalias()
        if not isinstance(column, exp.Column) or column.sql().lower() not in fixed or not subject.has(column.name):
            continue
        if column.table.lower() != subject.alias.lower():
            written = column.copy()
            shown = [*tree.expressions, tree.args.get("group"), tree.args.get("order")]
            for each in [node for place in shown if place for node in place.find_all(exp.Column)]:
                if each == written:
                    each.set("table", subject.label.copy())
            query.note("subject", f"`{subject.alias}.{column.name}` is shown, as the question asks for it.")


def _fixed(tree: exp.Select) -> set[str]:
    """Return the columns that every row has to have one value in, as they are written."""
    return {
        part.this.sql().lower()
        for part in conditions(tree)
        if isinstance(part, exp.EQ | exp.Like | exp.In)
        and isinstance(part.this, exp.Column)
        and part.args.get("query") is None
    }
