"""Words of the SQL language as `router.sql.words` meets them in a rendered text."""

from collections import defaultdict

from router.sql.dialect import Name

_SYNTAX = """
    all and any apply array as asc at bernoulli between by case cast check columns connect cube cycle desc distinct
    div else end escape except exclude exists fetch filter following for from group having ilike in include index
    intersect interval is join keep key lateral like limit materialized member minus mod next not nulls of offset on
    option or order outer over overlaps partition pass percent pivot preceding prior qualify recursive regexp rename
    repeatable replace reservoir rlike rollup row rows sample search select sets siblings similar some start struct
    system tablesample then ties to top union unnest unpivot using values when where window with within xor
"""
_TYPES = """
    bigint binary binary_double binary_float bit blob bool boolean bpchar char character clob date datetime
    datetime2 datetimeoffset dec decimal double float int integer json jsonb list map mediumint money nchar nclob
    number numeric nvarchar nvarchar2 precision raw real signed smallint struct text time timestamp timestamptz
    timetz tinyint unsigned uuid varbinary varbit varchar varchar2 vector year
"""
BEFORE_PARENTHESIS = frozenset(f"{_SYNTAX} {_TYPES}".split())
"""Words that a parenthesis may follow without being functions."""

_STATEMENTS = """
    alter attach begin call commit copy create delete detach do drop dumpfile exec execute grant handler insert
    install into kill load lock merge outfile pragma prepare revoke rollback shutdown truncate update vacuum
"""
_SESSION = "current_catalog current_role current_schema current_user session_user system_user"
_TSQL = """
    backup break bulk checkpoint close continue dbcc deallocate declare deny disk dump errlvl exit go goto
    identitycol if kill nocheck opendatasource openquery openrowset print proc procedure raiserror readtext
    reconfigure restore return revert rowguidcol save set setuser shutdown statistics tran transaction trigger
    tsequal updatetext use user waitfor while writetext
"""
FORBIDDEN: dict[Name, frozenset[str]] = {
    "sqlite": frozenset(f"{_STATEMENTS} {_SESSION}".split()),
    "duckdb": frozenset(f"{_STATEMENTS} {_SESSION} user".split()),
    "postgres": frozenset(f"{_STATEMENTS} {_SESSION} user".split()),
    "oracle": frozenset(f"{_STATEMENTS} {_SESSION} user uid userenv".split()),
    "mysql": frozenset(f"{_STATEMENTS} {_SESSION}".split()),
    "tsql": frozenset(f"{_STATEMENTS} {_SESSION} {_TSQL}".split()),
}
"""Words that, without quotes, begin another statement or ask who is connected."""

HARMLESS_PAIRS: defaultdict[Name, frozenset[tuple[str, str]]] = defaultdict(frozenset)
HARMLESS_PAIRS["oracle"] = frozenset({("overflow", "truncate")})
HARMLESS_PAIRS["duckdb"] = frozenset({("into", "name")})
"""Neighbours of which one would be forbidden alone: LISTAGG (… ON OVERFLOW TRUNCATE …), UNPIVOT … INTO NAME."""

PREFIXES: dict[Name, frozenset[str]] = {
    "sqlite": frozenset({"x"}),
    "duckdb": frozenset({"e", "x"}),
    "postgres": frozenset({"e", "x", "b"}),
    "oracle": frozenset({"n"}),
    "mysql": frozenset({"n", "x", "b"}),
    "tsql": frozenset({"n"}),
}
"""Letters that may stand directly before a string."""
