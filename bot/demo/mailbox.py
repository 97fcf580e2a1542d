"""The demo's mail server: takes the bot's e-mails, keeps them in a folder, and sends none on.

Every account of this machine reaches its port, so it wants a password, which is made at each start and told the bot
alone.
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hmac import compare_digest
from pathlib import Path
from ssl import SSLContext
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from pydantic import SecretStr

from router.jobs.mail.addresses import address_of
from router.jobs.mail.mail_config import MailConfig, MailServer

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

T = TypeVar("T")

SENDER = "icc-bot@tarn-and-trail.example"
DEMO_ADDRESS = "you@tarn-and-trail.example"
"""The address of the person who tries the demo."""

_HERE, _USER = "127.0.0.1", "icc-bot"
_LETTER_SUFFIX = ".eml"


@contextmanager
def mailbox(folder: Path, lifetime: timedelta) -> Iterator[MailConfig]:
    """Take e-mails into the folder until the end of the block, and yield how to send there; old ones are deleted."""
    from aiosmtpd.smtp import SMTP

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _expire(folder, lifetime)
    keeper = _Keeper(folder, secrets.token_urlsafe(32))

    def speaker() -> SMTP:
        return SMTP(
            keeper,
            enable_SMTPUTF8=True,
            hostname="localhost",
            authenticator=keeper.authenticate,
            auth_require_tls=False,
            timeout=30,
        )

    with receiving(speaker) as port:
        server = MailServer(_HERE, port, "none", _USER, SecretStr(keeper.password))
        yield MailConfig(address_of(SENDER), "icc-bot (demo)", domains=None, server=server)


@contextmanager
def receiving(speaker: Callable[[], "SMTP"], tls: SSLContext | None = None) -> Iterator[int]:
    """Serve SMTP on a free port of loopback, in a thread of its own, until the end of the block; yields the port.

    `speaker` makes one side of a conversation for each that calls; raises OSError if there is no port.
    """
    loop = asyncio.new_event_loop()
    speakers: WeakSet[SMTP] = WeakSet()

    def speak() -> "SMTP":
        speakers.add(made := speaker())
        return made

    async def stop() -> None:
        server.close()
        for each in speakers:
            if each.transport is not None:
                each.transport.close()
        await asyncio.sleep(0)

    thread = Thread(target=loop.run_forever, name="mailbox", daemon=True)
    thread.start()
    try:
        server = _on(loop, loop.create_server(speak, _HERE, 0, ssl=tls))
        yield server.sockets[0].getsockname()[1]
        _on(loop, stop())
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _on(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run_coroutine_threadsafe(work, loop).result()


class _Keeper:
    """Keeps what is received, each e-mail a file whose name tells when it came."""

    def __init__(self, folder: Path, password: str) -> None:
        self._folder, self.password = folder, password

    def authenticate(
        self, server: "SMTP", session: "Session", envelope: "Envelope", mechanism: str, given: Any
    ) -> "AuthResult":
        """Return whether the login is the bot's."""
        from aiosmtpd.smtp import AuthResult, LoginPassword

        right = isinstance(given, LoginPassword) and compare_digest(given.password, self.password.encode())
        return AuthResult(success=right, handled=False)

    async def handle_MAIL(
        self, server: "SMTP", session: "Session", envelope: "Envelope", address: str, options: list[str]
    ) -> str:
        """Begin an e-mail of the bot's; nobody else's is taken."""
        if not session.authenticated:
            return "530 Only the bot's e-mails are kept here"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, server: "SMTP", session: "Session", envelope: "Envelope") -> str:
        """Keep one e-mail, and answer whether it was kept."""
        try:
            self._keep(envelope.original_content or b"")
        except OSError as error:
            return f"452 The mailbox cannot be written: {error.strerror}"
        return "250 Kept"

    def _keep(self, content: bytes) -> None:
        half = self._folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}{secrets.token_hex(1)}.part"
        try:
            with half.open("xb") as file:
                half.chmod(0o600)
                file.write(content)
            half.rename(half.with_suffix(_LETTER_SUFFIX))
        finally:
            half.unlink(missing_ok=True)


def _expire(folder: Path, lifetime: timedelta) -> None:
    for path in folder.iterdir():
        if (
            path.suffix in (_LETTER_SUFFIX, ".part")
            and path.stat().st_mtime < (datetime.now(UTC) - lifetime).timestamp()
        ):
            path.unlink(missing_ok=True)
