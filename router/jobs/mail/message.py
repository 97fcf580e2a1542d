"""One e-mail as the bytes that a mail server is handed."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from router.errors import Unclear
from router.jobs.mail.addresses import Address
from router.language.wording import one_line

# The header fields: whatever is written into one of them, it stays one line.
#
# The standard library reads a subject such as "=?utf-8?q?a=0Ab?=" as code and writes out what it means, a line
# break too. So words of people are turned into code here, and never read as such.

SUBJECT_MAX_CHARS = 400
NAME_MAX_CHARS = 80
_PLAIN_HEADER = re.compile(r"[ !-~]{1,60}")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


def subject_of(text: str) -> str:
    """Return the subject without blanks around it; raises Unclear where it is none, too long, or not one line."""
    subject = text.strip()
    if not subject:
        raise Unclear("The e-mail needs a subject.")
    if len(subject) > SUBJECT_MAX_CHARS:
        raise Unclear(f"The subject has {len(subject)} characters; at most {SUBJECT_MAX_CHARS} are taken. Shorten it.")
    if any(map(_unseen, subject)):
        raise Unclear(
            "The subject holds a line break or another character that cannot be seen, so it is not taken. "
            "Write it in one line."
        )
    return subject


def text_line(name: str, text: str) -> bytes:
    """Return a line of free text: as it is where every server bears that, else as RFC 2047 writes it."""
    return _line(name, text if _bare(text) else _coded(name, text))


def address_line(name: str, people: Sequence[tuple[str, Address]]) -> bytes:
    """Return a line of people with their names, each on a row of its own."""
    return _line(name, ",\r\n ".join(_person(name, *person) for person in people))


def date_line(name: str, when: datetime) -> bytes:
    """Return a line with a time."""
    return _line(name, format_datetime(when))


def plain_line(name: str, value: str) -> bytes:
    """Return a line of a value that the bot made; raises ValueError where it is not plain ASCII."""
    if not value.isascii() or not value.isprintable():
        raise ValueError(f"{name} cannot be written: {value!r}")
    return _line(name, value)


def _line(name: str, value: str) -> bytes:
    return f"{name}: {value}\r\n".encode()


def _person(line: str, name: str, address: Address) -> str:
    name = one_line(name)[:NAME_MAX_CHARS].rstrip()
    if not name:
        return address.wire
    quoted = '"' + re.sub(r'(["\\])', r"\\\1", name) + '"' if _bare(name) else _coded(line, name)
    return f"{quoted} <{address.wire}>"


def _bare(text: str) -> bool:
    return _PLAIN_HEADER.fullmatch(text) is not None and "=?" not in text and text == " ".join(text.split())


def _coded(name: str, text: str) -> str:
    return Header(text, "utf-8", header_name=name).encode(linesep="\r\n")


def _unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN_CATEGORIES


_NOT_IN_MAIL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_FILE_NAME_MAX_CHARS = 60


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along; `mime` is "text/csv" or the like."""

    name: str
    mime: str
    content: bytes


@dataclass(frozen=True, slots=True)
class EmailContent:
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


def message_bytes(letter: EmailContent) -> bytes:
    """Return the whole e-mail in ASCII, with CRLF at the end of each line."""
    lines = (
        date_line("Date", letter.when),
        address_line("From", [letter.sender]),
        address_line("Reply-To", [letter.reply_to]) if letter.reply_to else b"",
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
    return f"{one_line(kept)[:_FILE_NAME_MAX_CHARS].rstrip() or 'result'} {day:%Y-%m-%d}.{form}"


def _content(letter: EmailContent) -> EmailMessage:
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
    return _NOT_IN_MAIL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))
