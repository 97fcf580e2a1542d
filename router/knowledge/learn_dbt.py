"""Knowledge from a dbt project: `manifest.json` and `semantic_manifest.json`, as dbt 1.6 and later write them.

Descriptions, accepted values, relationships and metrics; of tables that the connection does not have, nothing is taken.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from router.catalog.schema import Schema
from router.knowledge.glossary import TERM_NAME_MAX_CHARS, TERM_TEXT_MAX_CHARS, term_problem
from router.knowledge.knowledge import Term
from router.knowledge.learned import Learned, find_places
from router.language.wording import one_line, truncate

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
"""Formulas of measures, by dbt's name of the aggregation."""

_REF = re.compile(r"(?:ref|source)\s*\((.+)\)")


def from_dbt(data: Mapping[str, Any], schema: Schema, learned: Learned) -> None:
    """Learn what a manifest, or a semantic manifest, says of the tables of a schema."""
    place = find_places(schema)
    nodes = [*_each(data.get("nodes")), *_each(data.get("sources"))]
    known = [node for node in nodes if node.get("resource_type") in TABLES]
    for node in known:
        if table := place(_table(node), ""):
            _describe(learned, table[0], node)
            for column in _each(node.get("columns")):
                if found := place(table[0], column.get("name") or ""):
                    _describe(learned, ".".join(found), column)
    by_id = {node.get("unique_id"): _table(node) for node in known}
    by_name = {node.get("name"): _table(node) for node in known}
    for node in nodes:
        said = node.get("test_metadata") or {}
        about = place(by_id.get(node.get("attached_node"), ""), node.get("column_name") or "")
        if about is None or not about[1]:
            continue
        # Since 1.10 what a test is given may lie in "arguments".
        given = said.get("kwargs") or {}
        given = {**given, **(given.get("arguments") or {})}
        if said.get("name") == "accepted_values":
            learned.describe(".".join(about), f"One of {', '.join(map(str, given.get('values') or ()))}.")
        elif said.get("name") == "relationships":
            named = _referred(str(given.get("to")))
            target = place(by_name.get(named, named), str(given.get("field") or ""))
            if target and target[1]:
                learned.keys.append(f"{'.'.join(about)} = {'.'.join(target)}")
    _learn_metrics(data, schema, by_name, learned)


def _describe(learned: Learned, place: str, node: Mapping[str, Any]) -> None:
    """Take a description, the first one of a place, unless it is still to be filled in."""
    words = node.get("description") or ""
    if place not in learned.descriptions and "{{" not in words:
        learned.describe(place, words)


def _each(found: Any) -> Iterable[dict[str, Any]]:
    """Return the entries of a list, or of an object by their ids."""
    return found.values() if isinstance(found, dict) else found or ()


def _table(node: Mapping[str, Any]) -> str:
    return str(node.get("identifier") or node.get("alias") or node.get("name") or "")


def _referred(text: str) -> str:
    """Return what `ref('orders')`, `ref('shop', 'orders', v=2)` or `source('shop', 'orders')` names."""
    found = _REF.search(text)
    names = re.findall(r"['\"]([^'\"]+)['\"]", found[1]) if found else []
    return names[-1] if names else text


def _learn_metrics(data: Mapping[str, Any], schema: Schema, by_name: Mapping[Any, str], learned: Learned) -> None:
    """Take simple metrics without conditions; others say more than one formula can."""
    formulas = dict(_formulas(data, schema, by_name))
    for metric in _each(data.get("metrics")):
        measure = (metric.get("type_params") or {}).get("measure") or ""
        said = measure if isinstance(measure, dict) else {"name": measure}
        formula = formulas.get(str(said.get("name")))
        if formula is None or metric.get("type") != "simple" or metric.get("filter") or said.get("filter"):
            continue
        name = one_line(str(metric.get("label") or metric.get("name") or "")).replace("_", " ")
        meaning = "; ".join(filter(None, (one_line(metric.get("description") or "").rstrip("."), formula)))
        term = Term(truncate(name, TERM_NAME_MAX_CHARS), truncate(meaning, TERM_TEXT_MAX_CHARS))
        if not term_problem(term, schema.dialect):
            learned.define(term)


def _formulas(data: Mapping[str, Any], schema: Schema, by_name: Mapping[Any, str]) -> Iterator[tuple[str, str]]:
    """Yield how each measure of a table of the schema is computed."""
    place = find_places(schema)
    for model in _each(data.get("semantic_models")):
        named = _referred(str(model.get("model") or ""))
        table = place(str((model.get("node_relation") or {}).get("alias") or by_name.get(named, named)), "")
        for measure in (model.get("measures") or ()) if table else ():
            if table and measure.get("name") and (formula := FORMULAS.get(str(measure.get("agg")))):
                yield measure["name"], f"{formula.format(measure.get('expr') or measure['name'])} of {table[0]}"
