"""The databases' own tables: users, settings, sessions, the list of all tables. Nobody reads them here."""

import re

from router.sql.dialect import Name

_PATTERNS: dict[Name, tuple[str, str]] = {
    # dialect: (schemas, tables), compared with lowered names from the first letter to the last
    "sqlite": (
        r"temp|information_schema",
        r"sqlite_.*|pragma_.*|dbstat|bytecode|tables_used|fts3tokenize|fts4aux|fts5vocab|csv|fsdir|completion|carray",
    ),
    "duckdb": (r"information_schema|pg_.*|system|temp", r"duckdb_.*|sqlite_.*|pragma_.*|pg_.*|show|.*[./\\:*?[\]].*"),
    "postgres": (r"information_schema|pg_.*", r"pg_.*"),
    "oracle": (
        r"information_schema|sys|system|xdb|ctxsys|mdsys|audsys|dbsnmp|wmsys|ordsys|lbacsys|outln|gsmadmin_internal|sys\$.*",
        r"(all|dba|user|cdb|role|session|nls|v|gv|v_|gv_|x)[_$].*|dict|dict_columns|dictionary|tab|cat|obj|syn|seq|cols"
        r"|product_component_version|global_name|plan_table|audit_actions|.*\$|.*@.*",
    ),
    "mysql": (r"mysql|sys|information_schema|performance_schema|ndbinfo", r"innodb_.*"),
    "tsql": (
        r"sys|information_schema|guest|db_\w+|\#.*",
        r"(sp|xp|fn|dm|spt)_.*|sys(alt|cache|char|col|com|con|cur|data|dep|dev|file|foreign|full|index|lang|lock|logins|mem"
        r"|messages|objects|ole|perf|perm|process|protect|reference|remote|server|types|users|sche|jobs)\w*|[@#].*",
    ),
}
_SYSTEM = {name: tuple(re.compile(p, re.DOTALL) for p in patterns) for name, patterns in _PATTERNS.items()}


def is_nowhere(table: str, dialect: Name) -> bool:
    """Tell whether a bare name is the table of one row that Oracle and MySQL give to everybody."""
    return dialect in ("oracle", "mysql") and table.lower() == "dual"


def is_system(schema: str, table: str, dialect: Name) -> bool:
    """Tell whether a table is the database's own; a bare name has the schema ""."""
    schemas, tables = _SYSTEM[dialect]
    return bool(schemas.fullmatch(schema.lower()) or tables.fullmatch(table.lower()))
