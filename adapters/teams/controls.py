"""Buttons and menus as elements; each carries the thread and the question's number."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.rendering import controls
from adapters.rendering.controls import QuestionRef, answers_of
from adapters.rendering.text import label_of, remove_unseen, strip_marks
from adapters.teams.drawing import VERSION, Element
from adapters.teams.text_elements import paragraphs
from router.cards import Buttons, Choice, Option, Reply
from router.language.wording import truncate
from router.memory.thread import key_from

# The data that buttons, menus and forms carry, written and read here alone.


PRESS, CHOOSE, FILL, STOP, OPEN = "press", "choose", "fill", "stop", "open"
"""The verbs of Action.Execute; an Action.Submit has none, so that `v` in the data says it again. OPEN asks for a
dialog."""
VERBS = (PRESS, CHOOSE, FILL, STOP, OPEN)

TURNS_MAX = 2**31
"""Questions of one talk, of which no talk has so many."""


def data_of(asked: QuestionRef, verb: str, answer: str | None = None) -> dict[str, Any]:
    """Return the data of an action: the thread, the question's number, the card's, and the answer of a button."""
    data = {"v": verb, "k": str(asked.key), "t": asked.turn, "c": asked.card}
    return data if answer is None else data | {"a": answer}


def asked_in(data: Mapping[str, Any]) -> tuple[str, QuestionRef]:
    """Return the verb, and what is answered; raises ValueError if the data says nothing of ours."""
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


def question_in(reply: Reply, number: int) -> Buttons | Choice | None:
    """Return the card of this number, if it is one that is answered by pressing or choosing."""
    card = reply.cards[number] if 0 <= number < len(reply.cards) else None
    return card if isinstance(card, Buttons | Choice) else None


def answers_in(reply: Reply, data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the router's answers for what was pressed or chosen in a reply; empty if nothing was."""
    verb, asked = asked_in(data)
    if (card := question_in(reply, asked.card)) is None:
        return ()
    chosen = str(data.get(menu_id(asked.card)) or "") if verb == CHOOSE else str(data.get("a") or "")
    values = chosen.split(",") if isinstance(card, Choice) and card.many else [chosen]
    return answers_of(card.options, values)


def option_in(reply: Reply, data: Mapping[str, Any]) -> Option | None:
    """Return the option of a button whose data this is; None if a reply has none like it."""
    card, answers = question_in(reply, asked_in(data)[1].card), answers_in(reply, data)
    options = card.options if card and answers else ()
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

BUTTONS_MAX = 24
"""Buttons of a question, behind its "…" too; of more, a menu is made."""

CHOICE_BUTTONS_MAX = 6
"""Entries of a menu up to which they are buttons."""

CHOICE_LABEL_MAX_CHARS = 40
"""Characters of an entry up to which it is a button."""

_STYLES = {"primary": "positive", "danger": "destructive"}


def draw_ask(card: Buttons | Choice, asked: QuestionRef, in_sight: int) -> list[Element]:
    """Draw a question that stands, with at most `in_sight` buttons before its "…"; a menu has one that sends."""
    few = len(card.options) <= BUTTONS_MAX if isinstance(card, Buttons) else is_short(card)
    return _draw_buttons(card, asked, in_sight) if few else _draw_menu(card, asked)


def is_short(card: Choice) -> bool:
    """Return whether a menu has so few entries that they are buttons."""
    fits = all(len(option.label) <= CHOICE_LABEL_MAX_CHARS for option in card.options)
    return not card.many and fits and len(card.options) <= CHOICE_BUTTONS_MAX


def _draw_buttons(card: Buttons | Choice, asked: QuestionRef, in_sight: int) -> list[Element]:
    """Draw buttons, of which those of a group are one menu, if the first of them is."""
    card = controls.with_short_labels(card)
    values = controls.values_of(card.options)
    groups: dict[str, list[int]] = {}
    for n, option in enumerate(card.options):
        groups.setdefault(option.group or f"#{n}", []).append(n)
    first = [name for name, of in groups.items() if not all(card.options[n].overflow for n in of)] or list(groups)
    actions: list[Element] = []
    for name, of in groups.items():
        aside, group = name not in first[:in_sight], card.options[of[0]].group
        if group and not aside:
            drawn = [_button(card.options[n], n, values[n], asked) for n in of]
            actions.append(_grouped(group, drawn, asked))
        else:
            actions += [_button(card.options[n], n, values[n], asked, f"{group} ".lstrip(), aside=aside) for n in of]
    row = [{"type": "ActionSet", "actions": actions}] if actions else []
    return [*_prompt(card.prompt), *row]


