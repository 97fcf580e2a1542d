"""The excess rights of a user of MySQL or MariaDB, by SHOW GRANTS: their views leave out roles, routines and proxies.

SHOW GRANTS names the user, the host and the object just as a REVOKE must name them. It also prints hashes of passwords:
of each line only the parts that are looked for go any further.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from router.sql.databases.excess import Excess, MayRead, Run, named, not_seen

_NAME = r"(?:`(?:[^`]|``)*`|'(?:[^']|'')*'|\w+)"
_WHO = rf"{_NAME}(?:@{_NAME})?"
_GRANT = re.compile(
    rf"GRANT (?P<privileges>.+?) ON (?P<on>(?:(?:TABLE|(?P<routine>FUNCTION|PROCEDURE|PACKAGE BODY|PACKAGE)) )?"
    rf"(?P<schema>\*|{_NAME})\.(?P<table>\*|{_NAME})|{_WHO}) TO (?P<who>{_WHO})(?P<rest>.*)",
    re.DOTALL,
)
_ROLES = re.compile(rf"GRANT (?P<roles>{_WHO}(?:, ?{_WHO})*) TO {_WHO}")
_PRIVILEGE = re.compile(r"[^,( ][^,(]*(?:\([^)]*\))?")

MYSQL_READ_PRIVILEGES = frozenset({"SELECT", "SHOW VIEW", "SHOW DATABASES", "USAGE"})
MYSQL_HARMLESS_PRIVILEGES = frozenset({"CREATE TEMPORARY TABLES", "LOCK TABLES"})
MYSQL_SYSTEM_SCHEMAS = frozenset({"information_schema", "performance_schema", "sys"})
"""Every user sees them, as far as their rights on tables go."""

READABLE_TABLES_SQL = "SELECT table_schema, table_name FROM information_schema.tables ORDER BY table_schema, table_name"

KINDS = {
    "server": "has rights on the whole server: {}",
    "tables": "may change what it reads: {}",
    "routines": "may run routines: {}",
    "harmless": "may make and lock tables: {}",
    "proxies": "may act as {}",
    "outside": "may read what this connection does not name: {}",
}
"""The kinds of excess privileges, in the order in which they are said."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A line of SHOW GRANTS: its privileges, what they are on, and who has them, as a REVOKE writes them."""

    privileges: tuple[str, ...]
    on: str
    who: str
    kind: str
    place: tuple[str, str]
    """The schema and the table, "" for all of them; the schema is a pattern of LIKE."""

    def covers(self, schema: str, table: str) -> bool:
        r"""Return whether it is on a table; % and _ stand for other text in a schema unless \ is before them."""
        parts = re.findall(r"\\.|.", self.place[0] or "%", re.DOTALL)
        pattern = "".join({"%": ".*", "_": "."}.get(part, re.escape(part[-1])) for part in parts)
        is_schema = re.fullmatch(pattern, schema, re.DOTALL | re.IGNORECASE)
        return bool(is_schema) and self.place[1] in ("", table) and self.kind in ("server", "tables")

    def named(self, privilege: str) -> str:
        """Return a privilege as a sentence names it."""
        return {"server": privilege, "proxies": self.on}.get(self.kind, f"{privilege} on {self.on}")


def mysql_excess_of(run: Run, error: type[Exception], may_read: MayRead) -> Iterator[Excess]:
    """Yield what the user could do by its grants, those of its roles, and those of everybody."""
    lines: list[str] = []
    roles = ["", *_everybody(run)]
    for role in roles:  # which gets longer meanwhile
        try:
            if role not in ("", "PUBLIC"):
                run(f"SET ROLE {role}")  # what a role may is shown to those who have taken it
            found = [str(row[0]) for row in run(f"SHOW GRANTS FOR {role}" if role else "SHOW GRANTS")]
        except error as refused:
            if role != "PUBLIC":
                yield not_seen(f"the grants of {role or 'the reading user'}", str(refused.args[-1]))
            continue
        lines += found
        roles += dict.fromkeys(each for line in found for each in roles_of(line) if each not in roles)
    try:
        tables = [(str(row[0]), str(row[1])) for row in run(READABLE_TABLES_SQL)]
    except error as refused:
        yield not_seen("the tables", str(refused.args[-1]))
        tables = []
    yield from judged(lines, [each for each in tables if each[0].lower() not in MYSQL_SYSTEM_SCHEMAS], may_read)


def judged(lines: Iterable[str], tables: Sequence[tuple[str, str]], may_read: MayRead) -> Iterator[Excess]:
    """Yield what lines of SHOW GRANTS say, on a server with these tables."""
    names: dict[str, list[str]] = {kind: [] for kind in KINDS}
    statements: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for grant in filter(None, map(grant_of, dict.fromkeys(lines))):
        covered = [table for table in tables if grant.covers(*table)]
        outside = [f"{schema}.{table}" for schema, table in covered if not may_read(schema, table)]
        kept = [_give(table, grant.who) for table in covered if may_read(*table)]
        for privilege in grant.privileges:
            name = privilege.partition(" (")[0]
            reads = name in ("SELECT", "ALL PRIVILEGES")
            take_away = [f"REVOKE {privilege} ON {grant.on} FROM {grant.who};", *(kept if reads else ())]
            if reads and outside:
                names["outside"] += outside
                statements["outside"] += take_away if name == "SELECT" else []  # the others lose all of it below
            if name not in MYSQL_READ_PRIVILEGES:
                kind = "harmless" if name in MYSQL_HARMLESS_PRIVILEGES and grant.kind == "tables" else grant.kind
                names[kind].append(grant.named(privilege))
                statements[kind] += take_away
    for kind, says in KINDS.items():
        if names[kind]:
            sentence = f"The reading user {says.format(named(names[kind]))}."
            yield Excess(sentence, tuple(dict.fromkeys(statements[kind])), grave=kind not in ("harmless", "outside"))


def grant_of(line: str) -> Grant | None:
    """Return what a line of SHOW GRANTS gives, None if it gives a role or nothing."""
    found = _GRANT.match(line)
    if not found:
        return None
    privileges = [part.strip() for part in _PRIVILEGE.findall(found["privileges"])]
    place = _bare(found["schema"] or "*"), _bare(found["table"] or "*")
    kind = "routines" if found["routine"] else "tables" if any(place) else "server" if found["schema"] else "proxies"
    if "WITH GRANT OPTION" in found["rest"] and kind != "proxies":
        privileges.append("GRANT OPTION")
    return Grant(tuple(privileges), found["on"], found["who"], kind, place)


def roles_of(line: str) -> list[str]:
    """Return the roles that a line of SHOW GRANTS gives."""
    found = None if " ON " in line else _ROLES.match(line)
    return re.findall(_WHO, found["roles"]) if found else []


def _everybody(run: Run) -> list[str]:
    """Return the role that everybody has, if this server has one."""
    version = re.match(r"(\d+)\.(\d+).*MariaDB", str(run("SELECT VERSION()")[0][0]), re.DOTALL)
    return ["PUBLIC"] if version and (int(version[1]), int(version[2])) >= (10, 11) else []


def _bare(name: str) -> str:
    if name == "*":
        return ""
    return name[1:-1].replace(name[0] * 2, name[0]) if name[0] in "`'" else name


def _give(table: tuple[str, str], who: str) -> str:
    """Return the statement by which people read a table as before, after everything was taken away."""
    schema, name = (part.replace("`", "``") for part in table)
    return f"GRANT SELECT ON `{schema}`.`{name}` TO {who};"
