"""Buttons, menus and forms as elements; each carries the thread and the question's number."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.rendering import controls
from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef, answers_of
from adapters.rendering.text import clean, label_of
from adapters.teams.drawing import CardElements, Element, size_of
from adapters.teams.text_elements import alarm, bold, draw_text, paragraphs, small
from router.cards import Buttons, Choice, Field, Form, Option, Progress, Reply, Text
from router.language.wording import truncate
from router.memory.thread import key_from

# The data that buttons, menus and forms carry, written and read here alone.


PRESS, CHOOSE, FILL, STOP = "press", "choose", "fill", "stop"
"""The verbs of Action.Execute; an Action.Submit has none, so that `v` in the data says it again."""

TURNS_MAX = 2**31
"""Questions of one talk, of which no talk has so many."""


def data_of(asked: QuestionRef, verb: str, answer: str | None = None) -> dict[str, Any]:
    """Return the data of an action: the thread, the question's number, the card's, and the answer of a button."""
    data = {"v": verb, "k": str(asked.key), "t": asked.turn, "c": asked.card}
    return data if answer is None else data | {"a": answer}


def asked_in(data: Mapping[str, Any]) -> tuple[str, QuestionRef]:
    """Return the verb, and what is answered; raises ValueError where the data says nothing of ours."""
    match data:
        case {"v": str(verb), "k": str(key), "t": int(turn), "c": int(card)} if verb in (PRESS, CHOOSE, FILL, STOP):
            if not 0 <= turn < TURNS_MAX:
                raise ValueError("no number of a question")
            return verb, QuestionRef(key_from(key), turn, card)
        case _:
            raise ValueError("no data of a card of ours")


def menu_id(card: int) -> str:
    """Return the id of the menu of a card."""
    return f"menu:{card}"


def field_id(card: int, name: str) -> str:
    """Return the id of a form's field."""
    return f"field:{card}:{name}"


