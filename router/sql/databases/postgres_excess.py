"""The excess rights of a PostgreSQL role, which it would have if the guard failed, and the statements that revoke them.

A right is looked for where it is written (in access lists and memberships), so that the statement names who has it:
the role, one that it is a member of, or PUBLIC. The statements are for a superuser.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import psycopg
from psycopg import sql

from router.sql.databases.session import Excess, ExcessQuery, MayRead, not_seen, seen

# Proof of the first layer of safety: the reading user cannot write.

Connection = psycopg.Connection[tuple[Any, ...]]

SUPERUSER_WRITES = "SELECT current_user::text FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper"

SCHEMAS = """
SELECT nspname::text FROM pg_catalog.pg_namespace
WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(oid, 'USAGE')
ORDER BY nspname
"""

TABLE = """
SELECT n.nspname::text, c.relname::text, p.privilege
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN (VALUES ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE')) AS p (privilege)
WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, p.privilege)
ORDER BY 1, 2, 3 LIMIT 1
"""

POWERS = """
SELECT rolname::text FROM pg_catalog.pg_roles
WHERE rolname IN ('pg_write_server_files', 'pg_execute_server_program', 'pg_write_all_data')
  AND pg_catalog.pg_has_role(current_user, oid, 'MEMBER')
ORDER BY 1 LIMIT 1
"""


def writes_of(connection: Connection) -> str | None:
    """Return a sentence on the first thing that the user could write, or None; nothing stays written.

    A table is really created, in a transaction that is rolled back; the rights on tables are read, because even a
    DELETE of no row would run the triggers of somebody's table.
    """
    if row := connection.execute(SUPERUSER_WRITES).fetchone():
        return f"The reading user {row[0]} is a superuser: it can write everywhere."
    for (schema,) in connection.execute(SCHEMAS).fetchall():
        if _creates_table(connection, schema):
            return f"The reading user created a table in the schema {schema} (it was rolled back)."
    if row := connection.execute(TABLE).fetchone():
        return f"The reading user has the right to {row[2]} on {row[0]}.{row[1]}."
    if row := connection.execute(POWERS).fetchone():
        return f"The reading user is a member of {row[0]}, which can write."
    return None


def _creates_table(connection: Connection, schema: str) -> bool:
    name = f"icc_bot_{secrets.token_hex(8)}"
    try:
        with connection.transaction(force_rollback=True):
            connection.execute("SET LOCAL lock_timeout = 5000; SET LOCAL statement_timeout = 10000")
            connection.execute("SET TRANSACTION READ WRITE")
            connection.execute(sql.SQL("CREATE TABLE {} ()").format(sql.Identifier(schema, name)))
    except psycopg.Error:
        return False
    return True


SUPERUSER = """
SELECT current_user::text, CASE WHEN oid <> 10 THEN format('ALTER ROLE %I NOSUPERUSER;', rolname) ELSE
    'CREATE ROLE icc_bot_reader LOGIN; GRANT USAGE ON SCHEMA public TO icc_bot_reader; '
    'GRANT SELECT ON ALL TABLES IN SCHEMA public TO icc_bot_reader;' END
FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper
"""

OF_ROLE_SQL = "pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER')"
"""SQL: true of an access list's entry for the role, or for one whose rights it can take; 0 is PUBLIC."""

WHO = "CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) END"

FOREIGN_SCHEMAS_SQL = "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"

