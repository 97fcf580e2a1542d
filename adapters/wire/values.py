"""Values of rows as JSON, exactly: what came from a database comes back equal on the other side."""

import re
from base64 import b64decode, b64encode
from math import isfinite
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from router.errors import Unclear
from router.jobs.results.codec import decode, encode
from router.memory.draft import User

# A person in a header.


ACTING_HEADER: Final = "Acting-For"
APPROVED_HEADER: Final = "Approved-By"

PEOPLE_HEADER_MAX_CHARS: Final = 6000
PEOPLE_HEADER_PATTERN: Final = r"^id=[!-~]{3,5900}$"
"""The form of such a header from outside."""

_USER_ID = re.compile(r"[a-z]+:[^\x00-\x1f\x7f]{1,200}")
_EMAIL = re.compile(r"[^\s@]{1,64}@[^\s@]{1,255}")
"""Platforms know addresses of all kinds, such as those at a domain of the company's own."""
_FIELD_MAX_CHARS = 200
_FIELDS = ("id", "name", "email")


def text_of(user: User) -> str:
    """Return the person as a header has them: what is no address is left out, and a long name cut."""
    email = user.email if _EMAIL.fullmatch(user.email) else ""
    given = {"id": user.id, "name": user.name[:_FIELD_MAX_CHARS], "email": email}
    return urlencode({name: value for name, value in given.items() if value or name == "id"}, errors="replace")


def person_of(text: str) -> User:
    """Return the person of a header; raises Unclear where it is none."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=3)
    except ValueError:
        pairs = []
    given = dict(pairs)
    known = len(text) <= PEOPLE_HEADER_MAX_CHARS and len(given) == len(pairs) and given.keys() <= set(_FIELDS)
    email = given.get("email", "")
    if not known or not _USER_ID.fullmatch(given.get("id", "")) or (email and not _EMAIL.fullmatch(email)):
        raise Unclear("A person is written id=slack%3AU0123ABCD&name=Ana&email=ana%40example.com.")
    return User(given["id"], given.get("name", ""), email)


def same(one: User, other: User) -> bool:
    """Tell whether two are the same person, as far as a header tells."""
    return text_of(one) == text_of(other)


UNKNOWN_FORM: Final = "a value of a row is of no form that is known"


def to_wire(value: Any) -> Any:
    """Return a value as JSON has it: a text or a number as it is, anything else in an object that names its form."""
    stored = encode(value)
    if isinstance(stored, bytes):
        return {"b": b64encode(stored).decode()}
    if isinstance(stored, float) and not isfinite(stored):
        return {"f": repr(stored)}
    return stored


def from_wire(given: Any) -> Any:
    """Return the value that `to_wire` was given; raises ValueError for what is of no such form."""
    try:
        match given:
            case {"b": str(text)}:
                return decode(b64decode(text, validate=True))
            case {"f": str(text)}:
                return float(text)
            case None | str() | int() | float():
                return given
    except (ValueError, KeyError) as error:
        raise ValueError(UNKNOWN_FORM) from error
    raise ValueError(UNKNOWN_FORM)
