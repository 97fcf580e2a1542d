"""What a dbt project says of its tables: `manifest.json` and `semantic_manifest.json`, as dbt 1.6 and later write them.

Descriptions, accepted values, relationships and metrics; of tables that the connection does not have, nothing is taken.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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
_DIMENSION = re.compile(r"\{\{\s*(?:Time)?Dimension\(\s*['\"](\w+)['\"][^)]*\)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Measure:
    """How a measure is computed, of which table, and what its dimensions are called there, by their names in dbt."""

    formula: str
    table: str
    dimensions: Mapping[str, str]


def from_dbt(data: Mapping[str, Any], schema: Schema) -> Learned:
    """Return what a manifest, or a semantic manifest, says of the tables of a schema."""
    learned, place = Learned(), places(schema)
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
                learned.keys[f"{'.'.join(about)} = {'.'.join(target)}"] = SOURCE
    _learn_metrics(data, schema, by_name, learned)
    return learned


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
    """Take simple metrics, and ratios of two without conditions; others say more than one formula can."""
    measures = dict(_measures(data, schema, by_name))
    metrics = {metric.get("name"): metric for metric in _each(data.get("metrics"))}
    for metric in metrics.values():
        said = _formula(metric, metrics, measures, schema)
        if said is None:
            continue
        name = one_line(str(metric.get("label") or metric.get("name") or "")).replace("_", " ")
        meaning = "; ".join(filter(None, (one_line(metric.get("description") or "").rstrip("."), said[0])))
        term = Term(truncate(name, TERM_NAME_MAX_CHARS), truncate(meaning, TERM_TEXT_MAX_CHARS), (), said[1])
        if not term_problem(term, schema.dialect):
            learned.terms[term.name] = term


def _measures(data: Mapping[str, Any], schema: Schema, by_name: Mapping[Any, str]) -> Iterator[tuple[str, Measure]]:
    place = places(schema)
    for model in _each(data.get("semantic_models")):
        relation = model.get("node_relation") or {}
        named = _referred(str(model.get("model") or ""))
        table = place(str(relation.get("alias") or by_name.get(named, named)), "")
        if table is None:
            continue
        own = [each.get("name") for each in model.get("entities") or () if each.get("type") in ("primary", "unique")]
        prefixes = [f"{name}__" for name in (*own, model.get("primary_entity")) if name]
        names = {each.get("name"): each.get("expr") or each.get("name") for each in model.get("dimensions") or ()}
        dimensions = {f"{prefix}{name}": expr for prefix in ("", *prefixes) for name, expr in names.items()}
        for measure in model.get("measures") or ():
            formula = FORMULAS.get(str(measure.get("agg")))
            if formula and measure.get("name"):
                yield (
                    measure["name"],
                    Measure(formula.format(measure.get("expr") or measure["name"]), table[0], dimensions),
                )


def _formula(
    metric: Mapping[str, Any], metrics: Mapping[Any, Mapping[str, Any]], measures: Mapping[str, Measure], schema: Schema
) -> tuple[str, str] | None:
    """Return how a metric is computed, and the condition that it has; None where that is not understood."""
    given = metric.get("type_params") or {}
    if metric.get("type") == "ratio" and not metric.get("filter"):
        sides = [_formula(metrics.get(_name(given.get(side)), {}), metrics, measures, schema) for side in _SIDES]
        plain = [side[0] for side in sides if side is not None and not side[1]]
        return (" divided by ".join(plain), "") if len(plain) == len(sides) else None
    measure = measures.get(_name(given.get("measure")))
    if metric.get("type") != "simple" or measure is None:
        return None
    inner = given["measure"].get("filter") if isinstance(given["measure"], dict) else None
    conditions = [_condition(each, measure) for each in (metric.get("filter"), inner) if each]
    if None in conditions:
        return None
    return f"{measure.formula} of {measure.table}", " AND ".join(filter(None, conditions))


_SIDES = ("numerator", "denominator")


def _name(given: Any) -> str:
    return str((given.get("name") if isinstance(given, dict) else given) or "")


def _condition(given: Any, measure: Measure) -> str | None:
    """Return a condition in SQL; None where it is of anything but the measure's own table."""
    found = given.get("where_filters") or () if isinstance(given, dict) else ()
    written = [str(each.get("where_sql_template") or "") for each in found]
    if not written or any(name not in measure.dimensions for text in written for name in _DIMENSION.findall(text)):
        return None
    plain = [_DIMENSION.sub(lambda match: measure.dimensions[match[1]], text).strip() for text in written]
    if any("{{" in text for text in plain):
        return None
    return plain[0] if len(plain) == 1 else " AND ".join(f"({text})" for text in plain)
