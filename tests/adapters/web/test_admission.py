"""Who is let in, and who is not."""

import stat
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Message

from adapters.secret import load_secret
from adapters.web.admission import COOKIE, AdmissionMiddleware, WebAccess, require_loopback
from router.errors import SettingsError
from router.memory.draft import User

ME = User("os:me", "Me")


async def who(request: Request) -> PlainTextResponse:
    user = request.scope["user"]
    return PlainTextResponse(user.id if user else "nobody")


def client(access: WebAccess, host: str = "127.0.0.1:8080") -> httpx.AsyncClient:
    """Return a browser with its own cookies, in front of the page."""
    inner = Starlette(routes=[Route("/", who), Route("/health", who), Route("/t/1", who)])
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(AdmissionMiddleware(inner, access)), base_url=f"http://{host}"
    )


def here(public: bool = False, token: str | None = None) -> WebAccess:
    return WebAccess("127.0.0.1", ME, b"secret", public, token)


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])
async def test_on_loopback_the_token_is_the_person_at_this_machine(host: str) -> None:
    """Nobody comes in without the token; it is exchanged for a cookie of the session that no other site gets sent."""
    access = here()
    async with client(access, host) as browser:
        for path in ("/", "/t/1", "/?token=wrong", "/?token=", "/nowhere"):
            refused = await browser.get(path)
            assert (refused.status_code, refused.headers["cache-control"]) == (401, "no-store")
            assert '<input type="password" name="token"' in refused.text
        assert (await browser.get("/health")).text == "nobody"
        answer = await browser.get(f"/t/1?x=1&token={access.token}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/t/1?x=1")
        cookie = answer.headers["set-cookie"].lower()
        assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/"))
        assert not any(word in cookie for word in ("max-age", "expires", access.token.lower()))
        assert (await browser.get("/")).text == "os:me"


async def test_the_whole_link_may_be_put_in() -> None:
    """What was printed is pasted as it is, with blanks around it."""
    access = here()
    async with client(access) as browser:
        given = {"token": f" http://127.0.0.1:8080/?token={access.token} "}
        assert (await browser.get("/", params=given)).status_code == 303


async def test_a_way_in_that_begins_elsewhere_begins_anew_here() -> None:
    """A strict cookie does not come along on a way that a file or another site began, so a page of our own leads on."""
    access = here()
    async with client(access) as browser:
        path = f'/t/1?x="%3E%3Cb%3E&token={access.token}'
        answer = await browser.get(path, headers={"Sec-Fetch-Site": "cross-site"})
        assert (answer.status_code, "set-cookie" in answer.headers) == (200, True)
        assert 'content="0; url=/t/1?x=%22%3E%3Cb%3E"' in answer.text
        assert (await browser.get("/")).text == "os:me"


async def test_one_may_do_without_a_token() -> None:
    """With "" for a token, any browser on this machine is the person's; with a name of one's own, that is the token."""
    async with client(here(token="")) as browser:
        assert (await browser.get("/")).text == "os:me"
        assert (await browser.get("/?token=")).text == "os:me"
    for public in (False, True):
        async with client(here(public, "a-token-of-my-own")) as browser:
            assert (await browser.get("/")).status_code == 401
            assert (await browser.get("/?token=a-token-of-my-own")).status_code == 303


async def test_another_token_takes_the_cookies_back() -> None:
    """A person who came in on loopback with a token of one's own is out once there is another."""
    before, after = here(token="a-token-of-my-own"), here(token="another-token-of-mine")
    async with client(after) as browser:
        headers = {"Cookie": f"{before.cookie}={before.new_cookie()}"}
        assert (await browser.get("/", headers=headers)).status_code == 401


async def test_what_guests_were_given_lets_nobody_in_on_loopback() -> None:
    """Neither their token nor their cookie, under either name, though both pages have one secret."""
    guests, me = here(public=True), here()
    assert guests.cookie != me.cookie
    async with client(me) as browser:
        assert (await browser.get(f"/?token={guests.token}")).status_code == 401
        for name in (guests.cookie, me.cookie):
            headers = {"Cookie": f"{name}={guests.new_cookie()}"}
            assert (await browser.get("/", headers=headers)).status_code == 401


def test_two_bots_on_one_machine_have_cookies_of_their_own() -> None:
    """A browser gives a cookie to every port, so the names must differ."""
    assert here().cookie != WebAccess("127.0.0.1", ME, b"another secret", False).cookie


