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
    SMTPDataError,
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

LARGE = (
    "Take fewer rows or columns, choose Excel, which is smaller than CSV, or take the file here and put it where the "
    "others can fetch it."
)
"""The advice if an e-mail is too large."""

_LATER = "Try again in a few minutes."
_TELL = "Tell your administrator."
_TOO_LARGE = re.compile(rb"\b5\.3\.4\b|\b5\.2\.3\b")

Refused = tuple[str, int, bytes]
"""A recipient, and the code and the words they were refused with."""


def failed(server: MailServer, why: str, then: str = _TELL) -> JobFailed:
    """Return the failure whose sentence says what the server does, and what to do next."""
    return JobFailed(f"The mail server {server} {why}. Nothing was sent. {then}")


def refused(server: MailServer, doing: str, code: int, reply: bytes) -> JobFailed:
    """Return the failure of a refusal: one with a code from 400 may pass, one from 500 will not."""
    if code == 552 or (code >= 500 and _TOO_LARGE.search(reply)):
        return too_large(server)
    return failed(server, f"{doing}{_words(server, code, reply)}", _LATER if 400 <= code < 500 else _TELL)


def too_large(server: MailServer, limit: int = 0) -> JobFailed:
    """Return the failure if the server takes less at once, at most `limit` bytes if it told."""
    most = f": it takes {size_words(limit)}" if limit else ""
    return JobFailed(f"The e-mail is too large for the mail server {server}{most}. Nothing was sent. {LARGE}")


def recipients_refused(server: MailServer, them: Sequence[Refused]) -> JobFailed:
    """Return the failure if some or all recipients are refused: then nobody gets the e-mail."""
    whom = "; ".join(f"{line(who, 80)}{_words(server, code, reply)}" for who, code, reply in them[:5])
    more = f"; and {len(them) - 5} more" if len(them) > 5 else ""
    later = all(400 <= code < 500 for _, code, _ in them)
    does, then = ("cannot take for now", _LATER) if later else ("refuses", "Mend the addresses or leave them out.")
    return JobFailed(f"The mail server {server} {does}: {whom}{more}. Nobody got the e-mail. {then}")


def broken(server: MailServer, error: Exception) -> JobFailed:
    """Return the failure if the connection fails before the e-mail is handed over."""
    match error:
        case SMTPNotSupportedError():  # no AUTH, or no way of it that is known here
            return failed(server, "does not let the bot log in over this connection; SMTP_URL has a user all the same")
        case SMTPResponseException(smtp_code=code, smtp_error=reply):
            login = isinstance(error, SMTPAuthenticationError)
            doing = "refuses the bot's login" if login else "does not take e-mails now"
            return refused(server, doing, code, reply.encode(errors="replace") if isinstance(reply, str) else reply)
        case ssl.SSLCertVerificationError():
            return failed(server, f"shows a certificate that is not trusted ({error.verify_message})")
        case ssl.SSLError():
            return failed(server, "cannot be reached over TLS; perhaps smtp:// and smtps:// are mixed up in SMTP_URL")
        case SMTPServerDisconnected() if not isinstance(error.__context__, TimeoutError):
            return failed(server, "hung up", _LATER)
        case TimeoutError() | SMTPServerDisconnected():  # smtplib says the latter of both
            return failed(server, "does not answer", _LATER)
    why = error.strerror if isinstance(error, OSError) else None
    return failed(server, f"cannot be reached ({line(why or type(error).__name__, 80)})", _LATER)


def lost(server: MailServer) -> Unsure:
    """Return the doubt if the connection was lost while the e-mail was handed over."""
    return Unsure(
        f"The connection to the mail server {server} was lost while it took the e-mail: it may have gone out, or not. "
        "It is not sent again by itself. Ask a recipient, and send it again if it did not arrive."
    )


def _words(server: MailServer, code: int, reply: bytes) -> str:
    """Return code and words of a reply in brackets, in one line, and without a password that it may repeat."""
    text = reply.decode(errors="replace")
    if secret := server.password.get_secret_value():
        text = text.replace(secret, "…")
    said = line(f"{code if code > 0 else ''} {text}".strip(), 160)
    return f" ({said})" if said else ""


SMTP_ANSWER_SECONDS = 30.0
"""Seconds that the server may take for one answer."""
SMTP_ACCEPTANCE_SECONDS = 300.0
"""Seconds that it may take for the whole e-mail, and for its answer to that: it may look for viruses meanwhile."""

_QUIT_SECONDS = 2.0


