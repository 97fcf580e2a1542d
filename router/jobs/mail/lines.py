"""The lines at the top of an e-mail: whatever is written into one of them, it stays one line.

The standard library reads a subject such as "=?utf-8?q?a=0Ab?=" as code and writes out what it means, a line break too.
So words of people are turned into code here, and never read as such.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from email.header import Header
from email.utils import format_datetime

from router.errors import Unclear
from router.jobs.mail.addresses import Address

LONGEST_SUBJECT = 400
_LONGEST_NAME = 80
_PLAIN = re.compile(r"[ !-~]{1,60}")
_UNSEEN = frozenset({"Cc", "Cs", "Zl", "Zp"})


def subject_of(text: str) -> str:
    """Return the subject without blanks around it; raises Unclear where it is none, too long, or not one line."""
    subject = text.strip()
    if not subject:
        raise Unclear("The e-mail needs a subject.")
    if len(subject) > LONGEST_SUBJECT:
        raise Unclear(f"The subject has {len(subject)} characters; at most {LONGEST_SUBJECT} are taken. Shorten it.")
    if any(map(_unseen, subject)):
        raise Unclear(
            "The subject holds a line break or another character that cannot be seen, so it is not taken. "
            "Write it in one line."
        )
    return subject


def one_line(text: str, longest: int = _LONGEST_NAME) -> str:
    """Return the text as one line that holds nothing unseen, cut where it is too long."""
    words = "".join(" " if _unseen(character) else character for character in text).split()
    return " ".join(words)[:longest].rstrip()


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
    name = one_line(name)
    if not name:
        return address.wire
    quoted = '"' + re.sub(r'(["\\])', r"\\\1", name) + '"' if _bare(name) else _coded(line, name)
    return f"{quoted} <{address.wire}>"


def _bare(text: str) -> bool:
    return _PLAIN.fullmatch(text) is not None and "=?" not in text and text == " ".join(text.split())


def _coded(name: str, text: str) -> str:
    return Header(text, "utf-8", header_name=name).encode(linesep="\r\n")


def _unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN
