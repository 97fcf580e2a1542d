"""Buttons and menus as elements; each carries the thread and the question's number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.rendering import controls
from adapters.rendering.controls import QuestionRef, answers_of
from adapters.rendering.text import bare, clean, label_of
from adapters.teams.audience import ALL, Audience
from adapters.teams.drawing import VERSION, CardElements, Element, size_of
from adapters.teams.text_elements import draw_text, paragraphs, small
from router.cards import Buttons, Choice, Option, Progress, Reply, Text
from router.language.wording import truncate
from router.memory.thread import key_from

# The data that buttons, menus and forms carry, written and read here alone.


PRESS, CHOOSE, FILL, STOP, OPEN, LOOK = "press", "choose", "fill", "stop", "open", "look"
"""The verbs of Action.Execute; an Action.Submit has none, so that `v` in the data says it again.

OPEN asks for a dialog, LOOK for the card as one person sees it.
"""
VERBS = (PRESS, CHOOSE, FILL, STOP, OPEN, LOOK)

TURNS_MAX = 2**31
"""Questions of one talk, of which no talk has so many."""


def data_of(asked: QuestionRef, verb: str, answer: str | None = None) -> dict[str, Any]:
    """Return the data of an action: the thread, the question's number, the card's, and the answer of a button."""
    data = {"v": verb, "k": str(asked.key), "t": asked.turn, "c": asked.card}
    return data if answer is None else data | {"a": answer}


def asked_in(data: Mapping[str, Any]) -> tuple[str, QuestionRef]:
    """Return the verb, and what is answered; raises ValueError where the data says nothing of ours."""
    match data:
        case {"v": str(verb), "k": str(key), "t": int(turn), "c": int(card)} if verb in VERBS:
            if not 0 <= turn < TURNS_MAX:
                raise ValueError("no number of a question")
            return verb, QuestionRef(key_from(key), turn, card)
        case _:
            raise ValueError("no data of a card of ours")


def menu_id(card: int) -> str:
    """Return the id of the menu of a card."""
    return f"menu:{card}"


def answers_in(reply: Reply, data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the router's answers for what was pressed or chosen in a reply; empty where nothing was."""
    verb, asked = asked_in(data)
    card = reply.cards[asked.card] if 0 <= asked.card < len(reply.cards) else None
    if not isinstance(card, Buttons | Choice):
        return ()
    chosen = str(data.get(menu_id(asked.card)) or "") if verb == CHOOSE else str(data.get("a") or "")
    values = chosen.split(",") if isinstance(card, Choice) and card.many else [chosen]
    return answers_of(card.options, values)


def option_in(reply: Reply, data: Mapping[str, Any]) -> Option | None:
    """Return the option of a button whose data this is; None where a reply has none like it."""
    answers = answers_in(reply, data)
    card = reply.cards[asked_in(data)[1].card] if answers else None
    options = card.options if isinstance(card, Buttons | Choice) else ()
    return next((option for option in options if option.answer == answers[0]), None)


PROMPT_MAX_CHARS = 1_500
BUTTON_LABEL_MAX_CHARS, MENU_LABEL_MAX_CHARS = 60, 100
"""Characters of a label; longer ones are cut in their middle, for names often differ at their ends."""

MENU_ENTRIES_MAX = 100
MENU_MAX_CHARS = 4_000
SEARCHED_MENU_ENTRIES = 20
"""Entries of a menu above which it asks for them while the person types, and how many it has all the same."""

FOUND_ENTRIES_MAX = 15
"""Entries that Teams shows of what was found."""

IN_SIGHT_MAX = 4
"""Buttons of a message in sight; the others are behind its "…"."""

BUTTONS_MAX = 24
"""Buttons of a question, behind the "…" too; of more, a menu is made."""

CHOICE_BUTTONS_MAX = 6
"""Entries of a menu up to which they are buttons."""

CHOICE_LABEL_MAX_CHARS = 40
"""Characters of an entry up to which it is a button."""

_STYLES = {"primary": "positive", "danger": "destructive"}


def draw_ask(
    card: Buttons | Choice, asked: QuestionRef, room: int, *, in_sight: int, audience: Audience = ALL
) -> CardElements:
    """Draw a question that stands in at most `room` bytes, with at most `in_sight` buttons before its "…".

    A menu sends what was chosen by a button in sight; without one, the answer is typed.
    """
    if isinstance(card, Buttons) and len(card.options) <= BUTTONS_MAX:
        part = draw_buttons(card, asked, in_sight, audience)
    elif isinstance(card, Choice) and is_short(card):
        part = draw_buttons(Buttons(card.prompt, card.options), asked, in_sight, audience)
    elif in_sight:
        part = draw_choice(card if isinstance(card, Choice) else Choice(card.prompt, card.options), asked)
    else:
        part = _typed(card.prompt, card.options)
    if size_of(part.elements) <= room:
        return part
    part = _typed(card.prompt, card.options)
    return part if size_of(part.elements) <= room else CardElements(files=part.files, cut=True)


def is_short(card: Choice) -> bool:
    """Tell whether a menu has so few entries that they are buttons."""
    fits = all(len(option.label) <= CHOICE_LABEL_MAX_CHARS for option in card.options)
    return not card.many and fits and len(card.options) <= CHOICE_BUTTONS_MAX


