"""The likelihood that a statement is right, from what the critic says and from how likely the model found its tokens.

If the model's server does not tell that, from the parts of the statement in its place.

A logistic regression: `tests/bench/fit_confidence.py` finds its weights in the answers of `icc-bot eval`, and
docs/sql-quality.md tells how well they hold on databases that they were not found on.
"""

import math
from collections.abc import Mapping, Sequence

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.sql.dialect import Name

DOUBTFUL = 0.65
"""Below this likelihood a person is told that it may be wrong."""

SURPRISING_TOKENS, STYLE_TOKENS = 3, 3
"""Tokens that count; and the first ones, which are matters of style, such as "T1." before a column, and do not."""

SURPRISAL_MAX = 4.0
"""Beyond this, more says no more."""

WEIGHTS: Mapping[str, float] = {
    "always": 2.43,
    "signs": -0.72,
    "surprisal": -1.13,
}
SHAPE_WEIGHTS: Mapping[str, float] = {
    "always": 2.47,
    "signs": -0.85,
    "columns": -0.44,
    "groups": -0.57,
    "length": -0.56,
    "conditions": -0.36,
}


def surprisal(tokens: Sequence[tuple[str, float]], sql: str) -> float | None:
    """Return the surprisal of the least likely tokens of a statement, from 0; None if it is not known.

    `tokens` are those of the answer that the statement was taken from, each with the natural logarithm of how likely
    it was to the model; what the answer says beside the statement does not count.
    """
    begin, at = "".join(token for token, _ in tokens).find(sql), 0
    if begin < 0:
        return None
    logarithms = []
    for token, logarithm in tokens:
        if at < begin + len(sql) and at + len(token) > begin and token.strip():
            logarithms.append(logarithm)
        at += len(token)
    counted = logarithms[STYLE_TOKENS:]
    return -sum(sorted(counted)[:SURPRISING_TOKENS]) if counted else None


def features(sql: str, dialect: Name, signs: int, surprisal: float | None) -> dict[str, float]:
    """Return what tells right statements from wrong ones, by the names of WEIGHTS.

    If the surprisal is not known, the parts of the statement do, by the names of SHAPE_WEIGHTS; counts are limited.
    """
    found = {"always": 1.0, "signs": float(signs > 0)}
    if surprisal is not None:
        return found | {"surprisal": min(surprisal, SURPRISAL_MAX)}
    tree = _read(sql, dialect)
    select = tree.find(exp.Select)
    return found | {
        "columns": float(select is not None and len(select.expressions) > 2),
        "groups": float(tree.find(exp.Group) is not None),
        "length": min(len(sql.split()) / 20, 3.0),
        "conditions": float(min(len(list(tree.find_all(exp.Predicate))), 4)),
    }


def confidence(sql: str, dialect: Name, signs: int, surprisal: float | None) -> float:
    """Return the likelihood, from 0 to 1, that a statement gives the right rows."""
    weights = SHAPE_WEIGHTS if surprisal is None else WEIGHTS
    return likelihood(weights, features(sql, dialect, signs, surprisal))


def likelihood(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    """Return the likelihood that these weights give to what was found in a statement."""
    return 1 / (1 + math.exp(-sum(weights[name] * value for name, value in found.items())))


def _read(sql: str, dialect: Name) -> exp.Expr:
    try:
        return parse_one(sql, read=dialect)
    except SqlglotError:
        return exp.Select()
