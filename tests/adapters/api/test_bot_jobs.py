"""Acting for others: what a token with the scope act_for may have done, and what it may not."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from adapters.remote.jobs import job_body
from adapters.wire import ACTING_HEADER, APPROVED_HEADER, text_of
from router.jobs.approval import job_digest
from router.jobs.payloads import READ_SQL, SEND_EMAIL, WRITE_DATA
from router.jobs.read_sql import ReadSql
from router.jobs.read_sql import digest as read_digest
from router.jobs.send_email import SendEmail
from router.jobs.write_data import WriteData
from router.memory.draft import User
from router.sql.guard import check
from router.sql.writing.order import ResultField
from tests.adapters.api.api_server import REGIONS, SHOP, ApiServer, Json, api_server, read
from tests.support.mail_servers import SENDER

ANA = User("slack:UANA", "Ana", "ana@example.com")
BOB = User("slack:UBOB", "Bob", "bob@example.com")
EVE = User("slack:UEVE", "Eve", "eve@example.com")
NOBODY = User("slack:UNOBODY", "Nobody", "")
THREAD = "slack/T1/C1/17.5"
BOT = "read,write,email,act_for"


@pytest.fixture(name="api", scope="module")
def _api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    with api_server(tmp_path_factory.mktemp("acting")) as served:
        yield served


class Bot:
    """A program that speaks for people."""

    def __init__(self, api: ApiServer, scopes: str = BOT) -> None:
        self.api, self.program = api, api.client("bot@example.com", scopes)

    def send(
        self, method: str, path: str, by: User | None = ANA, approver: User | None = None, **more: Any
    ) -> tuple[int, Json]:
        """Return status and answer."""
        people = {ACTING_HEADER: by, APPROVED_HEADER: approver}
        headers = {name: text_of(user) for name, user in people.items() if user} | more.pop("headers", {})
        return read(self.program.http.request(method, path, headers=headers, **more))

    def hand(
        self, body: Json, key: str = "", by: User | None = ANA, approver: User | None = None, **more: Any
    ) -> tuple[int, Json]:
        """Hand a job over."""
        sha = hashlib.sha256((key or json.dumps(body)).encode()).hexdigest()
        return self.send("POST", "/v1/jobs", by, approver, json=body, headers={"Idempotency-Key": sha}, **more)

    def over(self, job: Json, by: User | None = ANA) -> Json:
        """Return a job once it is over."""
        return self.send("GET", f"/v1/jobs/{job['id']}?wait=30", by)[1]

    def status(self, url: str, by: User) -> int:
        """Return the status of an answer, whatever its form."""
        return self.program.http.get(url, headers={ACTING_HEADER: text_of(by)}).status_code

    def result(self, by: User = ANA) -> str:
        """Return the id of a result of this person's."""
        _, job = self.hand(reading(by), key=f"result of {by.id}", by=by)
        done = self.over(job, by)
        assert "done" == done["state"], done
        return str(done["outcome"]["result"]["id"])


@pytest.fixture(name="bot")
def _bot(api: ApiServer) -> Bot:
    return Bot(api)


def wire(builder: Any, job: Any, **more: Any) -> Json:
    """Return the body that hands a job over."""
    return job_body(builder.request(job, "")) | {"thread": THREAD} | more


def checked(sql: str) -> str:
    """Return the text as the guard renders it."""
    return check(sql, "sqlite").sql


def reading(by: User = ANA, connection: str = "shop", sql: str = REGIONS, **more: Any) -> Json:
    """Return the body of a reading that is approved by the asker."""
    text = checked(sql)
    approval = read_digest(text, connection, "main", by.id)
    job = ReadSql(connection, "main", "sqlite", text, by.id, by.id, approval, THREAD)
    return wire(READ_SQL, job, **more)


def writing(result: str, table: str = "copies", connection: str = "backup", by: User = ANA) -> Json:
    """Return the body of a writing."""
    columns = ((0, ResultField("name", "text")),)
    job = WriteData(connection, "main", table, "create", columns, result, table, by.id, by.id, "", THREAD)
    return wire(WRITE_DATA, replace(job, approval=job_digest(job)))


def mailing(result: str, by: User = ANA, name: str = "Ana", address: str = "ana@example.com", **more: Any) -> Json:
    """Return the body of an e-mail."""
    given = {"connection": "shop", "recipients": ("bob@example.com",), "form": "csv", **more}
    job = SendEmail(
        subject="Regions",
        body="",
        result=result,
        sender=SENDER,
        name="Regions",
        asker=by.id,
        approver=by.id,
        asker_name=name,
        asker_address=address,
        thread=THREAD,
        **given,
    )
    return wire(SEND_EMAIL, replace(job, approval=job_digest(job)))