SQL_TEXT = (
    "query_to_xml query_to_xmlschema query_to_xml_and_xmlschema cursor_to_xml cursor_to_xmlschema table_to_xml "
    "table_to_xmlschema table_to_xml_and_xmlschema schema_to_xml schema_to_xmlschema schema_to_xml_and_xmlschema "
    "database_to_xml database_to_xmlschema database_to_xml_and_xmlschema ts_stat ts_rewrite"
)
SESSIONS = "pg_terminate_backend pg_cancel_backend"
LARGE_OBJECTS = "lo_creat lo_create lo_from_bytea lo_put lo_truncate lo_truncate64 lo_unlink lowrite"
FILES = (
    "pg_read_file pg_read_binary_file pg_read_file_old pg_stat_file pg_ls_dir pg_ls_logdir pg_ls_waldir "
    "pg_ls_archive_statusdir pg_ls_tmpdir pg_ls_logicalsnapdir pg_ls_logicalmapdir pg_ls_replslotdir "
    "pg_ls_summariesdir pg_hba_file_rules pg_ident_file_mappings pg_show_all_file_settings pg_file_read "
    "pg_file_write pg_file_rename pg_file_unlink pg_file_sync pg_file_length pg_logdir_ls lo_import lo_export"
)
SERVER = (
    "pg_reload_conf pg_rotate_logfile pg_logfile_rotate pg_promote pg_switch_wal pg_create_restore_point "
    "pg_backup_start pg_backup_stop pg_start_backup pg_stop_backup pg_wal_replay_pause pg_wal_replay_resume "
    "pg_log_backend_memory_contexts pg_stat_reset pg_stat_reset_shared pg_stat_reset_slru "
    "pg_stat_reset_single_table_counters pg_stat_reset_single_function_counters pg_replication_origin_create "
    "pg_replication_origin_drop pg_replication_origin_advance pg_stat_reset_replication_slot"
)
EXTENSIONS = (
    "adminpack aws_commons aws_lambda aws_s3 azure_storage dblink file_fdw http mysql_fdw oracle_fdw pg_background "
    "pg_cron pg_net pg_repack pgagent plproxy plsh postgres_fdw tablefunc tds_fdw xml2"
)
"""They open links, run SQL text or reach files and other servers."""

CLOUD = (
    "rds_superuser rds_replication rds_password cloudsqlsuperuser azure_pg_admin azuresu alloydbsuperuser "
    "neon_superuser doadmin supabase_admin"
)
"""The roles that hosted servers have in the place of a superuser."""


def executes(which: str) -> str:
    """Return the query of the functions that the role may run, and of who may by whose right.

    `which` chooses functions `p`, of the schema `n`.
    """
    return f"""
SELECT format('%s.%s', n.nspname, p.proname), CASE WHEN a.grantee = p.proowner
  THEN format('DROP ROUTINE %1$I.%2$I(%3$s);', n.nspname, p.proname, i.arguments)
  ELSE format('REVOKE EXECUTE ON %1$s %2$I.%3$I(%4$s) FROM %5$s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE'
              ELSE 'FUNCTION' END, n.nspname, p.proname, i.arguments, {WHO}) END
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
CROSS JOIN LATERAL pg_catalog.oidvectortypes(p.proargtypes) AS i (arguments)
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a
WHERE {which} AND a.privilege_type = 'EXECUTE' AND (a.grantee = 0 OR {OF_ROLE_SQL})
ORDER BY 1, 2
"""


def listed(names: str) -> str:
    """Return the query of the server's own functions of these names."""
    quoted = ", ".join(f"'{name}'" for name in names.split())
    # The ts_rewrite of three arguments takes no SQL text.
    return executes(
        f"n.nspname = 'pg_catalog' AND p.proname IN ({quoted}) AND NOT (p.proname = 'ts_rewrite' AND p.pronargs = 3)"
    )


def extension(names: str) -> str:
    """Return the condition that a function belongs to one of the extensions."""
    quoted = ", ".join(f"'{name}'" for name in names.split())
    return (
        "EXISTS (SELECT FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_extension AS e ON e.oid = d.refobjid "
        "WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' "
        f"AND d.refclassid = 'pg_catalog.pg_extension'::regclass AND e.extname IN ({quoted}))"
    )


def acl(kind: str, catalog: str, name: str, owner: str, list_: str, words: str, privileges: str, where: str) -> str:
    """Return the query of the rights on one kind of object by its access lists."""
    return f"""
SELECT format('%s on %s', a.privilege_type, o.{name}),
       format('REVOKE %s ON {words} %I FROM %s;', a.privilege_type, o.{name}, {WHO})
FROM pg_catalog.{catalog} AS o
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(o.{list_}, pg_catalog.acldefault('{kind}', o.{owner}))) AS a
WHERE a.privilege_type IN ({privileges}) AND a.grantee <> o.{owner} AND (a.grantee = 0 OR {OF_ROLE_SQL}) AND {where}
ORDER BY 1
"""