def wanted(card: Buttons | Choice, audience: Audience = ALL) -> int:
    """Return how many buttons a question would have in sight."""
    if isinstance(card, Choice) and not is_short(card):
        return 1
    units = _units(card.options, audience)
    return sum(not unit.overflow for unit in units) or len(units)


def draw_buttons(card: Buttons, asked: QuestionRef, in_sight: int, audience: Audience = ALL) -> CardElements:
    """Draw a question with at most so many buttons in sight; the others are behind the "…" of their row."""
    card = controls.with_short_labels(card)
    values, units = controls.values_of(card.options), _units(card.options, audience)
    if not units:
        return CardElements(tuple(_prompt(card.prompt)))
    first = [n for n, unit in enumerate(units) if not unit.overflow] or list(range(len(units)))
    actions: list[Element] = []
    for n, unit in enumerate(units):
        drawn = [button(card.options[at], at, values[at], asked) for at in unit.of]
        aside = n not in first[:in_sight]
        if unit.group and not aside:
            actions.append(_grouped(unit.group, drawn, asked))
        else:
            named = [_named(each, unit.group) for each in drawn]
            actions += [_secondary(each) for each in named] if aside else named
    return CardElements((*_prompt(card.prompt), {"type": "ActionSet", "actions": actions}))


@dataclass(frozen=True, slots=True)
class _Unit:
    """A button, or a group of them that is one menu: the numbers of its options."""

    group: str
    of: tuple[int, ...]
    overflow: bool


def _units(options: Sequence[Option], audience: Audience) -> list[_Unit]:
    """Return what stands side by side in a row of buttons, each group where its first one is."""
    groups: dict[str, list[int]] = {}
    for n, option in enumerate(options):
        if audience.sees(option):
            groups.setdefault(option.group or f"#{n}", []).append(n)
    return [_Unit(options[of[0]].group, tuple(of), all(options[n].overflow for n in of)) for of in groups.values()]


def _grouped(name: str, buttons: list[Element], asked: QuestionRef) -> Element:
    """Return a button that shows those of its group below it, which every client of Teams can."""
    shown = {"type": "AdaptiveCard", "version": VERSION, "body": [{"type": "ActionSet", "actions": buttons}]}
    return {"type": "Action.ShowCard", "id": f"group:{asked.card}:{name}", "title": f"{name} ▾", "card": shown}


def _named(button: Element, group: str) -> Element:
    """Return a button of a group as it is called outside of it: Download CSV."""
    if not group:
        return button
    named = button | {"title": f"{group} {button['title']}"}
    return named | ({"fallback": named["fallback"] | {"title": named["title"]}} if "fallback" in named else {})


def _secondary(button: Element) -> Element:
    aside = button | {"mode": "secondary"}
    return aside | ({"fallback": aside["fallback"] | {"mode": "secondary"}} if "fallback" in aside else {})


def button(option: Option, number: int, value: str, asked: QuestionRef) -> Element:
    """Return the button of an option: it is pressed at once, or opens a dialog with its form or its question."""
    id = f"{PRESS}:{asked.card}:{number}"
    if option.form is None and not option.confirm:
        return execute(option.label, id, data_of(asked, PRESS, value), option.style)
    data = data_of(asked, OPEN, value) | {"msteams": {"type": "task/fetch"}}
    drawn = {"type": "Action.Submit", "id": id, "title": label_of(option.label, BUTTON_LABEL_MAX_CHARS), "data": data}
    styled = {"style": _STYLES[option.style]} if option.style in _STYLES else {}
    return {**drawn, **styled, "associatedInputs": "none"}


def draw_choice(card: Choice, asked: QuestionRef) -> CardElements:
    """Draw a menu with a button that sends what was chosen."""
    if not card.options:
        return CardElements(tuple(_prompt(card.prompt)))
    entries = entries_of(card.options)
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
    above, _, label = bare(card.prompt).strip().rpartition("\n")
    chooser: Element = {
        "type": "Input.ChoiceSet",
        "id": menu_id(asked.card),
        "label": label_of(label or hint, PROMPT_MAX_CHARS),
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
    return CardElements((*_prompt(above), chooser, {"type": "ActionSet", "actions": [ok]}))


def draw_progress(card: Progress, asked: QuestionRef, room: int, *, stop: bool) -> CardElements:
    """Draw what is being done; with `stop`, a button ends it."""
    line = draw_text(Text(truncate(clean(card.text).strip(), PROMPT_MAX_CHARS) or "…", "quiet"), room)
    if not stop:
        return line
    stopper = execute("Stop", f"{STOP}:{asked.card}", data_of(asked, STOP))
    part = CardElements((*line.elements, {"type": "ActionSet", "actions": [stopper]}), cut=line.cut)
    return part if size_of(part.elements) <= room else CardElements(cut=True)


def matching(choice: Choice, typed: str, most: int = FOUND_ENTRIES_MAX) -> list[dict[str, str]]:
    """Return the entries for what was typed so far, the best first: `title` and `value`."""
    entries = entries_of(choice.options)
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


def entries_of(options: Sequence[Option]) -> list[dict[str, str]]:
    """Return the entries of a menu of these options."""
    return [
        {"title": _entry(option.label), "value": value}
        for option, value in zip(options, controls.values_of(options), strict=True)
    ]


def _entry(label: str) -> str:
    # Some clients draw the entries of a menu as Markdown.
    return label_of(label, MENU_LABEL_MAX_CHARS).replace("](", "]\u2060(")


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
