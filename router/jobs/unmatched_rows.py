"""The rows that an approved query leaves out as they have no partner in a joined table: counted beside its own rows."""

from router.catalog.schema import Schema
from router.errors import BotError, Stopped
from router.jobs.lossy_joins import LossyJoin, LossyQuery, lossy_joins
from router.language.wording import verb
from router.sql.databases.session import Session, ended_after
from router.sql.guard import check

COUNTING_SHARE, COUNTING_MIN_SECONDS, COUNTING_MAX_SECONDS = 0.2, 1.0, 5.0
"""The time that counting may take: a share of what the query took, with its limits."""

JOINS_TOLD_MAX = 3
"""Joins of which a sentence is said."""


def unmatched_rows(sql: str, schema: Schema, session: Session, seconds: float) -> str:
    """Return sentences on rows that a query of so many seconds left out, "" if there are none.

    They are counted in its session, which runs nothing more afterwards, and no longer than a small share of its time.
    """
    found = lossy_joins(sql, schema)
    if found is None:
        return ""
    limit = min(max(COUNTING_SHARE * seconds, COUNTING_MIN_SECONDS), COUNTING_MAX_SECONDS)
    with ended_after(limit, session):
        return " ".join(_sentences(found, schema, session)[:JOINS_TOLD_MAX])


def _sentences(query: LossyQuery, schema: Schema, session: Session) -> list[str]:
    verdict = check(query.count, schema.dialect, schema.scope)
    if not verdict.allowed:
        return []
    try:
        _, batches = session.stream(verdict.sql)
        total, *missing = next(iter(batches))[0]
    except Stopped:
        return [_unknown(join) for join in query.joins]
    except BotError:  # nothing is said of what nobody knows
        return []
    found = zip(query.joins, missing, strict=True)
    return [_sentence(join, int(lost), int(total), query.filtered) for join, lost in found if lost]


def _unknown(join: LossyJoin) -> str:
    return (
        f"Rows of `{join.rows}` whose `{join.key}` is empty, or not in `{join.table}`, are not counted here. I could "
        "not find out in time whether there are any."
    )


def _sentence(join: LossyJoin, lost: int, total: int, filtered: bool) -> str:
    rows = f"rows of `{join.rows}`"
    which = f"the {total:,} {rows} that meet the conditions" if filtered else f"{total:,} {rows}"
    return (
        f"{lost:,} of {which} {verb(lost, 'is', 'are')} not counted here: {verb(lost, 'its', 'their')} `{join.key}` is "
        f"empty, or not in `{join.table}`."
    )
