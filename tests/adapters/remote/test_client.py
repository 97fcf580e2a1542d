"""The way to the jobs API: what is tried again, what is said where it fails, and what nobody ever reads."""

import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from adapters.remote.address import ApiAddress
from adapters.remote.client import (
    ACCESS_REFUSED,
    API_AWAY,
    API_MISUNDERSTOOD,
    RETRY_SECONDS,
    ApiAway,
    ApiClient,
    ApiMissing,
    TokenRefused,
)
from adapters.remote.site import Unreached, site_at
from adapters.wire import person_of
from router.errors import BotError, JobFailed, NotAllowed, SettingsError, Stopped, Unclear
from router.memory.draft import User
from tests.adapters.remote.scripted_server import HANG_UP, Moody, good, moody, problem
from tests.support.mail_servers import certificate_in
from tests.support.rows import every_row

TOKEN = "icc_S3CRET"
ANA = User("slack:U1", "Ána Ö", "ana@example.com")


def client_to(server: Moody, pauses: list[float] | None = None) -> ApiClient:
    return ApiClient(ApiAddress(server.url, SecretStr(TOKEN), True), (pauses if pauses is not None else []).append)


@pytest.mark.parametrize(
    "passing", [HANG_UP, problem(429, "Wait."), (502, "text/html", b"Bad"), (503, "", b""), (504, "", b"")]
)
def test_what_passes_is_tried_again(passing: tuple[int, str, bytes]) -> None:
    """A request that got lost, or came at a bad moment, is sent again as it was, with the same key."""
    pauses: list[float] = []
    with moody(passing, passing, good(done=True)) as server, closing(client_to(server, pauses)) as link:
        assert {"done": True} == link.post("/v1/jobs", {"a": 1}, ANA, key="k")

    sent = [(method, path, headers["Idempotency-Key"]) for method, path, headers in server.asked]
    assert [("POST", "/v1/jobs", "k")] * 3 == sent
    assert list(RETRY_SECONDS[:2]) == pauses
    assert ANA == person_of(server.asked[0][2]["Acting-For"])


def test_a_pause_as_long_as_the_server_wants() -> None:
    """Within reason: nobody waits for an hour because a server says so."""
    pauses: list[float] = []
    busy = problem(429, "Wait.")
    with moody(busy, busy, good(), Retry_After="3600") as server, closing(client_to(server, pauses)) as link:
        link.get("/")

    assert [2.0, 2.0] == pauses


@every_row(
    ("answer", "error", "words"),
    [
        (HANG_UP, ApiAway, API_AWAY),
        ((503, "text/html", b"<h1>nginx</h1>"), ApiAway, API_AWAY),
        (problem(401, "Who?"), TokenRefused, ACCESS_REFUSED),
        (problem(403, "Not you."), NotAllowed, "Not you."),
        (problem(403, "Not you.", "NotAllowed"), NotAllowed, "Not you."),
        (problem(404, "Not there."), ApiMissing, "Not there."),
        (problem(422, "No such column.", "JobFailed"), JobFailed, "No such column."),
        (problem(422, "Say more.", "Unclear"), Unclear, "Say more."),
        (problem(503, "The database is down.", "JobFailed"), JobFailed, "The database is down."),
        (problem(503, "It was stopped.", "Stopped"), Stopped, "It was stopped."),
        (problem(429, "20 jobs of yours are not over."), JobFailed, "20 jobs of yours are not over."),
        (problem(500, "error 1234"), JobFailed, "error 1234"),
        ((404, "text/html", b"<h1>nginx</h1>"), JobFailed, API_MISUNDERSTOOD),
        ((302, "text/html", b""), JobFailed, API_MISUNDERSTOOD),
        ((200, "text/html", b"<h1>Welcome</h1>"), JobFailed, API_MISUNDERSTOOD),
        ((200, "application/json", b"[]"), JobFailed, API_MISUNDERSTOOD),
    ],
)
def test_what_is_said(answer: tuple[int, str, bytes], error: type[BotError], words: str) -> None:
    """Each failure is a sentence, and of the kind that a talk knows how to go on from."""
    with moody(answer) as server, closing(client_to(server)) as link, pytest.raises(error) as raised:
        link.get("/v1/site")

    assert (words, error) == (str(raised.value), type(raised.value))


def test_nobody_answers() -> None:
    """Where nothing listens, the sentence is for the person, and the address is in the log alone."""
    with moody(good()) as server:
        link = client_to(server)
    with closing(link), pytest.raises(ApiAway, match="cannot be reached right now") as raised:
        link.get("/")

    assert server.url not in str(raised.value)


@pytest.fixture(name="logged")
def _logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG):
        yield caplog


def test_the_token_is_nowhere(logged: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """Neither in a log, whatever its level, nor in an error, nor in what a debugger shows, nor sent elsewhere."""
    said = []
    for answer in (HANG_UP, problem(401, "Who?"), (500, "text/html", b"x"), good()):
        with moody(answer) as server, closing(client_to(server)) as link:
            said += [repr(link), repr(link.address), str(link.address), repr(link.__dict__)]
            for act in (lambda: link.get("/"), lambda: link.fetch("/", ANA, tmp_path / "f")):
                try:
                    act()
                except BotError as error:
                    said += [repr(error), repr(error.__cause__), repr(error.__context__)]
            assert f"Bearer {TOKEN}" == server.asked[0][2]["Authorization"]
    elsewhere = (302, "", b"")
    with (
        moody(good()) as other,
        moody(elsewhere, Location=other.url) as server,
        closing(client_to(server)) as link,
        pytest.raises(JobFailed, match="does not understand"),
    ):
        link.get("/")

    assert [] == other.asked
    assert TOKEN not in logged.text + "".join(said)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (HANG_UP, "cannot be reached. Is icc-bot api at work there?"),
        (problem(401, "Who?"), "does not let this bot in"),
        (problem(403, "This token lacks the scope act_for."), "lacks the scope act_for"),
        (problem(404, "There is nothing at this address."), "is no jobs API that a bot can use"),
        (good(version="0.0.1"), "of another version"),
        ((200, "text/html", b"<h1>Welcome</h1>"), "does not understand"),
    ],
)
def test_a_start_says_what_is_wrong(answer: tuple[int, str, bytes], words: str) -> None:
    """An administrator reads which setting it is, and why."""
    with moody(answer) as server, closing(client_to(server)) as link, pytest.raises(SettingsError) as raised:
        site_at(link)

    (problem,) = raised.value.problems
    assert (True, True) == (problem.startswith("BASE_URL: "), words in problem)
    assert (answer == HANG_UP) == isinstance(raised.value, Unreached)


def test_whose_certificate_is_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of an authority that is trusted here, such as SSL_CERT_FILE names: the token goes nowhere else."""
    certificate = certificate_in(tmp_path)
    with moody(good(done=True), certificate=certificate) as server:
        address = ApiAddress(f"https://localhost:{server.port}", SecretStr(TOKEN), True)
        with closing(ApiClient(address, pause=lambda seconds: None)) as link, pytest.raises(ApiAway):
            link.get("/")
        assert [] == server.asked
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with closing(ApiClient(address)) as link:
            assert {"done": True} == link.get("/")
