"""What can be pressed, chosen or filled in, as elements; each carries the thread and the question's number."""

from collections.abc import Sequence
from typing import Any

from adapters import menu
from adapters.asked import Asked
from adapters.attached import Attached
from adapters.fitting import cut, label_of
from adapters.teams.drawn import Element, Part, size_of
from adapters.teams.ids import CHOOSE, FILL, PRESS, STOP, data_of, field_id, menu_id
from adapters.teams.texts import alarm, bold, draw_text, paragraphs, small
from adapters.unseen import clean
from router.cards import Buttons, Choice, Field, Form, Option, Progress, Text

LONGEST_PROMPT = 1_500
LONGEST_BUTTON, LONGEST_ENTRY = 60, 100
"""Characters of a label; longer ones are cut in their middle, for names often differ at their ends."""

MOST_ENTRIES = 100
MOST_ENTRY_CHARACTERS = 4_000
FIRST_ENTRIES = 20
"""Entries of a menu above which it asks for them while the person types, and how many it has all the same."""

MOST_FOUND = 15
"""Entries that Teams shows of what was found."""

_STYLES = {"primary": "positive", "danger": "destructive"}


def draw_ask(card: Buttons | Choice | Form, asked: Asked, room: int, *, actions: int, alone: bool) -> Part:
    """Draw a question that stands in at most `room` bytes and `actions` buttons.

    `alone`: no other inputs are in the message, so that one that is needed cannot hold up others.
    """
    match card:
        case Buttons():
            part = draw_buttons(card, asked, actions)
        case Choice():
            part = draw_choice(card, asked) if actions else _typed(card.prompt, card.options)
        case Form():
            part = draw_form(card, asked, required=alone) if actions else _unformed(card)
    if size_of(part.elements) <= room:
        return part
    part = _unformed(card) if isinstance(card, Form) else _typed(card.prompt, card.options)
    return part if size_of(part.elements) <= room else Part(files=part.files, cut=True)


def wanted(card: Buttons | Choice | Form) -> int:
    """Return how many buttons a question would have."""
    return len(card.options) if isinstance(card, Buttons) else 1


def draw_buttons(card: Buttons, asked: Asked, most: int) -> Part:
    """Draw a question with at most `most` buttons; the answers that have none, those aside first, are in a menu."""
    if not most and card.options:
        return _typed(card.prompt, card.options)
    entries = list(zip(card.options, menu.values_of(card.options), strict=True))
    by_need = sorted(range(len(entries)), key=lambda n: entries[n][0].aside)
    single = sorted(by_need if len(entries) <= most else by_need[: most - 1])
    actions = [
        execute(option.label, f"{PRESS}:{asked.card}:{n}", data_of(asked, PRESS, value), option.style)
        for n, (option, value) in enumerate(entries)
        if n in single
    ]
    others = [
        {"title": _entry(option.label), "value": value} for n, (option, value) in enumerate(entries) if n not in single
    ]
    row = [{"type": "ActionSet", "actions": actions}] if actions else []
    more: list[Element] = []
    if others:
        ok = execute("OK", f"{CHOOSE}:{asked.card}", data_of(asked, CHOOSE), inputs="auto")
        chooser = {"type": "Input.ChoiceSet", "id": menu_id(asked.card), "style": "compact", "choices": others}
        placeholder = {"placeholder": "More" if single else "Choose"}
        more = [chooser | placeholder, {"type": "ActionSet", "actions": [ok]}]
    return Part((*_prompt(card.prompt), *row, *more))


def draw_choice(card: Choice, asked: Asked) -> Part:
    """Draw a menu with a button that sends what was chosen."""
    if not card.options:
        return Part(tuple(_prompt(card.prompt)))
    entries = _entries(card.options)
    outside = len(entries) > MOST_ENTRIES or sum(len(e["title"] + e["value"]) for e in entries) > MOST_ENTRY_CHARACTERS
    ticked = [e["value"] for option, e in zip(card.options, entries, strict=True) if option.answer in card.chosen]
    if outside:
        ticked = ticked[:FIRST_ENTRIES]
        others = [each for each in entries if each["value"] not in ticked]
        entries = [*(each for each in entries if each["value"] in ticked), *others[: FIRST_ENTRIES - len(ticked)]]
    hint = "Choose one or more" if card.many else "Choose"
    chooser: Element = {
        "type": "Input.ChoiceSet",
        "id": menu_id(asked.card),
        "style": "filtered",
        "isMultiSelect": card.many,
        "placeholder": f"Type to find one of {len(card.options):,}" if outside else hint,
        "choices": entries,
    }
    if ticked:
        chooser["value"] = ",".join(ticked if card.many else ticked[:1])
    if outside:
        chooser["choices.data"] = {"type": "Data.Query", "dataset": str(asked)}
    ok = execute("OK", f"{CHOOSE}:{asked.card}", data_of(asked, CHOOSE), "primary", inputs="auto")
    return Part((*_prompt(card.prompt), chooser, {"type": "ActionSet", "actions": [ok]}))


