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
    """Return the subject without blanks around it; raises Unclear if it is none, too long, or not one line."""
    subject = text.strip()
    if not subject:
        raise Unclear("The e-mail needs a subject.")
    if len(subject) > SUBJECT_MAX_CHARS:
        raise Unclear(f"The subject has {len(subject)} characters; at most {SUBJECT_MAX_CHARS} are taken. Shorten it.")
    if any(map(_is_unseen, subject)):
        raise Unclear(
            "The subject holds a line break or another character that cannot be seen, so it is not taken. "
            "Write it in one line."
        )
    return subject


def _header(name: str, value: str) -> bytes:
    """Return a line of the header, folded or not; raises ValueError if it would be another line, or is not ASCII."""
    text = value.replace("\r\n ", "")
    if not text.isascii() or not text.isprintable():
        raise ValueError(f"{name} cannot be written: {value!r}")
    return f"{name}: {value}\r\n".encode()


def _text(name: str, text: str) -> str:
    """Return free text unchanged if every server bears that, else as RFC 2047 writes it."""
    return text if _is_bare(text) else _coded(name, text)


def _person(line: str, person: tuple[str, Address]) -> str:
    """Return an address with the name of its owner before it, if there is one."""
    name, address = one_line(person[0])[:NAME_MAX_CHARS].rstrip(), person[1].wire
    if not name:
        return address
    quoted = '"' + re.sub(r'(["\\])', r"\\\1", name) + '"' if _is_bare(name) else _coded(line, name)
    return f"{quoted} <{address}>"


def _is_bare(text: str) -> bool:
    return _PLAIN_HEADER.fullmatch(text) is not None and "=?" not in text and text == " ".join(text.split())


def _coded(name: str, text: str) -> str:
    return Header(text, "utf-8", header_name=name).encode(linesep="\r\n")


def _is_unseen(character: str) -> bool:
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
    headers = {
        "Date": format_datetime(letter.when),
        "From": _person("From", letter.sender),
        "Reply-To": _person("Reply-To", letter.reply_to) if letter.reply_to else "",
        "To": ",\r\n ".join(address.wire for address in letter.recipients),
        "Subject": _text("Subject", letter.subject),
        "Message-ID": f"<{letter.id}>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
    }
    lines = (_header(name, value) for name, value in headers.items() if value)
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
