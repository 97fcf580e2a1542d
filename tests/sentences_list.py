"""Every sentence that the bot can say, with the place where it is written.

`uv run python -m tests.sentences_list [WORD ...]` prints the list, or what of it has one of the words. The source is
read, not run: a sentence is a text in the code with spaces in it that is no docstring, no pattern, no SQL and nothing
that goes to a model or a log; the parts of a formatted text stand as `{}`.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
TALKING = (
    "router/engine.py",
    "router/turn.py",
    "router/errors.py",
    "router/policy.py",
    "router/stages",
    "router/interactions",
    "router/handoff",
    "router/teaching",
    "router/jobs",
    "router/schedules",
    "router/llm/failures.py",
    "router/sql/guard.py",
    "router/sql/names.py",
    "router/sql/databases",
    "router/sql/writing",
    "router/sql/comparing",
    "router/knowledge/glossary_changes.py",
    "router/knowledge/glossary.py",
    "router/text_to_sql/write_sql.py",
    "router/understanding/short_wishes.py",
    "router/understanding/courtesy.py",
    "adapters/chat",
    "adapters/turns.py",
    "adapters/rendering",
    "adapters/slack",
    "adapters/teams",
    "adapters/web",
    "adapters/console.py",
)
"""Where texts are written that people in a talk read; what is left out talks to models, logs or administrators."""

UNREAD_FILES = frozenset({"check.py", "scopes.py", "audit_check.py", "mail_config.py"})
"""Where texts for administrators alone are written."""

LABELLED = {"Option": 1, "Link": 0, "Field": 1}
"""Constructors with the place of a label among their arguments."""

UNREAD_CALLS = frozenset(
    {"compile", "fullmatch", "match", "search", "sub", "split", "findall", "execute", "executemany"}
)
LOG_CALLS = frozenset({"debug", "info", "warning", "error", "exception", "critical", "text", "scalar"})
UNREAD_RAISES = frozenset({"AssertionError", "ValueError", "TypeError", "RuntimeError", "KeyError", "LookupError"})
"""What only the program's own people read."""

SENTENCE = re.compile(r"[^\W\d_]{2,}.*\s.*[^\W\d_]{2,}", re.DOTALL)
NO_SENTENCE = re.compile(
    r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|WITH|PRAGMA|SET|COPY|ATTACH|BEGIN|FROM|WHERE|TRUNCATE|LOCK|SHOW"
    r"|GRANT|EXPLAIN|LOAD|CALL|REVOKE)\b|\(\?|\\b|\\s|^[\w.+-]+/[\w.+-]+; ",
)


@dataclass(frozen=True, order=True)
class Sentence:
    """One text and its place; `label`: it stands on a button, a menu's entry or a field."""

    file: str
    line: int
    text: str
    label: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@cache
def all_sentences() -> tuple[Sentence, ...]:
    """Return all of them, file by file."""
    files = {file for name in TALKING for file in (ROOT / name, *(ROOT / name).rglob("*.py")) if file.is_file()}
    return tuple(each for file in sorted(files) if file.name not in UNREAD_FILES for each in sentences_of(file))


def sentences_of(file: Path) -> Iterator[Sentence]:
    """Yield the texts of one file in their order."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    labels = {id(label) for node in ast.walk(tree) if (label := label_of(node)) is not None}
    name = str(file.relative_to(ROOT))
    for node in _read(tree):
        text = _text(node)
        label = id(node) in labels
        if text and (label or (SENTENCE.search(text) and not NO_SENTENCE.search(text))):
            yield Sentence(name, node.lineno, text, label)


def label_of(node: ast.AST) -> ast.expr | None:
    """Return the label in the call that makes a button, a menu's entry or a field; None for all else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in LABELLED:
        return None
    named = next((each.value for each in node.keywords if each.arg == "label"), None)
    place = LABELLED[node.func.id]
    return named or (node.args[place] if len(node.args) > place else None)


def _read(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield the texts below a node that people may read."""
    if _unread(node):
        return
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):  # a docstring
            yield from _read(child)


def _unread(node: ast.AST) -> bool:
    """Return whether only programs read a text: patterns, SQL that is run, logs, and errors of our own making."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
        return node.exc.func.id in UNREAD_RAISES
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Assert)
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    logs = isinstance(owner, ast.Name) and owner.id in ("log", "logger", "_log", "LOG", "logging", "sqlalchemy", "sa")
    return called in UNREAD_CALLS or (called in LOG_CALLS and logs)


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


if __name__ == "__main__":
    wanted = [word.casefold() for word in sys.argv[1:]]
    for each in all_sentences():
        if not wanted or any(word in each.text.casefold() for word in wanted):
            print(each)
