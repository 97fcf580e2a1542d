"""The fields of the form of a comparison: what holds is shown, and what was sent is taken."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from router.cards import Field, Option
from router.errors import Unclear
from router.memory.comparing import Comparing, Tolerances
from router.policy import writable_connections
from router.stages.compare.column_fields import key_fields, pair_fields, with_columns
from router.stages.compare.plan import job_of, plan_of
from router.stages.tasks import comparing_of, set_comparing
from router.stages.typed_names import JOB_NAME_MAX_CHARS, NO_JOB_NAME, NO_TABLE_NAME, TABLE_NAME_MAX_CHARS, is_name
from router.turn import Turn
from router.understanding.values.sentence import unquoted

_FIELDS: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("form.toml").read_text(encoding="utf-8")
)
"""The fields with one value of the comparison, or of its tolerances: the label, the choices or a hint."""

REPORTS: Final[Mapping[str, str]] = _FIELDS["reporting"]["choices"]
"""Each report, with what it tells."""

_AMOUNT: Final = re.compile(r"\d{1,15}(?:\.\d{1,15}|,\d{1,2})?")
"""A number; "1,000" may be a thousand, or one."""

_NAMES: Final = {"name": (JOB_NAME_MAX_CHARS, NO_JOB_NAME), "table": (TABLE_NAME_MAX_CHARS, NO_TABLE_NAME)}
"""The fields that name something: how long a name may be, and what is said of one that cannot be."""


def _offered(turn: Turn) -> dict[str, dict[str, Any]]:
    """Return the fields that apply: a table only if the person may write, its database if there are several."""
    databases = {each.name: each.label for each in writable_connections(turn.services.connections, turn.owner)}
    offered = _FIELDS | {"database": _FIELDS["database"] | {"choices": databases}}
    absent = set() if len(databases) > 1 else {"database"} if databases else {"database", "table"}
    return {name: field for name, field in offered.items() if name not in absent}


def fields_of(turn: Turn, *names: str) -> tuple[Field, ...]:
    """Return the fields of these names, or all, with what holds of the comparison."""
    comparing = replace(comparing_of(turn), name=job_of(turn), reporting=comparing_of(turn).report)
    fields = [_field(name, of, comparing) for name, of in _offered(turn).items() if not names or name in names]
    found = None if names else comparing.columns
    return (*fields[:1], *key_fields(found), *fields[1:], *pair_fields(found)) if found else tuple(fields)


def _field(name: str, of: Mapping[str, Any], comparing: Comparing) -> Field:
    now = getattr(_holder(comparing, name), name)
    value = f"{now * of.get('scale', 1):.12g}" if isinstance(now, float) and now else str(now or "")
    if "choices" not in of:
        return Field(name, of["label"], value=value, optional=True, hint=of.get("hint", ""))
    options = tuple(Option(answer, label) for answer, label in of["choices"].items())
    value = str(now) if str(now) in of["choices"] else options[0].answer
    return Field(name, of["label"], of.get("kind", "menu"), value, options=options)


def _holder(comparing: Comparing, name: str) -> Any:
    """Return what has a value of this name: the comparison, or its tolerances."""
    return comparing.tolerances if hasattr(comparing.tolerances, name) else comparing


def take_values(turn: Turn, values: Mapping[str, str]) -> bool:
    """Have the comparison be as the values of its form say; return False if some cannot be so, and stay."""
    comparing, problems = comparing_of(turn), dict[str, str]()
    for name, of in _offered(turn).items():
        try:
            comparing = _taken(name, of, comparing, values[name].strip()) if name in values else comparing
        except Unclear as error:
            problems[name] = str(error)
    try:
        changed = with_columns(turn, comparing, values)
        plan_of(changed)
        comparing = changed
    except Unclear as error:
        problems["c0"] = str(error)
    set_comparing(turn, replace(comparing, problems=problems))
    return not problems


def _taken(name: str, of: Mapping[str, Any], comparing: Comparing, sent: str) -> Comparing:
    """Return a comparison with the value that was sent; raises Unclear if it cannot be so."""
    holder = _holder(comparing, name)
    value: Any = sent
    if "choices" in of:
        if sent not in of["choices"]:
            raise Unclear("Choose one of the menu.")
        value = sent == "True" if name == "fold" else sent
    elif name in _NAMES:
        most, problem = _NAMES[name]
        value = unquoted(sent)
        if value and not is_name(value, most):
            raise Unclear(problem)
    else:
        if sent and not _AMOUNT.fullmatch(sent):
            raise Unclear(f"“{sent[:40]}” is no number such as 0.01. Write a thousand as 1000.")
        value = float(sent.replace(",", ".") or 0) / of.get("scale", 1)
    changed = replace(holder, **{name: value})
    return replace(comparing, tolerances=changed) if isinstance(changed, Tolerances) else changed
