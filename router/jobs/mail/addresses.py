"""Addresses of e-mails as people type them: checked by their form alone, and nobody is asked whether they exist."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from router.errors import Unclear
from router.jobs.results.cells import line
from router.language.folding import caseless
from router.language.phrases import is_all
from router.memory.draft import User

_BETWEEN = re.compile(r'(?:"[^"\n]*"|<[^<>\n]*>|[^,;\n])+')
_NAMED_ADDRESS = re.compile(r"(?P<name>[^<>]*)<(?P<address>[^<>]*)>")
_ROUTED = re.compile("[%!]")
"""Old ways to name a mailbox elsewhere, which some servers still follow: eve%evil.example@example.com."""
_BETWEEN_ADDRESSES = re.compile(r"\s+(?:and|&)\s+|^and\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """One mailbox: `text` is how people read it, `wire` how mail servers do, in ASCII."""

    text: str
    wire: str
    domain: str
    """In ASCII and small letters."""


def address_of(text: str) -> Address:
    """Return the address; raises Unclear with what is wrong with it."""
    from email_validator import EmailNotValidError, validate_email  # heavy if nobody is mailed to

    typed = text.strip().removeprefix("mailto:").rstrip(".")
    try:
        found = validate_email(typed, check_deliverability=False, allow_smtputf8=False)
    except EmailNotValidError as error:
        raise Unclear(f'"{line(text.strip(), 80)}" is no e-mail address: {_small(str(error))}') from None
    if _ROUTED.search(found.local_part):
        raise Unclear(f'"{line(typed, 80)}" names another address within it, and mail servers may send it there.')
    domain = found.ascii_domain.lower()
    return Address(found.normalized, f"{found.local_part}@{found.ascii_domain}", domain)


def named(text: str) -> tuple[str, Address]:
    """Return name and address of "Ana Example <ana@example.com>"; the name may be missing. Raises Unclear."""
    if parts := _NAMED_ADDRESS.fullmatch(text.strip()):
        return parts["name"].strip().strip('"').strip(), address_of(parts["address"])
    return "", address_of(text)


def recipients_of(text: str, asker: User) -> tuple[str, ...]:
    """Return each address of a list with commas, semicolons or line breaks once, as people read it.

    "me" and the asker's own name mean their own address. Raises Unclear with the one that is wrong.
    """
    found: dict[str, str] = {}
    for typed in _typed(text, asker):
        address = _own(typed, asker) if _means(typed, asker) else _other(typed)
        found.setdefault(address.wire.casefold(), address.text)
    if not found:
        raise Unclear("Who should get it? Type one or more e-mail addresses with commas between, or: me.")
    return tuple(found.values())


def own_address(asker: User) -> str:
    """Return the word for the asker's own address, as a form has it; empty if they have none."""
    return "me" if asker.email else ""


def _typed(text: str, asker: User) -> Iterator[str]:
    for part in _whole(text, asker):
        for piece in filter(None, map(str.strip, _BETWEEN_ADDRESSES.split(part) if "<" not in part else [part])):
            words = piece.split()
            yield from words if len(words) > 1 and all("@" in word for word in words) and "<" not in piece else [piece]


def _whole(text: str, asker: User) -> Iterator[str]:
    """Yield the parts of a list; of "Lee, Bob <bob@example.com>" both are one, as mail programs write names."""
    name = ""
    for found in _BETWEEN.finditer(text):
        part = found[0]
        if name and "<" in part:
            part, name = f"{name},{part}", ""
        elif name:
            yield name
        lone = len(part.split()) == 1 and "@" not in part and not _means(part, asker)
        name = part if lone and text[found.end() : found.end() + 1] == "," else ""
        if not name:
            yield part


def _means(typed: str, asker: User) -> bool:
    word = caseless(typed).rstrip(".")
    return is_all("mail.myself", word) or (bool(asker.name.strip()) and word == caseless(asker.name))


def _other(typed: str) -> Address:
    if "@" not in typed.lstrip("<@"):  # a mention is somebody whose address is not known
        raise Unclear(f"I don't know “{line(typed, 80)}”. Type an address such as ana@example.com.")
    return named(typed)[1]


def _own(typed: str, asker: User) -> Address:
    if not asker.email:
        raise Unclear(f"I don't know the address that “{line(typed, 80)}” means: type your e-mail address out.")
    return address_of(asker.email)


def _small(sentence: str) -> str:
    """Return the library's sentence as the second half of one."""
    return sentence[:1].lower() + sentence[1:]
