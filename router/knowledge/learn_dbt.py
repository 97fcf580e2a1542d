"""What a dbt project says of its tables: `manifest.json` and `semantic_manifest.json`, as dbt 1.6 and later write them.

Descriptions, accepted values, relationships and metrics; of tables that the connection does not have, nothing is taken.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from router.catalog.schema import Schema
from router.knowledge.glossary_file import TERM_NAME_MAX_CHARS, TERM_TEXT_MAX_CHARS, term_problem
from router.knowledge.knowledge import Term
from router.knowledge.learned import Learned, places
from router.language.wording import one_line, truncate

SOURCE = "dbt"

TABLES = frozenset({"model", "seed", "snapshot", "source"})
"""Kinds of nodes that are tables in the database."""

FORMULAS = {
    "sum": "SUM({})",
    "average": "AVG({})",
    "min": "MIN({})",
    "max": "MAX({})",
    "count": "COUNT({})",
    "count_distinct": "COUNT(DISTINCT {})",
    "sum_boolean": "SUM(CASE WHEN {} THEN 1 ELSE 0 END)",
    "median": "the median of {}",
}
"""How a measure is computed, by what dbt calls it."""

_REF = re.compile(r"(?:ref|source)\s*\((.+)\)")
_DIMENSION = re.compile(r"\{\{\s*(?:Time)?Dimension\(\s*['\"](?:\w+__)?(\w+)['\"][^)]*\)\s*\}\}")


def from_dbt(data: Mapping[str, Any], schema: Schema) -> Learned:
    """Return what a manifest, or a semantic manifest, says of the tables of a schema."""
    learned, place = Learned(), places(schema)
    nodes = [*_each(data.get("nodes")), *_each(data.get("sources"))]
    for node in nodes:
        if node.get("resource_type") in TABLES and (table := place(_table(node), "")):
            learned.describe(table[0], node.get("description") or "")
            for column in _each(node.get("columns")):
                if found := place(table[0], column.get("name") or ""):
                    learned.describe(".".join(found), column.get("description") or "")
    tables = {node.get("unique_id"): _table(node) for node in nodes}
    for node in nodes:
        said = node.get("test_metadata") or {}
        about = place(tables.get(node.get("attached_node"), ""), node.get("column_name") or "")
        if about is None or not about[1]:
            continue
        # Since 1.10 what a test is given may lie in "arguments".
        given = said.get("kwargs") or {}
        given = {**given, **(given.get("arguments") or {})}
        if said.get("name") == "accepted_values":
            learned.describe(".".join(about), f"One of {', '.join(map(str, given.get('values') or ()))}.")
        elif said.get("name") == "relationships":
            target = place(_referred(str(given.get("to"))), str(given.get("field") or ""))
            if target and target[1]:
                learned.keys[f"{'.'.join(about)} = {'.'.join(target)}"] = SOURCE
    _learn_metrics(data, schema, learned)
    return learned


def _each(found: Any) -> Iterable[dict[str, Any]]:
    """Return the entries of a list, or of an object by their ids."""
    return found.values() if isinstance(found, dict) else found or ()


def _table(node: Mapping[str, Any]) -> str:
    return str(node.get("identifier") or node.get("alias") or node.get("name") or "")


def _referred(text: str) -> str:
    """Return the table that `ref('orders')` or `source('shop', 'orders')` names."""
    found = _REF.search(text)
    return found[1].split(",")[-1].strip(" '\"") if found else text


def _learn_metrics(data: Mapping[str, Any], schema: Schema, learned: Learned) -> None:
    place = places(schema)
    formulas: dict[str, tuple[str, str]] = {}
    for model in _each(data.get("semantic_models")):
        relation = model.get("node_relation") or {}
        table = place(str(relation.get("alias") or _referred(str(model.get("model") or ""))), "")
        for measure in model.get("measures") or () if table else ():
            formula = FORMULAS.get(str(measure.get("agg")))
            if formula and table:
                formulas[measure["name"]] = formula.format(measure.get("expr") or measure["name"]), table[0]
    for metric in _each(data.get("metrics")):
        name = truncate(
            one_line(str(metric.get("label") or metric.get("name") or "")).replace("_", " "), TERM_NAME_MAX_CHARS
        )
        formula, table_name = _formula(metric.get("type_params") or {}, formulas)
        if not formula:
            continue
        meaning = "; ".join(filter(None, (one_line(metric.get("description") or "").rstrip("."), formula)))
        condition = _condition(metric.get("filter"), table_name, schema)
        term = Term(name, truncate(meaning, TERM_TEXT_MAX_CHARS), (), condition)
        if not term_problem(term, schema.dialect):
            learned.terms[name] = term


def _formula(given: Mapping[str, Any], formulas: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Return how a metric is computed, and the one table that it is of; "" where that is not known."""
    measure = formulas.get(_name(given.get("measure")))
    if measure:
        return f"{measure[0]} of {measure[1]}", measure[1]
    parts = [formulas.get(_name(given.get(part))) for part in ("numerator", "denominator")]
    if parts[0] and parts[1]:
        return f"{parts[0][0]} of {parts[0][1]} divided by {parts[1][0]} of {parts[1][1]}", ""
    return "", ""


def _name(given: Any) -> str:
    return str((given.get("name") if isinstance(given, dict) else given) or "")


def _condition(given: Any, table: str, schema: Schema) -> str:
    """Return the condition of a metric in SQL; "" where it has none, or one of other tables."""
    written = [str(each.get("where_sql_template") or "") for each in (given or {}).get("where_filters") or ()]
    named = {column for text in written for column in _DIMENSION.findall(text)}
    place = places(schema)
    if not table or not all(place(table, column) for column in named):
        return ""
    plain = [_DIMENSION.sub(r"\1", text).strip() for text in written]
    return "" if any("{{" in text for text in plain) else " AND ".join(plain)
