"""A person in a header: who acts, or who approved, in a request of a token that speaks for others."""

import re
from typing import Final
from urllib.parse import parse_qsl, urlencode

from router.errors import Unclear
from router.memory import User

ACTING: Final = "Acting-For"
APPROVED: Final = "Approved-By"

LONGEST: Final = 6000
PATTERN: Final = r"^id=[!-~]{3,5900}$"
"""How such a header looks from outside."""

_ID = re.compile(r"[a-z]+:[^\x00-\x1f\x7f]{1,200}")
_EMAIL = re.compile(r"[^\s@]{1,64}@[^\s@]{1,255}")
"""Platforms know addresses of all kinds, such as those at a domain of the house's own."""
_NAME = 200
_FIELDS = ("id", "name", "email")


def text_of(user: User) -> str:
    """Return the person as a header has them: what is no address is left out, and a long name cut."""
    email = user.email if _EMAIL.fullmatch(user.email) else ""
    given = {"id": user.id, "name": user.name[:_NAME], "email": email}
    return urlencode({name: value for name, value in given.items() if value or name == "id"}, errors="replace")


def person_of(text: str) -> User:
    """Return the person of a header; raises Unclear where it is none."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=3)
    except ValueError:
        pairs = []
    given = dict(pairs)
    known = len(text) <= LONGEST and len(given) == len(pairs) and given.keys() <= set(_FIELDS)
    email = given.get("email", "")
    if not known or not _ID.fullmatch(given.get("id", "")) or (email and not _EMAIL.fullmatch(email)):
        raise Unclear("A person is written id=slack%3AU0123ABCD&name=Ana&email=ana%40example.com.")
    return User(given["id"], given.get("name", ""), email)


def same(one: User, other: User) -> bool:
    """Tell whether two are the same person, as far as a header tells."""
    return text_of(one) == text_of(other)