def test_a_job_is_done_for_somebody(api: ApiServer, bot: Bot) -> None:
    """It is theirs, in their talk; the trail has who asked, who approved, and by which token."""
    status, job = bot.hand(reading(), key="first")
    done = bot.over(job)

    assert (202, "done", 2, ANA.id) == (status, done["state"], done["rows"], done["asker"])
    found = [line for line in map(json.loads, api.trail().splitlines()) if line["thread"] == THREAD]
    assert {(line["event"], line["who"], line["approver"]) for line in found} == {
        (event, ANA.id, ANA.id) for event in ("approved", "started", "finished")
    }
    name = bot.send("GET", "/v1/site", None)[1]["token"]
    assert [name] == [line["via"] for line in found if line["event"] == "approved"]


def test_a_job_is_found_again(bot: Bot) -> None:
    """The same key makes one job, also if it was sent twice at the same time; it is found by the key alone."""
    _, job = bot.hand(reading(), key="again")
    status, same = bot.hand(reading(), key="again")
    sha = hashlib.sha256(b"again").hexdigest()

    assert (202, job["id"]) == (status, same["id"])
    assert [job["id"]] == [found["id"] for found in bot.send("GET", f"/v1/jobs?key={sha}", None)[1]["jobs"]]
    assert [] == bot.send("GET", f"/v1/jobs?key={'0' * 64}", None)[1]["jobs"]
    assert [] == bot.send("GET", f"/v1/jobs?key={sha}", BOB)[1]["jobs"]


def test_a_key_of_somebody_else(bot: Bot) -> None:
    """A key stands for one person's request."""
    bot.hand(reading(), key="mine")
    status, problem = bot.hand(reading(BOB), key="mine", by=BOB)

    assert (422, True) == (status, "stands for another request" in problem["detail"])


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/site"), ("POST", "/v1/threads/forget"), ("DELETE", f"/v1/jobs/{'r' * 32}/result")],
)
def test_without_the_scope(api: ApiServer, method: str, path: str) -> None:
    """A token without act_for, whatever else it may, gets nothing of what is known of everybody."""
    status, problem = read(api.client("ana@example.com", "read,write,email").http.request(method, path))

    assert (403, "This token lacks the scope act_for.") == (status, problem["detail"])


@pytest.mark.parametrize("more", [{"thread": THREAD}, {"right": {"approver": {"id": BOB.id}}}])
def test_what_only_those_who_act_for_others_say(api: ApiServer, more: Json) -> None:
    """A program of one person names no talk, and no other approver."""
    side: Json = {"connection": "guarded", "sql": REGIONS}
    body = {"left": {**side, "connection": "shop"}, **more, "right": {**side, **more.get("right", {})}}
    assert 403 == api.client("ana@example.com").ask("match", body)[0]


def test_results_of_others_by_their_ids(api: ApiServer, bot: Bot) -> None:
    """A person who acts for nobody sees the results of their own jobs alone, also if they know an id."""
    assert 404 == api.client("bob@example.com").get(f"/v1/jobs/{bot.result()}/rows")[0]


def test_naming_somebody_without_the_scope(api: ApiServer) -> None:
    """A person who may act for themselves alone is refused where they name another, on every address."""
    headers = {ACTING_HEADER: text_of(BOB)}
    for path in ("/v1/connections", "/v1/jobs"):
        answer = api.client("ana@example.com").http.get(path, headers=headers)
        assert (403, True) == (answer.status_code, "lacks the scope act_for" in answer.json()["detail"])


def test_a_person_is_demanded(bot: Bot) -> None:
    """Nothing is done in a talk in nobody's name."""
    assert 403 == bot.hand(reading(), by=None)[0]
    status, problem = bot.send("GET", f"/v1/jobs/{'R-22222222'}", None, BOB)
    assert (422, True) == (status, "goes with the header Acting-For only" in problem["detail"])


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("ana@example.com", 422),
        ("id=ana@example.com", 422),
        ("id=*", 422),
        ("id=slack%3AU1&email=nobody", 422),
        ("id=slack%3AU1&id=slack%3AU2", 422),
        ("id=slack%3AU1&rights=all", 422),
        ("id=slack%3AU1%0A", 422),
        ("id=slack%3AU1&email=a%40b%40c", 422),
        ("id=slack%3AU1&email=a%0Ab%40c", 422),
        ("id=slack%3AU1&name=%ff", 422),
        ("id=api%3Aana%40example.com&email=ana%40example.com", 403),
        ("", 422),
    ],
)
def test_forged_people(bot: Bot, text: str, status: int) -> None:
    """What names nobody, or somebody whom the API knows by a token of their own, is refused."""
    assert status == bot.send("GET", "/v1/connections", None, headers={ACTING_HEADER: text})[0]


def test_rights_of_the_one_who_asks(bot: Bot) -> None:
    """Each is judged as who they are: by address, and those who have none by what everybody may."""
    status, problem = bot.hand(reading(connection="secrets"))
    assert (404, "NotFound") == (status, problem["kind"])
    assert 202 == bot.hand(reading(EVE, "secrets"), by=EVE)[0]
    assert 404 == bot.hand(reading(NOBODY, "secrets"), key="nobody", by=NOBODY)[0]
    names = [each["name"] for each in bot.send("GET", "/v1/connections", EVE)[1]["connections"]]
    assert ("secrets" in names, "secrets" in str(bot.send("GET", "/v1/connections", ANA))) == (True, False)


