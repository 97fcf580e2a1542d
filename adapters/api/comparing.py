"""Asking for two queries to be compared, or looked at first: each is judged and tried out as a reading is."""

from pydantic import TypeAdapter

from adapters.api.call import Call, Done, Site
from adapters.api.jobs import Prepared, asked_for
from adapters.api.planned import Compare, Match, Query
from adapters.api.problems import unfit
from adapters.api.reading import approved
from router.jobs.cells import line
from router.jobs.compare_sql import CompareSql
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import COMPARE_SQL, MATCH_SQL
from router.jobs.queried import Queried
from router.sql.comparing.plan import Plan

_PLAN = TypeAdapter(Plan)


def match(site: Site, call: Call) -> Done:
    """Have the first rows of two queries looked at; the outcome has a `plan` to compare them by."""
    return asked_for(site, call, _looking)


def compare(site: Site, call: Call) -> Done:
    """Have two queries compared by a plan, with the token's person as the one who asks and approves."""
    return asked_for(site, call, _comparing)


def _looking(site: Site, call: Call, key: str) -> Prepared:
    asked: Match = call.body
    left, right, notes = _sides(site, call, asked)
    pairs = None if asked.pairs is None else tuple((pair.left, pair.right) for pair in asked.pairs)
    return MATCH_SQL.request(MatchSql.of(left, right, call.user, pairs=pairs, thread=call.thread), key), notes


def _comparing(site: Site, call: Call, key: str) -> Prepared:
    asked: Compare = call.body
    plan = _PLAN.validate_python(asked.plan.model_dump())
    if problem := plan.problem():
        raise unfit(problem)
    left, right, notes = _sides(site, call, asked)
    job = CompareSql.of(left, right, plan, call.user, name=line(asked.name), thread=call.thread)
    return COMPARE_SQL.request(job, key), notes


def _sides(site: Site, call: Call, asked: Match | Compare) -> tuple[Queried, Queried, list[str]]:
    left, first = _side(site, call, asked.left, "the left query")
    right, second = _side(site, call, asked.right, "the right query")
    notes = [f"{side}: {note}" for side, said in (("left", first), ("right", second)) for note in said]
    return left, right, notes


def _side(site: Site, call: Call, asked: Query, label: str) -> tuple[Queried, list[str]]:
    found, notes = approved(site, call, asked)
    called = line(asked.label) or label
    return Queried(found.connection, found.schema, found.sql, called, call.user, found.approval), notes