def _grouped(name: str, buttons: list[Element], asked: QuestionRef) -> Element:
    """Return a button that shows those of its group below it, which every client of Teams can."""
    shown = {"type": "AdaptiveCard", "version": VERSION, "body": [{"type": "ActionSet", "actions": buttons}]}
    return {"type": "Action.ShowCard", "id": f"group:{asked.card}:{name}", "title": f"{name} ▾", "card": shown}


def _button(
    option: Option, number: int, value: str, asked: QuestionRef, before: str = "", *, aside: bool = False
) -> Element:
    """Return the button of an option: it is pressed at once, or opens a dialog with its form or its question.

    `before` stands before its label: a button of a group is called so outside of it, as Download CSV.
    """
    verb = OPEN if option.form is not None or option.confirm else PRESS
    more = {"mode": "secondary"} if aside else {}
    id = f"{PRESS}:{asked.card}:{number}"
    return execute(f"{before}{option.label}", id, data_of(asked, verb, value), option.style, **more)


def execute(title: str, id: str, data: dict[str, Any], style: str = "plain", **more: str) -> Element:
    """Return a button, with the one that old clients know as its fallback; it sends inputs if `more` says so."""
    shared = {"id": id, "title": label_of(title, BUTTON_LABEL_MAX_CHARS), "data": data, "associatedInputs": "none"}
    if style in _STYLES:
        shared["style"] = _STYLES[style]
    shared |= more
    if data["v"] == OPEN:  # a dialog is opened by this kind of button alone
        return {"type": "Action.Submit", **shared, "data": data | {"msteams": {"type": "task/fetch"}}}
    return {"type": "Action.Execute", "verb": data["v"], **shared, "fallback": {"type": "Action.Submit", **shared}}


def _draw_menu(card: Buttons | Choice, asked: QuestionRef) -> list[Element]:
    """Draw a menu with a button that sends what was chosen."""
    many, chosen = (card.many, card.chosen) if isinstance(card, Choice) else (False, ())
    if not card.options:
        return _prompt(card.prompt)
    entries = entries_of(card.options)
    outside = len(entries) > MENU_ENTRIES_MAX or sum(len(e["title"] + e["value"]) for e in entries) > MENU_MAX_CHARS
    ticked = [e["value"] for option, e in zip(card.options, entries, strict=True) if option.answer in chosen]
    if outside:
        ticked = ticked[:SEARCHED_MENU_ENTRIES]
        entries = sorted(entries, key=lambda entry: entry["value"] not in ticked)[:SEARCHED_MENU_ENTRIES]
    hint = "Choose one or more" if many else "Choose"
    above, _, label = strip_marks(card.prompt).strip().rpartition("\n")
    chooser: Element = {
        "type": "Input.ChoiceSet",
        "id": menu_id(asked.card),
        "label": label_of(label or hint, PROMPT_MAX_CHARS),
        "style": "filtered",
        "isMultiSelect": many,
        "placeholder": f"Type to find one of {len(card.options):,}" if outside else hint,
        "choices": entries,
    }
    if ticked:
        chooser["value"] = ",".join(ticked if many else ticked[:1])
    if outside:
        chooser["choices.data"] = {"type": "Data.Query", "dataset": str(asked)}
    return [*_prompt(above), chooser, sender("OK", CHOOSE, asked)]


def sender(title: str, verb: str, asked: QuestionRef) -> Element:
    """Return the button that sends the inputs of a card."""
    drawn = execute(title, f"{verb}:{asked.card}", data_of(asked, verb), "primary", associatedInputs="auto")
    return {"type": "ActionSet", "actions": [drawn]}


def matching(choice: Choice, typed: str) -> list[dict[str, str]]:
    """Return the entries for what was typed so far, the best first: `title` and `value`."""
    entries = entries_of(choice.options)
    return [entries[n] for n in controls.matching(choice.options, typed)[:FOUND_ENTRIES_MAX]]


def entries_of(options: Sequence[Option]) -> list[dict[str, str]]:
    """Return the entries of a menu of these options; some clients draw them as Markdown."""
    titles = (label_of(option.label, MENU_LABEL_MAX_CHARS).replace("](", "]\u2060(") for option in options)
    return [{"title": title, "value": value} for title, value in zip(titles, controls.values_of(options), strict=True)]


def _prompt(prompt: str) -> list[Element]:
    return paragraphs(truncate(remove_unseen(prompt).strip(), PROMPT_MAX_CHARS))