def rights(privileges: str, where: str) -> str:
    """Return the query of the rights on tables, views and sequences, on columns too: schema, name, right, kind, who."""
    return f"""
SELECT n.nspname, c.relname, a.privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, {WHO}
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (
    SELECT l.grantee, l.privilege_type FROM pg_catalog.aclexplode(c.relacl) AS l
    UNION SELECT l.grantee, l.privilege_type FROM pg_catalog.pg_attribute AS t
        CROSS JOIN LATERAL pg_catalog.aclexplode(t.attacl) AS l WHERE t.attrelid = c.oid AND t.attacl IS NOT NULL
) AS a
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND a.privilege_type IN ({privileges}) AND a.grantee <> c.relowner
  AND (a.grantee = 0 OR {OF_ROLE_SQL}) AND {FOREIGN_SCHEMAS_SQL} AND {where}
"""


SINGLE_WRITES = "'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN'"

WRITES = f"""
SELECT format('%s.%s', nspname, relname), format('REVOKE %s ON %s %I.%I FROM %s;',
              string_agg(privilege_type, ', ' ORDER BY privilege_type), kind, nspname, relname, who)
FROM ({rights(SINGLE_WRITES, "TRUE")}) AS r (nspname, relname, privilege_type, kind, who)
GROUP BY nspname, relname, kind, who ORDER BY nspname, relname
"""

SELECTS = f"""
SELECT nspname, relname, format('REVOKE SELECT ON TABLE %I.%I FROM %s;', nspname, relname, who)
FROM ({rights("'SELECT'", "c.relkind <> 'S' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')")})
     AS r (nspname, relname, privilege_type, kind, who) ORDER BY nspname, relname
"""

ATTRIBUTES = """
SELECT r.attribute, format('ALTER ROLE %I NO%s;', r.rolname, r.attribute) FROM (
    SELECT rolname, unnest(ARRAY['CREATEDB', 'CREATEROLE', 'REPLICATION', 'BYPASSRLS']) AS attribute,
           unnest(ARRAY[rolcreatedb, rolcreaterole, rolreplication, rolbypassrls]) AS given
    FROM pg_catalog.pg_roles WHERE rolname = current_user
) AS r WHERE r.given
"""


def memberships(which: str) -> str:
    """Return the query of the roles `r` whose rights the role can take, with the membership that leads there."""
    return f"""
SELECT r.rolname, format('REVOKE %I FROM %I%s;', r.rolname, m.rolname,
                         CASE WHEN am.grantor = 10 THEN '' ELSE format(' GRANTED BY %I', g.rolname) END)
FROM pg_catalog.pg_auth_members AS am JOIN pg_catalog.pg_roles AS r ON r.oid = am.roleid
JOIN pg_catalog.pg_roles AS m ON m.oid = am.member LEFT JOIN pg_catalog.pg_roles AS g ON g.oid = am.grantor
WHERE {which} AND m.rolname !~ '^pg_' AND pg_catalog.pg_has_role(current_user, m.oid, 'MEMBER')
ORDER BY 1, 2
"""


_CLOUD = ", ".join(f"'{name}'" for name in CLOUD.split())
POWERFUL = (
    "(r.rolname ~ '^pg_' OR r.rolsuper OR r.rolcreatedb OR r.rolcreaterole OR r.rolreplication OR r.rolbypassrls "
    f"OR r.rolname IN ({_CLOUD}))"
)

