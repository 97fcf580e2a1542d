"""Files on their way into a OneDrive: whole, in parts that it takes, whatever happens to one of them."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from adapters.serving import LOOPBACK, listening_on
from adapters.teams.calls import session
from adapters.teams.uploads import NotUploaded, Uploads
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.world import File

UNIT = 320 * 1024
NOBODY = "https://0.0.0.0:1/up"
"""Where nobody answers, and no other machine is asked."""


@pytest.fixture
def teams() -> Iterator[Teams]:
    """A Teams with its OneDrive."""
    with Teams() as made:
        yield made


@pytest.fixture
def whole() -> bytes:
    """What is in the file: two and a half parts."""
    return bytes(n % 251 for n in range(UNIT * 5 // 2))


@pytest.fixture
def path(tmp_path: Path, whole: bytes) -> Path:
    """The file."""
    path = tmp_path / "rows.csv"
    path.write_bytes(whole)
    return path


def address(teams: Teams, path: Path) -> str:
    """Return where this file may be put."""
    with teams.lock:
        person, size = teams.world.person("ana"), path.stat().st_size
        teams.world.files["f"] = File("f", path.name, size, person)
    return f"{teams.root}/upload/f"


@asynccontextmanager
async def uploads() -> AsyncIterator[Uploads]:
    """Give what puts files, in small parts and without long waits."""
    async with session() as http:
        yield Uploads(http, pause=0.001, part=UNIT)


@pytest.mark.parametrize("how", ["", "503", "429", "500", "drop", "lose", "garbage"])
@pytest.mark.parametrize("at", [0, 1, 2])
async def test_every_byte_arrives_once(teams: Teams, path: Path, whole: bytes, how: str, at: int) -> None:
    """A file goes in parts; one that is put off or lost goes again from where OneDrive says, without any token."""
    url = address(teams, path)
    good = "slow"  # it is done, and answered at once
    if how:
        for each in [good] * at + [how]:
            teams.fail("upload", each, retry_after=-1)
    async with uploads() as made:
        await made.put(url, path)
    (file,) = teams.files
    assert file.content == whole
    assert [call.body["size"] for call in teams.asked("upload") if call.ok][:1] == [UNIT]
    assert teams.faults == []


@pytest.mark.parametrize(
    ("status", "why"),
    [("403", "did not allow"), ("404", "does not know the place"), ("400", "did not take it$"), ("413", "too large")],
)
async def test_a_no_is_not_asked_again(teams: Teams, path: Path, status: str, why: str) -> None:
    """What OneDrive will not change its mind about ends the upload, with the reason in words."""
    url = address(teams, path)
    teams.fail("upload", status)
    async with uploads() as made:
        with pytest.raises(NotUploaded, match=why):
            await made.put(url, path)
    assert len(teams.asked("upload")) == 1


async def test_it_goes_nowhere_else(path: Path) -> None:
    """A redirect is not followed."""
    asked: list[str] = []

    async def moved(request: web.Request) -> web.Response:
        asked.append(request.path)
        await request.read()
        return web.Response(status=307, headers={"Location": "/elsewhere"})

    site = web.Application(client_max_size=UNIT * 2)
    site.router.add_route("*", "/{any}", moved)
    async with listening_on(site, 0, LOOPBACK) as port, uploads() as made:
        with pytest.raises(NotUploaded, match="did not take it"):
            await made.put(f"http://127.0.0.1:{port}/up", path)
    assert asked == ["/up"]


@pytest.mark.parametrize(
    "url",
    ["http://onedrive.example/up", "ftp://127.0.0.1/up", "https://a:b@onedrive.example/up", "file:///etc/passwd", ""],
)
async def test_it_is_read_by_nobody_on_the_way(path: Path, url: str) -> None:
    """Only https, or this machine, is sent anything."""
    async with uploads() as made:
        with pytest.raises(NotUploaded, match="not safe"):
            await made.put(url, path)


@pytest.mark.parametrize("url", ["https://10.0.0.5/admin", "https://onedrive.example/up", NOBODY])
async def test_it_goes_to_onedrive_alone(path: Path, url: str) -> None:
    """What a person's client names as the place is asked nothing unless it is OneDrive's, or an administrator's."""
    async with uploads() as made:
        with pytest.raises(NotUploaded, match="none of OneDrive's"):
            await made.put(url, path)
    async with session() as http:
        others = Uploads(http, frozenset({"0.0.0.0"}), pause=0.001)
        with pytest.raises(NotUploaded, match="however often I tried"):
            await others.put(NOBODY, path)
