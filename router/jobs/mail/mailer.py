"""Hands one e-mail to the mail server: to all of its recipients or to none."""

import re
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from smtplib import (
    SMTP,
    SMTP_SSL,
    SMTPAuthenticationError,
    SMTPException,
    SMTPNotSupportedError,
    SMTPResponseException,
    SMTPServerDisconnected,
)
from threading import Lock

from router.errors import BotError, JobFailed, Stopped, Unsure
from router.jobs.mail.addresses import Address
from router.jobs.mail.mail_config import MailConfig, MailServer
from router.jobs.results.cells import line
from router.language.wording import size_words

# A mail server's answer, or its silence, as a sentence for the person: nothing was sent, and what to do next.

_NOBODY = "Nothing was sent."
_LATER = "Try again in a few minutes."
_TELL = "Tell your administrator."
_TOO_LARGE = re.compile(rb"\b5\.3\.4\b|\b5\.2\.3\b")

LARGE = (
    "Take fewer rows or columns, choose Excel, which is smaller than CSV, or take the file here and put it where the "
    "others can fetch it."
)
"""The advice where an e-mail is too large."""

_NOT_NOW = "does not take e-mails now"
_NO_LOGIN = "refuses the bot's login"

Refused = tuple[str, int, bytes]
"""A recipient, and the code and the words they were refused with."""


def failed(server: MailServer, why: str, then: str = _TELL) -> JobFailed:
    """Return the failure whose sentence says what the server does, and what to do next."""
    return JobFailed(f"The mail server {server} {why}. {_NOBODY} {then}")


def broken(server: MailServer, error: Exception) -> JobFailed:
    """Return what is said where the connection fails before the e-mail is handed over."""
    match error:
        case SMTPNotSupportedError():  # no AUTH, or no way of it that is known here
            return failed(server, "does not let the bot log in over this connection; SMTP_URL has a user all the same")
        case SMTPResponseException(smtp_code=code, smtp_error=reply):
            doing = _NO_LOGIN if isinstance(error, SMTPAuthenticationError) else _NOT_NOW
            return said_no(server, doing, code, reply.encode(errors="replace") if isinstance(reply, str) else reply)
        case ssl.SSLCertVerificationError():
            return failed(server, f"shows a certificate that is not trusted ({error.verify_message})")
        case ssl.SSLError():
            return failed(server, "cannot be reached over TLS; perhaps smtp:// and smtps:// are mixed up in SMTP_URL")
        case SMTPServerDisconnected() if not isinstance(error.__context__, TimeoutError):
            return failed(server, "hung up", _LATER)
        case TimeoutError() | SMTPServerDisconnected():  # smtplib says the latter of both
            return failed(server, "does not answer", _LATER)
        case OSError():
            why = error.strerror or type(error).__name__
            return failed(server, f"cannot be reached ({line(why, 80)})", _LATER)
    return failed(server, f"cannot be used ({type(error).__name__})")


def refused_sender(server: MailServer, sender: str, code: int, reply: bytes) -> JobFailed:
    """Return what is said where the server does not let the bot send as itself, or not as much."""
    if code == 530:
        return failed(server, f"wants a login{_words(server, code, reply)}, and SMTP_URL has none that counts")
    return said_no(server, f"does not let the bot send as {sender}", code, reply)


def refused_recipients(server: MailServer, refused: Sequence[Refused]) -> JobFailed:
    """Return what is said where some or all recipients are refused: then nobody gets the e-mail."""
    whom = "; ".join(f"{line(who, 80)}{_words(server, code, reply)}" for who, code, reply in refused[:5])
    more = f"; and {len(refused) - 5} more" if len(refused) > 5 else ""
    if all(400 <= code < 500 for _, code, _ in refused):
        return JobFailed(f"The mail server {server} cannot take for now: {whom}{more}. Nobody got the e-mail. {_LATER}")
    return JobFailed(
        f"The mail server {server} refuses: {whom}{more}. Nobody got the e-mail. Mend the addresses or leave them out."
    )


def too_large(code: int, reply: bytes) -> bool:
    """Tell whether a refusal is for the e-mail's size."""
    return code == 552 or (code >= 500 and _TOO_LARGE.search(reply) is not None)