OWNED = """
SELECT o.what,
       CASE WHEN o.owner = current_user THEN o.remedy ELSE format('REVOKE %I FROM %I;', o.owner, current_user) END
FROM (
    SELECT format('%s.%s', n.nspname, c.relname) AS what, pg_catalog.pg_get_userbyid(c.relowner) AS owner,
           format('ALTER %s %I.%I OWNER TO %I; GRANT SELECT ON %s %2$I.%3$I TO %6$I;',
               CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE'
                              WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
               n.nspname, c.relname, s.rolname, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
               pg_catalog.pg_get_userbyid(c.relowner)) AS remedy, 1 AS place
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace, pg_catalog.pg_roles AS s
    WHERE s.oid = 10 AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname !~ '^pg_t'
      AND pg_catalog.pg_has_role(current_user, c.relowner, 'MEMBER')
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d WHERE d.classid = 'pg_catalog.pg_class'::regclass
                      AND d.objid = c.oid AND d.deptype IN ('a', 'i') AND c.relkind = 'S')
    UNION ALL
    SELECT format('the schema %s', n.nspname), pg_catalog.pg_get_userbyid(n.nspowner),
           format('ALTER SCHEMA %I OWNER TO %I; GRANT USAGE ON SCHEMA %1$I TO %3$I;', n.nspname, s.rolname,
                  pg_catalog.pg_get_userbyid(n.nspowner)), 2
    FROM pg_catalog.pg_namespace AS n, pg_catalog.pg_roles AS s
    WHERE s.oid = 10 AND n.nspname !~ '^pg_t' AND pg_catalog.pg_get_userbyid(n.nspowner) <> 'pg_database_owner'
      AND pg_catalog.pg_has_role(current_user, n.nspowner, 'MEMBER')
    UNION ALL
    SELECT format('the database %s', d.datname), pg_catalog.pg_get_userbyid(d.datdba),
           format('ALTER DATABASE %I OWNER TO %I;', d.datname, s.rolname), 3
    FROM pg_catalog.pg_database AS d, pg_catalog.pg_roles AS s
    WHERE s.oid = 10 AND pg_catalog.pg_has_role(current_user, d.datdba, 'MEMBER')
) AS o ORDER BY o.place, 1
"""

MAPPINGS = """
SELECT m.srvname, format('DROP USER MAPPING FOR %s SERVER %I;',
                         CASE m.umuser WHEN 0 THEN 'PUBLIC' ELSE quote_ident(m.usename) END, m.srvname)
FROM pg_catalog.pg_user_mappings AS m
WHERE (m.umuser = 0 OR m.usename = current_user) AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_foreign_table AS f WHERE f.ftserver = m.srvid
    AND pg_catalog.has_table_privilege(f.ftrelid, 'SELECT'))
ORDER BY 1
"""

PARAMETERS = f"""
SELECT format('%s %s', a.privilege_type, p.parname),
       format('REVOKE %s ON PARAMETER %s FROM %s;', a.privilege_type, p.parname, {WHO})
FROM pg_catalog.pg_parameter_acl AS p CROSS JOIN LATERAL pg_catalog.aclexplode(p.paracl) AS a
WHERE a.grantee = 0 OR {OF_ROLE_SQL} ORDER BY 1
"""

USER_FUNCTION = f"{FOREIGN_SCHEMAS_SQL} AND NOT pg_catalog.pg_has_role(current_user, p.proowner, 'MEMBER')"

EXCESS_QUERIES = (
    ExcessQuery("attributes of the role", "has {names}", ATTRIBUTES, grave=True),
    ExcessQuery("memberships", "is a member of {names}", memberships(POWERFUL), grave=True),
    ExcessQuery("owners", "owns {names}, and can do anything with it", OWNED, grave=True),
    ExcessQuery("rights on tables", "may change {names}", WRITES, grave=True),
    ExcessQuery(
        "rights on schemas",
        "may make tables and functions: {names}",
        acl("n", "pg_namespace", "nspname", "nspowner", "nspacl", "SCHEMA", "'CREATE'", "TRUE"),
        grave=True,
    ),
    ExcessQuery(
        "rights on the database",
        "may make schemas: {names}",
        acl(
            "d", "pg_database", "datname", "datdba", "datacl", "DATABASE", "'CREATE'", "o.datname = current_database()"
        ),
        grave=True,
    ),
    ExcessQuery(
        "temporary tables",
        "may make temporary tables: {names}",
        acl(
            "d",
            "pg_database",
            "datname",
            "datdba",
            "datacl",
            "DATABASE",
            "'TEMPORARY'",
            "o.datname = current_database()",
        ),
    ),
    ExcessQuery(
        "functions on files", "may run functions that reach the server's files: {names}", listed(FILES), grave=True
    ),
    ExcessQuery(
        "functions on the server", "may run functions that act on the server: {names}", listed(SERVER), grave=True
    ),
    ExcessQuery(
        "functions of extensions",
        "may run functions that open links or run SQL elsewhere: {names}",
        executes(extension(EXTENSIONS)),
        grave=True,
    ),
    ExcessQuery(
        "functions in untrusted languages",
        "may run functions in a language without bounds: {names}",
        executes(
            f"{FOREIGN_SCHEMAS_SQL} AND p.prolang IN (SELECT oid FROM pg_catalog.pg_language WHERE NOT lanpltrusted "
            "AND lanname NOT IN ('internal', 'c'))"
        ),
        grave=True,
    ),
    ExcessQuery(
        "functions with the rights of others",
        "may run functions with the rights of their owners (SECURITY DEFINER): {names}",
        executes(f"{USER_FUNCTION} AND p.prosecdef AND NOT {extension(EXTENSIONS)}"),
    ),
    ExcessQuery("functions that run SQL", "may run functions that take SQL as a text: {names}", listed(SQL_TEXT)),
    ExcessQuery("functions on sessions", "may end other sessions of its own: {names}", listed(SESSIONS)),
    ExcessQuery("functions on large objects", "may make or change large objects: {names}", listed(LARGE_OBJECTS)),
    ExcessQuery(
        "foreign servers",
        "may use servers: {names}",
        acl("S", "pg_foreign_server", "srvname", "srvowner", "srvacl", "FOREIGN SERVER", "'USAGE'", "TRUE"),
        grave=True,
    ),
    ExcessQuery(
        "foreign-data wrappers",
        "may define servers: {names}",
        acl(
            "F",
            "pg_foreign_data_wrapper",
            "fdwname",
            "fdwowner",
            "fdwacl",
            "FOREIGN DATA WRAPPER",
            "'USAGE'",
            "TRUE",
        ),
        grave=True,
    ),
    ExcessQuery("user mappings", "is known to other servers, of which it reads no table: {names}", MAPPINGS),
    ExcessQuery(
        "parameters", "may change settings that are not its own: {names}", PARAMETERS, grave=True, since=150000
    ),
    ExcessQuery("tables outside", "may read what this connection does not name: {names}", SELECTS, outside=True),
)


