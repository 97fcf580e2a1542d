"""Comparing through the API: by programs, and by a bot that hands a comparison over."""

from collections.abc import Iterator

import pytest

from router.jobs.compare_sql import CompareSql
from router.jobs.compared_queries import Queried
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import COMPARE_SQL, MATCH_SQL
from router.jobs.read_sql import digest
from router.memory.comparing import ComparedPair
from router.memory.draft import User
from router.sql.comparing.plan import ComparePlan
from tests.adapters.api.api_server import BACKUP, GUARDED, SECRETS, SHOP, ApiServer, Json, Program, api_server
from tests.adapters.api.test_bot_jobs import ANA, BOB, EVE, Bot, checked, wire

REGIONS = {"connection": SHOP, "sql": "SELECT id, name FROM regions", "label": "regions in Shop"}
TOWNS = {"connection": SHOP, "sql": "SELECT id, CASE WHEN id = 1 THEN 'N' ELSE name END AS region_name FROM regions"}


@pytest.fixture(name="api", scope="module")
def _api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    with api_server(tmp_path_factory.mktemp("comparing")) as served:
        yield served


@pytest.fixture(name="ana")
def _ana(api: ApiServer) -> Program:
    return api.client()


@pytest.fixture(name="bot")
def _bot(api: ApiServer) -> Bot:
    return Bot(api)


def test_two_queries_are_compared(api: ApiServer, ana: Program) -> None:
    """A look gives a plan; the comparison gives a report and rows, which are written and sent as those of a reading."""
    looked = ana.done(ana.ask("match", {"left": REGIONS, "right": TOWNS}))
    assert ("match", "done", 4) == (looked["kind"], looked["state"], looked["rows"])
    plan = looked["outcome"]["plan"] | {"reporting": "differences"}
    assert ([(0, 0), (1, 1)], [0]) == ([(pair["left"], pair["right"]) for pair in plan["pairs"]], plan["keys"])

    done = ana.done(ana.ask("compare", {"left": REGIONS, "right": TOWNS, "plan": plan}))
    assert ("compare", "done", 4) == (done["kind"], done["state"], done["rows"])
    assert (1, 1) == tuple(done["outcome"]["report"][name] for name in ("identical", "changed"))
    assert [["changed", 1, "North", "N", "name / region_name"]] == ana.rows(done["id"])["rows"]

    table = {"result": done["id"], "connection": BACKUP, "table": "differences", "mode": "create"}
    assert "done" == ana.done(ana.ask("write", table))["state"]
    letter = {"result": done["id"], "recipients": ["me"], "subject": "Differences"}
    assert "done" == ana.done(ana.ask("email", letter))["state"]
    body = api.post.read().get_body(("plain",))
    assert body
    assert "Result: 1 row differs (name / region_name in 1) and 1 is the same" in " ".join(body.get_content().split())


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"right": {"connection": SECRETS, "sql": "SELECT 1 AS id"}}, 404),
        ({"right": {"connection": GUARDED, "sql": "SELECT 1 AS id"}}, 403),
        ({"right": {"connection": 77, "sql": "SELECT 1 AS id"}}, 404),
        ({"right": {"connection": SHOP, "sql": "DELETE FROM regions"}}, 422),
        ({"plan": {"left": ["id"], "right": ["id"], "pairs": [{"left": 3, "right": 0}]}}, 422),
        ({"plan": {"left": ["id"], "right": ["id"], "pairs": []}}, 422),
    ],
)
def test_what_is_refused(ana: Program, change: Json, status: int) -> None:
    """Each side is judged as a reading is, and a plan has to fit itself."""
    plan = {"left": ["id"], "right": ["id"], "pairs": [{"left": 0, "right": 0}]}
    body = {"left": REGIONS, "right": TOWNS, "plan": plan} | change
    assert status == ana.ask("compare", body)[0]


def query(sql: str, connection: str = "shop", asker: User = ANA, approver: User | None = None) -> Queried:
    """Return a side that is approved."""
    text = checked(sql)
    return Queried(connection, "main", text, "it", approver or asker, digest(text, connection, "main", asker.id))


SIDE = "SELECT id, name FROM regions"
PLAN = ComparePlan(("id", "name"), ("id", "name"), (ComparedPair(0, 0), ComparedPair(1, 1)), (0,), reporting="all")


def test_a_bot_hands_a_comparison_over(bot: Bot) -> None:
    """It is done in the person's name; a look is handed over in the same way."""
    side = query(SIDE)
    _, looked = bot.hand(wire(MATCH_SQL, MatchSql.of(side, side, ANA)), key="look")
    assert "done" == bot.over(looked)["state"]
    _, job = bot.hand(wire(COMPARE_SQL, CompareSql.of(side, side, ANA, plan=PLAN)), key="compare")
    done = bot.over(job)
    assert ("done", "slack:UANA") == (done["state"], done["asker"])
    status, kept = bot.send("GET", f"/v1/jobs/{done['outcome']['result']['id']}/rows")
    assert (200, ["identical", 1]) == (status, kept["rows"][0][:2])


def test_each_side_has_its_own_rights(bot: Bot) -> None:
    """A person who may read one side alone, or had one side approved alone, gets nothing."""
    shut = query(SIDE, "secrets")
    assert 404 == bot.hand(wire(COMPARE_SQL, CompareSql.of(query(SIDE), shut, ANA, plan=PLAN)), key="secret")[0]
    guarded = query(SIDE, "guarded")
    assert 403 == bot.hand(wire(COMPARE_SQL, CompareSql.of(query(SIDE), guarded, ANA, plan=PLAN)), key="own")[0]
    approved = query(SIDE, "guarded", approver=BOB)
    job = CompareSql.of(query(SIDE), approved, ANA, plan=PLAN)
    assert "done" == bot.over(bot.hand(wire(COMPARE_SQL, job), key="two")[1])["state"]


def test_rows_of_two_databases(api: ApiServer, bot: Bot) -> None:
    """They are private where one of the databases is, also the right one."""
    job = CompareSql.of(query(SIDE, asker=EVE), query(SIDE, "secrets", asker=EVE), EVE, plan=PLAN)
    _, handed = bot.hand(wire(COMPARE_SQL, job), key="eve's", by=EVE)
    result = bot.over(handed, EVE)["outcome"]["result"]["id"]
    assert 200 == bot.status(f"/v1/jobs/{result}/result", EVE)
    assert 404 == bot.status(f"/v1/jobs/{result}/result", ANA)


def test_values_go_with_the_rows(api: ApiServer, ana: Program) -> None:
    """Once the rows were deleted after their time, nobody is told values of them."""
    plan = {"left": ["id", "name"], "right": ["id", "region_name"], "pairs": [{"left": 1, "right": 1}]}
    done = ana.done(ana.ask("compare", {"left": REGIONS, "right": TOWNS, "plan": plan}))
    assert done["outcome"]["report"]["first"]
    api.bot.services.results.delete(done["outcome"]["result"]["id"])
    report = ana.get(f"/v1/jobs/{done['id']}")[1]["outcome"]["report"]
    assert (1, None) == (report["identical"], report.get("first"))
