"""What a MySQL or MariaDB user could do if the guard failed, read from SHOW GRANTS, and the REVOKE for each grant.

What SHOW GRANTS prints names the user, the host and the object just as a REVOKE must name them. It also prints hashes
of passwords: of each line only the parts that are looked for go any further.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from router.sql.databases.excess import Excess, MayRead, named, not_seen

Run = Callable[[str], Sequence[Sequence[Any]]]
"""Runs a query and returns its rows."""

_NAME = r"(?:`(?:[^`]|``)*`|'(?:[^']|'')*'|\w+)"
_WHO = rf"{_NAME}(?:@{_NAME})?"
_GRANT = re.compile(
    rf"GRANT (?P<privileges>.+?) ON (?P<on>(?:(?:TABLE|FUNCTION|PROCEDURE|PACKAGE BODY|PACKAGE) )?"
    rf"(?:\*|{_NAME})\.(?:\*|{_NAME})) TO (?P<who>{_WHO})(?P<rest>.*)",
    re.DOTALL,
)
_PROXY = re.compile(rf"GRANT PROXY ON (?P<on>{_WHO}) TO (?P<who>{_WHO})")
_ROLE = re.compile(rf"GRANT (?P<roles>{_WHO}(?:, ?{_WHO})*) TO (?P<who>{_WHO})")
_PRIVILEGE = re.compile(r"[^,(]+(?:\([^)]*\))?")

READS = ("SELECT", "SHOW VIEW", "SHOW DATABASES", "USAGE")
LIGHT = ("CREATE TEMPORARY TABLES", "LOCK TABLES")
OWN = ("information_schema", "performance_schema", "sys")
"""Every user sees them, as far as their rights on tables go."""

TABLES = "SELECT table_schema, table_name FROM information_schema.tables ORDER BY table_schema, table_name"


@dataclass(frozen=True, slots=True)
class Grant:
    """One line of SHOW GRANTS: its privileges, what they are on, and who has them, as a REVOKE writes them."""

    privileges: tuple[str, ...]
    on: str
    who: str
    grants: bool
    """Whether they may be passed on."""

    @property
    def place(self) -> tuple[str, str]:
        """The schema and the table, "" for all of them; the schema is a pattern of LIKE."""
        schema, table = re.findall(rf"\*|{_NAME}", re.sub(r"^[A-Z ]+ ", "", self.on))[:2]
        return _bare(schema), _bare(table)

    @property
    def routine(self) -> bool:
        """Whether it is on a function or a procedure."""
        return re.match(r"(FUNCTION|PROCEDURE|PACKAGE)", self.on) is not None


def excess_of(run: Run, error: type[Exception], may_read: MayRead) -> Iterator[Excess]:
    """Yield what the user could do by its grants, those of its roles, and those of everybody."""
    run("SET SESSION sql_mode = ''")
    lines: list[str] = []
    waiting, seen = ["", *_everybody(run)], set[str]()
    while waiting:
        role = waiting.pop(0)
        if role in seen:
            continue
        seen.add(role)
        try:
            if role not in ("", "PUBLIC"):
                run(f"SET ROLE {role}")  # what a role may is shown to those who have taken it
            found = [str(row[0]) for row in run(f"SHOW GRANTS FOR {role}" if role else "SHOW GRANTS")]
        except error as refused:
            if role != "PUBLIC":
                yield not_seen(f"the grants of {role or 'the reading user'}", str(refused.args[-1]).rstrip("."))
            continue
        lines += [line for line in found if line not in lines]
        waiting += [role for line in found for role in roles_of(line)]
    try:
        tables = [(str(row[0]), str(row[1])) for row in run(TABLES) if str(row[0]).lower() not in OWN]
    except error as refused:
        yield not_seen("the tables", str(refused.args[-1]).rstrip("."))
        tables = []
    yield from judged(lines, tables, may_read)


def judged(lines: Sequence[str], tables: Sequence[tuple[str, str]], may_read: MayRead) -> Iterator[Excess]:
    """Yield what lines of SHOW GRANTS say, on a server with these tables."""
    grants = [grant for line in lines if (grant := grant_of(line))]
    proxies = [found for line in lines if (found := _PROXY.match(line))]
    everywhere = [(grant, _beyond(grant)) for grant in grants if grant.place == ("", "")]
    somewhere = [(grant, _beyond(grant)) for grant in grants if grant.place != ("", "") and not grant.routine]
    routines = [(grant, _beyond(grant)) for grant in grants if grant.routine]
    light = [(grant, tuple(p for p in beyond if p in LIGHT)) for grant, beyond in somewhere]
    heavy = [(grant, tuple(p for p in beyond if p not in LIGHT)) for grant, beyond in somewhere]
    allowed = [table for table in tables if may_read(*table)]
    yield from _found("has rights on the whole server: {names}", everywhere, allowed, grave=True)
    yield from _found("may change what it reads: {names}", heavy, allowed, grave=True)
    yield from _found("may run routines: {names}", routines, allowed, grave=True)
    yield from _found("may make and lock tables: {names}", light, allowed)
    if proxies:
        names = named(found["on"] for found in proxies)
        statements = tuple(f"REVOKE PROXY ON {found['on']} FROM {found['who']};" for found in proxies)
        yield Excess(f"The reading user may act as {names}.", statements, grave=True)
    yield from _outside(grants, tables, may_read)


def grant_of(line: str) -> Grant | None:
    """Return what a line of SHOW GRANTS gives, None where it gives a role or nothing."""
    found = _GRANT.match(line)
    if not found or found["privileges"] == "PROXY":
        return None
    privileges = tuple(part.strip() for part in _PRIVILEGE.findall(found["privileges"]))
    return Grant(privileges, found["on"], found["who"], "WITH GRANT OPTION" in found["rest"])


def roles_of(line: str) -> list[str]:
    """Return the roles that a line of SHOW GRANTS gives."""
    found = None if " ON " in line else _ROLE.match(line)
    return re.findall(_WHO, found["roles"]) if found else []


def _everybody(run: Run) -> list[str]:
    """Return the role that everybody has, where this server has one."""
    version = re.match(r"(\d+)\.(\d+).*MariaDB", str(run("SELECT VERSION()")[0][0]), re.DOTALL)
    return ["PUBLIC"] if version and (int(version[1]), int(version[2])) >= (10, 11) else []


def _beyond(grant: Grant) -> tuple[str, ...]:
    """Return what a grant gives beyond reading."""
    beyond = tuple(each for each in grant.privileges if each.split(" (")[0] not in READS)
    return (*beyond, *["GRANT OPTION"] * grant.grants)


def _found(
    sentence: str,
    found: Sequence[tuple[Grant, tuple[str, ...]]],
    allowed: Sequence[tuple[str, str]],
    grave: bool = False,
) -> Iterator[Excess]:
    found = [(grant, privileges) for grant, privileges in found if privileges]
    if not found:
        return
    where = {"*.*": ""}
    names = [f"{each}{where.get(grant.on, f' on {grant.on}')}" for grant, given in found for each in given]
    statements = [
        statement
        for grant, privileges in found
        for statement in (
            # A server takes ALL PRIVILEGES and GRANT OPTION together in one form only, which takes everything.
            *(f"REVOKE {', '.join(p)} ON {grant.on} FROM {grant.who};" for p in _parts(privileges)),
            *(_reading(grant, allowed) if "ALL PRIVILEGES" in privileges and not grant.routine else ()),
        )
    ]
    yield Excess(f"The reading user {sentence.format(names=named(names))}.", tuple(statements), grave)


def _parts(privileges: tuple[str, ...]) -> list[tuple[str, ...]]:
    plain = tuple(each for each in privileges if each != "GRANT OPTION")
    return [part for part in (plain, ("GRANT OPTION",) * ("GRANT OPTION" in privileges)) if part]


def _reading(grant: Grant, allowed: Sequence[tuple[str, str]]) -> list[str]:
    """Return what lets people read as before after everything was taken away."""
    of_it = [table for table in allowed if _covers(grant, *table)]
    return [f"GRANT SELECT ON {_quoted(schema)}.{_quoted(table)} TO {grant.who};" for schema, table in of_it]


def _outside(grants: Sequence[Grant], tables: Sequence[tuple[str, str]], may_read: MayRead) -> Iterator[Excess]:
    names: list[str] = []
    statements: list[str] = []
    for grant in grants:
        reads = [each for each in grant.privileges if each.split(" (")[0] == "SELECT"]
        everything = "ALL PRIVILEGES" in grant.privileges and not grant.routine
        covered = [table for table in tables if _covers(grant, *table)]
        outside = [table for table in covered if not may_read(*table)]
        if not outside or not (reads or everything):
            continue
        names += [f"{schema}.{table}" for schema, table in outside]
        if reads:  # who has all privileges loses them above
            statements.append(f"REVOKE {', '.join(reads)} ON {grant.on} FROM {grant.who};")
            statements += _reading(grant, [table for table in covered if may_read(*table)])
    if names:
        sentence = f"The reading user may read what this connection does not name: {named(names)}."
        yield Excess(sentence, tuple(dict.fromkeys(statements)))


def _covers(grant: Grant, schema: str, table: str) -> bool:
    of_schema, of_table = grant.place
    return (not of_schema or _like(of_schema, schema)) and of_table in ("", table)


def _like(pattern: str, name: str) -> bool:
    r"""Tell whether a schema's name fits a grant's, in which % and _ stand for other text unless \ is before them."""
    parts = re.findall(r"\\.|.", pattern, re.DOTALL)
    expression = "".join({"%": ".*", "_": "."}.get(part, re.escape(part[-1])) for part in parts)
    return re.fullmatch(expression, name, re.DOTALL | re.IGNORECASE) is not None


def _bare(name: str) -> str:
    if name == "*":
        return ""
    return name[1:-1].replace(name[0] * 2, name[0]) if name[0] in "`'" else name


def _quoted(name: str) -> str:
    return "`{}`".format(name.replace("`", "``"))
