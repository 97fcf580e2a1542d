"""Whether a rendered text still says what its tree says."""

from sqlglot import exp

from router.sql import patience, reading
from router.sql.dialect import Name

_OPERATORS = (exp.Binary, exp.Unary, exp.Between, exp.In)
_OPERANDS = (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Func)
_LISTS = (exp.JSONPath, exp.Dot, exp.Alias, exp.PropertyEQ, exp.Kwarg, exp.Paren)


def same(tree: exp.Expr, rendered: str, dialect: Name) -> bool:
    """Tell whether `rendered` reads as `tree` and renders as itself.

    Often both trees are equal. Where sqlglot knows two nodes for one spelling (DATE '2026-01-01' and TO_DATE) they are
    not; then the text with every operand in parentheses has to read like the text without them.
    """
    again = reading.statement(rendered, dialect)
    if isinstance(again, str) or patience.generate(again, dialect) != rendered:
        return False
    if again == tree:
        return True
    wrapped = reading.statement(patience.generate(_wrap(tree.copy()), dialect), dialect)
    return not isinstance(wrapped, str) and _bare(wrapped) == _bare(again)


def _wrap(tree: exp.Expr) -> exp.Expr:
    for node in list(tree.walk()):
        if isinstance(node, _OPERANDS) and isinstance(node.parent, _OPERATORS) and not isinstance(node.parent, _LISTS):
            node.replace(exp.Paren(this=node.copy()))
    return tree


def _bare(tree: exp.Expr) -> exp.Expr:
    for paren in reversed(list(tree.find_all(exp.Paren))):
        paren.replace(paren.this)
    return tree
