"""The elements and fields of Teams' cards, out of the model in microsoft-teams-cards."""

import types
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

_STANDARD = (
    "AdaptiveCard TextBlock RichTextBlock TextRun Image ImageSet Media ActionSet Container ColumnSet Column FactSet "
    "Table TableRow TableCell Input.Text Input.Number Input.Date Input.Time Input.Toggle Input.ChoiceSet Data.Query "
    "Action.OpenUrl Action.Submit Action.ShowCard Action.ToggleVisibility Action.Execute mention"
)
STANDARD = frozenset(_STANDARD.split())
"""The types of version 1.5, and typeahead; all others are extensions of Teams."""
INNER = frozenset({"CarouselPage", "Layout.Stack", "Layout.Flow", "Layout.AreaGrid", "IconRun", "ImageRun"})
"""Extensions that only stand inside others, or where a fallback has no place."""
UNLISTED = {"AdaptiveCard": frozenset({"$schema"})}
NEEDED = {
    "AdaptiveCard": ("version",),
    "TextBlock": ("text",),
    "RichTextBlock": ("inlines",),
    "FactSet": ("facts",),
    "Image": ("url",),
    "Container": ("items",),
    "Column": (),
    "ActionSet": ("actions",),
    "TextRun": ("text",),
    "Table": ("rows",),
    "TableRow": ("cells",),
    "TableCell": ("items",),
    "CodeBlock": ("codeSnippet",),
    "Data.Query": ("dataset",),
    "Action.OpenUrl": ("url",),
    "Action.ShowCard": ("card",),
    "Action.ToggleVisibility": ("targetElements",),
    "Input.Toggle": ("id", "title"),
    **{f"Input.{kind}": ("id",) for kind in ("Text", "Number", "Date", "Time", "ChoiceSet", "Rating")},
}
"""The fields without which nothing is shown."""


@cache
def types_by_name() -> dict[str, type[BaseModel]]:
    """Return the class of each value of `type`; Component is many, of which the first stands for all."""
    from microsoft_teams.cards import core  # a second and a half, which most processes of the tests need not wait

    found: dict[str, type[BaseModel]] = {}
    for each in vars(core).values():
        if isinstance(each, type) and issubclass(each, BaseModel) and "type" in each.model_fields:
            found.setdefault(each.model_fields["type"].default, each)
    return found


@cache
def open_places() -> tuple[type[BaseModel], ...]:
    """Return the classes that stand for any element, any action and any layout."""
    from microsoft_teams.cards import core

    return core.CardElement, core.Action, core.ContainerLayout


@cache
def fields_of(model: type[BaseModel]) -> dict[str, Any]:
    """Return the fields of a class as they stand in JSON, with what each may hold."""
    hints = get_type_hints(model, include_extras=True)
    return {field.serialization_alias or name: hints[name] for name, field in model.model_fields.items()}


def problems(value: Any, allowed: Any, path: str) -> list[str]:
    """Return what is wrong with a value of a card, by the model; words are compared without their case."""
    origin, parts = get_origin(allowed), get_args(allowed)
    if origin is Annotated:
        return problems(value, parts[0], path)
    if origin in (Union, types.UnionType):
        tried = [problems(value, each, path) for each in parts if each is not type(None)]
        return min(tried, key=lambda found: (bool(found), -_depth(found, path)))
    if origin is Literal:
        fits = isinstance(value, str) and value.lower() in [str(each).lower() for each in parts]
        return [] if fits else [f"{path}: {value!r} is none of {list(parts)}"]
    if origin is list:
        if not isinstance(value, list):
            return [f"{path}: is no list"]
        return [each for at, item in enumerate(value) for each in _listed(item, parts[0], f"{path}[{at}]")]
    if isinstance(allowed, type) and issubclass(allowed, BaseModel):
        return _object(value, allowed, path)
    return _plain(value, origin or allowed, path)


def _listed(item: Any, allowed: Any, path: str) -> list[str]:
    """Judge an item of a list; the inlines of a RichTextBlock may be strings among elements."""
    mixed = path.rpartition(".")[2].startswith("inlines[") and isinstance(item, str)
    return [] if mixed else problems(item, allowed, path)


def _depth(found: list[str], path: str) -> int:
    """Return how deep a value was understood before something was wrong; of several readings the deepest is told."""
    return max((len(each) for each in found if not each.startswith(f"{path}:")), default=0)


def _plain(value: Any, allowed: Any, path: str) -> list[str]:
    if allowed is Any:
        return []
    if allowed is dict:
        return [] if isinstance(value, dict) else [f"{path}: is no object"]
    fits = isinstance(value, (int, float) if allowed in (int, float) else allowed)
    if allowed is not bool and isinstance(value, bool):
        fits = False
    return [] if fits else [f"{path}: {value!r} is no {allowed.__name__}"]


def _object(value: Any, model: type[BaseModel], path: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{path}: is no object"]
    kind = value.get("type")
    own = model.model_fields["type"].default if "type" in model.model_fields else None
    chosen = model
    if own is None and model in open_places():
        if kind not in types_by_name():
            return [f"{path}: there is no {kind!r}"]
        chosen = types_by_name()[kind]
        if not issubclass(chosen, model):
            return [f"{path}: {kind} has no place here"]
    elif own is not None and kind not in (own, None):
        return [f"{path}: {kind} is no {own}"]
    return _fields(value, chosen, str(kind or own), path)


def _fields(value: dict[str, Any], model: type[BaseModel], kind: str, path: str) -> list[str]:
    fields, found = fields_of(model), []
    for name, held in value.items():
        if name in UNLISTED.get(kind, ()) or (kind == "Component" and name in ("name", "properties")):
            continue
        if name not in fields:
            found.append(f"{path}: {kind} has no field {name}")
        elif held is not None:
            found.extend(problems(held, fields[name], f"{path}.{name}"))
    missing = [name for name in NEEDED.get(kind, ()) if value.get(name) is None]
    return [*found, *(f"{path}: {kind} needs {name}" for name in missing)]