def draw_form(card: Form, asked: Asked, *, required: bool) -> Part:
    """Draw a form: its inputs, above each what was wrong with its last value, and the button that sends them."""
    title = [bold(cut(clean(card.title).strip(), LONGEST_PROMPT))] if clean(card.title).strip() else []
    inputs = [element for field in card.fields for element in _input(field, asked, required)]
    send = execute(card.submit, f"{FILL}:{asked.card}", data_of(asked, FILL), "primary", inputs="auto")
    return Part((*title, *inputs, {"type": "ActionSet", "actions": [send]}))


def draw_progress(card: Progress, asked: Asked, room: int, *, stop: bool) -> Part:
    """Draw what is being done; with `stop`, a button ends it."""
    line = draw_text(Text(cut(clean(card.text).strip(), LONGEST_PROMPT) or "…", "quiet"), room)
    if not stop:
        return line
    stopper = execute("Stop", f"{STOP}:{asked.card}", data_of(asked, STOP))
    part = Part((*line.elements, {"type": "ActionSet", "actions": [stopper]}), cut=line.cut)
    return part if size_of(part.elements) <= room else Part(cut=True)


def draw_decided(card: Buttons | Choice | Form, room: int) -> Part:
    """Draw a question that was answered: its prompt in small print, nothing to press."""
    prompt = clean(card.title if isinstance(card, Form) else card.prompt).strip()
    return draw_text(Text(cut(prompt, LONGEST_PROMPT), "quiet"), room) if not prompt.endswith(":") else Part()


def matching(choice: Choice, typed: str, most: int = MOST_FOUND) -> list[dict[str, str]]:
    """Return the entries for what was typed so far, the best first: `title` and `value`."""
    entries = _entries(choice.options)
    return [entries[n] for n in menu.matching(choice.options, typed)[:most]]


def execute(
    title: str, id: str, data: dict[str, Any], style: str = "plain", inputs: str = "none", longest: int = LONGEST_BUTTON
) -> Element:
    """Return a button, with the one that old clients know as its fallback; `inputs`: whether they are sent too."""
    shared = {"id": id, "title": label_of(title, longest), "data": data, "associatedInputs": inputs}
    if style in _STYLES:
        shared["style"] = _STYLES[style]
    submit = {"type": "Action.Submit", **shared}
    return {"type": "Action.Execute", "verb": data["v"], **shared, "fallback": submit}


def _entries(options: Sequence[Option]) -> list[dict[str, str]]:
    return [
        {"title": _entry(option.label), "value": value}
        for option, value in zip(options, menu.values_of(options), strict=True)
    ]


def _entry(label: str) -> str:
    # Some clients draw the entries of a menu as Markdown.
    return label_of(label, LONGEST_ENTRY).replace("](", "]\u2060(")


def _input(field: Field, asked: Asked, required: bool) -> list[Element]:
    needed = required and not field.optional
    shape: Element = {"type": "Input.Text", "isMultiline": field.kind != "line"}
    if field.kind == "menu":
        shape = {"type": "Input.ChoiceSet", "style": "compact", "choices": _entries(field.options)}
    element: Element = {
        **shape,
        "id": field_id(asked.card, field.name),
        "label": label_of(field.label or field.name, LONGEST_PROMPT),
        **({"value": field.value} if field.value else {}),
        **({"isRequired": True, "errorMessage": "Please fill this in."} if needed else {}),
    }
    problem = clean(field.problem).strip()
    return [alarm(cut(problem, LONGEST_PROMPT)), element] if problem else [element]


def _unformed(card: Form) -> Part:
    """Draw a form that does not fit into a card: its long values are files, and the answer is typed."""
    wrong = [alarm(cut(clean(field.problem).strip(), LONGEST_PROMPT)) for field in card.fields if field.problem.strip()]
    title = label_of(card.title, LONGEST_PROMPT // 10)
    sentence = f"{title}: it is too long for a card of Teams. Send the changed text as a message here instead."
    files = [Attached("query.sql" if field.kind == "code" else "text.txt", field.value) for field in card.fields]
    return Part((*wrong[:3], small(sentence)), tuple(file for file in files[:1] if file.content))


def _typed(prompt: str, options: Sequence[Option]) -> Part:
    """Draw a question for which no button is left: what can be typed in place of pressing."""
    labels = cut(" / ".join(label_of(option.label, LONGEST_BUTTON) for option in options), LONGEST_PROMPT // 2)
    return Part((*_prompt(prompt), small(f"Type one of: {labels}"))) if options else Part(tuple(_prompt(prompt)))


def _prompt(prompt: str) -> list[Element]:
    return paragraphs(cut(clean(prompt).strip(), LONGEST_PROMPT))
