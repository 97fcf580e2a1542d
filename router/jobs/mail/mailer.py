"""Hands one e-mail to the mail server: to all of its recipients or to none."""

import re
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from smtplib import SMTP, SMTP_SSL, SMTPException
from threading import Lock

from router.errors import BotError, Stopped
from router.jobs.mail import trouble
from router.jobs.mail.addresses import Address
from router.jobs.mail.office import Office
from router.jobs.mail.server import Server

PATIENCE = 30.0
"""Seconds that the server may take for one answer."""
ACCEPTANCE = 300.0
"""Seconds that it may take for the whole e-mail's: it may look for viruses meanwhile."""

_GOODBYE = 2.0
_PIECE = 65_536
_DOTS = re.compile(rb"^\.", re.MULTILINE)


class Mailer:
    """One e-mail on its way; any thread may cancel it until the server is handed it."""

    def __init__(self, office: Office, patience: float = PATIENCE, acceptance: float = ACCEPTANCE) -> None:
        self.office = office
        self._patience, self._acceptance = patience, acceptance
        self._lock, self._cancelled, self._handed = Lock(), False, False
        self._socket: socket.socket | None = None

    def send(self, content: bytes, recipients: Sequence[Address], sending: Callable[[], None]) -> None:
        """Hand the e-mail over; `sending` is called before that which cannot be taken back.

        Raises JobFailed or Stopped where nobody gets it, Unsure where that cannot be known.
        """
        server = self.office.server
        with self._session() as smtp:
            self._address(smtp, content, recipients)
            self._commit(sending)
            code, reply = smtp.docmd("DATA")
            if code != 354:
                raise trouble.said_no(server, "does not take the e-mail", code, reply)
            try:
                code, reply = self._hand_over(smtp, content)
            except Exception as error:  # whatever it is, the server may have the e-mail
                raise trouble.lost(server) from error
            if not 200 <= code < 300:
                raise trouble.refused_letter(server, code, reply) if code >= 400 else trouble.lost(server)

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
            raise trouble.broken(self.office.server, error) from error
        finally:
            if smtp:
                self._leave(smtp)

    def _connected(self) -> SMTP:
        server, name = self.office.server, self.office.sender.domain
        if server.security == "tls":
            context = ssl.create_default_context()
            return SMTP_SSL(server.host, server.port, name, timeout=self._patience, context=context)
        return SMTP(server.host, server.port, name, timeout=self._patience)

    def _secure(self, smtp: SMTP) -> None:
        server = self.office.server
        _hello(smtp, server)
        if server.security == "starttls":
            if not smtp.has_extn("starttls"):
                raise trouble.no_starttls(server)
            smtp.starttls(context=ssl.create_default_context())
            self._hold(smtp)
            _hello(smtp, server)
        if server.user:
            _log_in(smtp, server)

    def _greet(self, smtp: SMTP, options: Sequence[str] = ()) -> None:
        code, reply = smtp.mail(self.office.sender.wire, options)
        if code != 250:
            raise trouble.refused_sender(self.office.server, self.office.sender.text, code, reply)

    def _address(self, smtp: SMTP, content: bytes, recipients: Sequence[Address]) -> None:
        """Tell the server who sends how much to whom; it is told to forget it where one recipient is refused."""
        server = self.office.server
        options = []
        if limit := smtp.esmtp_features.get("size", ""):
            if limit.isdecimal() and 0 < int(limit) < len(content):
                raise trouble.too_large_for(server, int(limit))
            options.append(f"SIZE={len(content)}")
        if foreign := [each for each in (self.office.sender, *recipients) if not each.wire.isascii()]:
            if not smtp.has_extn("smtputf8"):
                raise trouble.no_international(server, [address.text for address in foreign])
            smtp.command_encoding = "utf-8"
            options += ["SMTPUTF8", "BODY=8BITMIME"]
        self._greet(smtp, options)
        replies = [(address.text, *smtp.rcpt(address.wire)) for address in recipients]
        if refused := [reply for reply in replies if reply[1] not in (250, 251)]:
            smtp.rset()
            raise trouble.refused_recipients(server, refused)

    def _commit(self, sending: Callable[[], None]) -> None:
        with self._lock:
            if self._cancelled:
                raise Stopped("Stopped, as you asked. Nothing was sent.")
            self._handed = True
        sending()

    def _hand_over(self, smtp: SMTP, content: bytes) -> tuple[int, bytes]:
        """Send the e-mail piece by piece, since the time-out is for each piece, and return the server's answer."""
        text = _DOTS.sub(b"..", content)
        for start in range(0, len(text), _PIECE):
            smtp.send(text[start : start + _PIECE])
        smtp.send(b".\r\n")
        self._hold(smtp).settimeout(self._acceptance)
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
                smtp.sock.settimeout(_GOODBYE)
                smtp.quit()
        smtp.close()


def _hello(smtp: SMTP, server: Server) -> None:
    code, reply = smtp.ehlo()
    if code >= 500:  # it knows the old greeting only
        code, reply = smtp.helo()
    if not 200 <= code < 300:
        raise trouble.said_no(server, "does not take e-mails now", code, reply)


def _log_in(smtp: SMTP, server: Server) -> None:
    user, password = server.user, server.password.get_secret_value()
    if f"{user}{password}".isascii():
        smtp.login(user, password)
        return
    # The standard library knows passwords in ASCII only, the standard those in UTF-8.
    code, reply = smtp.docmd("AUTH", "PLAIN " + b64encode(f"\0{user}\0{password}".encode()).decode())
    if code != 235:
        raise trouble.refused_login(server, code, reply)
