"""The third layer of safety: what may run is decided on the syntax tree, and what runs is rendered from that tree.

    text ── reading ──► tree ── shapes, tables ──► rendered text ── words, meaning ──► what may run
       one statement      its nodes, what it reads      every sign and function, as the database will see it

Each step is a module with one question; the first step that objects gives the reason. The text is run as it stands,
without parameters, so placeholders of every kind are refused.
"""

from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token

from router.sql import meaning, patience, reading, resolution, shapes, words
from router.sql.dialect import Name
from router.sql.scope import Scope as Scope


@dataclass(frozen=True, slots=True)
class Verdict:
    """The guard's answer: `sql` is what may run, rendered from the tree without comments ("" when refused)."""

    allowed: bool
    reason: str
    sql: str


SECONDS = 1.0
"""The guard's own time for one statement; what takes longer is refused."""

_AMBIGUOUS = "This SQL can be read in more than one way, so it does not run; please write it more simply."


def check(sql: str, dialect: Name, scope: Scope | None = None) -> Verdict:
    """Judge one SQL text; never raises, whatever the text."""
    try:
        with patience.budget(SECONDS):
            return _judge(sql, dialect, scope)
    except RecursionError:
        return Verdict(False, "This SQL is nested too deeply to be judged, so it does not run.", "")
    except SqlglotError as error:
        return Verdict(False, reading.trouble(error, dialect), "")
    except Exception:  # whatever a parser trips over, the answer is no
        return Verdict(False, "This SQL could not be judged, so it does not run.", "")


def _judge(sql: str, dialect: Name, scope: Scope | None) -> Verdict:
    if reason := reading.problem(sql, dialect):
        return Verdict(False, reason, "")
    signs = reading.signs(sql, dialect)
    tree = reading.tree_of(signs, sql, dialect)
    if isinstance(tree, str):
        return Verdict(False, tree, "")
    if reason := _reason(tree, dialect, scope):
        return Verdict(False, reason, "")
    return _settled(signs, tree, dialect, scope)


def _settled(signs: list[Token], tree: exp.Expr, dialect: Name, scope: Scope | None) -> Verdict:
    """Render the tree, and allow the text if the database will read in it what was judged."""
    for _ in range(2):  # some spellings settle only when they are rendered a second time
        rendered = patience.generate(tree, dialect)
        if too_long := reading.problem(rendered, dialect):  # it is judged again before it runs
            return Verdict(False, too_long, "")
        if reason := words.problem(rendered, tree, dialect):
            return Verdict(False, reason, "")
        written = reading.signs(rendered, dialect)
        patience.demand_time()
        if reading.same(signs, written):
            return Verdict(True, "This only reads.", rendered)
        # The database reads the rendered text: it must say what was judged, neither more nor something else.
        again = reading.tree_of(written, rendered, dialect)
        if again == tree:
            return Verdict(True, "This only reads.", rendered)
        if isinstance(again, str) or not meaning.kept(tree, again, dialect):
            break
        if reason := _reason(again, dialect, scope):
            return Verdict(False, reason, "")
        if patience.generate(again, dialect) == rendered:
            return Verdict(True, "This only reads.", rendered)
        tree = again
    return Verdict(False, _AMBIGUOUS, "")


def _reason(tree: exp.Expr, dialect: Name, scope: Scope | None) -> str:
    return shapes.problem(tree, dialect) or resolution.resolve(tree, dialect, scope)
