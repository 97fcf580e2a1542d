"""The functions that may stand in FROM, with the columns of the rows that they give.

ALIAS stands for a column that is called as the function's alias, or as the function where it has none.
"""

from collections.abc import Mapping

from router.sql.dialect import Name

ALIAS = ""
"""A column without a name of its own."""

_JSON_TREE = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")
_PAIRS = ("key", "value")

OUTPUTS: Mapping[Name, Mapping[str, tuple[str, ...]]] = {
    "sqlite": {
        "json_each": (*_JSON_TREE, "json", "root"),
        "json_tree": (*_JSON_TREE, "json", "root"),
        "generate_series": ("value", "start", "stop", "step"),
    },
    "duckdb": {
        "generate_series": (ALIAS, "generate_series"),
        "json_each": (*_JSON_TREE, "rowid"),
        "json_tree": (*_JSON_TREE, "rowid"),
        "range": (ALIAS, "range"),
        "regexp_split_to_table": (ALIAS, "unnest"),
        "unnest": (ALIAS, "unnest"),
    },
    "postgres": {
        "generate_series": (ALIAS,),
        "generate_subscripts": (ALIAS,),
        "json_array_elements": ("value",),
        "json_array_elements_text": ("value",),
        "json_each": _PAIRS,
        "json_each_text": _PAIRS,
        "json_object_keys": (ALIAS,),
        "json_table": (),
        "json_to_record": (),
        "json_to_recordset": (),
        "jsonb_array_elements": ("value",),
        "jsonb_array_elements_text": ("value",),
        "jsonb_each": _PAIRS,
        "jsonb_each_text": _PAIRS,
        "jsonb_object_keys": (ALIAS,),
        "jsonb_path_query": (ALIAS,),
        "jsonb_to_record": (),
        "jsonb_to_recordset": (),
        "regexp_matches": (ALIAS,),
        "regexp_split_to_table": (ALIAS,),
        "string_to_table": (ALIAS,),
        "unnest": (ALIAS,),
    },
    "oracle": {"json_table": ()},
    "mysql": {"json_table": ()},
    "tsql": {
        "generate_series": ("value",),
        "openjson": ("key", "value", "type"),
        "string_split": ("value", "ordinal"),
    },
}
"""By dialect and name; without columns, those are the ones that the statement itself declares."""