def test_rights_of_the_one_who_approves(api: ApiServer, bot: Bot) -> None:
    """A connection with approvers takes theirs and nobody's else; without them, the asker's alone."""
    status, problem = bot.hand(reading(connection="guarded"), key="a")
    assert (403, True) == (status, "You can't approve SQL" in problem["detail"])
    assert 403 == bot.hand(reading(), key="b", approver=BOB)[0]
    status, job = bot.hand(reading(connection="guarded"), key="c", approver=BOB)
    assert (202, BOB.id) == (status, job["approver"])
    refused = [line for line in map(json.loads, api.trail().splitlines()) if line["event"] == "refused"]
    assert (ANA.id, BOB.id) in [(line["who"], line["approver"]) for line in refused]


def test_scopes_hold_for_bots_too(api: ApiServer) -> None:
    """A token without the scope write hands no writing over, and the site says that nobody can write."""
    bot = Bot(api, "read,act_for")
    result = bot.result()
    status, problem = bot.hand(writing(result))
    assert (403, True) == (status, "lacks the scope write" in problem["detail"])
    status, problem = bot.hand(mailing(result))
    assert (403, True) == (status, "lacks the scope email" in problem["detail"])
    known = bot.send("GET", "/v1/site", None)[1]
    assert (None, set()) == (known["mail"], {c["name"] for c in known["connections"] if c["writable"]})


def test_the_guard_judges_again(bot: Bot) -> None:
    """SQL that no guard allowed does not run."""
    assert 422 == bot.hand(reading() | {"sql": "DELETE FROM regions"})[0]
    status, problem = bot.send("POST", "/v1/queries/check", json={"connection": "shop", "sql": "DROP TABLE regions"})
    assert (422, "") == (status, problem["kind"])


def test_rows_of_others(bot: Bot) -> None:
    """Rows are for people who may read their source."""
    assert 200 == bot.status(f"/v1/jobs/{bot.result()}/rows", BOB)


def test_private_rows(bot: Bot) -> None:
    """Rows of a private connection are seen and sent by the one who asked for them alone."""
    _, job = bot.hand(reading(EVE, "secrets"), key="private", by=EVE)
    result = bot.over(job, EVE)["outcome"]["result"]["id"]
    for path in ("/result", "/rows", "/files/csv"):
        url = f"/v1/jobs/{result}{path}"
        assert (200, 404) == (bot.status(url, EVE), bot.status(url, ANA))
    assert 404 == bot.hand(mailing(result, connection="secrets"))[0]


def test_what_an_e_mail_says(api: ApiServer, bot: Bot) -> None:
    """It is from who asked for it, about the database that its rows are from, to whom e-mails may go."""
    result = bot.result()
    assert 403 == bot.hand(mailing(result, recipients=("eve@evil.example",)))[0]
    forged = mailing(result, name="Bob", address="bob@example.com", connection="backup")
    assert "done" == bot.over(bot.hand(forged)[1])["state"]
    letter = api.post.read()
    assert "Ana <ana@example.com>" == letter["Reply-To"]
    body = letter.get_body(("plain",))
    assert body
    assert ("Shop" in body.get_content(), "Backup" in body.get_content()) == (True, False)


def test_trying_again(bot: Bot) -> None:
    """A job that failed is done once more for each attempt that is named, however often that is asked."""
    _, job = bot.hand(writing(bot.result(), "towns"))
    failed = bot.over(job)
    assert ("failed", 1) == (failed["state"], failed["attempt"])
    url = f"/v1/jobs/{job['id']}/retry"
    assert 200 == bot.send("POST", f"{url}?attempt=1")[0]
    again = bot.over(job)
    assert ("failed", 2) == (again["state"], again["attempt"])
    assert 200 == bot.send("POST", f"{url}?attempt=1")[0]
    assert ("failed", 2) == (lambda found: (found["state"], found["attempt"]))(bot.over(job))
    assert 404 == bot.send("POST", f"{url}?attempt=2", BOB)[0]


def test_the_house_keeps_its_secrets(api: ApiServer, bot: Bot) -> None:
    """It says who may do what and to whom e-mails go, and neither where a database is nor how one logs in."""
    text = json.dumps(bot.send("GET", "/v1/site", None)[1])
    for secret in ("sqlite:", str(api.folder), "url", "smtp", "password"):
        assert secret not in text
    assert ("eve@example.com" in text, SENDER in text, "example.com" in text) == (True, True, True)


def test_no_values_leave_the_database(bot: Bot) -> None:
    """What is told of tables are their columns, and samples where the connection allows them: no other value."""
    status, told = bot.send("GET", f"/v1/connections/{SHOP}/tables", None)
    columns = [column for table in told["tables"] for column in table["columns"]]

    assert (200, True) == (status, len(columns) > 4)
    assert [] == [column for column in columns if column["values"] or column["whole"]]
    values = bot.api.bot.services.catalog.schema("shop").tables
    assert any(column.values for table in values for column in table.columns)