class Mailer:
    """One e-mail on its way; any thread may cancel it until the server is handed it."""

    def __init__(
        self,
        mail_config: MailConfig,
        answer_seconds: float = SMTP_ANSWER_SECONDS,
        acceptance_seconds: float = SMTP_ACCEPTANCE_SECONDS,
    ) -> None:
        self.mail_config, self._server = mail_config, mail_config.server
        self._answer_seconds, self._acceptance_seconds = answer_seconds, acceptance_seconds
        self._lock, self._cancelled, self._handed = Lock(), False, False
        self._socket: socket.socket | None = None

    def send(self, content: bytes, recipients: Sequence[Address], sending: Callable[[], None]) -> None:
        """Hand the e-mail over; `sending` is called before that which cannot be taken back.

        Raises JobFailed or Stopped if nobody gets it, Unsure if that cannot be known.
        """
        with self._session() as smtp:
            self._address(smtp, content, recipients)
            self._require_going_on(handed=True)
            sending()
            self._hold(smtp).settimeout(self._acceptance_seconds)
            try:
                code, reply = smtp.data(content)
            except SMTPDataError as error:
                reply = error.smtp_error.encode() if isinstance(error.smtp_error, str) else error.smtp_error
                raise refused(self._server, "does not take the e-mail", error.smtp_code, reply) from None
            except Exception as error:  # whatever it is, the server may have the e-mail
                raise lost(self._server) from error
            if code >= 400:
                raise refused(self._server, "refuses the e-mail", code, reply)
            if not 200 <= code < 300:
                raise lost(self._server)

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
            self._secure(smtp)
            yield smtp
        except BotError:
            raise
        except (OSError, SMTPException) as error:
            self._require_going_on()
            raise broken(self._server, error) from error
        finally:
            if smtp:
                with suppress(OSError, SMTPException):
                    self._hold(smtp).settimeout(_QUIT_SECONDS)
                    smtp.quit()
                smtp.close()

    def _connected(self) -> SMTP:
        server, name = self._server, self.mail_config.sender.domain
        if server.security == "tls":
            context = ssl.create_default_context()
            return SMTP_SSL(server.host, server.port, name, timeout=self._answer_seconds, context=context)
        return SMTP(server.host, server.port, name, timeout=self._answer_seconds)

    def _secure(self, smtp: SMTP) -> None:
        """Encrypt the connection if that is not done yet, and log in."""
        self._hold(smtp)
        self._require_going_on()
        _greet_server(smtp)
        if self._server.security == "starttls":
            if not smtp.has_extn("starttls"):
                raise failed(self._server, "offers no encryption (STARTTLS), and without it no e-mail leaves the bot")
            smtp.starttls(context=ssl.create_default_context())
            self._hold(smtp)
            _greet_server(smtp)
        if self._server.user:
            _log_in(smtp, self._server.user, self._server.password.get_secret_value())

    def _greet(self, smtp: SMTP, options: Sequence[str] = ()) -> None:
        code, reply = smtp.mail(self.mail_config.sender.wire, options)
        if code != 250:
            doing = f"does not let the bot send as {self.mail_config.sender.text}"
            raise refused(self._server, doing, code, reply)

    def _address(self, smtp: SMTP, content: bytes, recipients: Sequence[Address]) -> None:
        """Send the server the envelope: sender, size and recipients; it is reset if one recipient is refused."""
        options = []
        if limit := smtp.esmtp_features.get("size", ""):
            if limit.isdecimal() and 0 < int(limit) < len(content):
                raise too_large(self._server, int(limit))
            options.append(f"SIZE={len(content)}")
        self._greet(smtp, options)
        replies = [(address.text, *smtp.rcpt(address.wire)) for address in recipients]
        if wrong := [reply for reply in replies if reply[1] not in (250, 251)]:
            smtp.rset()
            raise recipients_refused(self._server, wrong)

    def _require_going_on(self, *, handed: bool = False) -> None:
        """Raise Stopped if it was cancelled; once the e-mail is handed over, that is too late."""
        with self._lock:
            if self._cancelled:
                raise Stopped("Stopped, as you asked. Nothing was sent.")
            self._handed = handed

    def _hold(self, smtp: SMTP) -> socket.socket:
        """Return the socket, kept where `cancel` finds it."""
        if smtp.sock is None:
            raise SMTPServerDisconnected
        self._socket = smtp.sock
        return smtp.sock


def _greet_server(smtp: SMTP) -> None:
    code, reply = smtp.ehlo()
    if code >= 500:  # it knows the old greeting only
        code, reply = smtp.helo()
    if not 200 <= code < 300:
        raise SMTPResponseException(code, reply)


def _log_in(smtp: SMTP, user: str, password: str) -> None:
    if f"{user}{password}".isascii():
        smtp.login(user, password)
        return
    # The standard library knows passwords in ASCII only, the standard those in UTF-8.
    code, reply = smtp.docmd("AUTH", "PLAIN " + b64encode(f"\0{user}\0{password}".encode()).decode())
    if code != 235:
        raise SMTPAuthenticationError(code, reply)
