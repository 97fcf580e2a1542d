"""The third layer of safety: what may run is decided on the syntax tree, and what runs is rendered from that tree.

    text ── parsing ──► tree ── allowed_nodes, resolution ──► rendered text ── lexical_check ──► what may run
       one statement      its nodes, what it reads         every sign and function, as the database will see it

Each step is a module with one question; the first step that objects gives the reason. The text is run as it stands,
without parameters, so placeholders of every kind are refused.
"""

from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token

from router.sql import allowed_nodes, lexical_check, parsing, resolution, step_limit
from router.sql.dialect import Name
from router.sql.scope import Scope


@dataclass(frozen=True, slots=True)
class Verdict:
    """The guard's answer: `sql` is what may run, rendered from the tree without comments ("" when refused)."""

    allowed: bool
    reason: str
    sql: str


GUARD_SECONDS = 1.0
"""The guard's own time for one statement; what takes longer is refused."""

_AMBIGUOUS = "This SQL can be read in more than one way, so it does not run; please write it more simply."


def check(sql: str, dialect: Name, scope: Scope | None = None) -> Verdict:
    """Judge one SQL text; never raises, whatever the text."""
    try:
        with step_limit.budget(GUARD_SECONDS):
            return _judge(sql, dialect, scope)
    except RecursionError:
        return Verdict(False, "This SQL is nested too deeply to be judged, so it does not run.", "")
    except SqlglotError as error:
        return Verdict(False, parsing.syntax_error(error, dialect), "")
    except Exception:  # whatever a parser trips over, the answer is no
        return Verdict(False, "This SQL could not be judged, so it does not run.", "")


def _judge(sql: str, dialect: Name, scope: Scope | None) -> Verdict:
    if reason := parsing.problem(sql, dialect):
        return Verdict(False, reason, "")
    signs = parsing.tokens(sql, dialect)
    tree = parsing.tree_of(signs, sql, dialect)
    if isinstance(tree, str):
        return Verdict(False, tree, "")
    if reason := _reason(tree, dialect, scope):
        return Verdict(False, reason, "")
    return _settled(signs, tree, dialect, scope)


def _settled(signs: list[Token], tree: exp.Expr, dialect: Name, scope: Scope | None) -> Verdict:
    """Render the tree, and allow the text if the database will read in it what was judged."""
    for _ in range(2):  # some spellings settle only when they are rendered a second time
        rendered = step_limit.generate(tree, dialect)
        if too_long := parsing.problem(rendered, dialect):  # it is judged again before it runs
            return Verdict(False, too_long, "")
        if reason := lexical_check.problem(rendered, tree, dialect):
            return Verdict(False, reason, "")
        written = parsing.tokens(rendered, dialect)
        step_limit.demand_time()
        if parsing.same_tokens(signs, written):
            return Verdict(True, "This only reads.", rendered)
        # The database reads the rendered text: it must say what was judged, neither more nor something else.
        again = parsing.tree_of(written, rendered, dialect)
        if again == tree:
            return Verdict(True, "This only reads.", rendered)
        if isinstance(again, str) or not same_meaning(tree, again, dialect):
            break
        if reason := _reason(again, dialect, scope):
            return Verdict(False, reason, "")
        if step_limit.generate(again, dialect) == rendered:
            return Verdict(True, "This only reads.", rendered)
        tree = again
    return Verdict(False, _AMBIGUOUS, "")


def _reason(tree: exp.Expr, dialect: Name, scope: Scope | None) -> str:
    return allowed_nodes.problem(tree, dialect) or resolution.resolve(tree, dialect, scope)


_OPERATORS = (exp.Binary, exp.Unary, exp.Between, exp.In)
_OPERANDS = (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Func)
_COMMA_PARENTS = (exp.JSONPath, exp.Dot, exp.Alias, exp.PropertyEQ, exp.Kwarg, exp.Paren)


def same_meaning(tree: exp.Expr, again: exp.Expr, dialect: Name) -> bool:
    """Tell whether `again`, read from the text of `tree`, means the same although its nodes differ.

    sqlglot knows two nodes for some spellings, such as DATE '2026-01-01' and TO_DATE. What must not happen is that an
    operand changes sides: the text with every operand in parentheses has to read like the text without them.
    """
    wrapped = parsing.statement(step_limit.generate(_wrap(tree.copy()), dialect), dialect)
    return not isinstance(wrapped, str) and _bare(wrapped) == _bare(again.copy())


def _wrap(tree: exp.Expr) -> exp.Expr:
    for node in list(tree.walk()):
        if (
            isinstance(node, _OPERANDS)
            and isinstance(node.parent, _OPERATORS)
            and not isinstance(node.parent, _COMMA_PARENTS)
        ):
            node.replace(exp.Paren(this=node.copy()))
    return tree


def _bare(tree: exp.Expr) -> exp.Expr:
    for paren in reversed(list(tree.find_all(exp.Paren))):
        paren.replace(paren.this)
    return tree