def too_large_for(server: MailServer, limit: int = 0) -> JobFailed:
    """Return what is said where the server takes less at once, at most `limit` bytes where it told."""
    most = f": it takes {size_words(limit)}" if limit else ""
    return JobFailed(f"The e-mail is too large for the mail server {server}{most}. {_NOBODY} {LARGE}")


def said_no(server: MailServer, doing: str, code: int, reply: bytes) -> JobFailed:
    """Return what is said of any other refusal: one with a code from 400 may pass, one from 500 will not."""
    if too_large(code, reply):
        return too_large_for(server)
    return failed(server, f"{doing}{_words(server, code, reply)}", _LATER if 400 <= code < 500 else _TELL)


def lost(server: MailServer) -> Unsure:
    """Return what is said where the connection was lost while the e-mail was handed over."""
    return Unsure(
        f"The connection to the mail server {server} was lost while it took the e-mail: it may have gone out, or not. "
        "It is not sent again by itself. Ask a recipient, and send it again if it did not arrive."
    )


def _words(server: MailServer, code: int, reply: bytes) -> str:
    """Return code and words of a reply in brackets, in one line, and without a password that it may repeat."""
    text = reply.decode(errors="replace")
    if secret := server.password.get_secret_value():
        text = text.replace(secret, "…")
    said = line(" ".join(filter(None, (str(code) if code > 0 else "", text.strip()))), 160)
    return f" ({said})" if said else ""


SMTP_ANSWER_SECONDS = 30.0
"""Seconds that the server may take for one answer."""
SMTP_ACCEPTANCE_SECONDS = 300.0
"""Seconds that it may take for the whole e-mail's: it may look for viruses meanwhile."""

_QUIT_SECONDS = 2.0
_PIECE_BYTES = 65_536
_DOTS = re.compile(rb"^\.", re.MULTILINE)


