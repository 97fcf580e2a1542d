"""What a mail server said, or did not say, as a sentence for the person: nothing was sent, and what to do next."""

import re
import ssl
from collections.abc import Sequence
from smtplib import SMTPAuthenticationError, SMTPNotSupportedError, SMTPResponseException, SMTPServerDisconnected

from router.errors import JobFailed, Unsure
from router.jobs.cells import line, size
from router.jobs.mail.server import Server

_NOBODY = "Nothing was sent."
_LATER = "Try again in a few minutes."
_TELL = "Tell whoever runs this bot."
_TOO_LARGE = re.compile(rb"\b5\.3\.4\b|\b5\.2\.3\b")

LARGE = (
    "Take fewer rows or columns, choose Excel, which is smaller than CSV, or take the file here and put it where the "
    "others can fetch it."
)
"""What is advised where an e-mail is too large."""

Refused = tuple[str, int, bytes]
"""A recipient, and the code and the words they were refused with."""


def broken(server: Server, error: Exception) -> JobFailed:
    """Return what is said where the connection fails before the e-mail is handed over."""
    match error:
        case SMTPAuthenticationError():
            return refused_login(server, error.smtp_code, _bytes(error.smtp_error))
        case SMTPNotSupportedError():  # no AUTH, or no way of it that is known here
            why = "does not let the bot log in over this connection; SMTP_URL has a user all the same"
            return JobFailed(f"The mail server {server} {why}. {_NOBODY} {_TELL}")
        case SMTPResponseException():
            return said_no(server, "does not take e-mails now", error.smtp_code, _bytes(error.smtp_error))
        case ssl.SSLCertVerificationError():
            why = f"shows a certificate that is not trusted ({error.verify_message})"
            return JobFailed(f"The mail server {server} {why}. {_NOBODY} {_TELL}")
        case ssl.SSLError():
            why = "cannot be reached over TLS; perhaps smtp:// and smtps:// are mixed up in SMTP_URL"
            return JobFailed(f"The mail server {server} {why}. {_NOBODY} {_TELL}")
        case TimeoutError():
            return JobFailed(f"The mail server {server} does not answer. {_NOBODY} {_LATER}")
        case SMTPServerDisconnected():
            late = isinstance(error.__context__, TimeoutError)  # smtplib says the same of both
            return JobFailed(f"The mail server {server} {'does not answer' if late else 'hung up'}. {_NOBODY} {_LATER}")
        case OSError():
            why = error.strerror or type(error).__name__
            return JobFailed(f"The mail server {server} cannot be reached ({line(why, 80)}). {_NOBODY} {_LATER}")
    return JobFailed(f"The mail server {server} cannot be used ({type(error).__name__}). {_NOBODY} {_TELL}")


def refused_login(server: Server, code: int, reply: bytes) -> JobFailed:
    """Return what is said where user and password are not taken."""
    if 400 <= code < 500:
        return said_no(server, "cannot check the bot's login now", code, reply)
    return JobFailed(
        f"The mail server {server} refuses the bot's login{_words(server, code, reply)}. {_NOBODY} {_TELL}"
    )


def no_starttls(server: Server) -> JobFailed:
    """Return what is said where the connection cannot be made secret."""
    why = "offers no encryption (STARTTLS), and without it no e-mail leaves the bot"
    return JobFailed(f"The mail server {server} {why}. {_NOBODY} {_TELL}")


def no_international(server: Server, addresses: Sequence[str]) -> JobFailed:
    """Return what is said where addresses need what the server does not know (SMTPUTF8)."""
    return JobFailed(
        f"The mail server {server} knows no addresses in letters other than those of ASCII, as {_who(addresses)} has. "
        f"{_NOBODY} Use another address."
    )


def refused_sender(server: Server, sender: str, code: int, reply: bytes) -> JobFailed:
    """Return what is said where the server does not let the bot send as itself, or not as much."""
    if too_large(code, reply):
        return too_large_for(server)
    if code == 530:
        return JobFailed(
            f"The mail server {server} wants a login{_words(server, code, reply)}, and SMTP_URL has none that counts. "
            f"{_NOBODY} {_TELL}"
        )
    return said_no(server, f"does not let the bot send as {sender}", code, reply)


def refused_recipients(server: Server, refused: Sequence[Refused]) -> JobFailed:
    """Return what is said where some or all recipients are refused: then nobody gets the e-mail."""
    whom = "; ".join(f"{line(who, 80)}{_words(server, code, reply)}" for who, code, reply in refused[:5])
    more = f"; and {len(refused) - 5} more" if len(refused) > 5 else ""
    if all(400 <= code < 500 for _, code, _ in refused):
        return JobFailed(f"The mail server {server} cannot take for now: {whom}{more}. Nobody got the e-mail. {_LATER}")
    return JobFailed(
        f"The mail server {server} refuses: {whom}{more}. Nobody got the e-mail. Mend the addresses or leave them out."
    )


def refused_letter(server: Server, code: int, reply: bytes) -> JobFailed:
    """Return what is said where the server heard the whole e-mail and does not take it."""
    return too_large_for(server) if too_large(code, reply) else said_no(server, "refuses the e-mail", code, reply)


def too_large(code: int, reply: bytes) -> bool:
    """Tell whether a refusal is for the e-mail's size."""
    return code == 552 or (code >= 500 and _TOO_LARGE.search(reply) is not None)


def too_large_for(server: Server, limit: int = 0) -> JobFailed:
    """Return what is said where the server takes less at once, at most `limit` bytes where it told."""
    most = f": it takes {size(limit)}" if limit else ""
    return JobFailed(f"The e-mail is too large for the mail server {server}{most}. {_NOBODY} {LARGE}")


def said_no(server: Server, doing: str, code: int, reply: bytes) -> JobFailed:
    """Return what is said of any other refusal: one with a code from 400 may pass, one from 500 will not."""
    then = _LATER if 400 <= code < 500 else _TELL
    return JobFailed(f"The mail server {server} {doing}{_words(server, code, reply)}. {_NOBODY} {then}")


def lost(server: Server) -> Unsure:
    """Return what is said where the connection was lost while the e-mail was handed over."""
    return Unsure(
        f"The connection to the mail server {server} was lost while it took the e-mail: it may have gone out, or not. "
        "It is not sent again by itself. Ask a recipient, and send it again if it did not arrive."
    )


def _words(server: Server, code: int, reply: bytes) -> str:
    """Return code and words of a reply in brackets, in one line, and without a password that it may repeat."""
    text = reply.decode(errors="replace")
    if secret := server.password.get_secret_value():
        text = text.replace(secret, "…")
    said = line(" ".join(filter(None, (str(code) if code > 0 else "", text.strip()))), 160)
    return f" ({said})" if said else ""


def _who(addresses: Sequence[str]) -> str:
    return ", ".join(line(address, 80) for address in addresses)


def _bytes(reply: bytes | str) -> bytes:
    return reply.encode(errors="replace") if isinstance(reply, str) else reply