def answers_in(reply: Reply, data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the router's answers for what was pressed or chosen in a reply; empty where nothing was."""
    verb, asked = asked_in(data)
    card = reply.cards[asked.card] if 0 <= asked.card < len(reply.cards) else None
    if not isinstance(card, Buttons | Choice):
        return ()
    chosen = str(data.get("a") or "") if verb == PRESS else str(data.get(menu_id(asked.card)) or "")
    values = chosen.split(",") if isinstance(card, Choice) and card.many else [chosen]
    return answers_of(card.options, values)


def values_in(form: Form, card: int, data: Mapping[str, Any]) -> dict[str, str]:
    """Return what was put into the fields of a form, by their names."""
    return {field.name: str(data.get(field_id(card, field.name)) or "") for field in form.fields}


PROMPT_MAX_CHARS = 1_500
BUTTON_LABEL_MAX_CHARS, MENU_LABEL_MAX_CHARS = 60, 100
"""Characters of a label; longer ones are cut in their middle, for names often differ at their ends."""

MENU_ENTRIES_MAX = 100
MENU_MAX_CHARS = 4_000
SEARCHED_MENU_ENTRIES = 20
"""Entries of a menu above which it asks for them while the person types, and how many it has all the same."""

FOUND_ENTRIES_MAX = 15
"""Entries that Teams shows of what was found."""

_STYLES = {"primary": "positive", "danger": "destructive"}


def draw_ask(
    card: Buttons | Choice | Form, asked: QuestionRef, room: int, *, actions: int, alone: bool
) -> CardElements:
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
    return part if size_of(part.elements) <= room else CardElements(files=part.files, cut=True)


def wanted(card: Buttons | Choice | Form) -> int:
    """Return how many buttons a question would have."""
    return len(card.options) if isinstance(card, Buttons) else 1


def draw_buttons(card: Buttons, asked: QuestionRef, most: int) -> CardElements:
    """Draw a question with at most `most` buttons; the others, those of the overflow first, are in a menu."""
    if not most and card.options:
        return _typed(card.prompt, card.options)
    entries = list(zip(card.options, controls.values_of(card.options), strict=True))
    by_need = sorted(range(len(entries)), key=lambda n: entries[n][0].overflow)
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
    return CardElements((*_prompt(card.prompt), *row, *more))


def draw_choice(card: Choice, asked: QuestionRef) -> CardElements:
    """Draw a menu with a button that sends what was chosen."""
    if not card.options:
        return CardElements(tuple(_prompt(card.prompt)))
    entries = _entries(card.options)
    outside = len(entries) > MENU_ENTRIES_MAX or sum(len(e["title"] + e["value"]) for e in entries) > MENU_MAX_CHARS
    ticked = [e["value"] for option, e in zip(card.options, entries, strict=True) if option.answer in card.chosen]
    if outside:
        ticked = ticked[:SEARCHED_MENU_ENTRIES]
        others = [each for each in entries if each["value"] not in ticked]
        entries = [
            *(each for each in entries if each["value"] in ticked),
            *others[: SEARCHED_MENU_ENTRIES - len(ticked)],
        ]
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
    return CardElements((*_prompt(card.prompt), chooser, {"type": "ActionSet", "actions": [ok]}))


def draw_form(card: Form, asked: QuestionRef, *, required: bool) -> CardElements:
    """Draw a form: its inputs, above each what was wrong with its last value, and the button that sends them."""
    title = [bold(truncate(clean(card.title).strip(), PROMPT_MAX_CHARS))] if clean(card.title).strip() else []
    inputs = [element for field in card.fields for element in _input(field, asked, required)]
    send = execute(card.submit, f"{FILL}:{asked.card}", data_of(asked, FILL), "primary", inputs="auto")
    return CardElements((*title, *inputs, {"type": "ActionSet", "actions": [send]}))


def draw_progress(card: Progress, asked: QuestionRef, room: int, *, stop: bool) -> CardElements:
    """Draw what is being done; with `stop`, a button ends it."""
    line = draw_text(Text(truncate(clean(card.text).strip(), PROMPT_MAX_CHARS) or "…", "quiet"), room)
    if not stop:
        return line
    stopper = execute("Stop", f"{STOP}:{asked.card}", data_of(asked, STOP))
    part = CardElements((*line.elements, {"type": "ActionSet", "actions": [stopper]}), cut=line.cut)
    return part if size_of(part.elements) <= room else CardElements(cut=True)


def draw_decided(card: Buttons | Choice | Form, room: int) -> CardElements:
    """Draw a question that was answered: its prompt in small print, nothing to press."""
    prompt = clean(card.title if isinstance(card, Form) else card.prompt).strip()
    return (
        draw_text(Text(truncate(prompt, PROMPT_MAX_CHARS), "quiet"), room)
        if not prompt.endswith(":")
        else CardElements()
    )


def matching(choice: Choice, typed: str, most: int = FOUND_ENTRIES_MAX) -> list[dict[str, str]]:
    """Return the entries for what was typed so far, the best first: `title` and `value`."""
    entries = _entries(choice.options)
    return [entries[n] for n in controls.matching(choice.options, typed)[:most]]


def execute(
    title: str,
    id: str,
    data: dict[str, Any],
    style: str = "plain",
    inputs: str = "none",
    longest: int = BUTTON_LABEL_MAX_CHARS,
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
        for option, value in zip(options, controls.values_of(options), strict=True)
    ]


def _entry(label: str) -> str:
    # Some clients draw the entries of a menu as Markdown.
    return label_of(label, MENU_LABEL_MAX_CHARS).replace("](", "]\u2060(")


def _input(field: Field, asked: QuestionRef, required: bool) -> list[Element]:
    needed = required and not field.optional
    shape: Element = {"type": "Input.Text", "isMultiline": field.kind in ("text", "code")}
    if field.kind in ("menu", "radio"):
        shape = {"type": "Input.ChoiceSet", "style": "compact", "choices": _entries(field.options)}
    element: Element = {
        **shape,
        "id": field_id(asked.card, field.name),
        "label": label_of(field.label or field.name, PROMPT_MAX_CHARS),
        **({"value": field.value} if field.value else {}),
        **({"isRequired": True, "errorMessage": "Please fill this in."} if needed else {}),
    }
    problem = clean(field.problem).strip()
    return [alarm(truncate(problem, PROMPT_MAX_CHARS)), element] if problem else [element]


def _unformed(card: Form) -> CardElements:
    """Draw a form that does not fit into a card: its long values are files, and the answer is typed."""
    wrong = [
        alarm(truncate(clean(field.problem).strip(), PROMPT_MAX_CHARS))
        for field in card.fields
        if field.problem.strip()
    ]
    title = label_of(card.title, PROMPT_MAX_CHARS // 10)
    sentence = f"{title}: it is too long for a card of Teams. Send the changed text as a message here instead."
    files = [Attached("query.sql" if field.kind == "code" else "text.txt", field.value) for field in card.fields]
    return CardElements((*wrong[:3], small(sentence)), tuple(file for file in files[:1] if file.content))


def _typed(prompt: str, options: Sequence[Option]) -> CardElements:
    """Draw a question for which no button is left: what can be typed in place of pressing."""
    labels = truncate(
        " / ".join(label_of(option.label, BUTTON_LABEL_MAX_CHARS) for option in options), PROMPT_MAX_CHARS // 2
    )
    return (
        CardElements((*_prompt(prompt), small(f"Type one of: {labels}")))
        if options
        else CardElements(tuple(_prompt(prompt)))
    )


def _prompt(prompt: str) -> list[Element]:
    return paragraphs(truncate(clean(prompt).strip(), PROMPT_MAX_CHARS))
