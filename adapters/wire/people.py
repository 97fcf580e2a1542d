"""A person in a header: who acts, or who approved, in a request of a token that speaks for others."""

import re
from typing import Final
from urllib.parse import parse_qsl, urlencode

from router.errors import Unclear
from router.jobs.mail.addresses import address_of
from router.memory import User

ACTING: Final = "Acting-For"
APPROVED: Final = "Approved-By"

LONGEST: Final = 2000
PATTERN: Final = r"^id=[!-~]{3,1900}$"
"""How such a header looks from outside."""

_ID = re.compile(r"[a-z]+:\S{1,200}")
_FIELDS = ("id", "name", "email")


def text_of(user: User) -> str:
    """Return the person as a header has them."""
    return urlencode({name: getattr(user, name) for name in _FIELDS if name == "id" or getattr(user, name)})


def person_of(text: str) -> User:
    """Return the person of a header; raises Unclear where it is none."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=3)
    except ValueError:
        pairs = []
    given = dict(pairs)
    sound = len(text) <= LONGEST and len(given) == len(pairs) and given.keys() <= set(_FIELDS)
    if not sound or not _ID.fullmatch(given.get("id", "")):
        raise Unclear("A person is written id=slack%3AU0123ABCD&name=Ana&email=ana%40example.com.")
    if given.get("email"):
        address_of(given["email"])
    if not given.get("name", "").isprintable():
        raise Unclear("A person's name is one line of text.")
    return User(given["id"], given.get("name", ""), given.get("email", ""))
