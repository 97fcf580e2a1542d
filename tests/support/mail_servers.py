"""Real mail servers on loopback that do as they are told: refuse, hang up, wait, or take what comes."""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pydantic import SecretStr

from bot.demo.mailbox import receiving
from router.jobs.mail.addresses import address_of
from router.jobs.mail.mail_config import MailConfig, MailServer, Security

USER, PASSWORD = "bot@example.com", "p@ss:w/rd#ä%"
SENDER = "reports@example.com"


@dataclass
class PostOffice:
    """One server: what it is to do at which step, and what came to it.

    Steps are EHLO, STARTTLS, AUTH, MAIL, RCPT, "RCPT ana@example.com", DATA, BODY (in the middle of it), END.
    """

    port: int = 0
    says: dict[str, str] = field(default_factory=dict)
    dies: str = ""
    waits: str = ""
    takes: float = 0.0
    """Seconds that each step takes."""
    users: dict[str, str] = field(default_factory=dict)
    letters: list[tuple[list[str], bytes]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def mail_config(self, security: Security = "none", user: str = "", password: str = "", **rules: Any) -> MailConfig:
        """Return how to send to it."""
        server = MailServer("localhost", self.port, security, user, SecretStr(password))
        return MailConfig(
            address_of(SENDER), "Reports", server=server, **{"domains": frozenset({"example.com"}), **rules}
        )

    def be(self, step: str, answer: str) -> None:
        """Answer so at this step from here on, or die there; be well where nothing is said."""
        self.says = {step: answer} if answer else {}
        self.dies = "" if answer else step

    def read(self) -> EmailMessage:
        """Return the only e-mail that came, as a client reads it."""
        ((_, content),) = self.letters
        read = message_from_bytes(content, policy=default)
        assert isinstance(read, EmailMessage)
        return read

    def login(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        """Let in who is known."""
        known = self.users.get(data.login.decode()) == data.password.decode()
        return AuthResult(success=known, handled=False)

    async def handle_DATA(self, server: "Moody", session: Session, envelope: Envelope) -> str:
        """Take an e-mail, unless something else was said; the answer may get lost afterwards."""
        if refusal := self.says.get("END"):
            return refusal
        self.letters.append((envelope.rcpt_tos, envelope.original_content or b""))
        await server.moody("END")
        return "250 Taken"


class Moody(SMTP):
    """One side of a conversation, as its post office wants it."""

    mail_config: PostOffice

    async def moody(self, step: str) -> bool:
        """Do what is to be done at this step in place of the usual; returns whether that was anything."""
        self.mail_config.steps.append(step)
        await asyncio.sleep(self.mail_config.takes)
        if self.mail_config.dies == step:
            assert isinstance(self.transport, asyncio.Transport)
            self.transport.abort()
            await asyncio.sleep(30)
        if self.mail_config.waits == step:
            await asyncio.sleep(30)
        if step in self.mail_config.says:
            await self.push(self.mail_config.says[step])
        return step in self.mail_config.says

    async def smtp_EHLO(self, hostname: str) -> None:
        if not await self.moody("EHLO"):
            await super().smtp_EHLO(hostname)

    async def smtp_STARTTLS(self, arg: str) -> None:
        if not await self.moody("STARTTLS"):
            await super().smtp_STARTTLS(arg)

    async def smtp_AUTH(self, arg: str) -> None:
        if not await self.moody("AUTH"):
            await super().smtp_AUTH(arg)

    async def smtp_MAIL(self, arg: str) -> None:
        if not await self.moody("MAIL"):
            await super().smtp_MAIL(arg)

    async def smtp_RCPT(self, arg: str) -> None:
        whom = arg.partition("<")[2].partition(">")[0]
        if not await self.moody("RCPT") and not await self.moody(f"RCPT {whom}"):
            await super().smtp_RCPT(arg)

    async def smtp_RSET(self, arg: str) -> None:
        self.mail_config.steps.append("RSET")
        await super().smtp_RSET(arg)

    async def smtp_DATA(self, arg: str) -> None:
        if await self.moody("DATA"):
            return
        if "BODY" in (self.mail_config.dies, self.mail_config.waits):
            await self.push("354 Go on")
            await self._reader.readexactly(1)
            await self.moody("BODY")
        await super().smtp_DATA(arg)


@contextmanager
def post_office(*, tls: bool = False, certificate: Path | None = None, **speech: Any) -> Iterator[PostOffice]:
    """Serve until the end of the block; with a certificate it offers STARTTLS, with `tls` it speaks TLS at once."""
    mail_config = PostOffice()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH) if certificate else None
    if context and certificate:
        context.load_cert_chain(certificate)
        context.verify_mode = ssl.CERT_NONE
    options: dict[str, Any] = {"enable_SMTPUTF8": True, "hostname": "post.example", **speech}
    if not tls:
        options["tls_context"] = context

    def speaker() -> SMTP:
        made = Moody(mail_config, authenticator=mail_config.login, auth_exclude_mechanism=["LOGIN"], **options)
        made.mail_config = mail_config
        return made

    with receiving(speaker, context if tls else None) as mail_config.port:
        yield mail_config


@cache
def key() -> ec.EllipticCurvePrivateKey:
    """Make one key for all certificates."""
    return ec.generate_private_key(ec.SECP256R1())


def certificate_in(folder: Path, name: str = "localhost") -> Path:
    """Write a certificate for this machine, with its key; a client that trusts the file trusts the server."""
    who, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]), datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName(name), x509.IPAddress(ip_address("127.0.0.2"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key().public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key(), SHA256())
    )
    path = folder / f"{name}.pem"
    private = key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    return path