@pytest.mark.parametrize("host", ["evil.example:8080", "evil.example", "127.0.0.1.evil.example", ""])
async def test_a_foreign_name_for_this_machine_is_refused(host: str) -> None:
    """A site that points its own name to this machine gets nothing (DNS rebinding)."""
    async with client(here()) as browser:
        answer = await browser.get("/", headers={"Host": host})
    assert answer.status_code == 403


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:9999", "null"])
async def test_a_request_of_another_site_is_refused(origin: str, public: bool) -> None:
    """The Origin must be the page's own, down to the port, with and without a token."""
    access = here(public)
    async with client(access) as browser:
        own = await browser.get(f"/?token={access.token}", headers={"Origin": "http://127.0.0.1:8080"})
        foreign = await browser.get("/", headers={"Origin": origin})
    assert (own.status_code, foreign.status_code) == (303, 403)


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("host", ["[bad", "127.0.0.1:x", "[::1", "localhost:99999"])
async def test_a_host_that_is_none_is_refused(host: str, public: bool) -> None:
    """What cannot be read as a host and a port is refused, and is no error; so is an Origin like that."""
    access = here(public)
    async with client(access) as browser:
        as_host = await browser.get(f"/?token={access.token}", headers={"Host": host})
        as_origin = await browser.get(f"/?token={access.token}", headers={"Origin": f"http://{host}"})
    assert (as_host.status_code, as_origin.status_code) == (403, 403)


@pytest.mark.parametrize(
    ("origin", "public", "status"),
    [
        ("https://bot.example", True, 303),
        ("https://BOT.example:443", True, 303),
        ("https://bot.example:8443", True, 403),
        ("https://evil.example", True, 403),
        ("https://bot.example", False, 403),
    ],
)
async def test_behind_a_proxy_the_origin_is_the_address_that_it_was_asked_at(
    origin: str, public: bool, status: int
) -> None:
    """On a public page, X-Forwarded-Host counts beside Host, the outermost proxy's; on loopback it does not."""
    access = here(public)
    headers = {"X-Forwarded-Host": "bot.example, inner.example", "Origin": origin}
    async with client(access) as browser:
        assert (await browser.get(f"/?token={access.token}", headers=headers)).status_code == status


@pytest.mark.parametrize(
    ("base", "headers", "secure"),
    [
        ("http://bot.example", {}, False),
        ("https://bot.example", {}, True),
        ("http://bot.example", {"X-Forwarded-Proto": "https"}, True),
        ("http://bot.example", {"X-Forwarded-Proto": "http"}, False),
    ],
)
async def test_a_cookie_that_came_by_https_never_goes_by_http(base: str, headers: dict[str, str], secure: bool) -> None:
    """The cookie is Secure where the browser came by HTTPS, if only to a proxy."""
    access = here(public=True)
    async with client(access) as browser:
        browser.base_url = httpx.URL(base)
        answer = await browser.get(f"/?token={access.token}", headers=headers)
    assert ("Secure" in answer.headers["set-cookie"]) == secure


async def test_the_way_in_leads_to_this_site_only() -> None:
    """A path that begins with two slashes would be another site's address."""
    access = here(public=True)
    async with client(access, "bot.example") as browser:
        answer = await browser.get(f"http://bot.example//evil.example/x?token={access.token}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/evil.example/x")


