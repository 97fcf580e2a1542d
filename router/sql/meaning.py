"""Whether a rendered text still says what its tree says."""

from sqlglot import exp

from router.sql import patience, reading
from router.sql.dialect import Name

_OPERATORS = (exp.Binary, exp.Unary, exp.Between, exp.In)
_OPERANDS = (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Func)
_LISTS = (exp.JSONPath, exp.Dot, exp.Alias, exp.PropertyEQ, exp.Kwarg, exp.Paren)


def kept(tree: exp.Expr, again: exp.Expr, dialect: Name) -> bool:
    """Tell whether `again`, read from the text of `tree`, means the same although its nodes differ.

    sqlglot knows two nodes for some spellings, such as DATE '2026-01-01' and TO_DATE. What must not happen is that an
    operand changes sides: the text with every operand in parentheses has to read like the text without them.
    """
    wrapped = reading.statement(patience.generate(_wrap(tree.copy()), dialect), dialect)
    return not isinstance(wrapped, str) and _bare(wrapped) == _bare(again.copy())


def _wrap(tree: exp.Expr) -> exp.Expr:
    for node in list(tree.walk()):
        if isinstance(node, _OPERANDS) and isinstance(node.parent, _OPERATORS) and not isinstance(node.parent, _LISTS):
            node.replace(exp.Paren(this=node.copy()))
    return tree


def _bare(tree: exp.Expr) -> exp.Expr:
    for paren in reversed(list(tree.find_all(exp.Paren))):
        paren.replace(paren.this)
    return tree
