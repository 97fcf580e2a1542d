"""The excess rights of a user of MySQL, MariaDB, Oracle or SQL Server, which it would have if the guard failed.

Each query reads views that every user may read. Those of Oracle and SQL Server follow the manuals: no test ran them on
a real server.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from router.sql.databases.session import Excess, ExcessQuery, MayRead, named, not_seen

# MySQL and MariaDB: SHOW GRANTS names the user, the host and the object just as a REVOKE must name them. It also
# prints hashes of passwords: of each line only the parts that are looked for go any further.

Run = Callable[[str], Sequence[Sequence[Any]]]
"""Runs a query and returns its rows."""

_MYSQL_NAME = r"(?:`(?:[^`]|``)*`|'(?:[^']|'')*'|\w+)"
_WHO = rf"{_MYSQL_NAME}(?:@{_MYSQL_NAME})?"
_GRANT = re.compile(
    rf"GRANT (?P<privileges>.+?) ON (?P<on>(?:(?:TABLE|FUNCTION|PROCEDURE|PACKAGE BODY|PACKAGE) )?"
    rf"(?:\*|{_MYSQL_NAME})\.(?:\*|{_MYSQL_NAME})) TO (?P<who>{_WHO})(?P<rest>.*)",
    re.DOTALL,
)
_PROXY = re.compile(rf"GRANT PROXY ON (?P<on>{_WHO}) TO (?P<who>{_WHO})")
_ROLE = re.compile(rf"GRANT (?P<roles>{_WHO}(?:, ?{_WHO})*) TO (?P<who>{_WHO})")
_PRIVILEGE = re.compile(r"[^,(]+(?:\([^)]*\))?")

MYSQL_READ_PRIVILEGES = ("SELECT", "SHOW VIEW", "SHOW DATABASES", "USAGE")
MYSQL_HARMLESS_PRIVILEGES = ("CREATE TEMPORARY TABLES", "LOCK TABLES")
MYSQL_SYSTEM_SCHEMAS = ("information_schema", "performance_schema", "sys")
"""Every user sees them, as far as their rights on tables go."""

READABLE_TABLES_SQL = "SELECT table_schema, table_name FROM information_schema.tables ORDER BY table_schema, table_name"


@dataclass(frozen=True, slots=True)
class Grant:
    """One line of SHOW GRANTS: its privileges, what they are on, and who has them, as a REVOKE writes them."""

    privileges: tuple[str, ...]
    on: str
    who: str
    grants: bool
    """True where they may be passed on."""

    @property
    def place(self) -> tuple[str, str]:
        """The schema and the table, "" for all of them; the schema is a pattern of LIKE."""
        schema, table = re.findall(rf"\*|{_MYSQL_NAME}", re.sub(r"^[A-Z ]+ ", "", self.on))[:2]
        return _bare(schema), _bare(table)

    @property
    def routine(self) -> bool:
        """True where it is on a function or a procedure."""
        return re.match(r"(FUNCTION|PROCEDURE|PACKAGE)", self.on) is not None


def mysql_excess_of(run: Run, error: type[Exception], may_read: MayRead) -> Iterator[Excess]:
    """Yield what the user could do by its grants, those of its roles, and those of everybody."""
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
        tables = [
            (str(row[0]), str(row[1]))
            for row in run(READABLE_TABLES_SQL)
            if str(row[0]).lower() not in MYSQL_SYSTEM_SCHEMAS
        ]
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
    light = [(grant, tuple(p for p in beyond if p in MYSQL_HARMLESS_PRIVILEGES)) for grant, beyond in somewhere]
    heavy = [(grant, tuple(p for p in beyond if p not in MYSQL_HARMLESS_PRIVILEGES)) for grant, beyond in somewhere]
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
    beyond = tuple(each for each in grant.privileges if each.split(" (")[0] not in MYSQL_READ_PRIVILEGES)
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


_ORACLE_PACKAGE_NAMES = (
    "UTL_FILE UTL_HTTP UTL_TCP UTL_SMTP UTL_MAIL UTL_INADDR UTL_DBWS HTTPURITYPE DBMS_LDAP "
    "DBMS_LDAP_UTL DBMS_SCHEDULER DBMS_JOB DBMS_SQL DBMS_SYS_SQL DBMS_XMLGEN DBMS_XMLQUERY "
    "DBMS_XMLSAVE DBMS_XMLSTORE DBMS_XSLPROCESSOR DBMS_XMLDOM DBMS_XDB DBMS_ADVISOR DBMS_LOB "
    "DBMS_FILE_TRANSFER DBMS_PIPE DBMS_ALERT DBMS_LOCK DBMS_JAVA DBMS_JAVA_TEST DBMS_CLOUD DBMS_AQ "
    "DBMS_AQADM DBMS_METADATA DBMS_REDEFINITION DBMS_STREAMS_ADM DBMS_REPCAT DBMS_EXPORT_EXTENSION "
    "DBMS_DDL DBMS_UTILITY DBMS_OBFUSCATION_TOOLKIT DBMS_BACKUP_RESTORE DBMS_DATAPUMP "
    "DBMS_NETWORK_ACL_ADMIN OWA_UTIL ORD_DICOM INITJVMAUX"
)
_ORACLE_PACKAGES = ", ".join(f"'{name}'" for name in _ORACLE_PACKAGE_NAMES.split())
_ORACLE_ROLE_NAMES = (
    "DBA PDB_DBA RESOURCE IMP_FULL_DATABASE EXP_FULL_DATABASE DATAPUMP_IMP_FULL_DATABASE "
    "DATAPUMP_EXP_FULL_DATABASE SELECT_CATALOG_ROLE EXECUTE_CATALOG_ROLE AQ_ADMINISTRATOR_ROLE "
    "SCHEDULER_ADMIN JAVASYSPRIV JAVAUSERPRIV JAVA_ADMIN XDBADMIN CDB_DBA OEM_MONITOR "
    "RECOVERY_CATALOG_OWNER LOGSTDBY_ADMINISTRATOR"
)
_ORACLE_ROLES = ", ".join(f"'{name}'" for name in _ORACLE_ROLE_NAMES.split())
_GRANTEE = "CASE grantee WHEN 'PUBLIC' THEN 'PUBLIC' ELSE '\"' || grantee || '\"' END"
_SITES_OWN = "table_schema NOT IN (SELECT username FROM all_users WHERE oracle_maintained = 'Y')"
_REVOKE = (
    f"'REVOKE ' || privilege || ' ON \"' || table_schema || '\".\"' || table_name || '\" FROM ' || {_GRANTEE} || ';'"
)

ORACLE_EXCESS = (
    ExcessQuery(
        "system privileges",
        "has the system privileges {names}",
        "SELECT privilege, 'REVOKE ' || privilege || ' FROM ' || CASE grantee WHEN 'PUBLIC' THEN 'PUBLIC' "
        "ELSE '\"' || grantee || '\"' END || ';' FROM (SELECT privilege, username AS grantee FROM user_sys_privs "
        "UNION SELECT privilege, role FROM role_sys_privs) WHERE privilege <> 'CREATE SESSION' ORDER BY 1, 2",
        grave=True,
    ),
    ExcessQuery(
        "roles",
        "has the roles {names}",
        "SELECT granted_role, 'REVOKE \"' || granted_role || '\" FROM \"' || grantee || '\";' FROM ("
        "SELECT granted_role, username AS grantee FROM user_role_privs UNION "
        f"SELECT granted_role, role FROM role_role_privs) WHERE granted_role IN ({_ORACLE_ROLES}) ORDER BY 1, 2",
        grave=True,
    ),
    ExcessQuery(
        "Oracle's packages",
        "may run packages that reach files, the network, jobs or SQL texts: {names}",
        f"SELECT table_schema || '.' || table_name, {_REVOKE} FROM all_tab_privs WHERE privilege = 'EXECUTE' "
        f"AND table_name IN ({_ORACLE_PACKAGES}) AND grantee <> table_schema ORDER BY 1, 2",
    ),
    ExcessQuery(
        "routines",
        "may run routines with the rights of their owners: {names}",
        f"SELECT table_schema || '.' || table_name, {_REVOKE} FROM all_tab_privs WHERE privilege = 'EXECUTE' "
        f"AND grantee <> table_schema AND {_SITES_OWN} ORDER BY 1, 2",
    ),
    ExcessQuery(
        "rights on tables",
        "may change {names}",
        f"SELECT table_schema || '.' || table_name, {_REVOKE} FROM all_tab_privs WHERE privilege IN ('INSERT', "
        "'UPDATE', 'DELETE', 'ALTER', 'INDEX', 'REFERENCES', 'DEBUG', 'ON COMMIT REFRESH', 'QUERY REWRITE') "
        f"AND grantee <> table_schema AND grantee IN (SELECT USER FROM dual UNION SELECT 'PUBLIC' FROM dual UNION "
        f"SELECT role FROM session_roles) AND {_SITES_OWN} ORDER BY 1, 2",
        grave=True,
    ),
    ExcessQuery(
        "directories",
        "reaches folders of the server: {names}",
        "SELECT table_name, 'REVOKE ' || privilege || ' ON DIRECTORY \"' || table_name || '\" FROM ' || "
        f"{_GRANTEE} || ';' FROM all_tab_privs WHERE type = 'DIRECTORY' AND grantee <> table_schema ORDER BY 1, 2",
        grave=True,
    ),
    ExcessQuery(
        "the network",
        "may open connections: {names}",
        "SELECT privilege || ' to ' || host, 'BEGIN DBMS_NETWORK_ACL_ADMIN.REMOVE_HOST_ACE(host => ''' || host || "
        "''', lower_port => ' || NVL(TO_CHAR(lower_port), 'NULL') || ', upper_port => ' || "
        "NVL(TO_CHAR(upper_port), 'NULL') || ', ace => XS$ACE_TYPE(privilege_list => XS$NAME_LIST(''' || privilege || "
        "'''), principal_name => ''' || USER || ''', principal_type => XS_ACL.PTYPE_DB)); END;' FROM user_host_aces "
        "ORDER BY 1",
        grave=True,
    ),
    ExcessQuery(
        "database links",
        "may use links to other databases: {names}",
        "SELECT db_link, CASE owner WHEN 'PUBLIC' THEN 'DROP PUBLIC DATABASE LINK ' ELSE 'DROP DATABASE LINK ' END "
        "|| db_link || ';' FROM all_db_links ORDER BY 1",
        grave=True,
    ),
    ExcessQuery(
        "own objects",
        "owns {names}; an owner can do anything with them",
        "SELECT object_type || ' ' || object_name, '' FROM user_objects WHERE object_type IN ('TABLE', 'VIEW', "
        "'PROCEDURE', 'FUNCTION', 'PACKAGE', 'TRIGGER', 'TYPE', 'SEQUENCE', 'MATERIALIZED VIEW') ORDER BY 1",
        grave=True,
    ),
    ExcessQuery(
        "tables outside",
        "may read what this connection does not name: {names}",
        f"SELECT table_schema, table_name, {_REVOKE} FROM all_tab_privs WHERE privilege IN ('SELECT', 'READ') "
        f"AND grantee <> table_schema AND {_SITES_OWN} ORDER BY 1, 2",
        outside=True,
    ),
)

_PROCEDURE_NAMES = (
    "sp_OACreate sp_OAMethod sp_addextendedproc sp_start_job xp_availablemedia xp_create_subdir "
    "xp_delete_file xp_dirtree xp_enumerrorlogs xp_fileexist xp_fixeddrives xp_getnetname "
    "xp_logevent xp_readerrorlog xp_regaddmultistring xp_regdeletekey xp_regdeletevalue "
    "xp_regenumkeys xp_regenumvalues xp_regread xp_regwrite xp_servicecontrol xp_subdirs xp_sprintf"
)
_PROCEDURES = ", ".join(f"('{name}')" for name in _PROCEDURE_NAMES.split())
_MINE = "(g.principal_id = DATABASE_PRINCIPAL_ID() OR (g.type = 'R' AND IS_ROLEMEMBER(g.name) = 1))"
_GIVEN = "p.state IN ('G', 'W')"

MSSQL_EXCESS = (
    ExcessQuery(
        "server roles",
        "is a member of the server roles {names}",
        "SELECT name, 'ALTER SERVER ROLE ' + QUOTENAME(name) + ' DROP MEMBER ' + QUOTENAME(SUSER_SNAME()) + ';' "
        "FROM sys.server_principals WHERE type = 'R' AND name <> 'public' AND IS_SRVROLEMEMBER(name) = 1 ORDER BY name",
        grave=True,
    ),
    ExcessQuery(
        "server permissions",
        "has rights on the whole server: {names}",
        "SELECT p.permission_name, 'USE master; REVOKE ' + p.permission_name + ' FROM ' + QUOTENAME(g.name) + ';' "
        "FROM sys.server_permissions AS p JOIN sys.server_principals AS g ON g.principal_id = p.grantee_principal_id "
        f"WHERE p.class = 100 AND {_GIVEN} "
        "AND (g.sid = SUSER_SID() OR (g.type = 'R' AND IS_SRVROLEMEMBER(g.name) = 1)) "
        "AND p.permission_name NOT IN ('CONNECT SQL', 'VIEW ANY DATABASE') ORDER BY p.permission_name",
        grave=True,
    ),
    ExcessQuery(
        "database roles",
        "is a member of the roles {names}",
        "SELECT name, 'ALTER ROLE ' + QUOTENAME(name) + ' DROP MEMBER ' + QUOTENAME(USER_NAME()) + ';' "
        "FROM sys.database_principals WHERE type = 'R' AND is_fixed_role = 1 AND IS_ROLEMEMBER(name) = 1 "
        "AND name NOT IN ('db_datareader', 'db_denydatawriter', 'db_denydatareader') ORDER BY name",
        grave=True,
    ),
    ExcessQuery(
        "database permissions",
        "has rights on the database: {names}",
        "SELECT p.permission_name, 'REVOKE ' + p.permission_name + ' FROM ' + QUOTENAME(g.name) + ';' "
        "FROM sys.database_permissions AS p JOIN sys.database_principals AS g "
        f"ON g.principal_id = p.grantee_principal_id WHERE p.class = 0 AND {_GIVEN} AND {_MINE} "
        "AND p.permission_name NOT IN ('CONNECT', 'SELECT', 'VIEW ANY COLUMN ENCRYPTION KEY DEFINITION', "
        "'VIEW ANY COLUMN MASTER KEY DEFINITION') ORDER BY p.permission_name",
        grave=True,
    ),
    ExcessQuery(
        "permissions on schemas",
        "has rights on schemas: {names}",
        "SELECT p.permission_name + ' on ' + s.name, 'REVOKE ' + p.permission_name + ' ON SCHEMA::' + "
        "QUOTENAME(s.name) + ' FROM ' + QUOTENAME(g.name) + ';' FROM sys.database_permissions AS p "
        "JOIN sys.database_principals AS g ON g.principal_id = p.grantee_principal_id "
        f"JOIN sys.schemas AS s ON s.schema_id = p.major_id WHERE p.class = 3 AND {_GIVEN} AND {_MINE} "
        "AND p.permission_name NOT IN ('SELECT', 'VIEW DEFINITION') ORDER BY 1",
        grave=True,
    ),
    ExcessQuery(
        "permissions on objects",
        "may change or run {names}",
        "SELECT p.permission_name + ' on ' + o.name, 'REVOKE ' + p.permission_name + ' ON OBJECT::' + "
        "QUOTENAME(SCHEMA_NAME(o.schema_id)) + '.' + QUOTENAME(o.name) + ' FROM ' + QUOTENAME(g.name) + ';' "
        "FROM sys.database_permissions AS p JOIN sys.database_principals AS g "
        "ON g.principal_id = p.grantee_principal_id JOIN sys.objects AS o ON o.object_id = p.major_id "
        f"WHERE p.class = 1 AND {_GIVEN} AND {_MINE} AND o.is_ms_shipped = 0 "
        "AND p.permission_name NOT IN ('SELECT', 'VIEW DEFINITION') ORDER BY 1",
        grave=True,
    ),
    ExcessQuery(
        "the command shell",
        "may run programs of the server: {names}",
        "SELECT name, 'USE master; REVOKE EXECUTE ON sys.xp_cmdshell FROM public;' FROM (VALUES ('xp_cmdshell')) "
        "AS v (name) WHERE HAS_PERMS_BY_NAME('master.sys.' + name, 'OBJECT', 'EXECUTE') = 1",
        grave=True,
    ),
    ExcessQuery(
        "system procedures",
        "may run procedures that reach files, the registry or the network: {names}",
        "SELECT name, 'USE master; REVOKE EXECUTE ON sys.' + QUOTENAME(name) + ' FROM public;' FROM "
        f"(VALUES {_PROCEDURES}) AS v (name) "
        "WHERE HAS_PERMS_BY_NAME('master.sys.' + name, 'OBJECT', 'EXECUTE') = 1 ORDER BY name",
    ),
    ExcessQuery(
        "settings of the server",
        "is on a server with {names} switched on",
        "SELECT name, 'EXEC sp_configure ''show advanced options'', 1; RECONFIGURE; EXEC sp_configure ''' + name + "
        "''', 0; RECONFIGURE;' FROM sys.configurations WHERE value_in_use = 1 AND name IN "
        "('Ad Hoc Distributed Queries', 'xp_cmdshell', 'Ole Automation Procedures', 'external scripts enabled') "
        "ORDER BY name",
    ),
    ExcessQuery(
        "linked servers",
        "may reach linked servers: {names}",
        "SELECT name, 'EXEC master.dbo.sp_droplinkedsrvlogin @rmtsrvname = N''' + REPLACE(name, '''', '''''') + "
        "''', @locallogin = NULL;' FROM sys.servers WHERE is_linked = 1 ORDER BY name",
        grave=True,
    ),
    ExcessQuery(
        "trust in the database",
        "is in a database that the server trusts: {names}",
        "SELECT name, 'ALTER DATABASE ' + QUOTENAME(name) + ' SET TRUSTWORTHY OFF;' FROM sys.databases "
        "WHERE name = DB_NAME() AND is_trustworthy_on = 1",
    ),
    ExcessQuery(
        "tables outside",
        "may read what this connection does not name: {names}",
        "SELECT SCHEMA_NAME(schema_id), name, 'DENY SELECT ON OBJECT::' + QUOTENAME(SCHEMA_NAME(schema_id)) + '.' + "
        "QUOTENAME(name) + ' TO ' + QUOTENAME(USER_NAME()) + ';' FROM sys.objects WHERE type IN ('U', 'V') "
        "AND is_ms_shipped = 0 AND HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(schema_id)) + '.' + QUOTENAME(name), "
        "'OBJECT', 'SELECT') = 1 ORDER BY 1, 2",
        outside=True,
    ),
)

EXCESS_QUERIES = {"oracle": ORACLE_EXCESS, "mssql": MSSQL_EXCESS}
"""By the backend of the URL."""
