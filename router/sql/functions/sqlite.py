"""What SQLite may run besides what every database has."""

AGGREGATES = "group_concat json_group_array json_group_object percentile total"
CONDITIONS = "if ifnull iif likelihood likely unlikely"
NUMBERS = "acosh asinh atanh cosh random sinh tanh"
TEXT = "char format glob hex like printf quote regexp typeof unhex unicode unistr"
TIMES = "date datetime julianday strftime time timediff unixepoch"
JSON = """
    json json_array_length json_each json_error_position json_extract json_insert json_patch json_pretty json_quote
    json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_extract
"""
ROWS = "generate_series"
SEARCH = "bm25 highlight snippet"

NAMES = frozenset(f"{AGGREGATES} {CONDITIONS} {NUMBERS} {TEXT} {TIMES} {JSON} {ROWS} {SEARCH}".split())
