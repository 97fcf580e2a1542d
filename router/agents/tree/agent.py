"""The agents of the tree by their names."""

from enum import StrEnum


class Agent(StrEnum):
    """Who works on a node."""

    SCHEMA_LINKER = "schema_linker"
    QUERY_ANALYZER = "query_analyzer"
    SQL_GENERATOR = "sql_generator"
    SQL_EVALUATOR = "sql_evaluator"