LEAKY_VIEWS = """
SELECT n.nspname::text, c.relname::text, bn.nspname::text, b.relname::text,
       format('ALTER VIEW %I.%I SET (security_barrier = true);', n.nspname, c.relname)
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_rewrite AS r ON r.ev_class = c.oid
JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid
    AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid <> c.oid
JOIN pg_catalog.pg_class AS b ON b.oid = d.refobjid JOIN pg_catalog.pg_namespace AS bn ON bn.oid = b.relnamespace
WHERE c.relkind = 'v' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND pg_catalog.has_table_privilege(c.oid, 'SELECT') AND NOT coalesce((
      SELECT o.option_value::boolean FROM pg_catalog.pg_options_to_table(c.reloptions) AS o
      WHERE o.option_name = 'security_barrier'), false)
ORDER BY 1, 2
"""
"""Views without security_barrier, each with a table below it: a query's condition may see rows that they leave out."""

LEAKS = ExcessQuery(
    "views",
    "reads views without security_barrier, so that a query's errors and timings may tell of rows that they keep back: "
    "{names}",
    LEAKY_VIEWS,
)


def leaks_of(rows: Iterable[Sequence[str]], may_read: MayRead) -> Iterator[Excess]:
    """Yield what views may tell that people read, of tables that they may not read."""
    leaky = [
        (f"{schema}.{view}", remedy)
        for schema, view, below, table, remedy in rows
        if may_read(schema, view) and not may_read(below, table)
    ]
    yield from seen(LEAKS, leaky, may_read)


def excess_of(connection: Connection, may_read: MayRead) -> Iterator[Excess]:
    """Yield what the role of this connection could do; of a superuser nothing else, as it may do everything."""
    connection.execute("SET statement_timeout = 10000; SET lock_timeout = 5000; SET search_path = pg_catalog")
    if rows := connection.execute(SUPERUSER).fetchall():
        superuser = ExcessQuery(
            "superuser", "{names} is a superuser: it can do everything, whatever else is granted", "", True
        )
        yield from seen(superuser, rows, may_read)
        return
    for look in (*EXCESS_QUERIES, LEAKS):
        if connection.info.server_version >= look.since:
            try:
                rows = connection.execute(look.query.encode()).fetchall()
            except psycopg.Error as error:
                yield not_seen(look.about, (error.diag.message_primary or type(error).__name__).splitlines()[0])
            else:
                yield from leaks_of(rows, may_read) if look is LEAKS else seen(look, rows, may_read)