@pytest.mark.parametrize(
    "headers", [[(b"host", b"evil.example")], [(b"host", b"localhost"), (b"origin", b"http://evil.example")]]
)
async def test_a_socket_of_another_site_is_closed_before_it_opens(headers: list[tuple[bytes, bytes]]) -> None:
    """The same two checks hold for web sockets."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    scope = {"type": "websocket", "path": "/_nicegui_ws/socket.io", "headers": headers, "query_string": b""}
    await AdmissionMiddleware(Starlette(), here())(scope, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]


async def test_a_socket_without_a_cookie_is_closed_before_it_opens() -> None:
    """The token is for web sockets, too."""
    access, scope = here(), {"type": "websocket", "path": "/_nicegui_ws/socket.io", "query_string": b""}
    reached: list[str] = []

    async def page(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["user"].id)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        assert message == {"type": "websocket.close", "code": 1008}

    cookie = (b"cookie", f"{access.cookie}={access.new_cookie()}".encode())
    for headers in ([(b"host", b"localhost")], [(b"host", b"localhost"), cookie]):
        await AdmissionMiddleware(page, access)({**scope, "headers": headers}, receive, send)
    assert reached == ["os:me"]


async def test_every_answer_carries_the_security_headers() -> None:
    """Frames, sniffing and sources of other sites are forbidden on every answer, refusals included."""
    async with client(here(token="")) as browser:
        answers = [await browser.get("/"), await browser.get("/", headers={"Host": "evil.example"})]
    async with client(here()) as browser:
        answers.append(await browser.get("/"))
    for answer in answers:
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


async def test_the_token_lets_in_and_makes_everybody_a_person_of_their_own() -> None:
    """The token is exchanged for a signed cookie, and leaves the address; two browsers are two persons."""
    access = here(public=True)
    people: list[str] = []
    for _ in range(2):
        async with client(access, "bot.example") as browser:
            assert (await browser.get("/")).status_code == 401
            assert (await browser.get("/health")).status_code == 200
            assert (await browser.get("/?token=wrong")).status_code == 401
            answer = await browser.get(f"/t/1?token={access.token}&x=1")
            assert (answer.status_code, answer.headers["location"]) == (303, "/t/1?x=1")
            assert "HttpOnly" in answer.headers["set-cookie"]
            people.append((await browser.get("/")).text)
            await browser.get(f"/?token={access.token}")
            assert (await browser.get("/")).text == people[-1]
    assert len(set(people)) == 2
    assert all(person.startswith("web:") for person in people)


async def test_a_forged_cookie_is_nobody() -> None:
    """A name with another's signature, or with none, is not let in."""
    access = here(public=True)
    name, _, signature = access.new_cookie().partition(".")
    for forged in (f"x{name}.{signature}", name, f"{name}.", f".{signature}", "", f"{name}.é", f"é.{signature}"):
        async with client(access) as browser:
            assert (await browser.get("/", headers={"Cookie": f"{COOKIE}={forged}".encode()})).status_code == 401
    async with client(access) as browser:
        assert (await browser.get("/", headers={"Cookie": f"{COOKIE}={name}.{signature}"})).status_code == 200


async def test_a_token_that_is_not_even_ascii_lets_nobody_in() -> None:
    """It is as wrong as any other."""
    async with client(here(public=True)) as browser:
        assert (await browser.get("/?token=%C3%A9")).status_code == 401
        assert (await browser.get("/?token=%FF")).status_code == 401


async def test_token_and_cookies_hold_as_long_as_the_secret() -> None:
    """After a restart both are good; with another secret neither is. No guest can sign with the token."""
    before, after = here(public=True), here(public=True)
    other = WebAccess("127.0.0.1", ME, b"another secret", True)
    cookie = {"Cookie": f"{COOKIE}={before.new_cookie()}"}
    async with client(after) as browser:
        assert (await browser.get("/", headers=cookie)).status_code == 200
        assert (await browser.get(f"/?token={before.token}")).status_code == 303
    async with client(other) as browser:
        assert (await browser.get("/", headers=cookie)).status_code == 401
        assert (await browser.get(f"/?token={before.token}")).status_code == 401
    guest = WebAccess("127.0.0.1", ME, before.token.encode(), True)
    async with client(before) as browser:
        signed = {"Cookie": f"{COOKIE}={guest.new_cookie()}"}
        assert (await browser.get("/", headers=signed)).status_code == 401


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.com", ""])
def test_an_address_that_others_reach_is_refused_with_a_remedy(host: str) -> None:
    """Without --public, only loopback is served."""
    with pytest.raises(SettingsError, match="--public"):
        require_loopback(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_loopback_is_served(host: str) -> None:
    """Every name of this machine for itself will do."""
    require_loopback(host)


def test_the_secret_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    """A second call reads what the first one wrote; nobody else may."""
    first = load_secret(tmp_path / "home" / "page.secret")
    assert load_secret(tmp_path / "home" / "page.secret") == first
    assert len(first) == 32
    assert stat.S_IMODE((tmp_path / "home" / "page.secret").stat().st_mode) == 0o600


def test_a_damaged_secret_is_reported_not_used(tmp_path: Path) -> None:
    """A file that was cut short, by a full disk say, would make signatures that anybody can guess."""
    (tmp_path / "page.secret").write_bytes(b"")
    with pytest.raises(SettingsError, match="Delete the file"):
        load_secret(tmp_path / "page.secret")
