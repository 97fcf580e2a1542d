"""Jobs through the API: made once, seen by their person, cancelled."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from router.jobs.job_entry import Request
from tests.adapters.api.api_server import REGIONS, SHOP, ApiServer, Program

SLOW = "SELECT count(*) FROM numbers a, numbers b, numbers c, numbers d, numbers e, numbers f WHERE a.n + b.n <> c.n"
ASKED = {"connection": SHOP, "sql": REGIONS}


def test_a_key_makes_one_job(ana: Program) -> None:
    """However often a request is sent under it; another request under it is refused."""
    job = ana.done(ana.ask("read", ASKED, key="monday"))

    assert (202, job) == ana.ask("read", ASKED, key="monday")
    assert (200, job["id"]) == (200, ana.ask("read", {**ASKED, "schema": ""}, key="monday")[1]["id"])
    status, problem = ana.ask("read", {**ASKED, "sql": "SELECT 1"}, key="monday")
    assert (422, True) == (status, problem["detail"].startswith("This Idempotency-Key stands for another request"))
    assert job["id"] != ana.done(ana.ask("read", ASKED, key="tuesday"))["id"]
    assert job["id"] != ana.done(ana.ask("read", ASKED))["id"]


def test_a_key_at_once(ana: Program) -> None:
    """Requests that come at the same time under one key make one job."""
    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(lambda _: ana.ask("read", ASKED, key="now"), range(6)))

    assert 1 == len({job["id"] for _, job in found})
    assert {202} == {status for status, _ in found}


def test_jobs_are_listed(api: ApiServer, ana: Program) -> None:
    """The latest first, in a state, and no others'."""
    ids = [ana.reading(), ana.reading()]
    theirs = api.client("bob@example.com").reading()
    listed = lambda program, **query: [job["id"] for job in program.get("/v1/jobs", **query)[1]["jobs"]]  # noqa: E731

    assert ids[::-1] == listed(ana)
    assert ids[:0:-1] == listed(ana, limit=1)
    assert (ids[::-1], []) == (listed(ana, state="done"), listed(ana, state="failed"))
    assert theirs not in listed(ana)


def test_others_jobs_are_not_there(api: ApiServer, ana: Program) -> None:
    """To somebody else, a job is as good as none."""
    job = ana.reading()
    bob = api.client("bob@example.com")

    assert 404 == bob.get(f"/v1/jobs/{job}")[0]
    assert 404 == bob.get(f"/v1/jobs/{job}/rows")[0]
    assert 404 == bob.post(f"/v1/jobs/{job}/cancel")[0]


def test_jobs_of_talks(api: ApiServer) -> None:
    """A person who talks to the bot in Slack sees those jobs with a token of that id."""
    write = Request("one", "write_data", {}, asker="slack:U1", connection="backup")
    id = api.bot.services.jobs.ledger.add(write, "nobody").id

    assert [id] == [job["id"] for job in api.client("slack:U1", "read").get("/v1/jobs")[1]["jobs"]]


def test_a_job_is_cancelled(ana: Program) -> None:
    """A query that runs ends soon; one that is over stays as it is."""
    _, job = ana.ask("read", {"connection": SHOP, "sql": SLOW})
    while ana.get(f"/v1/jobs/{job['id']}")[1]["state"] == "queued":
        time.sleep(0.01)

    assert 200 == ana.post(f"/v1/jobs/{job['id']}/cancel")[0]

    ended = ana.done((202, job))
    assert ("cancelled", "It was cancelled by ana@example.com, through the API.") == (ended["state"], ended["ending"])
    assert datetime.fromisoformat(ended["ended"]) > datetime.fromisoformat(ended["created"])
    status, problem = ana.post(f"/v1/jobs/{job['id']}/cancel")
    assert (409, f"{job['id']} is cancelled: there is nothing to cancel.") == (status, problem["detail"])
    assert 409 == ana.get(f"/v1/jobs/{job['id']}/rows")[0]
