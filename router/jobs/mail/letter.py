"""One e-mail as the bytes that a mail server is handed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP

from router.jobs.mail.addresses import Address
from router.jobs.mail.lines import address_line, date_line, one_line, plain_line, text_line

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_LONGEST_FILE = 60


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along; `mime` is "text/csv" or the like."""

    name: str
    mime: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """Everything that stands in an e-mail; `id` is the same whenever it is sent again."""

    id: str
    sender: tuple[str, Address]
    recipients: Sequence[Address]
    subject: str
    text: str
    html: str
    when: datetime
    reply_to: tuple[str, Address] | None = None
    attachment: Attachment | None = None

    @property
    def international(self) -> bool:
        """Whether an address cannot be written in ASCII, so that the server must know SMTPUTF8."""
        return not all(address.wire.isascii() for address in (self.sender[1], *self.recipients))


def letter_bytes(letter: Letter) -> bytes:
    """Return the whole e-mail with CRLF at the end of each line, in ASCII but for addresses that cannot be."""
    reply = letter.reply_to
    if reply and not reply[1].wire.isascii() and not letter.international:
        reply = None  # an answer to the bot is better than no e-mail, where the server may not take such an address
    lines = (
        date_line("Date", letter.when),
        address_line("From", [letter.sender]),
        address_line("Reply-To", [reply]) if reply else b"",
        address_line("To", [("", address) for address in letter.recipients]),
        text_line("Subject", letter.subject),
        plain_line("Message-ID", f"<{letter.id}>"),
        plain_line("Auto-Submitted", "auto-generated"),
        plain_line("X-Auto-Response-Suppress", "All"),
    )
    return b"".join(lines) + _content(letter).as_bytes(policy=SMTP)


def file_name(words: str, day: datetime, form: str) -> str:
    """Return a name that every system takes: "Revenue by store 2026-11-22.csv"."""
    kept = "".join(character if character.isalnum() or character in "-_" else " " for character in words)
    return f"{one_line(kept, _LONGEST_FILE) or 'result'} {day:%Y-%m-%d}.{form}"


def _content(letter: Letter) -> EmailMessage:
    """Return the parts of the e-mail; no line of their tops holds anything of people's but the file's name."""
    message = EmailMessage(policy=SMTP)
    message.set_content(_seen(letter.text), charset="utf-8", cte="quoted-printable")
    message.add_alternative(_seen(letter.html), subtype="html", charset="utf-8", cte="quoted-printable")
    if letter.attachment:
        kind, _, subtype = letter.attachment.mime.partition("/")
        message.add_attachment(letter.attachment.content, kind, subtype, filename=letter.attachment.name)
    return message


def _seen(text: str) -> str:
    """Return the text without what no client can show."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))
