"""Bearer tokens, and as whom a request with one is done.

Each token stands for a person and some scopes; only its hash is kept, so that nobody reads it from a disk. A token is
a line of a file: its name, its person, its scopes, the hash. With the scope act_for it speaks for
others, whom headers name.
"""

import hashlib
import hmac
import logging
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, get_args

from aiohttp import web

from adapters import wire
from adapters.api.throttle import WrongTokens
from router.errors import SettingsError, Unclear
from router.jobs.mail.addresses import address_of
from router.memory.draft import User
from router.storage.edited_files import put, sign_of

log = logging.getLogger("icc_bot")

TokenScope = Literal["read", "write", "email", "act_for"]
TOKEN_SCOPES: Final[tuple[TokenScope, ...]] = get_args(TokenScope)

BEARER_PREFIX: Final = "icc_"
"""The beginning of every token, so that it is recognised in a log or a repository."""

API_USER_ID_PREFIX: Final = "api:"
"""The beginning of the ids of people whom the API knows by a token of their own."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_HASH = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[a-z]+:\S+")
_FORM = "A token is written: NAME PERSON SCOPES HASH; icc-bot api --new-token prints one."


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token as it is kept, which is not the token itself."""

    name: str
    user: User
    scopes: frozenset[TokenScope]
    hash: str = field(repr=False)

    @property
    def line(self) -> str:
        """The token as a line of the file."""
        person = self.user.email or self.user.id
        return f"{self.name} {person} {','.join(scope for scope in TOKEN_SCOPES if scope in self.scopes)} {self.hash}"


def person_of(text: str) -> User:
    """Return the person of an e-mail address, or of an id such as "slack:U123"; raises Unclear if it is neither."""
    if _ID.fullmatch(text):
        return User(text)
    address = address_of(text).text
    return User(f"{API_USER_ID_PREFIX}{address.casefold()}", "", address)


def scopes_of(text: str) -> frozenset[TokenScope]:
    """Return the scopes of a list with commas; raises Unclear with the first that is none."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in TOKEN_SCOPES:
            raise Unclear(f'There is no scope "{name[:20]}"; there are {", ".join(TOKEN_SCOPES)}.')
    if not names:
        raise Unclear(f"A token needs one scope at least; there are {', '.join(TOKEN_SCOPES)}.")
    return frozenset(scope for scope in TOKEN_SCOPES if scope in names)


def new_token(name: str, user: User, scopes: frozenset[TokenScope]) -> tuple[str, ApiToken]:
    """Return a fresh token, to be shown once, and what is kept of it; raises Unclear for a name that is none."""
    if not _NAME.fullmatch(name):
        raise Unclear("A token's name is made of 1 to 40 letters, digits and the signs _ . -")
    secret = BEARER_PREFIX + secrets.token_urlsafe(32)
    return secret, ApiToken(name, user, scopes, _hash(secret))


class ApiTokens:
    """All tokens of a file, which is read again whenever it changes."""

    def __init__(self, path: Path) -> None:
        """Read them; raises SettingsError with every line that is wrong, without what stands in it."""
        self._path, self._state = path, sign_of(path)
        self._kept = self._from_file()

    def all(self) -> tuple[ApiToken, ...]:
        """Return those that are valid now; none if the file became unreadable."""
        state = sign_of(self._path)
        if state != self._state:
            self._state = state
            try:
                self._kept = self._from_file()
            except SettingsError as error:
                log.error("no token of %s is taken: %s", self._path, error)
                self._kept = ()
        return self._kept

    def find(self, secret: str) -> ApiToken | None:
        """Return the token; what is compared are hashes, so that the time it takes says nothing of the token."""
        asked = _hash(secret)
        return next((token for token in self.all() if hmac.compare_digest(token.hash, asked)), None)

    def add(self, token: ApiToken) -> None:
        """Keep a new token in the file; raises Unclear if its name is taken."""
        if any(other.name == token.name for other in self.all()):
            raise Unclear(f"There is a token {token.name} already: choose another name, or revoke that one.")
        self._write((*self._kept, token))

    def revoke(self, name: str) -> None:
        """Take a token out of the file: from now on nobody is let in by it. Raises Unclear if there is none."""
        self.all()
        left = tuple(token for token in self._kept if token.name != name)
        if len(left) == len(self._kept):
            raise Unclear(f"{self._path} has no token {name[:40]}.")
        self._write(left)

    def _from_file(self) -> tuple[ApiToken, ...]:
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError([f"{self._path} cannot be read ({type(error).__name__})."]) from None
        return _read(lines, self._path.name)

    def _write(self, tokens: Iterable[ApiToken]) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path.touch(mode=0o600)
        put(self._path, "".join(f"{token.line}\n" for token in tokens).encode())


def _read(lines: Iterable[str], file: str) -> tuple[ApiToken, ...]:
    tokens: dict[str, ApiToken] = {}
    problems = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            token = _token(line)
            if token.name in tokens:
                raise Unclear("Another token has this name.")
            tokens[token.name] = token
        except Unclear as error:
            problems.append(f"{file}, line {number}: {error}")
    if problems:
        raise SettingsError(problems)
    return tuple(tokens.values())


def _token(line: str) -> ApiToken:
    parts = line.split()
    if len(parts) != 4 or not _NAME.fullmatch(parts[0]) or not _HASH.fullmatch(parts[3]):
        raise Unclear(_FORM)
    return ApiToken(parts[0], person_of(parts[1]), scopes_of(parts[2]), parts[3])


def _hash(secret: str) -> str:
    """Return the hash; a token is random, so that one quick round of it is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def token_of(tokens: ApiTokens, authorization: str, client: str, wrong: WrongTokens) -> ApiToken:
    """Return the token of the header Authorization; raises HTTPException if it has none that is known."""
    scheme, _, secret = authorization.partition(" ")
    if scheme.lower() == "bearer" and (token := tokens.find(secret.strip())):
        return token
    if scheme and (seconds := wrong.count(client)):
        raise web.HTTPTooManyRequests(
            text="There were too many wrong tokens. A right one is let in at any time.",
            headers={"Retry-After": str(seconds)},
        )
    raise web.HTTPUnauthorized(
        text="This needs a token that is known: Authorization: Bearer icc_...",
        headers={"WWW-Authenticate": 'Bearer realm="icc-bot"'},
    )


def acting_people(token: ApiToken, headers: Mapping[str, str]) -> tuple[User | None, User | None]:
    """Return who acts, and who approved, where the headers name them; raises HTTPException if the token may not."""
    acting, approver = (_named(token, name, headers.get(name)) for name in (wire.ACTING_HEADER, wire.APPROVED_HEADER))
    if approver and not acting:
        raise web.HTTPUnprocessableEntity(
            text=f"The header {wire.APPROVED_HEADER} goes with the header {wire.ACTING_HEADER} only."
        )
    return acting, approver


def _named(token: ApiToken, header: str, text: str | None) -> User | None:
    if text is None:
        return None
    if "act_for" not in token.scopes:
        raise web.HTTPForbidden(text=f"This token lacks the scope act_for, without which {header} says nothing.")
    user = wire.person_of(text)
    if user.id.startswith(API_USER_ID_PREFIX):
        raise web.HTTPForbidden(text=f"{header}: nobody acts for those who have a token of their own.")
    return user