class Mailer:
    """One e-mail on its way; any thread may cancel it until the server is handed it."""

    def __init__(
        self,
        mail_config: MailConfig,
        answer_seconds: float = SMTP_ANSWER_SECONDS,
        acceptance_seconds: float = SMTP_ACCEPTANCE_SECONDS,
    ) -> None:
        self.mail_config = mail_config
        self._answer_seconds, self._acceptance_seconds = answer_seconds, acceptance_seconds
        self._lock, self._cancelled, self._handed = Lock(), False, False
        self._socket: socket.socket | None = None

    def send(self, content: bytes, recipients: Sequence[Address], sending: Callable[[], None]) -> None:
        """Hand the e-mail over; `sending` is called before that which cannot be taken back.

        Raises JobFailed or Stopped where nobody gets it, Unsure where that cannot be known.
        """
        server = self.mail_config.server
        with self._session() as smtp:
            self._address(smtp, content, recipients)
            self._commit(sending)
            code, reply = smtp.docmd("DATA")
            if code != 354:
                raise said_no(server, "does not take the e-mail", code, reply)
            try:
                code, reply = self._hand_over(smtp, content)
            except Exception as error:  # whatever it is, the server may have the e-mail
                raise lost(server) from error
            if not 200 <= code < 300:
                raise said_no(server, "refuses the e-mail", code, reply) if code >= 400 else lost(server)

    def probe(self) -> None:
        """Connect, log in and name the sender, and send nothing; raises JobFailed."""
        with self._session() as smtp:
            self._greet(smtp)
            smtp.rset()

    def cancel(self) -> None:
        """End it with nobody getting the e-mail, unless the server is being handed it."""
        with self._lock:
            self._cancelled = not self._handed
            running = self._socket if self._cancelled else None
        if running:
            with suppress(OSError):
                running.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def _session(self) -> Iterator[SMTP]:
        """Lend a connection that is logged in; what goes wrong on it is a sentence."""
        smtp: SMTP | None = None
        try:
            smtp = self._connected()
            self._hold(smtp)
            self._secure(smtp)
            yield smtp
        except BotError:
            raise
        except (OSError, SMTPException) as error:
            if self._cancelled:
                raise Stopped("Stopped, as you asked. Nothing was sent.") from None
            raise broken(self.mail_config.server, error) from error
        finally:
            if smtp:
                self._leave(smtp)

    def _connected(self) -> SMTP:
        server, name = self.mail_config.server, self.mail_config.sender.domain
        if server.security == "tls":
            context = ssl.create_default_context()
            return SMTP_SSL(server.host, server.port, name, timeout=self._answer_seconds, context=context)
        return SMTP(server.host, server.port, name, timeout=self._answer_seconds)

    def _secure(self, smtp: SMTP) -> None:
        server = self.mail_config.server
        _hello(smtp, server)
        if server.security == "starttls":
            if not smtp.has_extn("starttls"):
                why = "offers no encryption (STARTTLS), and without it no e-mail leaves the bot"
                raise failed(server, why)
            smtp.starttls(context=ssl.create_default_context())
            self._hold(smtp)
            _hello(smtp, server)
        if server.user:
            _log_in(smtp, server)

    def _greet(self, smtp: SMTP, options: Sequence[str] = ()) -> None:
        code, reply = smtp.mail(self.mail_config.sender.wire, options)
        if code != 250:
            raise refused_sender(self.mail_config.server, self.mail_config.sender.text, code, reply)

    def _address(self, smtp: SMTP, content: bytes, recipients: Sequence[Address]) -> None:
        """Tell the server who sends how much to whom; it is told to forget it where one recipient is refused."""
        server = self.mail_config.server
        options = []
        if limit := smtp.esmtp_features.get("size", ""):
            if limit.isdecimal() and 0 < int(limit) < len(content):
                raise too_large_for(server, int(limit))
            options.append(f"SIZE={len(content)}")
        if foreign := [each for each in (self.mail_config.sender, *recipients) if not each.wire.isascii()]:
            if not smtp.has_extn("smtputf8"):
                whose = ", ".join(line(address.text, 80) for address in foreign)
                why = f"knows no addresses in letters other than those of ASCII, as {whose} has"
                raise failed(server, why, "Use another address.")
            smtp.command_encoding = "utf-8"
            options += ["SMTPUTF8", "BODY=8BITMIME"]
        self._greet(smtp, options)
        replies = [(address.text, *smtp.rcpt(address.wire)) for address in recipients]
        if refused := [reply for reply in replies if reply[1] not in (250, 251)]:
            smtp.rset()
            raise refused_recipients(server, refused)

    def _commit(self, sending: Callable[[], None]) -> None:
        with self._lock:
            if self._cancelled:
                raise Stopped("Stopped, as you asked. Nothing was sent.")
            self._handed = True
        sending()

    def _hand_over(self, smtp: SMTP, content: bytes) -> tuple[int, bytes]:
        """Send the e-mail piece by piece, since the time-out is for each piece, and return the server's answer."""
        text = _DOTS.sub(b"..", content)
        for start in range(0, len(text), _PIECE_BYTES):
            smtp.send(text[start : start + _PIECE_BYTES])
        smtp.send(b".\r\n")
        self._hold(smtp).settimeout(self._acceptance_seconds)
        return smtp.getreply()

    def _hold(self, smtp: SMTP) -> socket.socket:
        """Keep the socket where `cancel` finds it."""
        assert smtp.sock is not None
        with self._lock:
            self._socket = smtp.sock
            if self._cancelled:
                raise Stopped("Stopped, as you asked. Nothing was sent.")
        return self._socket

    def _leave(self, smtp: SMTP) -> None:
        with suppress(OSError, SMTPException):
            if smtp.sock is not None:
                smtp.sock.settimeout(_QUIT_SECONDS)
                smtp.quit()
        smtp.close()


def _hello(smtp: SMTP, server: MailServer) -> None:
    code, reply = smtp.ehlo()
    if code >= 500:  # it knows the old greeting only
        code, reply = smtp.helo()
    if not 200 <= code < 300:
        raise said_no(server, _NOT_NOW, code, reply)


def _log_in(smtp: SMTP, server: MailServer) -> None:
    user, password = server.user, server.password.get_secret_value()
    if f"{user}{password}".isascii():
        smtp.login(user, password)
        return
    # The standard library knows passwords in ASCII only, the standard those in UTF-8.
    code, reply = smtp.docmd("AUTH", "PLAIN " + b64encode(f"\0{user}\0{password}".encode()).decode())
    if code != 235:
        raise said_no(server, _NO_LOGIN, code, reply)
